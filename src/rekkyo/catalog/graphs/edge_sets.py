"""Puzzles about the edges of a graph: sets such as matchings, cycles and spanning trees, and colours.

Perfect matchings are exact covers of the vertices by edges, other matchings cover each vertex at most once.
The other puzzles have a variable 0 or 1 for each edge, with constraints on the number of chosen edges at a
vertex and on their connection. An undirected cycle is one set of edges, so each cycle is counted once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from rekkyo.catalog.graphs.vertex_sets import (
    SET_SYMBOLS,
    add_numbers,
    add_size,
    check_size_of_set,
    checked_numbers,
    described,
    extreme_of,
    title_of_sets,
)
from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.model.checks import check_nested, check_size, check_type, check_whole
from rekkyo.model.coloring import MAX_COLORS, MIN_COLORS, Coloring
from rekkyo.model.csp.constraints import Clause, Variable
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import SYMBOLS, Puzzle
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

NAME = "graph edges"
MAX_MEETING = 1 << 18
"""Pairs of edges that meet."""


def matchings(
    graph: Graph, *, perfect: bool, maximal: bool, minimum: bool, maximum: bool, size: int | None
) -> Puzzle:
    """Sets of edges, no two of which meet."""
    check_type("graph: perfect is True or False", perfect, bool)
    check_type("graph: maximal is True or False", maximal, bool)
    extreme = extreme_of(minimum, maximum)
    if perfect and not graph.weights:
        extreme = ""  # all have the same number of edges
    elif extreme == "minimum" and not (maximal or perfect):
        raise BadInput("graph: the smallest matching is empty; ask for maximal or perfect ones")
    of = f"atchings of {described(graph)}"
    if extreme or size is not None or (maximal and not perfect):
        # The largest are maximal, but with weights that are 0 or negative the heaviest need not be.
        is_stated = maximal and (extreme != "maximum" or bool(graph.weights))
        kind = "perfect " if perfect else "maximal " if is_stated else ""
        return _edge_sets(graph, f"{kind}m{of}", (int(perfect), 1), size, extreme, _Kind(maximal=bool(kind)))
    options = tuple(((one, 0), (other, 0)) for one, other in graph.edges)
    return _cover(graph, options, f"{'Perfect m' if perfect else 'M'}{of}", is_exact=perfect)


def edge_colorings(graph: Graph, colors: int) -> Puzzle:
    """Colours of the edges, such that edges that meet differ."""
    check_whole("graph: the number of colours of edges", colors, MIN_COLORS, MAX_COLORS)
    title = f"Edge colourings of {described(graph)} in {several(colors, 'colour')}"
    if not graph.edges:
        return _empty_set(graph, title, is_solution=True)
    model = Coloring(len(graph.edges), colors, tuple(meeting(graph)), names=graph.edge_names)
    return Puzzle(NAME, model, title, symbols=SYMBOLS, picture=graph.picture(on_edges=True))


def edge_sets(
    graph: Graph,
    *,
    degrees: Iterable[int] | None,
    connected: bool,
    acyclic: bool,
    size: int | None,
    minimum: bool,
    maximum: bool,
) -> Puzzle:
    """Sets of edges, with numbers of chosen edges at the vertices."""
    check_type("graph: connected is True or False", connected, bool)
    check_type("graph: acyclic is True or False", acyclic, bool)
    what = f"{'connected ' * connected}{'acyclic ' * acyclic}sets of edges of {described(graph)}"
    extreme = extreme_of(minimum, maximum)
    kind = _Kind(connected, acyclic)
    return _edge_sets(graph, what, checked_numbers("degrees", degrees), size, extreme, kind)


def cycles(
    graph: Graph, *, hamiltonian: bool | None, induced: bool, minimum: bool, maximum: bool, size: int | None
) -> Puzzle:
    """Cycles, each once."""
    extreme = extreme_of(minimum, maximum)
    hamiltonian = _is_hamiltonian(graph, hamiltonian, induced, extreme, size)
    check_size_of_set(size, extreme, len(graph.edges))
    what = f"{_kind(hamiltonian, induced, 'cycles')} of {described(graph)}"
    title = title_of_sets(what, size, extreme, "edges")
    if not graph.edges:
        return _empty_set(graph, title, is_solution=False)
    problem, edges = _edges_of(graph)
    is_on = []
    for at in graph.incident_edges():
        if hamiltonian:
            problem.sum(at, "=", 2)
        else:
            is_on.append(problem.hidden((0, 1)))
            problem.linear((*(1,) * len(at), -2), (*at, is_on[-1]), "=", 0)
    if not hamiltonian:
        problem.sum(edges, ">=", 3)
    if induced:
        _forbid_chords(problem, graph, edges, is_on)
    n = len(graph.names)
    add_size(problem, edges, (n if hamiltonian else 0, n), size, extreme, graph.weights)
    _connect(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def paths(
    graph: Graph,
    *,
    hamiltonian: bool | None,
    induced: bool,
    minimum: bool,
    maximum: bool,
    size: int | None,
    between: tuple[str, str] | None,
    start: str | None,
) -> Puzzle:
    """Paths of one edge or more, each once."""
    extreme = extreme_of(minimum, maximum)
    hamiltonian = _is_hamiltonian(graph, hamiltonian, induced, extreme, size)
    check_size_of_set(size, extreme, len(graph.edges))
    ends = _ends(graph, between, start)
    where = f" from {' to '.join(graph.names[end] for end in ends)}" if ends else ""
    what = f"{_kind(hamiltonian, induced, 'paths')}{where} in {described(graph)}"
    title = title_of_sets(what, size, extreme, "edges")
    if not graph.edges:
        return _empty_set(graph, title, is_solution=False)
    problem, edges = _edges_of(graph)
    degrees = []
    for vertex, at in enumerate(graph.incident_edges()):
        inside = (2,) if hamiltonian else (0, 2)
        domain = (1,) if vertex in ends else inside if len(ends) == 2 else (1, *inside)
        degrees.append(problem.hidden(domain))
        problem.linear((*(1,) * len(at), -1), (*at, degrees[-1]), "=", 0)
    problem.count(degrees, (1,), problem.hidden((2,)))
    if ends and size is not None:
        for edge in _out_of_reach(graph, ends, size):
            problem.add(Clause(((edges[edge], 0, True),)))
    if induced:
        _forbid_chords(problem, graph, edges, degrees)
    n = len(graph.names) - 1
    add_size(problem, edges, (n if hamiltonian else 0, n), size, extreme, graph.weights)
    _connect(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def spanning_trees(graph: Graph, *, minimum: bool, maximum: bool) -> Puzzle:
    """Trees through all vertices: connected, without a cycle, and an edge at every vertex."""
    extreme = extreme_of(minimum, maximum)
    if extreme and graph.edges and not graph.weights:
        raise BadInput(
            f"graph: all spanning trees have equally many edges; leave {extreme} out, or give weights"
        )
    title = title_of_sets(f"spanning trees of {described(graph)}", None, extreme)
    if not graph.edges:  # a vertex alone is a tree
        return _empty_set(graph, title, is_solution=len(graph.names) == 1)
    problem, edges = _edges_of(graph)
    for at in graph.incident_edges():
        problem.add(Clause(tuple((edge, 1, True) for edge in at)))
    n = len(graph.names) - 1
    add_size(problem, edges, (n, n), None, extreme, graph.weights)
    _connect(problem, graph, edges)
    _forbid_cycles(problem, graph, edges)
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


class _Kind(NamedTuple):
    """maximal: only sets with an edge at one end of each edge or both, as maximal matchings have."""

    connected: bool = False
    acyclic: bool = False
    maximal: bool = False


def _edge_sets(
    graph: Graph,
    what: str,
    degrees: tuple[int, ...] | None,
    size: int | None,
    extreme: str,
    kind: _Kind,
) -> Puzzle:
    check_size_of_set(size, extreme, len(graph.edges))
    title = title_of_sets(what, size, extreme, "edges")
    if not graph.edges:
        return _empty_set(graph, title, is_solution=not kind.connected and (degrees is None or 0 in degrees))
    problem, edges = _edges_of(graph)
    for at in graph.incident_edges():
        add_numbers(problem, at, [((), degrees)])
    if kind.maximal:
        incident = graph.incident_edges()
        for one, other in graph.edges:
            problem.clause((edge, 1, True) for edge in sorted({*incident[one], *incident[other]}))
    n = len(graph.names)
    bounds = (0, len(edges)) if degrees is None else (-(-n * degrees[0] // 2), n * degrees[-1] // 2)
    add_size(problem, edges, bounds, size, extreme, graph.weights)
    if kind.connected:
        problem.add(Clause(tuple((edge, 1, True) for edge in edges)))
        _connect(problem, graph, edges)
    if kind.acyclic:
        _forbid_cycles(problem, graph, edges)
    return _puzzle(problem, graph, edges, title)


def _is_hamiltonian(
    graph: Graph, hamiltonian: bool | None, induced: bool, extreme: str, size: int | None
) -> bool:
    """By default, all cycles or paths go through all vertices unless something else is asked of them.

    Both may be asked if the edges have weights: those through all vertices with the least sum.
    """
    check_type("graph: induced is True or False", induced, bool)
    compared = bool(extreme) and not (hamiltonian and graph.weights)
    others = {"induced": induced, extreme: compared, "size": size is not None}
    other = next((key for key, given in others.items() if given), None)
    if hamiltonian is None:
        return other is None
    check_type("graph: hamiltonian is True or False", hamiltonian, bool)
    if hamiltonian and other:
        raise BadInput(f"graph: hamiltonian and {other} both say which vertices count; leave one out")
    return hamiltonian


def _forbid_chords(
    problem: Problem, graph: Graph, edges: Sequence[Variable], numbers: Sequence[Variable]
) -> None:
    """Each edge that is not chosen has an end without chosen edges. numbers: 0 there, for each vertex."""
    for edge, ends in zip(edges, graph.edges, strict=True):
        alone = ((numbers[end], 0, True) for end in ends if 0 in problem.domain(numbers[end]))
        problem.clause(((edge, 1, True), *alone))


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


def _forbid_cycles(problem: Problem, graph: Graph, edges: tuple[Variable, ...]) -> None:
    problem.acyclic(edges, [(place, 1, *ends) for place, ends in enumerate(graph.edges)])


def _out_of_reach(graph: Graph, ends: Sequence[int], size: int) -> Iterator[int]:
    """Edges that are on no path of this many edges with these ends, because they are too far from them."""
    from_one, *from_others = (_distances(graph, end) for end in ends)
    from_other = from_others[0] if from_others else [0] * len(from_one)
    for edge, (a, b) in enumerate(graph.edges):
        if min(from_one[a] + from_other[b], from_one[b] + from_other[a]) >= size:
            yield edge


def _distances(graph: Graph, start: int) -> list[int]:
    """The number of edges from a vertex to each other one; more than any path has where there is none."""
    neighbours, waiting = graph.neighbours(), [start]
    distances = [len(neighbours)] * len(neighbours)
    distances[start] = 0
    for vertex in waiting:  # grows while it is walked
        for near in neighbours[vertex]:
            if distances[near] > distances[vertex] + 1:
                distances[near] = distances[vertex] + 1
                waiting.append(near)
    return distances


def _ends(graph: Graph, between: tuple[str, str] | None, start: str | None) -> list[int]:
    """The vertices that must be ends: both, one or none."""
    named: tuple[str, ...] = () if start is None else (start,)
    if between is not None:
        rule = 'graph: between is a pair of vertices, such as ("a", "b")'
        check_nested(rule, (between,), (tuple, tuple, str), length=2)
        if named:
            raise BadInput("graph: between names both ends, and start one of them; leave start out")
        named = between
    known = [normalize("NFC", name) for name in graph.names]
    for name in named:
        if normalize("NFC", name) not in known:
            raise BadInput(
                f'graph: there is no vertex "{in_short(name)}"; {fix_for_name(name, graph.names[:20])}'
            )
    ends = [known.index(normalize("NFC", name)) for name in named]
    if len(set(ends)) < len(ends):
        raise BadInput("graph: a path has two different ends; name another one")
    return ends


def _kind(hamiltonian: bool, induced: bool, what: str) -> str:
    return f"Hamiltonian {what}" if hamiltonian else f"induced {what}" if induced else what
