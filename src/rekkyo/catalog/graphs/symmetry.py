"""The symmetry of a graph as one of the puzzles that are asked about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rekkyo.catalog.graphs.edge_sets import NAME as EDGES
from rekkyo.catalog.own_symmetry import own_symmetry, with_own_symmetry
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import AtomPermutation

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph


def with_symmetry(graph: Graph, puzzle: Puzzle, marked: tuple[str, str] | None = None) -> Puzzle:
    """The puzzle with the symmetry of the graph; marked: vertices that stay, or take each other's place."""
    if not isinstance(puzzle.model, Csp):
        return with_own_symmetry(puzzle)[0]
    marks = tuple(((graph.names.index(name), 1),) for name in marked or ())
    plain = Coloring(len(graph.names), 2, graph.edges, patterns=marks)
    found = own_symmetry(plain)
    moves = [tuple(atom // 2 for atom in atoms[::2]) for atoms in found.generators]
    if puzzle.name == EDGES:
        moves = [_of_edges(graph, move) for move in moves]
    generators = tuple(map(_of_values, moves))
    return replace(puzzle, generators=generators, symmetry_was_searched=not found.trouble)


def _of_edges(graph: Graph, move: tuple[int, ...]) -> tuple[int, ...]:
    """Where each edge goes when the vertices move."""
    number = {edge: at for at, edge in enumerate(graph.edges)}
    images = (sorted((move[one], move[other])) for one, other in graph.edges)
    return tuple(number[image[0], image[1]] for image in images)


def _of_values(move: tuple[int, ...]) -> AtomPermutation:
    """Where each 0 or 1 at a position goes."""
    return tuple(2 * to + value for to in move for value in (0, 1))
