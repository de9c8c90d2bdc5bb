"""Models of spanning trees: their constraints, and the graph that these are about.

There is a variable, 0 or 1, for each edge, a clause for each vertex, `Connected` for the edges that meet, and
`Acyclic`. A bridge is in every spanning tree, so its ends are one vertex here: a symmetry of the model may
move one side of a bridge alone.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rekkyo.model.csp.constraints import Acyclic, Clause, Connected, Constraint
from rekkyo.model.csp.csp import Csp

Vertex: TypeAlias = int
Edge: TypeAlias = int
Ends: TypeAlias = tuple[Vertex, Vertex]

_NO_EDGE = -1

_ACYCLIC, _SOMETHING_ELSE = object(), object()


class Graph(NamedTuple):
    """A graph without loops and bridges. n: its vertices. ends: of each edge."""

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
    number_of = {vertex: number for number, vertex in enumerate(incident)}
    return _without_bridges(
        len(incident) + len(further), [(number_of[one], number_of[other]) for _, _, one, other in linked]
    )


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


def _without_bridges(n: int, ends: list[Ends]) -> Graph:
    """The graph, with the ends of each bridge made one vertex."""
    beside: list[list[tuple[Vertex, Edge]]] = [[] for _ in range(n)]
    for edge, (one, other) in enumerate(ends):
        beside[one].append((other, edge))
        beside[other].append((one, edge))
    above = _searched(beside)
    place = {vertex: at for at, vertex in enumerate(above)}
    tree = {edge for _, edge in above.values()}
    n_across = dict.fromkeys(above, 0)
    for edge, pair in enumerate(ends):
        if edge not in tree:  # from a vertex to one above it
            upper, lower = sorted(pair, key=place.__getitem__)
            n_across[lower] += 1
            n_across[upper] -= 1
    for vertex, (parent, _) in reversed(above.items()):
        if parent != vertex:
            n_across[parent] += n_across[vertex]
    number_of: dict[Vertex, int] = {}
    n_numbers = 0
    for vertex, (parent, _) in above.items():
        is_behind_bridge = parent != vertex and not n_across[vertex]
        number_of[vertex] = number_of[parent] if is_behind_bridge else n_numbers
        n_numbers += not is_behind_bridge
    kept = ((edge, (number_of[one], number_of[other])) for edge, (one, other) in enumerate(ends))
    return Graph(n_numbers, {edge: pair for edge, pair in kept if pair[0] != pair[1]})


def _searched(beside: list[list[tuple[Vertex, Edge]]]) -> dict[Vertex, tuple[Vertex, Edge]]:
    """The tree of a depth-first search: for each vertex its parent and the edge to it, in preorder.

    The first vertex of a component is its own parent.
    """
    above: dict[Vertex, tuple[Vertex, Edge]] = {}
    for start in range(len(beside)):
        if start in above:
            continue
        above[start] = (start, _NO_EDGE)
        waiting = [(start, iter(beside[start]))]
        while waiting:
            vertex, near = waiting[-1]
            found = next(((other, edge) for other, edge in near if other not in above), None)
            if found is None:
                waiting.pop()
            else:
                other, edge = found
                above[other] = (vertex, edge)
                waiting.append((other, iter(beside[other])))
    return above
