"""Walks of exact covers that change to another order of the items once exchanges are found."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from unittest import mock

import pytest
from hypothesis import given

from rekkyo.engines.contract import WHOLE, Pause, Tally, no_pause
from rekkyo.engines.covers.frontier import plan as planning
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.frontier.plan import make_plan
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.trial import Trial
from rekkyo.engines.frontier.walk import Walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search.threads import crew
from tests import made_once as st
from tests.engines.test_cover_exchanges import alike_in_blocks, counted
from tests.engines.test_csp_blocks import different, grid
from tests.engines.test_frontier_checkpoints import InMemory, Interrupted, stopping_after

ENGINE = CoverFrontier()


def sudoku(height: int, width: int) -> ExactCover:
    """All sudokus with boxes of this height and width; no exchange is declared."""
    size = range(height * width)
    box = {(row, column): row // height * height + column // width for row in size for column in size}
    items = [f"r{row}c{column}" for row in size for column in size]
    items += [f"{unit}{number}={value}" for unit in "rcb" for number in size for value in size]
    at = {item: number for number, item in enumerate(items)}
    options = (
        (f"r{row}c{column}", f"r{row}={value}", f"c{column}={value}", f"b{box[row, column]}={value}")
        for row in size
        for column in size
        for value in size
    )
    return ExactCover(tuple(items), (), tuple(tuple((at[item], 0) for item in option) for option in options))


SUDOKU_6 = sudoku(2, 3)
"""OEIS A107739, row 6 by boxes of 2x3: 28,200,960. King's order is the narrowest; cell by cell is the best."""


