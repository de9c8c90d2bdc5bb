"""Constraint satisfaction written for the tests: own definitions, no code of rekkyo but the dataclasses.

`may_hold` says of every constraint whether it can hold when each variable has some value of a domain. It may
say yes too often, but not when all domains have one value: then it is the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import contains
from typing import Any

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
from rekkyo.model.csp.csp import Csp

Row = tuple[int, ...]
Domains = list[tuple[int, ...]]
Check = tuple[Constraint, tuple[int, ...]]
"""A constraint, and the variables that it names."""

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
    checks = [(constraint, tuple(set(variables_of(constraint)))) for constraint in model.constraints]
    around: list[list[int]] = [[] for _ in model.names]
    for number, (_, variables) in enumerate(checks):
        for variable in variables:
            around[variable].append(number)
    return _assignments(checks, around, list(model.domains), wanted, range(len(checks)))


def _assignments(
    checks: list[Check],
    around: list[list[int]],
    domains: Domains,
    wanted: Sequence[int],
    unchecked: Sequence[int],
) -> Iterator[Row]:
    left = [(domains, unchecked)]
    while left:
        domains, unchecked = left.pop()
        if not reduced(checks, around, domains, list(unchecked)):
            continue
        open_ones = [v for v in wanted if len(domains[v]) > 1]
        if not open_ones:
            others = [v for v in range(len(domains)) if len(domains[v]) > 1]
            if not others or next(_assignments(checks, around, domains, others, ()), None) is not None:
                yield tuple([domains[v][0] for v in wanted])
            continue
        variable = min(open_ones, key=lambda v: len(domains[v]))
        if sum(len(domain) > 1 for domain in domains) == 1:
            # With each value that is left, every constraint that names the variable was asked, by its definition
            for value in domains[variable]:
                yield tuple([value if v == variable else domains[v][0] for v in wanted])
            continue
        for value in domains[variable]:
            smaller = list(domains)
            smaller[variable] = (value,)
            left.append((smaller, around[variable]))


def reduced(checks: list[Check], around: list[list[int]], domains: Domains, waiting: list[int]) -> bool:
    """Take values from domains that no constraint alone allows; whether every domain has one left."""
    while waiting:
        constraint, variables = checks[waiting.pop()]
        if not may_hold(constraint, domains):
            return False
        for variable in variables:
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
    if prod(map(len, own)) < len(table.rows):
        return not _as_set(table.rows).isdisjoint(product(*own))
    return any(all(map(contains, own, row)) for row in table.rows)


@lru_cache(64)
def _as_set(rows: tuple[Row, ...]) -> frozenset[Row]:
    """Hashing a table again takes a tenth of the time of comparing all its rows with domains."""
    return frozenset(rows)


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
    return not sure or sure <= _reached(min(sure), possible, connected.edges)


def _reached(start: int, places: set[int], edges: Sequence[tuple[int, int]]) -> set[int]:
    reached, left = {start}, [(a, b) for a, b in edges if a in places and b in places]
    while further := {a if b in reached else b for a, b in left if (a in reached) != (b in reached)}:
        reached |= further
    return reached


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


def _acyclic(acyclic: Acyclic, domains: Domains) -> bool:
    """Whether the sure links have a topological order, or there are as many as vertices less trees."""
    own = [domains[v] for v in acyclic.variables]
    sure = [(one, other) for place, value, one, other in acyclic.links if own[place] == (value,)]
    vertices = sorted({vertex for link in sure for vertex in link})
    if not acyclic.directed:
        label = {vertex: vertex for vertex in vertices}
        for one, other in sure:
            label = {vertex: label[one] if at == label[other] else at for vertex, at in label.items()}
        return len(sure) == len(vertices) - len(set(label.values()))
    reached = set(sure)
    for middle in vertices:
        reached |= {
            (one, other) for one, at in reached if at == middle for start, other in reached if start == middle
        }
    return all(one != other for one, other in reached)


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
    Acyclic: _acyclic,
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
