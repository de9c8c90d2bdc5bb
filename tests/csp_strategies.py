"""Random constraint satisfaction problems for Hypothesis, with constraints of every kind that `tests.naive_csp` knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

from rekkyo.model.csp.constraints import (
    Acyclic,
    AllDifferent,
    Areas,
    Circuit,
    Clause,
    Connected,
    Constraint,
    Count,
    Diagram,
    Element,
    GlobalCardinality,
    Inverse,
    LexLess,
    Linear,
    Product,
    Regular,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp, Objective
from tests import made_once as st
from tests.naive_csp import KINDS, Row

Edge: TypeAlias = tuple[int, int, int]

VALUES = st.integers(-2, 4)
FEW_VALUES = st.sets(VALUES, min_size=1, max_size=3).map(sorted).map(tuple)
DOMAINS = st.sets(VALUES, min_size=1, max_size=4).map(sorted).map(tuple)
FIRSTS = st.integers(-1, 1)
ZERO_OFTEN = st.just(0) | VALUES


@st.composite
def models(draw: st.DrawFn, kinds: Sequence[type] = KINDS, max_variables: int = 5) -> Csp:
    """A small problem: few variables and values, with constraints of some kinds.

    Now and then variables are hidden, or there is an objective. A constraint may name a variable twice.
    """
    n = draw(st.integers(1, max_variables))
    domains = draw(st.lists(DOMAINS, min_size=n, max_size=n))
    kind = st.sampled_from(kinds)
    constraints = [draw(constraint_of(one, n)) for one in draw(st.lists(kind, max_size=4))]
    shown: Row = ()
    if draw(st.booleans()):
        shown = tuple(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True)))
    objective = None
    if draw(st.integers(0, 3)) == 0:
        objective = Objective(draw(st.integers(0, n - 1)), draw(st.booleans()))
    names = tuple(f"v{number}" for number in range(n))
    return Csp(names, tuple(domains), tuple(constraints), shown, objective)


@st.composite
def linked_models(draw: st.DrawFn) -> Csp:
    """Hidden variables that follow from others, as flattening makes them, under constraints that ask for all.

    Copies, shifts, literals of one value or a few, equal or not, products of 0 and 1, sums of three.
    """
    n_shown = draw(st.integers(1, 3))
    domain = st.sampled_from([(0, 1), (0, 1, 2), (1, 2, 3, 4), (-1, 1), (62, 63, 64)])
    domains = [draw(domain) for _ in range(n_shown)]
    constraints: list[Constraint] = []
    for v in range(n_shown, n_shown + draw(st.integers(1, 4))):
        one, other = draw(_one(v)), draw(_one(v))
        sign, number = draw(st.sampled_from([-1, 1])), draw(st.integers(-1, 3))
        relation = draw(st.sampled_from(["=", "!=", "<="]))
        kind = draw(st.integers(0, 4))
        domains.append((0, 1))
        if kind == 0:
            number = draw(st.sampled_from([0, 0, number]))
            domains[v] = tuple({x + number for x in domains[one]} | {draw(VALUES)})
            constraints.append(Linear((sign, -sign), (v, one), "=", sign * number))
        elif kind == 1:
            constraints.append(Reified(Linear((sign,), (one,), relation, sign * number), v))
        elif kind == 2:
            constraints.append(Reified(Linear((1, -1), (one, other), relation, draw(ZERO_OFTEN)), v))
        elif kind == 3:
            constraints.append(Product((one, other), v))
        else:
            domains[v] = tuple(range(-3, 5))
            third = draw(st.sampled_from([-1, 1]))
            constraints.append(Linear((1, sign, third), (v, one, other), "=", number))
        domains[v] = tuple(sorted(set(domains[v])))
    n = len(domains)
    kinds = st.sampled_from([Clause, Clause, AllDifferent, Linear, Table, Reified])
    constraints += [draw(constraint_of(kind, n)) for kind in draw(st.lists(kinds, min_size=1, max_size=4))]
    names = tuple(f"v{number}" for number in range(n))
    return Csp(names, tuple(domains), tuple(draw(st.permutations(constraints))), tuple(range(n_shown)))


@cache
def constraint_of(kind: type, n: int) -> st.SearchStrategy[Any]:
    """A constraint of a kind between variables 0 … n - 1."""
    found: st.SearchStrategy[Any] = MAKERS[kind](n)
    return found


def _one(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


@st.composite
def _some(draw: st.DrawFn, n: int, most: int = 99) -> Row:
    """Some variables, mostly different."""
    is_unique = draw(st.integers(0, 7)) > 0
    most = min(n if is_unique else 4, most)
    return tuple(draw(st.lists(_one(n), min_size=1, max_size=most, unique=is_unique)))


def _words(n: int) -> st.SearchStrategy[tuple[Row, Row]]:
    pairs = st.lists(st.tuples(_one(n), _one(n)), min_size=1, max_size=3)
    return pairs.map(lambda found: (tuple(a for a, _ in found), tuple(b for _, b in found)))


@st.composite
def _tables(draw: st.DrawFn, n: int) -> Table:
    variables = draw(_some(n, 3))
    row = st.tuples(*[VALUES] * len(variables))
    return Table(variables, tuple(draw(st.lists(row, max_size=40))), draw(st.booleans()))


@st.composite
def _linears(draw: st.DrawFn, n: int) -> Linear:
    variables = draw(_some(n))
    coefficients = tuple(draw(st.integers(-3, 3)) for _ in variables)
    return Linear(coefficients, variables, draw(st.sampled_from(["=", "!=", "<="])), draw(VALUES))


@st.composite
def _cardinalities(draw: st.DrawFn, n: int) -> GlobalCardinality:
    bounds = []
    for value in draw(FEW_VALUES):
        low = draw(st.integers(0, 2))
        bounds.append((value, low, low + draw(st.integers(0, 2))))
    return GlobalCardinality(draw(_some(n)), tuple(bounds))


def _edges(
    first: st.SearchStrategy[int], last: st.SearchStrategy[int]
) -> st.SearchStrategy[tuple[Edge, ...]]:
    """Edges of an automaton, mostly for many values at once: otherwise it seldom has a word."""
    values = st.just(range(-2, 5)) | st.sets(VALUES, min_size=1).map(sorted)
    bundles = st.lists(st.tuples(first, values, last), min_size=2, max_size=7)
    return bundles.map(lambda some: tuple((here, x, there) for here, xs, there in some for x in xs))


@st.composite
def _regulars(draw: st.DrawFn, n: int) -> Regular:
    n_states = draw(st.integers(1, 3))
    state = st.integers(0, n_states - 1)
    accepting = tuple(draw(st.sets(state, min_size=1)))
    return Regular(draw(_some(n)), n_states, draw(_edges(state, state)), accepting)


@st.composite
def _diagrams(draw: st.DrawFn, n: int) -> Diagram:
    variables = draw(_some(n, 3))
    layers = range(len(variables))
    node = st.integers(0, 2)
    return Diagram(variables, tuple(draw(_edges(node if layer else st.just(0), node)) for layer in layers))


@st.composite
def _connecteds(draw: st.DrawFn, n: int) -> Connected:
    variables = draw(_some(n))
    place = st.integers(0, len(variables) - 1)
    edges = draw(st.lists(st.tuples(place, place), max_size=6))
    return Connected(variables, tuple(edges), draw(FEW_VALUES))


@st.composite
def _areas_of_sizes(draw: st.DrawFn, n: int) -> Areas:
    variables = draw(_some(n))
    place = st.integers(0, len(variables) - 1)
    edges = draw(st.lists(st.tuples(place, place), max_size=6))
    sizes = []
    for value in draw(FEW_VALUES):
        low = draw(st.integers(0, 3))
        sizes.append((value, low, low + draw(st.integers(0, 2))))
    return Areas(variables, tuple(edges), tuple(sizes))


@st.composite
def _acyclics(draw: st.DrawFn, n: int) -> Acyclic:
    variables = draw(_some(n))
    place, vertex = st.integers(0, len(variables) - 1), st.integers(-1, 3)
    links = draw(st.lists(st.tuples(place, VALUES, vertex, vertex), max_size=8))
    return Acyclic(variables, tuple(links), draw(st.booleans()))


@st.composite
def _reifieds(draw: st.DrawFn, n: int) -> Reified:
    inner = draw(st.sampled_from([Linear, Table, AllDifferent, Clause]))
    return Reified(draw(constraint_of(inner, n)), draw(_one(n)))


MAKERS: dict[type, Callable[[int], st.SearchStrategy[Any]]] = {
    Table: _tables,
    AllDifferent: lambda n: st.builds(AllDifferent, _some(n), st.just(()) | FEW_VALUES),
    Linear: _linears,
    Count: lambda n: st.builds(Count, _some(n), st.lists(VALUES, max_size=4).map(tuple), _one(n)),
    GlobalCardinality: _cardinalities,
    Regular: _regulars,
    Diagram: _diagrams,
    Element: lambda n: st.builds(Element, _one(n), _some(n), _one(n), FIRSTS),
    Inverse: lambda n: st.tuples(_words(n), FIRSTS).map(lambda made: Inverse(*made[0], first=made[1])),
    LexLess: lambda n: st.tuples(_words(n), st.booleans()).map(
        lambda made: LexLess(*made[0], strict=made[1])
    ),
    Product: lambda n: st.builds(Product, _some(n, 3), _one(n)),
    Circuit: lambda n: st.builds(Circuit, _some(n), FIRSTS, st.booleans()),
    Connected: _connecteds,
    Areas: _areas_of_sizes,
    Acyclic: _acyclics,
    Clause: lambda n: st.builds(
        Clause, st.lists(st.tuples(_one(n), VALUES, st.booleans()), max_size=4).map(tuple)
    ),
    Reified: _reifieds,
}