def changing_order(least_nodes: int) -> FrontierPlan[ExactCover]:
    """A plan by which a walk changes to another order after so many nodes."""
    plan = make_plan(SUDOKU_6)
    assert plan.late is not None
    late = plan.late._replace(least_nodes=least_nodes, nodes_again=least_nodes // 4)
    assert plan.with_late_exchanges().n_levels == 36 < plan.n_levels
    return replace(plan, late=late)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("least_nodes", [50, 1000, 20_000])
def test_exchanges_that_make_another_order_better(workers: int, least_nodes: int) -> None:
    with crew(workers) as together:
        tally = ENGINE.count_together(changing_order(least_nodes), WHOLE, no_pause, together)
    assert tally.total == 28_200_960
    assert least_nodes < tally.nodes < 2 * least_nodes + 1000  # of 3,948,486


@pytest.mark.parametrize("most_bytes", [1_200, 1_300])
def test_slices_of_another_order(most_bytes: int) -> None:
    engine, plan = CoverFrontier(most_bytes=most_bytes), changing_order(20)
    tally = engine.count(plan, WHOLE, no_pause)
    assert tally.total == 28_200_960
    assert tally.nodes > ENGINE.count(plan, WHOLE, no_pause).nodes


@pytest.mark.parametrize("n_pauses", range(1, 49, 4))
def test_a_count_goes_on_from_fronts_of_either_order(n_pauses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A front of the one must not be taken for one of the other."""
    monkeypatch.setattr(walking, "MOST_LEVELS", 1)
    place = InMemory(0)
    with pytest.raises(Interrupted):
        ENGINE.count_together(changing_order(1000), WHOLE, stopping_after(n_pauses), ALONE, place)
    tally = ENGINE.count_together(changing_order(1000), WHOLE, no_pause, ALONE, place)
    assert tally.total == 28_200_960
    assert tally.nodes < 3000


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_trial_that_changes_its_order_goes_on(is_refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also from where the other order did not fit into the memory."""
    whole = ENGINE.count(changing_order(1000), WHOLE, no_pause)
    trial = Trial(changing_order(1000), 1 << 26)
    with monkeypatch.context() as changed:
        if is_refused:
            changed.setattr(Walk, "_walked_again", mock.Mock(side_effect=EngineRefuses("too many")))
        while trial.nodes <= 1000 and trial.step():
            pass
    assert (trial.needs == inf) == (trial.nodes < 1000) == is_refused
    other = trial.going_on(1 << 26, ALONE)
    while other.step():
        assert other.moments > 0
    assert other.tally == whole == Tally(28_200_960, other.nodes)


def test_a_count_goes_on_in_its_order_if_the_other_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_LEVELS", 1)
    monkeypatch.setattr(Walk, "_walked_again", mock.Mock(side_effect=EngineRefuses("too many")))
    assert ENGINE.count(changing_order(1000), WHOLE, no_pause).total == 28_200_960


@pytest.mark.kernel
@given(
    model=alike_in_blocks(), least_nodes=st.integers(1, 20), most_bytes=st.sampled_from([600, 1000, 1 << 26])
)
def test_covers_whose_order_changes(model: ExactCover, least_nodes: int, most_bytes: int) -> None:
    """Another order is taken even where it is worse, but not in slices of the first one."""
    limits = {"LEAST_NODES": least_nodes, "NODES_OF_USE": 0, "WORK_OF_NODE": 1 << 20}
    always = {"LEAST_SAVED": 1e-9, "FAR_MORE": 1e9}
    with mock.patch.multiple(planning, **limits, **always), suppress(EngineRefuses):
        tally = CoverFrontier(most_bytes=most_bytes).count(make_plan(model), WHOLE, no_pause)
        assert tally.total == counted(model, finds=False).total


@pytest.mark.parametrize(
    ("foreseen", "chosen", "parts"),
    [
        ([[90, 80, 60], [100, 90, 29]], 1, [(0, 1), (0, 1), (0, 1)]),
        ([[90, 80, 60], [100, 90, 30]], 0, [(0, 1), (0, 1), (0, 1)]),
        ([[90, 80, 60], [721, 5, 5]], 0, [(0, 1)]),
        ([[81, 5, 5], [10, 50, 70], [40, 401, 1]], 1, [(0, 1, 2), (1, 2)]),
        ([[inf, inf, inf], [inf, inf, 70]], 1, [(0, 1), (0, 1), (0, 1)]),
        ([[inf, inf, inf], [inf, inf, inf]], 0, [(0, 1), (0, 1), (0, 1)]),
    ],
)
def test_orders_are_compared_part_by_part(
    foreseen: list[list[float]], chosen: int, parts: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order that is far worse than another one is walked no further."""
    walked: list[tuple[int, int]] = []

    def after_part(number: int, n_nodes: int, _: Pause) -> float:
        walked.append((number, n_nodes))
        return foreseen[number][[10, 40, 160].index(n_nodes)]

    monkeypatch.setattr(planning, "Trial", lambda plan, _: plan)
    monkeypatch.setattr(planning, "_foreseen", after_part)
    assert planning._least_foreseen([*range(len(foreseen))], 640, no_pause) == chosen  # type: ignore[list-item]
    assert walked == [
        (number, n_nodes)
        for numbers, n_nodes in zip(parts, [10, 40, 160], strict=False)
        for number in numbers
    ]


def test_what_a_half_turn_leaves_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sudokus with boxes of 2x4, and 7 minus each digit: as a cover, with exchanges, and as constraints."""
    for name, number in (("LEAST_NODES", 1 << 12), ("NODES_OF_USE", 0), ("WORK_OF_NODE", 1 << 20)):
        monkeypatch.setattr(planning, name, number)
    turn = tuple(reversed(range(8**3)))
    constraints = grid(8, 8, 8, different(8, 8, 8, (2, 4)))
    as_cover = ENGINE.count_fixed(ENGINE.make_plan(sudoku(2, 4)), turn, no_pause, ALONE)
    search = CspFrontier()
    as_constraints = search.count_fixed(search.make_plan(constraints), turn, no_pause, ALONE)
    assert as_cover.total == as_constraints.total == 226_861_056
    assert as_cover.nodes < 20_000
