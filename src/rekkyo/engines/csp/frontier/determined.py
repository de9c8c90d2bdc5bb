"""Which hidden variables the solution determines.

Merging counts the values of all variables. That is the number of solutions only where no solution has two
ways to complete it: where each hidden variable has at most one value once others are known, as some
constraint says.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from heapq import heappop, heappush
from typing import TypeAlias

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable, variables_of
from rekkyo.model.csp.csp import Csp

Given: TypeAlias = tuple[set[Variable], set[Variable]]
"""Variables, and those that have at most one value when the first ones are known."""


def determinants(model: Csp) -> dict[Variable, set[Variable]]:
    """For each hidden variable that is determined the variables that do it, which come before it here."""
    known = {v for v, domain in enumerate(model.domains) if len(domain) == 1} | set(model.solution)
    found: dict[Variable, set[Variable]] = {v: set() for v in sorted(known.difference(model.solution))}
    waiting = [
        (given, result)
        for constraint in model.constraints
        if not known.issuperset(variables_of(constraint))
        for given, result in _givens(constraint)
    ]
    unknown = [len(given - known) for given, _ in waiting]
    waits_for: dict[Variable, list[int]] = {}
    for number, (given, _) in enumerate(waiting):
        for v in given:
            waits_for.setdefault(v, []).append(number)
    ready = [(0, number) for number, n_unknown in enumerate(unknown) if not n_unknown]
    while ready:  # in the order of the constraints, then again from the first one on
        n_before, number = heappop(ready)
        given, result = waiting[number]
        for v in sorted(result - known):
            found[v] = given
            known.add(v)
            for other in waits_for.get(v, ()):
                unknown[other] -= 1
                if not unknown[other]:
                    heappush(ready, (n_before + (other < number), other))
    return found


@singledispatch
def _givens(constraint: Constraint) -> Iterator[Given]:
    """Which variables of a constraint determine others; none unless a kind says so."""
    return iter(())


def _result(constraint: Constraint, v: Variable) -> Iterator[Given]:
    """All other variables determine one that the constraint names once."""
    named = variables_of(constraint)
    if named.count(v) == 1:
        yield set(named) - {v}, {v}


@_givens.register
def _linear(constraint: c.Linear) -> Iterator[Given]:
    if constraint.relation == c.EQUAL:
        for factor, v in zip(constraint.coefficients, constraint.variables, strict=True):
            if factor:
                yield from _result(constraint, v)


_givens.register(c.Count, lambda constraint: _result(constraint, constraint.times))
_givens.register(c.Reified, lambda constraint: _result(constraint, constraint.truth))
_givens.register(c.Element, lambda constraint: _result(constraint, constraint.result))
_givens.register(c.Product, lambda constraint: _result(constraint, constraint.result))


@_givens.register
def _inverse(constraint: c.Inverse) -> Iterator[Given]:
    f, g = set(constraint.f), set(constraint.g)
    yield f, g
    yield g, f


@_givens.register
def _table(constraint: c.Table) -> Iterator[Given]:
    """A column that no two rows differ in alone."""
    for place, v in enumerate(constraint.variables) if constraint.allowed else ():
        rest = {row[:place] + row[place + 1 :] for row in constraint.rows}
        if len(rest) == len(set(constraint.rows)):
            yield from _result(constraint, v)


@_givens.register
def _diagram(constraint: c.Diagram) -> Iterator[Given]:
    """The last variable, if values of the others lead to one node, and one value leads on from each node."""
    *layers, last = constraint.edges
    has_one_way = all(len({edge[:2] for edge in layer}) == len(set(layer)) for layer in layers)
    if has_one_way and len({edge[0] for edge in last}) == len({edge[:2] for edge in last}):
        yield from _result(constraint, constraint.variables[-1])
