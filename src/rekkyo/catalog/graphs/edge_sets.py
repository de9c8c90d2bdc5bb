"""Puzzles about the edges of a graph: matchings, cycles, paths and spanning trees.

Perfect matchings are exact covers of the vertices by edges, other matchings cover each vertex at most once.
The other puzzles have a variable 0 or 1 for each edge, with constraints on the number of chosen edges at a
vertex and on their connection. An undirected cycle is one set of edges, so each cycle is counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from rekkyo.catalog.graphs.vertex_sets import SET_SYMBOLS, described
from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.model.checks import check_nested, check_size, check_type
from rekkyo.model.csp.constraints import Clause, Variable
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import Puzzle

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

NAME = "graph edges"
MAX_MEETING = 1 << 18
"""Pairs of edges that meet."""


def matchings(graph: Graph, *, perfect: bool, maximum: bool) -> Puzzle:
    """Sets of edges, no two of which meet."""
    check_type("graph: perfect is True or False", perfect, bool)
    check_type("graph: maximum is True or False", maximum, bool)
    if maximum and not perfect:
        return _maximum_matchings(graph)
    what = "Perfect matchings" if perfect else "Matchings"
    options = tuple(((one, 0), (other, 0)) for one, other in graph.edges)
    return _cover(graph, options, f"{what} of {described(graph)}", is_exact=perfect)


def cycles(graph: Graph, *, hamiltonian: bool) -> Puzzle:
    """Cycles, each once."""
    check_type("graph: hamiltonian is True or False", hamiltonian, bool)
    title = f"{_kind(hamiltonian, 'cycles')} of {described(graph)}"
    if not graph.edges:
        return _empty_set(graph, title, is_solution=False)
    problem, edges = _edges_of(graph)
    for at in graph.incident_edges():
        if hamiltonian:
            problem.sum(at, "=", 2)
        else:
            is_on = problem.hidden((0, 1))
            problem.linear((*(1,) * len(at), -2), (*at, is_on), "=", 0)
    if not hamiltonian:
        problem.sum(edges, ">=", 3)
    _connect(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def paths(graph: Graph, *, hamiltonian: bool, between: tuple[str, str] | None) -> Puzzle:
    """Paths of one edge or more, each once."""
    check_type("graph: hamiltonian is True or False", hamiltonian, bool)
    ends = _ends(graph, between)
    where = f" from {between[0]} to {between[1]}" if between else ""
    title = f"{_kind(hamiltonian, 'paths')}{where} in {described(graph)}"
    if not graph.edges:
        return _empty_set(graph, title, is_solution=False)
    problem, edges = _edges_of(graph)
    degrees = []
    for vertex, at in enumerate(graph.incident_edges()):
        inside = (2,) if hamiltonian else (0, 2)
        domain = (1,) if vertex in ends else inside if ends else (1, *inside)
        degrees.append(problem.hidden(domain))
        problem.linear((*(1,) * len(at), -1), (*at, degrees[-1]), "=", 0)
    problem.count(degrees, (1,), problem.hidden((2,)))
    _connect(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def spanning_trees(graph: Graph) -> Puzzle:
    """Trees through all vertices: connected, an edge at every vertex, and one edge fewer than vertices."""
    title = f"Spanning trees of {described(graph)}"
    if not graph.edges:  # a vertex alone is a tree
        return _empty_set(graph, title, is_solution=len(graph.names) == 1)
    problem, edges = _edges_of(graph)
    problem.sum(edges, "=", len(graph.names) - 1)
    for at in graph.incident_edges():
        problem.add(Clause(tuple((edge, 1, True) for edge in at)))
    _connect(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def meeting(graph: Graph) -> Iterator[tuple[int, int]]:
    """Pairs of edges that meet, by their numbers, in order. Raises BadModel for too many."""
    check_size(
        "graph",
        sum(comb(len(at), 2) for at in graph.incident_edges()),
        "pairs of edges that meet",
        MAX_MEETING,
    )
    return iter(sorted(pair for at in graph.incident_edges() for pair in combinations(at, 2)))


def _maximum_matchings(graph: Graph) -> Puzzle:
    title = f"Maximum matchings of {described(graph)}"
    if not graph.edges:
        return _empty_set(graph, title, is_solution=True)
    problem, edges = _edges_of(graph)
    for at in graph.incident_edges():
        problem.sum(at, "<=", 1)
    size = problem.hidden(range(len(graph.names) // 2 + 1))
    problem.linear((*(1,) * len(edges), -1), (*edges, size), "=", 0)
    problem.maximize(size)
    return _puzzle(problem, graph, edges, title)


def _edges_of(graph: Graph) -> tuple[Problem, tuple[Variable, ...]]:
    """A problem with a variable for each edge: 1 when it is chosen."""
    problem = Problem()
    return problem, problem.variables(graph.edge_names, (0, 1))


def _empty_set(graph: Graph, title: str, *, is_solution: bool) -> Puzzle:
    """A puzzle about the edges of a graph without edges: of all sets there is only the empty one."""
    return _cover(graph, (), title, is_exact=not is_solution)


def _cover(graph: Graph, edges: tuple[Option, ...], title: str, *, is_exact: bool) -> Puzzle:
    """Sets of edges that cover each vertex once, or at most once if that is not exact."""
    bounds = () if is_exact else ((0, 1),) * len(graph.names)
    model = ExactCover(graph.names, (), edges, bounds)
    return Puzzle(NAME, model, title, picture=graph.picture(on_edges=True))


def _puzzle(problem: Problem, graph: Graph, edges: tuple[Variable, ...], title: str) -> Puzzle:
    puzzle = problem.puzzle(NAME, title, solution=edges)
    return replace(puzzle, symbols=SET_SYMBOLS, picture=graph.picture(on_edges=True))


def _connect(problem: Problem, graph: Graph, edges: tuple[Variable, ...]) -> None:
    problem.connected(edges, meeting(graph), (1,))


def _ends(graph: Graph, between: tuple[str, str] | None) -> list[int]:
    if between is None:
        return []
    rule = 'graph: between is a pair of vertices, such as ("a", "b")'
    check_nested(rule, (between,), (tuple, tuple, str), length=2)
    for name in between:
        if name not in graph.names:
            raise BadInput(
                f'graph: there is no vertex "{in_short(name)}"; {fix_for_name(name, graph.names[:20])}'
            )
    if between[0] == between[1]:
        raise BadInput("graph: a path has two different ends; name another one")
    return [graph.names.index(name) for name in between]


def _kind(hamiltonian: bool, what: str) -> str:
    return f"Hamiltonian {what}" if hamiltonian else what.capitalize()
