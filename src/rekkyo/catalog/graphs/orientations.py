"""Orientations of a graph: a direction of each edge.

A row has 0 for an edge that leads from the vertex that was named first to the other one, and 1 for the other
direction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rekkyo.catalog.graphs.vertex_sets import checked_numbers, described
from rekkyo.errors import BadInput
from rekkyo.model.checks import check_type
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

ARROWS = "><"


def orientations(graph: Graph, *, acyclic: bool, eulerian: bool, out: Iterable[int] | None) -> Puzzle:
    """Directions of all edges."""
    check_type("graph: acyclic is True or False", acyclic, bool)
    check_type("graph: eulerian is True or False", eulerian, bool)
    numbers = checked_numbers("out", out)
    if eulerian and out is not None:
        raise BadInput("graph: eulerian and out both say how many edges lead out; leave one out")
    kind = f"{'Eulerian ' * eulerian}{'acyclic ' * acyclic}orientations"
    title = f"{kind[0].upper()}{kind[1:]} of {described(graph)}"
    picture = replace(graph.picture(on_edges=True), is_directed=True)
    if not graph.edges:
        bounds = ((0, 1),) if numbers is None or 0 in numbers else ()  # an item that no option covers
        return Puzzle("graph orientations", ExactCover(("none",), (), (), bounds), title, picture=picture)
    problem = Problem()
    edges = problem.variables(graph.edge_names, (0, 1))
    for vertex, at in enumerate(graph.incident_edges()):
        allowed: Iterable[int] | None = numbers
        if eulerian:
            allowed = [len(at) // 2] if len(at) % 2 == 0 else []
        if allowed is not None:
            is_first = [graph.edges[edge][0] == vertex for edge in at]
            n_out = problem.hidden([n - sum(is_first) for n in allowed if n <= len(at)] or [len(at) + 1])
            signs = [-1 if first else 1 for first in is_first]
            problem.linear((*signs, -1), (*(edges[edge] for edge in at), n_out), "=", 0)
    if acyclic:
        arcs = [(edge, 0, *ends) for edge, ends in enumerate(graph.edges)]
        problem.acyclic(edges, [*arcs, *((edge, 1, b, a) for edge, _, a, b in arcs)], directed=True)
    puzzle = problem.puzzle("graph orientations", title, solution=edges)
    return replace(puzzle, symbols=ARROWS, picture=picture)
