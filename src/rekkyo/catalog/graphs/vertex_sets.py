"""Puzzles about the vertices of a graph: colourings, and sets of vertices.

Sets are colourings in two colours with forbidden patterns; the second colour marks the set. If only the
largest or the smallest sets count, numbers of neighbours are given, or dominating sets must be minimal, the
model has variables 0 or 1.
Source of sets with given numbers of neighbours: J. A. Telle, "Complexity of domination-type problems in
graphs", 1994; the numbers inside are his sigma, those outside his rho.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from rekkyo.errors import BadInput, BadModel
from rekkyo.model.checks import check_type, check_whole, listed, refuse
from rekkyo.model.coloring import MAX_CELLS, MAX_COLORS, MIN_COLORS, Coloring, Pattern
from rekkyo.model.csp.constraints import LARGEST, Clause, Literal, Variable
from rekkyo.model.csp.csp import MAX_SPAN
from rekkyo.model.csp.problem import Problem
from rekkyo.model.puzzle import SYMBOLS, Puzzle
from rekkyo.model.row import whole_number
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.catalog.graphs.graph import Graph

MANY_COLORS = len(SYMBOLS)
"""The most colours. Beyond MAX_COLORS the model is a `Csp`."""

Case: TypeAlias = tuple[tuple[Literal, ...], tuple[int, ...] | None]
"""Literals, and how many of some variables are 1 if none of the literals is true; None: any number."""

OUT, IN = 0, 1
SET_SYMBOLS = ".#"


def colorings(graph: Graph, colors: int) -> Puzzle:
    """Colours of the vertices, such that the ends of every edge differ."""
    check_whole("graph: the number of colours", colors, MIN_COLORS, MANY_COLORS)
    title = f"Proper colourings of {described(graph)} in {several(colors, 'colour')}"
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


def dominating_sets(graph: Graph, *, minimal: bool, minimum: bool | None, size: int | None) -> Puzzle:
    """Sets of vertices that every vertex is in or next to.

    A set is minimal if each of its vertices is, for itself or a neighbour, the only one in or next to it.
    """
    extreme = _smallest(minimal, minimum, size)
    what = f"dominating sets of {described(graph)}"
    if not minimal or extreme:
        return _sets(graph, what, _none_near(graph), extreme, size)
    check_size_of_set(size, extreme, len(graph.names))
    problem = Problem()
    chosen = problem.variables(graph.names, (OUT, IN))
    near = [tuple(sorted((vertex, *others))) for vertex, others in enumerate(graph.neighbours())]
    alone = [problem.hidden((0, 1)) for _ in near]
    for vertex, around in enumerate(near):
        problem.clause((chosen[other], IN, True) for other in around)
        problem.sum([chosen[other] for other in around], "=", 1, alone[vertex])
        problem.clause(((chosen[vertex], OUT, True), *((alone[other], 1, True) for other in around)))
    add_size(problem, chosen, (0, len(chosen)), size, extreme)
    return _puzzle(problem, graph, chosen, title_of_sets(f"minimal {what}", size, extreme))


def vertex_covers(graph: Graph, *, minimal: bool, minimum: bool | None, size: int | None) -> Puzzle:
    """Sets of vertices with an end of every edge or both."""
    extreme = _smallest(minimal, minimum, size)
    forbidden: list[Pattern] = [((one, OUT), (other, OUT)) for one, other in graph.edges]
    what = f"vertex covers of {described(graph)}"
    if minimal and not extreme:  # no vertex is in the set with all its neighbours
        forbidden += [tuple((v, IN) for v in sorted((v, *near))) for v, near in enumerate(graph.neighbours())]
        what = f"minimal {what}"
    return _sets(graph, what, forbidden, extreme, size)


def _smallest(minimal: bool, minimum: bool | None, size: int | None) -> str:
    """ "minimum" if only the smallest sets count, which is so unless something else is asked of them."""
    check_type("graph: minimal is True or False", minimal, bool)
    if minimum is not None:
        check_type("graph: minimum is True or False", minimum, bool)
    only_smallest = not minimal and size is None if minimum is None else minimum
    return "minimum" if only_smallest else ""


def vertex_sets(
    graph: Graph,
    *,
    inside: Iterable[int] | None,
    outside: Iterable[int] | None,
    connected: bool,
    size: int | None,
    minimum: bool,
    maximum: bool,
) -> Puzzle:
    """Sets of vertices, with numbers of neighbours in the set for the vertices inside and outside it."""
    check_type("graph: connected is True or False", connected, bool)
    extreme = extreme_of(minimum, maximum)
    check_size_of_set(size, extreme, len(graph.names))
    numbers = [checked_numbers("inside", inside), checked_numbers("outside", outside)]
    problem = Problem()
    chosen = problem.variables(graph.names, (OUT, IN))
    for vertex, near in enumerate(graph.neighbours()):
        cases: list[Case] = [((), numbers[0])]
        if numbers[0] != numbers[1]:
            cases = [(((chosen[vertex], own, False),), numbers[own == OUT]) for own in (IN, OUT)]
        add_numbers(problem, [chosen[other] for other in near], cases)
    if connected:
        problem.clause((vertex, IN, True) for vertex in chosen)
        problem.connected(chosen, graph.edges, (IN,))
    add_size(problem, chosen, (0, len(chosen)), size, extreme)
    title = title_of_sets(f"{'connected ' * connected}sets of vertices of {described(graph)}", size, extreme)
    return _puzzle(problem, graph, chosen, title)


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
    check_size_of_set(size, extreme, len(graph.names))
    title = title_of_sets(what, size, extreme)
    if extreme:
        return _extreme_sets(graph, title, forbidden, extreme)
    n = len(graph.names)
    bounds = () if size is None else ((n - size, n - size), (size, size))
    unique = tuple(dict.fromkeys(forbidden))
    try:
        model = Coloring(n, 2, patterns=unique, bounds=bounds, names=graph.names)
    except BadModel as problem:
        raise BadInput(f"graph: {problem}") from None
    return Puzzle("graph sets", model, title, symbols=SET_SYMBOLS, picture=graph.picture(on_edges=False))


def _extreme_sets(graph: Graph, title: str, forbidden: Iterable[Pattern], extreme: str) -> Puzzle:
    problem = Problem()
    chosen = problem.variables(graph.names, (OUT, IN))
    for pattern in dict.fromkeys(forbidden):
        problem.add(Clause(tuple((chosen[vertex], value, False) for vertex, value in pattern)))
    add_size(problem, chosen, (0, len(chosen)), None, extreme)
    return _puzzle(problem, graph, chosen, title)


def _puzzle(problem: Problem, graph: Graph, chosen: tuple[Variable, ...], title: str) -> Puzzle:
    puzzle = problem.puzzle("graph sets", title, solution=chosen)
    return replace(puzzle, symbols=SET_SYMBOLS, picture=graph.picture(on_edges=False))


def checked_numbers(what: str, numbers: Iterable[int] | None) -> tuple[int, ...] | None:
    """Numbers of neighbours or edges from Python, increasing; None for any number."""
    if numbers is None:
        return None
    rule = f"graph: {what} are numbers such as (0, 2), one or more"
    found = [whole_number(number) for number in listed(rule, numbers)]
    for number in found:
        check_whole(f"graph: each number of {what}", number, 0, MAX_CELLS)
    if not found:
        refuse(rule, numbers)
    return tuple(sorted(set(found)))


def add_numbers(problem: Problem, chosen: Sequence[Variable], cases: Iterable[Case]) -> None:
    """Add constraints for each case: one of its literals is true, or so many of the variables are 1."""
    total: Variable | None = None
    every = tuple(range(len(chosen) + 1))
    for unless, numbers in cases:
        allowed = every if numbers is None else tuple(number for number in numbers if number < len(every))
        if allowed == every:
            continue
        if allowed in ((), every[1:]):
            problem.clause((*unless, *((one, 1, True) for one in chosen if allowed)))
        elif allowed == (0,):
            for one in chosen:
                problem.clause((*unless, (one, 1, False)))
        elif not unless and allowed in ((0, 1), (1,)):
            problem.sum(chosen, "<=" if 0 in allowed else "=", 1)
        else:
            if total is None:
                total = problem.hidden(every if unless else allowed)
                problem.linear((*(1,) * len(chosen), -1), (*chosen, total), "=", 0)
            if unless:
                problem.clause((*unless, *((total, number, True) for number in allowed)))


def extreme_of(minimum: bool, maximum: bool) -> str:
    """Which sets count: "maximum", "minimum", or empty for all."""
    check_type("graph: minimum is True or False", minimum, bool)
    check_type("graph: maximum is True or False", maximum, bool)
    if minimum and maximum:
        raise BadInput("graph: either the minimum or the maximum sets are asked for; leave one out")
    return "minimum" if minimum else "maximum" if maximum else ""


def check_size_of_set(size: int | None, extreme: str, most: int) -> None:
    """Raise BadInput unless a size is one that a set may have, and nothing else decides the size."""
    if size is not None:
        check_whole("graph: the size of a set", size, 0, most)
        if extreme:
            raise BadInput(f"graph: either the {extreme} or the size of sets is given; leave one out")


def add_size(
    problem: Problem,
    chosen: Sequence[Variable],
    bounds: tuple[int, int],
    size: int | None,
    extreme: str,
    weights: Sequence[int] = (),
) -> None:
    """Add constraints on the number of variables that are 1, or on the sum of their weights.

    bounds: of the number of variables that are 1; more than there are count as all.
    """
    if size is not None:
        problem.sum(chosen, "=", size)
    if extreme:
        for weight in weights:
            check_whole("graph: a weight that is compared", weight, -LARGEST, LARGEST)
        factors = tuple(weights) or (1,) * len(chosen)
        low, high = (_least(bounds, in_order) for in_order in (sorted(factors), sorted(-f for f in factors)))
        if -high - low >= MAX_SPAN:
            span = f"go from {low} to {-high}, and at most {MAX_SPAN} numbers are accepted"
            raise BadInput(f"graph: the sums of weights {span}; take smaller weights")
        total = problem.hidden(range(low, 1 - high))
        problem.linear((*factors, -1), (*chosen, total), "=", 0)
        (problem.maximize if extreme == "maximum" else problem.minimize)(total)


def _least(bounds: tuple[int, int], numbers: Sequence[int]) -> int:
    """The least sum of some of the numbers, which increase; bounds: of how many."""
    least, most = bounds
    return sum(numbers[:least]) + sum(number for number in numbers[least:most] if number < 0)


def title_of_sets(what: str, size: int | None, extreme: str, members: str = "vertices") -> str:
    """A title for sets, or for other objects that have a size."""
    title = f"{extreme} {what}".lstrip()
    return f"{title[:1].upper()}{title[1:]}" + (f", with {size} {members}" if size is not None else "")
