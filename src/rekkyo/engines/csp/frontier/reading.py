"""The reading of constraints whose variables differ, or may repeat without harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch

from rekkyo.engines.csp.frontier.readers import (
    MOST_STATES,
    Begin,
    Between,
    DifferentFrom,
    ReadProduct,
    ReadSum,
    Settled,
    read_automaton,
    read_different,
    read_not,
    read_rows,
)
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable, variables_of

Domains = Sequence[tuple[int, ...]]


@singledispatch
def begin_of(constraint: Constraint, domains: Domains) -> Begin | None:
    """How a constraint is read; its places are its variables, each once, as they come.

    None for a kind that is not read at once, and where a variable that repeats forbids it.
    """
    return None


def _repeats(constraint: Constraint) -> bool:
    named = variables_of(constraint)
    return len(set(named)) < len(named)


@begin_of.register
def _linear(constraint: c.Linear, domains: Domains) -> Begin | None:
    return ReadSum(tuple(weights_of(constraint, domains).values()), right_sums(constraint))


def weights_of(constraint: c.Linear, domains: Domains) -> dict[Variable, dict[int, int]]:
    """The number that each value of each variable adds to the sum."""
    factors: dict[Variable, int] = dict.fromkeys(constraint.variables, 0)
    for factor, v in zip(constraint.coefficients, constraint.variables, strict=True):
        factors[v] += factor
    return {v: {x: factor * x for x in domains[v]} for v, factor in factors.items()}


def right_sums(constraint: c.Linear) -> Settled:
    """The sums that satisfy the constraint."""
    if constraint.relation == c.NOT_EQUAL:
        return DifferentFrom(constraint.constant)
    least = constraint.constant if constraint.relation == c.EQUAL else -(1 << 63)
    return Between(least, constraint.constant)


def expected_steps(constraint: c.Linear, domains: Domains) -> int:
    """About how many steps it takes to make the tables of a sum: for each value of each variable one in each
    partial sum before it that can still become a sum that satisfies the constraint.
    """
    ranges = [
        (min(added.values()), max(added.values()), len(added))
        for added in weights_of(constraint, domains).values()
    ]
    low, high = sum(least for least, _, _ in ranges), sum(most for _, most, _ in ranges)
    least_sum = constraint.constant if constraint.relation == c.EQUAL else low
    most_sum = high if constraint.relation == c.NOT_EQUAL else constraint.constant
    n_steps, n_sums, least_so_far, most_so_far = 0, 1, 0, 0
    for least, most, n_values in ranges:
        n_steps += n_sums * n_values
        least_so_far, most_so_far, low, high = (
            least_so_far + least,
            most_so_far + most,
            low - least,
            high - most,
        )
        n_between = min(most_so_far, most_sum - low) - max(least_so_far, least_sum - high) + 1
        n_sums = min(n_sums * n_values, max(0, n_between), MOST_STATES)
    return n_steps


@begin_of.register
def _clause(constraint: c.Clause, domains: Domains) -> Begin | None:
    """One literal holds, or more do."""
    weights = {v: dict.fromkeys(domains[v], 0) for v in variables_of(constraint)}
    for v, wanted, sign in constraint.literals:
        for x in domains[v]:
            weights[v][x] += (x == wanted) == sign
    return ReadSum(tuple(weights.values()), Between(1, len(constraint.literals)))


@begin_of.register
def _product(constraint: c.Product, domains: Domains) -> Begin | None:
    times = Counter(constraint.factors)
    return None if constraint.result in times else ReadProduct(tuple(times.values()))


@begin_of.register
def _table(constraint: c.Table, domains: Domains) -> Begin | None:
    if _repeats(constraint):
        return None
    begin = read_rows(constraint.rows)
    return begin if constraint.allowed else read_not(begin)


@begin_of.register
def _all_different(constraint: c.AllDifferent, domains: Domains) -> Begin | None:
    return None if _repeats(constraint) else read_different(frozenset(constraint.excepted))


@begin_of.register
def _layered(constraint: c.Regular | c.Diagram, domains: Domains) -> Begin | None:
    return None if _repeats(constraint) else read_automaton(constraint.edges, constraint.accepting)
