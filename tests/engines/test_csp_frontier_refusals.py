"""Constraints that merging cannot remember: refused with the reason, when the plan is made."""

from __future__ import annotations

import random

import pytest

from rekkyo.engines.csp.frontier import rules
from rekkyo.engines.frontier.levels import laid_out
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AllDifferent, Circuit, Connected, Constraint, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp
from tests import naive_csp
from tests.engines.csp_counted import ENGINE, total


def problem(n: int, values: int, constraint: Constraint) -> Csp:
    return Csp(tuple(f"v{i}" for i in range(n)), (tuple(range(values)),) * n, (constraint,))


def half_of_large_numbers(n: int) -> Linear:
    rng = random.Random(1)
    numbers = [rng.randrange(1, 1 << 29) for _ in range(n)]
    return Linear(tuple(numbers), tuple(range(n)), "=", sum(numbers) // 2)


def any_edges(n: int) -> tuple[tuple[int, int], ...]:
    rng = random.Random(1)
    return tuple((a, b) for a in range(n) for b in range(a) if rng.random() < 0.2)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (
            problem(40, 2, half_of_large_numbers(40)),
            "what a constraint has to remember takes too many states",
        ),
        (
            problem(9, 9, Circuit((0, *range(9)))),
            r"merging cannot remember a constraint \(Circuit\) of so many variables and values",
        ),
        (
            problem(20, 2, Connected((0, *range(20)), ((0, 1),), (1,))),
            r"merging cannot remember a constraint \(Connected\) of so many variables and values",
        ),
        (
            problem(300, 2, Connected(tuple(range(300)), any_edges(300), (1,))),
            "cannot label .* things that may",
        ),
    ],
)
def test_what_has_to_be_remembered_is_too_much(model: Csp, reason: str) -> None:
    with pytest.raises(EngineRefuses, match=reason):
        ENGINE.plan(model)


@pytest.mark.parametrize(
    "constraint",
    [
        Circuit((0, 1, 2, 2)),
        Circuit((0, 1, 2, 2), subcircuit=True),
        Connected((0, 0, 1, 2), ((0, 1), (1, 2), (2, 3)), (1,)),
        Reified(Table((0, 0, 1), ((2, 2, 3), (1, 2, 3))), 2),
        Reified(Table((0, 1, 1), ((2, 3, 3), (1, 2, 3)), allowed=False), 2),
        Reified(AllDifferent((0, 1, 1), excepted=(2,)), 2),
        Reified(AllDifferent((0, 1, 2)), 2),  # whether it is 1 itself
    ],
)
def test_a_variable_that_is_named_twice_is_read_in_rows(constraint: Constraint) -> None:
    model = problem(3, 4, constraint)
    assert total(model) == len(naive_csp.solutions(model))


def test_so_many_forbidden_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two variables that differ: 3 of the 9 pairs of their values are forbidden."""
    monkeypatch.setattr(rules, "MOST_PATTERNS", 3)
    rows = tuple((a, b) for a in range(3) for b in range(3) if a != b)
    assert total(problem(2, 3, Table((0, 1), rows))) == 6
    rules.rules_of.cache_clear()
    with pytest.raises(EngineRefuses, match="takes up to 3 forbidden patterns"):
        ENGINE.plan(problem(2, 3, Table((0, 1), rows[1:])))
    rules.rules_of.cache_clear()


def test_a_field_is_within_a_word() -> None:
    assert laid_out({"a": (0, 1)}, {"a": 64})["a"].shift == 0
    with pytest.raises(
        EngineRefuses, match="the state of one constraint takes 65 bits, more than a word has"
    ):
        laid_out({"a": (0, 1)}, {"a": 65})
