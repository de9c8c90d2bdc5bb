"""The meaning of each constraint: whether it holds for given values, without search or propagation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from math import prod
from operator import mul
from typing import TypeAlias

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint

Values: TypeAlias = Sequence[int] | Mapping[int, int]
"""The value of each variable that a constraint names."""


@singledispatch
def holds(constraint: Constraint, value: Values) -> bool:
    """Whether the constraint holds when variable v has the value value[v]."""
    raise TypeError(f"no definition is written for {type(constraint).__name__}")


@holds.register
def _(constraint: c.Table, value: Values) -> bool:
    return (tuple(value[v] for v in constraint.variables) in constraint.rows) == constraint.allowed


def left_by(
    constraint: c.Table | c.Regular | c.Diagram, v: c.Variable, value: Values, values: Iterable[int]
) -> list[int]:
    """Those of some values of a variable with which a constraint holds, whose other variables have values.

    Rows and edges are gone through once for each variable of the constraint at most. Once for each value took
    9 s for the quotient of two numbers up to 600.
    """
    if isinstance(constraint, c.Table):
        return _left_by_table(constraint, v, value, values)
    variables, layers = constraint.variables, constraint.edges
    if variables.count(v) > 1:
        known = {u: value[u] for u in variables if u != v}
        return [x for x in values if holds(constraint, known | {v: x})]
    place = variables.index(v)
    earlier, later = ([value[u] for u in some] for some in (variables[:place], variables[place + 1 :]))
    if isinstance(constraint, c.Regular):
        before = _states_after({0}, earlier, constraint.transitions)
        turned = [(end, label, start) for start, label, end in constraint.transitions]
        after = _states_after({*constraint.accepting}, later[::-1], turned)
    else:
        before, after = _last_nodes(earlier, layers[:place]), {end for _, _, end in layers[-1]}
        for letter, edges in zip(reversed(later), reversed(layers), strict=False):
            after = {start for start, label, end in edges if label == letter and end in after}
    named = {label for start, label, end in layers[place] if start in before and end in after}
    return [x for x in values if x in named]


def _left_by_table(table: c.Table, v: c.Variable, value: Values, values: Iterable[int]) -> list[int]:
    rows: Sequence[Sequence[int]] = table.rows
    for place, u in enumerate(table.variables):
        if u != v:
            known = value[u]
            rows = [row for row in rows if row[place] == known]
    first, *others = [place for place, u in enumerate(table.variables) if u == v]
    named = {row[first] for row in rows if all(row[place] == row[first] for place in others)}
    return [x for x in values if (x in named) == table.allowed]


@holds.register
def _(constraint: c.AllDifferent, value: Values) -> bool:
    times = Counter(value[v] for v in constraint.variables)
    return all(n == 1 or found in constraint.excepted for found, n in times.items())


@holds.register
def _(constraint: c.Linear, value: Values) -> bool:
    total: int = sum(map(mul, constraint.coefficients, [value[v] for v in constraint.variables]))
    if constraint.relation == c.EQUAL:
        return total == constraint.constant
    return total <= constraint.constant if constraint.relation == c.AT_MOST else total != constraint.constant


@holds.register
def _(constraint: c.Count, value: Values) -> bool:
    found = [value[v] for v in constraint.variables]
    return sum(map(found.count, set(constraint.values))) == value[constraint.times]


@holds.register
def _(constraint: c.GlobalCardinality, value: Values) -> bool:
    times = Counter(value[v] for v in constraint.variables)
    return all(low <= times[wanted] <= high for wanted, low, high in constraint.bounds)


@holds.register
def _(constraint: c.Regular, value: Values) -> bool:
    word = [value[v] for v in constraint.variables]
    return not _states_after({0}, word, constraint.transitions).isdisjoint(constraint.accepting)


@holds.register
def _(constraint: c.Diagram, value: Values) -> bool:
    return bool(_last_nodes([value[v] for v in constraint.variables], constraint.edges))


@holds.register
def _(constraint: c.Element, value: Values) -> bool:
    place = value[constraint.index] - constraint.first
    is_entry = 0 <= place < len(constraint.array)
    return is_entry and value[constraint.array[place]] == value[constraint.result]


@holds.register
def _(constraint: c.Inverse, value: Values) -> bool:
    f, g, first = constraint.f, constraint.g, constraint.first
    return _points_back(f, g, first, value) and _points_back(g, f, first, value)


@holds.register
def _(constraint: c.LexLess, value: Values) -> bool:
    lesser, greater = ([value[v] for v in word] for word in (constraint.lesser, constraint.greater))
    return lesser < greater or (not constraint.strict and lesser == greater)


@holds.register
def _(constraint: c.Product, value: Values) -> bool:
    return prod(value[v] for v in constraint.factors) == value[constraint.result]


@holds.register
def _(constraint: c.Circuit, value: Values) -> bool:
    successors = [value[v] - constraint.first for v in constraint.successors]
    return _is_circuit(successors, constraint.subcircuit)


@holds.register
def _(constraint: c.Connected, value: Values) -> bool:
    cells = {place for place, v in enumerate(constraint.variables) if value[v] in constraint.values}
    return len(_areas(cells, constraint.edges)) <= 1


@holds.register
def _(constraint: c.Areas, value: Values) -> bool:
    word = [value[v] for v in constraint.variables]
    return all(
        low <= len(area) <= high
        for wanted, low, high in constraint.sizes
        for area in _areas({place for place, x in enumerate(word) if x == wanted}, constraint.edges)
    )


@holds.register
def _(constraint: c.Acyclic, value: Values) -> bool:
    word = [value[v] for v in constraint.variables]
    there = [(one, other) for position, wanted, one, other in constraint.links if word[position] == wanted]
    return _is_acyclic(there) if constraint.directed else _is_forest(there)


@holds.register
def _(constraint: c.Clause, value: Values) -> bool:
    return True in [(value[v] == wanted) == sign for v, wanted, sign in constraint.literals]


@holds.register
def _(constraint: c.Reified, value: Values) -> bool:
    inner = constraint.constraint
    return value[constraint.truth] == int(_MEANING[type(inner)](inner, value))


_MEANING = {kind: holds.dispatch(kind) for kind in (c.Linear, c.Table, c.AllDifferent, c.Clause)}
"""Of what can be reified: finding it takes as long as an evaluation."""


def _states_after(
    states: set[int], word: Iterable[int], transitions: Iterable[tuple[int, int, int]]
) -> set[int]:
    """The states that a word may lead to. Its letters do not go through all transitions."""
    next_states: dict[tuple[int, int], list[int]] = defaultdict(list)
    for start, label, end in transitions:
        next_states[start, label].append(end)
    for letter in word:
        states = {end for state in states for end in next_states.get((state, letter), ())}
    return states


def _last_nodes(word: Sequence[int], layers: Sequence[Sequence[tuple[int, int, int]]]) -> set[int]:
    """The nodes that a word may lead to from node 0."""
    nodes = {0}
    for letter, edges in zip(word, layers, strict=True):
        nodes = {end for start, label, end in edges if label == letter and start in nodes}
    return nodes


def _points_back(f: Sequence[int], g: Sequence[int], first: int, value: Values) -> bool:
    """Whether each f[i] = j has g[j] = i."""
    places = [value[v] - first for v in f]
    return all(0 <= j < len(g) and value[g[j]] - first == i for i, j in enumerate(places))


def _is_circuit(successors: Sequence[int], subcircuit: bool) -> bool:
    n = len(successors)
    if sorted(successors) != list(range(n)):
        return False
    on_cycle = [node for node in range(n) if successors[node] != node] if subcircuit else list(range(n))
    if not on_cycle:
        return True
    length, node = 1, successors[on_cycle[0]]
    while node != on_cycle[0]:
        length, node = length + 1, successors[node]
    return length == len(on_cycle)


def _areas(cells: set[int], edges: Sequence[tuple[int, int]]) -> list[set[int]]:
    """The connected components of the cells."""
    neighbours: dict[int, list[int]] = {cell: [] for cell in cells}
    for one, other in edges:
        if one in cells and other in cells:
            neighbours[one].append(other)
            neighbours[other].append(one)
    areas: list[set[int]] = []
    left = set(cells)
    while left:
        waiting = [left.pop()]
        areas.append(set(waiting))
        while waiting:
            new = left.intersection(neighbours[waiting.pop()])
            left -= new
            areas[-1] |= new
            waiting += new
    return areas


def _is_forest(links: Sequence[tuple[int, int]]) -> bool:
    """Whether each link joins two trees of the links before it."""
    tree_of = {vertex: {vertex} for link in links for vertex in link}
    for one, other in links:
        if tree_of[one] is tree_of[other]:
            return False
        tree_of[one] |= tree_of[other]
        tree_of |= dict.fromkeys(tree_of[other], tree_of[one])
    return True


def _is_acyclic(links: Sequence[tuple[int, int]]) -> bool:
    """Whether all vertices go away if those go to which no link leads, again and again."""
    left = set(links)
    while left:
        starts = {one for one, _ in left} - {other for _, other in left}
        if not starts:
            return False
        left = {link for link in left if link[0] not in starts}
    return True
