"""Whatever Python callers give to a function in place of what it takes, they get a refusal in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask.estimate import Budgets
from rekkyo.errors import BadInput
from tests.wrong_values import JUNK, WRONG, assert_taken_or_refused, nested

QUEENS = rk.queens(5)
ROW = (0, 2, 4, 1, 3)
DOMINOES = rk.puzzle("dominoes 2 3")
DIAGRAM = rk.diagram(DOMINOES)
SOLUTION = DIAGRAM.kth(0)


def problem() -> rk.Problem:
    made = rk.Problem()
    made.variables(["a", "b", "c"], range(3))
    return made


def blocks(first: int) -> list[Any]:
    return list(DIAGRAM.blocks(first))


def asked(variables: Any) -> None:
    problem().predicate(variables, lambda *_: True)


WHOLE: dict[Callable[..., object], dict[str, Any]] = {
    rk.svg: {"puzzle": QUEENS, "row": ROW, "theme": "light", "scale": 1.0},
    rk.sheet: {"puzzle": QUEENS, "rows": [ROW], "columns": 2, "first": 0, "total": 10},
    rk.board: {"puzzle": QUEENS, "row": ROW},
    rk.verify: {"puzzle": QUEENS, "row": ROW},
    rk.Run: {"directory": "there-is-none", "puzzle": QUEENS},
    rk.RunReader: {"folder": "there-is-none", "puzzle": QUEENS},
    rk.Puzzle: {"name": "mine", "model": QUEENS.model, "title": "Mine", "generators": (), "symbols": "ab"},
    rk.count: {"puzzle": QUEENS, "sizes": rk.Sizes()},
    rk.counts: {"puzzles": [QUEENS]},
    rk.estimate: {"puzzle": QUEENS, "draws": 2, "budgets": Budgets()},
    rk.load_diagram: {"path": "there-is-none", "puzzle": DOMINOES},
    DIAGRAM.rank: {"row": SOLUTION},
    DIAGRAM.kth: {"k": 0},
    DIAGRAM.sample: {"rng": random.Random(1)},
    DIAGRAM.restrict: {"taken": [0], "left_out": [1], "times": [([0, 1], 0, 2)]},
    blocks: {"first": 0},
    problem().domain: {"variable": 0},
    problem().linear: {"coefficients": [1, 2], "variables": [0, 1], "relation": "<=", "constant": 3},
    problem().sum: {"variables": [0, 1], "relation": "=", "constant": 3},
    asked: {"variables": [0, 1]},
    problem().all_different: {"variables": [0, 1], "excepted": [0]},
    problem().table: {"variables": [0, 1], "rows": [(0, 1)]},
    problem().count: {"variables": [0, 1], "values": [1], "times": 2},
    problem().element: {"index": 0, "array": [1, 2], "result": 2, "first": 0},
    problem().circuit: {"successors": [0, 1, 2], "first": 0},
    problem().model: {"solution": [0, 1], "grid": (1, 2)},
}
"""What each takes, so that one value at a time can be made a wrong one."""

EXISTS_NOT = (rk.RunReader, rk.load_diagram)
"""They are refused in any case: the file is not there."""

NAMES = [(make, name) for make, values in WHOLE.items() for name in values]


@pytest.mark.parametrize("make", [make for make in WHOLE if make not in EXISTS_NOT])
def test_what_is_wanted_is_taken(make: Callable[..., object]) -> None:
    make(**WHOLE[make])


@pytest.mark.parametrize(("make", "name"), NAMES, ids=[f"{make.__qualname__}-{name}" for make, name in NAMES])
def test_only_refusals_come_out(make: Callable[..., object], name: str) -> None:
    for value in WRONG:
        for wrong in (value, *nested(value)):
            assert_taken_or_refused(make, WHOLE[make] | {name: wrong})


@given(data=st.data(), make=st.sampled_from(list(WHOLE)))
def test_only_refusals_come_out_for_junk(data: st.DataObject, make: Callable[..., object]) -> None:
    names = data.draw(st.lists(st.sampled_from(list(WHOLE[make])), min_size=1, unique=True))
    assert_taken_or_refused(make, WHOLE[make] | {name: data.draw(JUNK) for name in names})


def test_who_watches_is_a_function() -> None:
    with pytest.raises(BadInput, match="watch is a function of the progress, not 5"):
        rk.count(QUEENS, watch=5)  # type: ignore[arg-type]
