"""Constraints in a normal form, which is the same for several ways to write one.

    x + x - y + 3 <= 5      2 x - y <= 2; variables with one value are numbers, too
    -2 x + 4 y = 6          x - 2 y = -3
    x - y != 0              all different x, y
    x <= 2                  no constraint, but a smaller domain of x

Left out on purpose: propagation. Only constraints on one variable narrow a domain, and sums of which one
variable has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import Any

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds

Domains = Sequence[tuple[int, ...]]


MOST_PASSES = 16
"""Passes through all constraints; in each one, domains that have become smaller make others smaller."""


def normal_form(model: Csp) -> tuple[Domains, tuple[c.Constraint, ...]]:
    """The domains and constraints of a problem with the same solutions; each constraint comes once."""
    domains, constraints = list(model.domains), model.constraints
    for _ in range(MOST_PASSES):
        left: dict[c.Constraint, None] = {}
        for constraint in constraints:
            written = _in_order(constraint, domains)
            if not _narrows(written, domains):
                left[written] = None
        if tuple(left) == constraints:
            break
        constraints = tuple(left)
    return domains, constraints


def _narrows(constraint: c.Constraint, domains: list[tuple[int, ...]]) -> bool:
    """Replace the domain of the only variable of a constraint, unless no value would be left."""
    variables = set(c.variables_of(constraint))
    if len(variables) != 1:
        return False
    [v] = variables
    possible = tuple(x for x in domains[v] if holds(constraint, {v: x}))
    if possible:
        domains[v] = possible
    return bool(possible)


def _in_order(constraint: c.Constraint, domains: Domains) -> c.Constraint:
    match constraint:
        case c.AllDifferent():
            return c.AllDifferent(
                tuple(sorted(constraint.variables)), tuple(sorted(set(constraint.excepted)))
            )
        case c.GlobalCardinality():
            return replace(constraint, variables=tuple(sorted(constraint.variables)))
        case c.Clause():
            return c.Clause(tuple(sorted(set(constraint.literals))))
        case c.Reified():
            inner: Any = _in_order(constraint.constraint, domains)  # a sum may be "all different" now
            return replace(constraint, constraint=inner)
        case c.Linear():
            return _linear(constraint, domains)
    return constraint


def _linear(linear: c.Linear, domains: Domains) -> c.Linear | c.AllDifferent:
    """The same terms, each variable once and without those that are known, over their common divisor."""
    times: dict[c.Variable, int] = {}
    constant = linear.constant
    for v, k in zip(linear.variables, linear.coefficients, strict=True):
        if len(domains[v]) == 1:
            constant -= k * domains[v][0]
        else:
            times[v] = times.get(v, 0) + k
    terms = sorted((v, k) for v, k in times.items() if k)
    if linear.relation != c.AT_MOST and terms and terms[0][1] < 0:
        terms, constant = [(v, -k) for v, k in terms], -constant
    divisor = gcd(*(k for _, k in terms)) or 1
    if linear.relation == c.AT_MOST:
        constant -= constant % divisor
    if constant % divisor == 0:
        terms, constant = [(v, k // divisor) for v, k in terms], constant // divisor
    if linear.relation == c.NOT_EQUAL and constant == 0 and [k for _, k in terms] == [1, -1]:
        return c.AllDifferent(tuple(v for v, _ in terms))
    return c.Linear(tuple(k for _, k in terms), tuple(v for v, _ in terms), linear.relation, constant)
