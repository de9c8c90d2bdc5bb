"""Constraint satisfaction written for the tests: own definitions, no code of rekkyo but the dataclasses.

`may_hold` says of every constraint whether it can hold when each variable has some value of a domain. It may
say yes too often, but not when all domains have one value: then it is the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from rekkyo.model.csp.constraints import (
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

Row = tuple[int, ...]
Domains = list[tuple[int, ...]]

MAX_PRODUCTS = 2000


def solutions(model: Csp) -> list[Row]:
    """Every solution as a row, sorted; with an objective only those with the best value of all."""
    values = sorted({value for variable in model.solution for value in model.domains[variable]})
    index_of = {value: index for index, value in enumerate(values)}
    wanted = list(model.solution)
    if model.objective is not None:
        wanted.append(model.objective.variable)
    found = set(assignments(model, wanted))
    if model.objective is not None:
        best = (max if model.objective.maximize else min)((row[-1] for row in found), default=0)
        found = {row[:-1] for row in found if row[-1] == best}
    return sorted(tuple(index_of[value] for value in row) for row in found)


def assignments(model: Csp, wanted: Sequence[int]) -> Iterator[Row]:
    """The values of the wanted variables, for each choice of them that leaves the others some values, once."""
    around: list[list[int]] = [[] for _ in model.names]
    for number, constraint in enumerate(model.constraints):
        for variable in variables_of(constraint):
            around[variable].append(number)
    domains = list(model.domains)
    if reduced(model, around, domains, list(range(len(model.constraints)))):
        yield from _assignments(model, around, domains, wanted)


def _assignments(
    model: Csp, around: list[list[int]], domains: Domains, wanted: Sequence[int]
) -> Iterator[Row]:
    open_ones = [v for v in wanted if len(domains[v]) > 1]
    if not open_ones:
        others = [v for v in range(len(domains)) if len(domains[v]) > 1]
        if not others or next(_assignments(model, around, domains, others), None) is not None:
            yield tuple(domains[v][0] for v in wanted)
        return
    variable = min(open_ones, key=lambda v: len(domains[v]))
    for value in domains[variable]:
        smaller = list(domains)
        smaller[variable] = (value,)
        if reduced(model, around, smaller, list(around[variable])):
            yield from _assignments(model, around, smaller, wanted)


def reduced(model: Csp, around: list[list[int]], domains: Domains, waiting: list[int]) -> bool:
    """Take values from domains that no constraint alone allows; whether every domain has one left."""
    while waiting:
        number = waiting.pop()
        constraint = model.constraints[number]
        if not may_hold(constraint, domains):
            return False
        for variable in set(variables_of(constraint)):
            before = domains[variable]
            if len(before) == 1:
                continue
            kept = []
            for value in before:
                domains[variable] = (value,)
                if may_hold(constraint, domains):
                    kept.append(value)
            domains[variable] = tuple(kept) or before
            if not kept:
                return False
            if len(kept) < len(before):
                waiting += [other for other in around[variable] if other not in waiting]
    return True


def variables_of(constraint: Constraint) -> tuple[int, ...]:
    if isinstance(constraint, Clause):
        return tuple(variable for variable, _, _ in constraint.literals)
    if isinstance(constraint, Reified):
        return (*variables_of(constraint.constraint), constraint.truth)
    found: list[int] = []
    for name in NAMING.get(type(constraint), ("variables",)):
        named = getattr(constraint, name)
        found += [named] if isinstance(named, int) else named
    return tuple(found)


def may_hold(constraint: Constraint, domains: Domains) -> bool:
    """Whether the constraint can hold; see the module."""
    if isinstance(constraint, Reified):
        return _reified(constraint, domains)
    check: Callable[[Any, Domains], bool] = CHECKS[type(constraint)]
    return check(constraint, domains)


def _table(table: Table, domains: Domains) -> bool:
    own = [domains[v] for v in table.variables]
    if not table.allowed:
        return any(len(d) > 1 for d in own) or tuple(d[0] for d in own) not in table.rows
    return any(all(value in d for value, d in zip(row, own, strict=True)) for row in table.rows)


def _all_different(different: AllDifferent, domains: Domains) -> bool:
    known = [domains[v][0] for v in different.variables if len(domains[v]) == 1]
    known = [value for value in known if value not in different.excepted]
    return len(set(known)) == len(known)


def _linear(linear: Linear, domains: Domains) -> bool:
    least = most = 0
    for c, v in zip(linear.coefficients, linear.variables, strict=True):
        ends = c * domains[v][0], c * domains[v][-1]
        least, most = least + min(ends), most + max(ends)
    if linear.relation == "=":
        return least <= linear.constant <= most
    return least <= linear.constant if linear.relation == "<=" else not least == most == linear.constant


def _times(variables: Sequence[int], values: Sequence[int], domains: Domains) -> tuple[int, int]:
    """How many of the variables have a value among these, at least and at most."""
    inside = [[value in values for value in domains[v]] for v in variables]
    return sum(map(all, inside)), sum(map(any, inside))


def _count(count: Count, domains: Domains) -> bool:
    least, most = _times(count.variables, count.values, domains)
    return any(least <= value <= most for value in domains[count.times])


def _global_cardinality(cardinality: GlobalCardinality, domains: Domains) -> bool:
    for value, low, high in cardinality.bounds:
        least, most = _times(cardinality.variables, [value], domains)
        if least > high or most < low:
            return False
    return True


def _regular(regular: Regular, domains: Domains) -> bool:
    states = {0}
    for v in regular.variables:
        states = {end for start, value, end in regular.transitions if start in states and value in domains[v]}
    return any(state in regular.accepting for state in states)


def _diagram(diagram: Diagram, domains: Domains) -> bool:
    nodes = {0}
    for v, edges in zip(diagram.variables, diagram.edges, strict=True):
        nodes = {end for start, value, end in edges if start in nodes and value in domains[v]}
    return bool(nodes)


def _element(element: Element, domains: Domains) -> bool:
    entries = dict(enumerate(element.array, element.first))
    return any(
        index in entries and not set(domains[entries[index]]).isdisjoint(domains[element.result])
        for index in domains[element.index]
    )


def _inverse(inverse: Inverse, domains: Domains) -> bool:
    def points_back(f: Row, g: Row) -> bool:
        there = dict(enumerate(g, inverse.first))
        return all(
            any(j in there and i in domains[there[j]] for j in domains[v])
            for i, v in enumerate(f, inverse.first)
        )

    return points_back(inverse.f, inverse.g) and points_back(inverse.g, inverse.f)


def _lex_less(less: LexLess, domains: Domains) -> bool:
    for a, b in zip(less.lesser, less.greater, strict=True):
        least, most = domains[a][0], domains[b][-1]
        if least != most:
            return least < most
    return not less.strict


def _product(product: Product, domains: Domains) -> bool:
    found = {1}
    for v in product.factors:
        found = {one * value for one in found for value in domains[v]}
        if len(found) > MAX_PRODUCTS:
            return True
    return not found.isdisjoint(domains[product.result])


def _circuit(circuit: Circuit, domains: Domains) -> bool:
    n = len(circuit.successors)
    nodes = range(circuit.first, circuit.first + n)
    own = [domains[v] for v in circuit.successors]
    if any(not any(value in nodes for value in d) for d in own):
        return False
    known = {node: d[0] for node, d in zip(nodes, own, strict=True) if len(d) == 1}
    if len(set(known.values())) < len(known):
        return False
    lengths = []
    for start, second in known.items():
        at, steps, least = second, 1, start
        while at != start and at in known:
            at, steps, least = known[at], steps + 1, min(least, at)
        if at == start and least == start:
            lengths.append(steps)
    if circuit.subcircuit:
        return len([length for length in lengths if length > 1]) <= 1
    return all(length == n for length in lengths)


def _connected(connected: Connected, domains: Domains) -> bool:
    own = [domains[v] for v in connected.variables]
    sure = {place for place, d in enumerate(own) if all(value in connected.values for value in d)}
    possible = {place for place, d in enumerate(own) if any(value in connected.values for value in d)}
    label = {place: place for place in possible}
    for _ in possible:
        for a, b in connected.edges:
            if a in possible and b in possible:
                label[a] = label[b] = min(label[a], label[b])
    return len({label[place] for place in sure}) <= 1


def _areas(areas: Areas, domains: Domains) -> bool:
    own = [domains[v] for v in areas.variables]
    if any(len(domain) > 1 for domain in own):
        return True
    label = list(range(len(own)))
    for _ in own:
        for a, b in areas.edges:
            if own[a] == own[b]:
                label[a] = label[b] = min(label[a], label[b])
    sizes = {(own[place][0], label.count(name)) for place, name in enumerate(label)}
    return all(
        value != wanted or low <= size <= high for wanted, low, high in areas.sizes for value, size in sizes
    )


def _clause(clause: Clause, domains: Domains) -> bool:
    return any(any((has == value) == sign for has in domains[v]) for v, value, sign in clause.literals)


def _reified(reified: Reified, domains: Domains) -> bool:
    can_hold = may_hold(reified.constraint, domains)
    is_open = any(len(domains[v]) > 1 for v in variables_of(reified.constraint))
    truths = domains[reified.truth]
    return (1 in truths and can_hold) or (0 in truths and (is_open or not can_hold))


CHECKS: dict[type, Callable[[Any, Domains], bool]] = {
    Table: _table,
    AllDifferent: _all_different,
    Linear: _linear,
    Count: _count,
    GlobalCardinality: _global_cardinality,
    Regular: _regular,
    Diagram: _diagram,
    Element: _element,
    Inverse: _inverse,
    LexLess: _lex_less,
    Product: _product,
    Circuit: _circuit,
    Connected: _connected,
    Areas: _areas,
    Clause: _clause,
}

NAMING = {
    Count: ("variables", "times"),
    Element: ("index", "array", "result"),
    Inverse: ("f", "g"),
    LexLess: ("lesser", "greater"),
    Product: ("factors", "result"),
    Circuit: ("successors",),
}
"""Fields with variables, of the constraints that have others than `variables`."""

KINDS = (*CHECKS, Reified)

VALUES = st.integers(-2, 4)
FEW_VALUES = st.sets(VALUES, min_size=1, max_size=3).map(sorted).map(tuple)
FIRSTS = st.integers(-1, 1)


@st.composite
def models(draw: st.DrawFn, kinds: Sequence[type] = KINDS, max_variables: int = 5) -> Csp:
    """A small problem: few variables and values, with constraints of some kinds.

    Now and then variables are hidden, or there is an objective. A constraint may name a variable twice.
    """
    n = draw(st.integers(1, max_variables))
    domain = st.sets(VALUES, min_size=1, max_size=4).map(sorted).map(tuple)
    domains = draw(st.lists(domain, min_size=n, max_size=n))
    kind = st.sampled_from(list(kinds))
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
            constraints.append(Reified(Linear((1, -1), (one, other), relation, draw(st.just(0) | VALUES)), v))
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


@st.composite
def _regulars(draw: st.DrawFn, n: int) -> Regular:
    n_states = draw(st.integers(1, 3))
    state = st.integers(0, n_states - 1)
    moves = draw(st.lists(st.tuples(state, VALUES, state), max_size=20))
    return Regular(draw(_some(n)), n_states, tuple(moves), tuple(draw(st.sets(state, min_size=1))))


@st.composite
def _diagrams(draw: st.DrawFn, n: int) -> Diagram:
    variables = draw(_some(n, 3))
    edge = st.tuples(st.integers(0, 2), VALUES, st.integers(0, 2))
    return Diagram(variables, tuple(tuple(draw(st.lists(edge, max_size=15))) for _ in variables))


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
    Clause: lambda n: st.builds(
        Clause, st.lists(st.tuples(_one(n), VALUES, st.booleans()), max_size=4).map(tuple)
    ),
    Reified: _reifieds,
}
