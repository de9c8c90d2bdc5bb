"""The symmetry of a graph, as that of a puzzle about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import TypeAlias

from rekkyo.catalog.csp_symmetry import all_generators
from rekkyo.model.csp.constraints import AllDifferent
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.picture import Network
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND
from rekkyo.symmetry.csp_graph import CspGraph, Literal
from rekkyo.symmetry.model_graphs import ModelGraph, Vertex, cover_graph

Move: TypeAlias = list[tuple[int, bool]]
"""The image of each position, and whether 0 and 1 are exchanged there, because an edge is turned around."""


def moves_of_vertices(drawn: Network) -> list[list[int]] | None:
    """Generators of the symmetry of a graph and its weights: the image of each vertex.

    None if the search took too long.
    """
    graph = ModelGraph()
    for _ in drawn.names:
        graph.vertex("vertex")
    for edge, weight in zip(drawn.edges, drawn.weights or repeat(0), strict=False):
        graph.vertex(weight, edge)
    automorphisms = graph.automorphisms()
    n_vertices = len(drawn.names)
    return None if automorphisms is None else [list(one[:n_vertices]) for one in automorphisms.generators]


def moves_of_places(drawn: Network) -> list[Move] | None:
    """The same as images of the positions of a row, or the options of a cover: the vertices, or the edges."""
    moves = moves_of_vertices(drawn)
    if moves is None:
        return None
    if not drawn.on_edges:
        return [[(image, False) for image in move] for move in moves]
    numbers = {ends: number for number, ends in enumerate(drawn.edges)}
    return [[_image(numbers, move[a], move[b], drawn.is_directed) for a, b in drawn.edges] for move in moves]


def _image(numbers: Mapping[tuple[int, int], int], a: int, b: int, is_directed: bool) -> tuple[int, bool]:
    return numbers[min(a, b), max(a, b)], is_directed and a > b


def moves_of_cover(model: ExactCover, moves: Sequence[Move]) -> tuple[AtomPermutation, ...] | None:
    """What moves of its options do to the rows of a cover; None if one of them does not keep it."""
    graph = cover_graph(model)
    images = [tuple(place for place, _ in move) for move in moves]
    keeps = all(graph.extended(dict(enumerate(image))) is not None for image in images)
    return tuple(image or (0,) for image in images) if keeps else None


def moves_of_csp(model: Csp, drawn: Network, moves: Sequence[Move]) -> tuple[AtomPermutation, ...] | None:
    """What the moves that keep a model do to its rows; None if the search for them took too long.

    model: with the values 0 and 1 for each vertex or edge. moves: generators of all moves of the drawn graph.
    """
    graph = CspGraph(model)
    generators = [one for move in moves if (one := graph.extended_atoms(_literals(model, move))) is not None]
    if len(generators) == len(moves):
        return tuple(generators)
    # Products of them may keep the model, as where an end of paths is given.
    return all_generators(_joined(model, drawn), ABOUT_A_SECOND)


def _literals(model: Csp, move: Move) -> dict[Literal, Literal]:
    """The images of variables and their values, 0 and 1, of which some are exchanged."""
    images = zip(model.solution, move, strict=True)
    return {(v, x): (model.solution[place], x ^ swaps) for v, (place, swaps) in images for x in (0, 1)}


def _joined(model: Csp, drawn: Network) -> CspGraph:
    """The graph of a model, joined to the drawn graph, so that automorphisms keep both."""
    graph = CspGraph(model)

    def literal(place: int, value: int) -> list[Vertex]:
        at = graph.literal.get((model.solution[place], value))
        return [] if at is None else [at]

    vertices = [
        graph.vertex("drawn vertex", [] if drawn.on_edges else literal(number, 1))
        for number in range(len(drawn.names))
    ]
    for number, (edge, weight) in enumerate(zip(drawn.edges, drawn.weights or repeat(0), strict=False)):
        ends = [vertices[end] for end in edge]
        if drawn.is_directed:
            ends = [graph.vertex("way", [end, *literal(number, way)]) for way, end in enumerate(ends)]
        elif drawn.on_edges:
            ends += literal(number, 1)
        graph.vertex(("drawn edge", weight), ends)
    return graph


def is_proper_coloring(model: Csp, drawn: Network) -> bool:
    """Whether the variables are the vertices of the drawn graph, and only the ends of edges must differ."""
    pairs = [one.variables for one in model.constraints if isinstance(one, AllDifferent)]
    is_all = len(pairs) == len(model.constraints) and len(model.domains) == len(drawn.names)
    return is_all and model.objective is None and not drawn.on_edges and set(pairs) == set(drawn.edges)
