"""The normal form of constraints: the same for several ways to write one, and no other solutions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rekkyo.model.csp.constraints import AllDifferent, Constraint, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.normal_form import normal_form
from tests import naive_csp


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Linear((1, 1, -1), (0, 0, 1), "<=", 2), Linear((2, -1), (0, 1), "<=", 2)),
        (Linear((-2, 4), (0, 1), "=", 6), Linear((1, -2), (0, 1), "=", -3)),
        (Linear((-2, 4), (0, 1), "!=", 6), Linear((-2, 1), (1, 0), "!=", -3)),
        (Linear((2, 4), (0, 1), "<=", 5), Linear((1, 2), (0, 1), "<=", 2)),
        (Linear((-2, -4), (0, 1), "<=", -5), Linear((-1, -2), (0, 1), "<=", -3)),
        (Linear((3, -3), (0, 1), "!=", 0), AllDifferent((1, 0))),
        (AllDifferent((0, 1, 2)), AllDifferent((2, 0, 1))),
        (AllDifferent((0, 1, 2), (-1, -2)), AllDifferent((0, 1, 2), (-2, -1))),
    ],
)
def test_two_ways_to_write_a_constraint(one: Constraint, other: Constraint) -> None:
    domains = ((-2, -1, 0, 1, 2, 3),) * 3
    assert normal_form(Csp(tuple("xyz"), domains, (one, other))) == normal_form(
        Csp(tuple("xyz"), domains, (one,))
    )


@pytest.mark.parametrize(("relation", "n_solutions"), [("=", 0), ("!=", 16), ("<=", 6)])
def test_a_sum_that_is_no_multiple_of_its_divisor(relation: str, n_solutions: int) -> None:
    """2 x + 2 y and 5: a bound is rounded, and no other number is."""
    model = Csp(("x", "y"), ((0, 1, 2, 3),) * 2, (Linear((2, 2), (0, 1), relation, 5),))
    domains, constraints = normal_form(model)
    again = replace(model, domains=tuple(domains), constraints=constraints)
    assert len(naive_csp.solutions(again)) == len(naive_csp.solutions(model)) == n_solutions
