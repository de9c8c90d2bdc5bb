"""Hidden variables that the solution determines: which others do it, and what finding them takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from rekkyo.engines.csp.frontier.determined import determinants
from rekkyo.model.csp.constraints import (
    Clause,
    Constraint,
    Count,
    Diagram,
    Element,
    Inverse,
    Linear,
    Product,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp
from tests import csp_strategies, naive_csp

DETERMINED = {
    "a sum": (Linear((1, 2, 3), (0, 1, 2), "=", 4), 2),
    "how often": (Count((0, 1), (1,), 2), 2),
    "a truth": (Reified(Clause(((0, 1, True), (1, 1, True))), 2), 2),
    "an element": (Element(0, (0, 1), 2), 2),
    "a product": (Product((0, 1), 2), 2),
    "an inverse": (Inverse((0, 1), (2, 3)), 3),
    "the function of an inverse": (Inverse((2, 3), (0, 1)), 3),
    "a column": (Table((0, 2, 1), ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))), 2),
    "the end of a diagram": (
        Diagram((0, 1, 2), (((0, 0, 0), (0, 1, 1)), ((0, 0, 0), (1, 1, 0)), ((0, 1, 0),))),
        2,
    ),
}
"""Constraints that determine a variable, or several up to one, if 0 and 1 are known."""

NOT_DETERMINED: dict[str, Constraint] = {
    "a bound": Linear((1, 1, 1), (0, 1, 2), "<=", 2),
    "factor 0": Linear((1, 1, 0), (0, 1, 2), "=", 1),
    "named twice": Linear((1, 1, -1), (0, 2, 2), "=", 0),
    "rows that are not there": Table((0, 2, 1), ((0, 0, 0), (0, 1, 1), (1, 0, 1)), allowed=False),
    "rows that differ in it alone": Table((0, 2, 1), ((0, 0, 0), (0, 1, 0), (1, 0, 1))),
}


def chain(n: int, numbers: Sequence[int]) -> Csp:
    """Each of n hidden variables is equal to the variable before it; `numbers` is the order of constraints."""
    names = tuple(f"v{v}" for v in range(n + 1))
    constraints = tuple(Linear((1, -1), (k, k + 1), "=", 0) for k in numbers)
    return Csp(names, ((0, 1),) * (n + 1), constraints, solution=(0,))


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_a_chain_in_any_order(order: list[int]) -> None:
    """A variable comes after those that determine it."""
    assert list(determinants(chain(3, order)).items()) == [(1, {0}), (2, {1}), (3, {2})]


@pytest.mark.parametrize("name", DETERMINED)
def test_kinds_that_determine_a_variable(name: str) -> None:
    constraint, last = DETERMINED[name]
    model = Csp(tuple("abcd"[: last + 1]), ((0, 1),) * (last + 1), (constraint,), solution=(0, 1))
    assert set(determinants(model)) == {*range(2, last + 1)}


@pytest.mark.parametrize("name", NOT_DETERMINED)
def test_constraints_that_determine_nothing(name: str) -> None:
    model = Csp(tuple("abc"), ((0, 1),) * 3, (NOT_DETERMINED[name],), solution=(0, 1))
    assert determinants(model) == {}


@given(model=csp_strategies.models(max_variables=4))
def test_a_variable_has_one_value_once_those_that_determine_it_are_known(model: Csp) -> None:
    """Of all assignments that satisfy the constraints; and each is known, or determined before."""
    everything = range(len(model.names))
    assignments = [*naive_csp.assignments(model, everything)]
    known = {*model.solution}
    for v, those in determinants(model).items():
        assert known >= those
        known.add(v)
        values = {(*(row[one] for one in sorted(those)), row[v]) for row in assignments}
        assert len(values) == len({row[:-1] for row in values})


def test_a_chain_of_twice_as_many_takes_twice_as_many_calls() -> None:
    """The last constraint is the first that determines a variable, so one at a time becomes known."""

    def calls(n: int) -> int:
        model, n_calls = chain(n, range(n)[::-1]), 0

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal n_calls
            n_calls += 1

        before = sys.getprofile()
        sys.setprofile(count)
        determinants(model)
        sys.setprofile(before)
        return n_calls

    assert calls(200) <= 2.5 * calls(100)
