"""The symmetry of a graph, as that of a puzzle about it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

from rekkyo.model.csp.constraints import AllDifferent
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Network
from rekkyo.symmetry.model_graphs import ModelGraph


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


def moves_of_places(drawn: Network) -> list[list[tuple[int, bool]]] | None:
    """The same as images of the positions of a row: the vertices, or the edges.

    With each: whether the values 0 and 1 are exchanged, because an edge is turned around.
    """
    moves = moves_of_vertices(drawn)
    if moves is None:
        return None
    if not drawn.on_edges:
        return [[(image, False) for image in move] for move in moves]
    numbers = {ends: number for number, ends in enumerate(drawn.edges)}
    return [[_image(numbers, move[a], move[b], drawn.is_directed) for a, b in drawn.edges] for move in moves]


def _image(numbers: Mapping[tuple[int, int], int], a: int, b: int, is_directed: bool) -> tuple[int, bool]:
    return numbers[min(a, b), max(a, b)], is_directed and a > b


def is_proper_coloring(model: Csp, drawn: Network) -> bool:
    """Whether the variables are the vertices of the drawn graph, and only the ends of edges must differ."""
    pairs = [one.variables for one in model.constraints if isinstance(one, AllDifferent)]
    is_all = len(pairs) == len(model.constraints) and len(model.domains) == len(drawn.names)
    return is_all and model.objective is None and not drawn.on_edges and set(pairs) == set(drawn.edges)
