"""Constraints in a normal form, which is the same for several ways to write one.

    x + x - y + 3 <= 5      2 x - y <= 2; variables with one value are numbers, too
    -2 x + 4 y = 6          x - 2 y = -3
    x - y != 0              all different x, y
    x <= 2                  no constraint, but a smaller domain of x

Left out on purpose: propagation. A domain is narrowed only by constraints on one variable, and by sums and
`x != y` of which one variable has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from math import gcd
from typing import Any

from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds, left_by

Domains = Sequence[tuple[int, ...]]


def normal_form(model: Csp) -> tuple[Domains, tuple[c.Constraint, ...]]:
    """The domains and constraints of a problem with the same solutions; each constraint comes once."""
    domains = list(model.domains)
    written = [_in_order(constraint, domains) for constraint in model.constraints]
    unknown = [set(c.variables_of(constraint)) for constraint in written]
    sums_of: list[list[int]] = [[] for _ in domains]
    for at, constraint in enumerate(written):
        for v in _terms_of(constraint):
            sums_of[v].append(at)
    waiting = [at for at, variables in enumerate(unknown) if len(variables) <= 1]
    satisfied: set[int] = set()
    for at in waiting:  # grows while it is walked
        constraint = _in_order(written[at], domains)
        if not _narrows(constraint, domains):
            continue
        satisfied.add(at)
        known = [v for v in set(c.variables_of(constraint)) if len(domains[v]) == 1]
        for other in chain.from_iterable(sums_of[v] for v in known):
            n_before = len(unknown[other])
            unknown[other].difference_update(known)
            if n_before > 1 == len(unknown[other]):
                waiting.append(other)
    left = (_in_order(one, domains) for at, one in enumerate(written) if at not in satisfied)
    return domains, tuple(dict.fromkeys(left))


def _terms_of(constraint: c.Constraint) -> set[c.Variable]:
    """The variables of a sum: its normal form does not name those with one value."""
    inner = constraint.constraint if isinstance(constraint, c.Reified) else constraint
    if not isinstance(inner, c.Linear) and not _is_a_difference(inner):
        return set()
    truth = {constraint.truth} if isinstance(constraint, c.Reified) else set()
    return set(c.variables_of(inner)) - truth


def _narrows(constraint: c.Constraint, domains: list[tuple[int, ...]]) -> bool:
    """Replace the domain of the variable of a constraint on at most one; whether the constraint then holds.

    The domain stays if no value would be left.
    """
    variables = set(c.variables_of(constraint))
    if not variables:
        return holds(constraint, {})
    [v] = variables
    possible = _possible(constraint, v, domains[v])
    if possible:
        domains[v] = possible
    return bool(possible)


def _possible(constraint: c.Constraint, v: c.Variable, domain: tuple[int, ...]) -> tuple[int, ...]:
    """The values with which a constraint on one variable holds.

    Tables and clauses may be as long as the domain: to go through 60,000 rows for each value took 30 s.
    """
    match constraint:
        case c.Table() | c.Regular() | c.Diagram():
            return tuple(left_by(constraint, v, {}, domain))
        case c.Clause():
            wanted = {x for _, x, sign in constraint.literals if sign}
            unwanted = {x for _, x, sign in constraint.literals if not sign}
            if len(unwanted) > 1:  # two values, and the variable has not both
                return domain
            return tuple(x for x in domain if x in wanted or (unwanted and x not in unwanted))
    return tuple(x for x in domain if holds(constraint, {v: x}))


def _is_a_difference(constraint: c.Constraint) -> bool:
    """Whether it says of two variables that they are different, and no more."""
    if not isinstance(constraint, c.AllDifferent) or constraint.excepted:
        return False
    return len(set(constraint.variables)) == len(constraint.variables) == 2


def _in_order(constraint: c.Constraint, domains: Domains) -> c.Constraint:
    match constraint:
        case c.AllDifferent():
            return _all_different(constraint, domains)
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


def _all_different(different: c.AllDifferent, domains: Domains) -> c.Linear | c.AllDifferent:
    if _is_a_difference(different):
        return _linear(c.Linear((1, -1), different.variables, c.NOT_EQUAL, 0), domains)
    excepted = tuple(sorted(set(different.excepted)))
    return c.AllDifferent(tuple(sorted(different.variables)), excepted)


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
    return c.Linear.of(tuple(k for _, k in terms), tuple(v for v, _ in terms), linear.relation, constant)
