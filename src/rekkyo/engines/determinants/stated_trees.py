"""Models of spanning trees: their constraints, and the graph that these are about.

There is a variable, 0 or 1, for each edge, a clause for each vertex, `Connected` for the edges that meet, and
`Acyclic`. A leaf, a vertex with one edge, is left out with this edge, which its clause fixes: a symmetry of
the model may move the edge alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rekkyo.model.csp.constraints import Acyclic, Clause, Connected, Constraint
from rekkyo.model.csp.csp import Csp

Vertex: TypeAlias = int
Edge: TypeAlias = int
Ends: TypeAlias = tuple[Vertex, Vertex]

_ACYCLIC, _SOMETHING_ELSE = object(), object()


class Graph(NamedTuple):
    """A graph without loops, and without its leaves. n: the vertices. ends: of each edge."""

    n: int
    ends: dict[Edge, Ends]


@lru_cache(maxsize=4)
def spanning_trees_of(model: Csp) -> Graph | None:
    """The graph whose spanning trees are the solutions; None if the model says something else."""
    acyclic = [constraint for constraint in model.constraints if isinstance(constraint, Acyclic)]
    if model.objective is not None or len(acyclic) != 1 or acyclic[0].directed:
        return None
    edges = [*range(len(model.domains))]
    variables, links = acyclic[0].variables, acyclic[0].links
    linked = sorted((variables[place], value, one, other) for place, value, one, other in links)
    is_about_edges = set(model.domains) == {(0, 1)} and [*model.solution] == edges
    if not is_about_edges or [link[:2] for link in linked] != [(edge, 1) for edge in edges]:
        return None
    incident: dict[Vertex, set[Edge]] = defaultdict(set)
    for edge, _, one, other in linked:
        if one == other:
            return None
        incident[one].add(edge)
        incident[other].add(edge)
    meeting = {frozenset(pair) for some in incident.values() for pair in combinations(some, 2)}
    said = {_ACYCLIC, (frozenset(edges), frozenset(meeting)), *map(frozenset, incident.values())}
    further = said ^ set(map(_said, model.constraints))
    if further - {frozenset()}:  # the clause of a vertex without edges is empty
        return None
    if further:
        incident[max(incident) + 1] = set()
    return _without_leaves({edge: (one, other) for edge, _, one, other in linked}, incident)


def _said(constraint: Constraint) -> object:
    """The edges of which a clause needs one; all edges and those that meet, if they have to be connected."""
    match constraint:
        case Acyclic():
            return _ACYCLIC
        case Clause(literals) if all(literal[1:] == (1, True) for literal in literals):
            return frozenset(edge for edge, *_ in literals)
        case Connected(variables, edges, (1,)) if len(set(variables)) == len(variables):
            pairs = (frozenset((variables[one], variables[other])) for one, other in edges)
            return frozenset(variables), frozenset(pairs)
    return _SOMETHING_ELSE


def _without_leaves(ends: Mapping[Edge, Ends], incident: dict[Vertex, set[Edge]]) -> Graph:
    """The graph that is left. incident: the edges of each vertex, in/out."""
    leaves = [vertex for vertex, edges in incident.items() if len(edges) == 1]
    for leaf in leaves:
        for edge in incident[leaf]:  # none where the edge had two leaves, and the other is gone
            [beside] = {*ends[edge]} - {leaf}
            del incident[leaf]
            incident[beside].remove(edge)
    number_of = {vertex: number for number, vertex in enumerate(incident)}
    left = ((edge, one, other) for edge, (one, other) in ends.items() if edge in incident.get(one, ()))
    return Graph(len(incident), {edge: (number_of[one], number_of[other]) for edge, one, other in left})
