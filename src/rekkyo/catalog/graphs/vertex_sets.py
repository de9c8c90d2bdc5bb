"""Puzzles about the vertices of a graph: colourings, and sets of vertices.

Sets are colourings in two colours with forbidden patterns; the second colour marks the set. If only the
largest or the smallest sets count, the model has variables 0 or 1, with clauses and an objective.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rekkyo.errors import BadInput, BadModel
from rekkyo.model.checks import check_type, check_whole
from rekkyo.model.coloring import MAX_COLORS, MIN_COLORS, Coloring, Pattern
from rekkyo.model.csp.constraints import Clause
from rekkyo.model.csp.problem import Problem
from rekkyo.model.puzzle import SYMBOLS, Puzzle
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

MANY_COLORS = len(SYMBOLS)
"""The most colours. Beyond MAX_COLORS the model is a `Csp`."""

OUT, IN = 0, 1
SET_SYMBOLS = ".#"


def colorings(graph: Graph, colors: int) -> Puzzle:
    """Colours of the vertices, such that the ends of every edge differ."""
    check_whole("graph: the number of colours", colors, MIN_COLORS, MANY_COLORS)
    title = f"Proper colourings of {described(graph)} in {colors} colours"
    picture = graph.picture(on_edges=False)
    if colors <= MAX_COLORS:
        model = Coloring(len(graph.names), colors, graph.edges, names=graph.names)
        return Puzzle("graph colorings", model, title, symbols=SYMBOLS, picture=picture)
    problem = Problem()
    vertices = problem.variables(graph.names, range(colors))
    for a, b in graph.edges:
        problem.all_different((vertices[a], vertices[b]))
    return replace(problem.puzzle("graph colorings", title), symbols=SYMBOLS, picture=picture)


def independent_sets(graph: Graph, *, maximal: bool, maximum: bool, size: int | None) -> Puzzle:
    """Sets of vertices, no two of them joined."""
    return _independent(graph, "independent sets", described(graph), maximal, maximum, size)


def cliques(graph: Graph, *, maximal: bool, maximum: bool, size: int | None) -> Puzzle:
    """Sets of vertices, every two of them joined."""
    puzzle = _independent(graph.complement(), "cliques", described(graph), maximal, maximum, size)
    return replace(puzzle, picture=graph.picture(on_edges=False))


def dominating_sets(graph: Graph, *, minimum: bool, size: int | None) -> Puzzle:
    """Sets of vertices that every vertex is in or next to."""
    check_type("graph: minimum is True or False", minimum, bool)
    extreme = "minimum" if minimum else ""
    return _sets(graph, f"dominating sets of {described(graph)}", _none_near(graph), extreme, size)


def vertex_covers(graph: Graph, *, minimum: bool, size: int | None) -> Puzzle:
    """Sets of vertices with an end of every edge or both."""
    check_type("graph: minimum is True or False", minimum, bool)
    neither = [((one, OUT), (other, OUT)) for one, other in graph.edges]
    return _sets(graph, f"vertex covers of {described(graph)}", neither, "minimum" if minimum else "", size)


def described(graph: Graph) -> str:
    """A graph in words."""
    vertices = several(len(graph.names), "vertex", "vertices")
    return f"a graph of {vertices} and {several(len(graph.edges), 'edge')}"


def _independent(graph: Graph, what: str, of: str, maximal: bool, maximum: bool, size: int | None) -> Puzzle:
    check_type("graph: maximal is True or False", maximal, bool)
    check_type("graph: maximum is True or False", maximum, bool)
    forbidden = [((one, IN), (other, IN)) for one, other in graph.edges]
    if maximal and not maximum:
        return _sets(graph, f"maximal {what} of {of}", [*forbidden, *_none_near(graph)], "", size)
    return _sets(graph, f"{what} of {of}", forbidden, "maximum" if maximum else "", size)


def _none_near(graph: Graph) -> list[Pattern]:
    """A forbidden pattern for each vertex: neither it nor any neighbour is in the set."""
    near = enumerate(graph.neighbours())
    return [tuple((each, OUT) for each in sorted((vertex, *others))) for vertex, others in near]


def _sets(graph: Graph, what: str, forbidden: Iterable[Pattern], extreme: str, size: int | None) -> Puzzle:
    """Sets of vertices without the forbidden patterns. extreme: "maximum", "minimum" or empty."""
    if size is not None:
        check_whole("graph: the size of a set", size, 0, len(graph.names))
        if extreme:
            raise BadInput(f"graph: either the {extreme} or the size of sets is given; leave one out")
        what = f"{what}, with {size} vertices"
    if extreme:
        return _extreme_sets(graph, f"{extreme} {what}", forbidden, extreme)
    n = len(graph.names)
    bounds = () if size is None else ((n - size, n - size), (size, size))
    unique = tuple(dict.fromkeys(forbidden))
    try:
        model = Coloring(n, 2, patterns=unique, bounds=bounds, names=graph.names)
    except BadModel as problem:
        raise BadInput(f"graph: {problem}") from None
    title, picture = what[:1].upper() + what[1:], graph.picture(on_edges=False)
    return Puzzle("graph sets", model, title, symbols=SET_SYMBOLS, picture=picture)


def _extreme_sets(graph: Graph, what: str, forbidden: Iterable[Pattern], extreme: str) -> Puzzle:
    problem = Problem()
    chosen = problem.variables(graph.names, (OUT, IN))
    for pattern in dict.fromkeys(forbidden):
        problem.add(Clause(tuple((chosen[vertex], value, False) for vertex, value in pattern)))
    size = problem.hidden(range(len(chosen) + 1))
    problem.linear((*(1,) * len(chosen), -1), (*chosen, size), "=", 0)
    if extreme == "maximum":
        problem.maximize(size)
    else:
        problem.minimize(size)
    puzzle = problem.puzzle("graph sets", what[:1].upper() + what[1:], solution=chosen)
    return replace(puzzle, symbols=SET_SYMBOLS, picture=graph.picture(on_edges=False))
