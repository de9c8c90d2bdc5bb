"""Hidden variables that the solution determines: which others do it, and what finding them takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from rekkyo.engines.csp.frontier.determined import determinants
from rekkyo.model.csp.constraints import Linear
from rekkyo.model.csp.csp import Csp


def chain(n: int, numbers: Sequence[int]) -> Csp:
    """Each of n hidden variables is equal to the variable before it; `numbers` is the order of constraints."""
    names = tuple(f"v{v}" for v in range(n + 1))
    constraints = tuple(Linear((1, -1), (k, k + 1), "=", 0) for k in numbers)
    return Csp(names, ((0, 1),) * (n + 1), constraints, solution=(0,))


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_a_chain_in_any_order(order: list[int]) -> None:
    """A variable comes after those that determine it."""
    assert list(determinants(chain(3, order)).items()) == [(1, {0}), (2, {1}), (3, {2})]


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
