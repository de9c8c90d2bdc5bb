"""The bounds of a step in parts: what just fits, and what is just beyond."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rekkyo.engines.contract import no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.frontier import apart, kernel, merge_kernel
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import NO_BOUNDS, Bounds, Front
from rekkyo.engines.frontier.in_order import Hashed, InOrder
from rekkyo.engines.frontier.levels import Choice, Level
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.search.threads import crew
from tests.engines.covers_counted import cover
from tests.engines.test_frontier_apart import (
    doubling,
    front_before,
    levels_of,
    levels_that_shrink_and_grow,
    parting_all,
)


def tried_nodes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The nodes of all calls of the kernels for parts, which this list gets from now on."""
    tried: list[int] = []
    for module, name in ((kernel, "steps"), (merge_kernel, "steps_in_order")):
        monkeypatch.setattr(module, name, spying(getattr(module, name), tried))
    return tried


def spying(steps: Any, tried: list[int]) -> Any:
    def spy(*args: Any) -> Any:
        found = steps(*args)
        tried.extend(found[-2][:, 0].tolist())
        return found

    return spy


@pytest.mark.parametrize("way", [Hashed, InOrder])
@pytest.mark.parametrize("workers", [1, 2])
def test_levels_that_are_beyond_the_bounds_take_few_nodes(
    monkeypatch: pytest.MonkeyPatch, workers: int, way: type[Hashed]
) -> None:
    """A worker ends with the level that is beyond them, and a level here takes as long as all before it."""
    plan, most = doubling(20), 1 << 10
    front = list(walk(plan))[6]
    parting_all(monkeypatch)
    with crew(workers) as together:
        parted = apart.Parting(plan, together).parted(front)
        assert parted is not None
        tried = tried_nodes(monkeypatch)
        step = (parted, 20, Bounds(nodes=most), way(plan), lambda: None, together)
        is_beyond, after = apart.step_apart(*step)
    assert is_beyond
    assert after is parted
    assert most < sum(tried) <= 2 * workers * most


@pytest.mark.parametrize("workers", [1, 2])
def test_a_level_in_the_middle_of_a_step_may_be_beyond_the_bounds(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """2048 states after level 10 and 16 after the next, though no part has many. Else slices would depend on parts."""
    plan = levels_that_shrink_and_grow()
    front = list(walk(plan))[6]
    parting_all(monkeypatch)
    with crew(workers) as together:
        parting = apart.Parting(plan, together)
        parted = parting.parted(front)
        assert parted is not None
        assert len(parted.parts) > 4
        assert parting.stop >= 12
        for most, expected in ((2047, True), (2048, False)):
            bounds = Bounds(states=most)
            is_beyond, after = apart.step_apart(parted, 12, bounds, InOrder(plan), lambda: None, together)
            assert is_beyond == expected
            assert after.n_states == (64 if is_beyond else 16)


@pytest.mark.parametrize("workers", [1, 2])
def test_levels_that_grow_are_not_walked_twice(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    """Steps are so short that their levels fit, although each has twice as many nodes as the one before."""
    plan = doubling(14)
    parting_all(monkeypatch)
    monkeypatch.setattr(apart, "MOST_GROWN", 1 << 14)
    monkeypatch.setattr(walking, "FEW_STATES", 1 << 4)
    with crew(workers) as together:
        tried = tried_nodes(monkeypatch)
        found = list(walk(plan, bounds=Bounds(nodes=1 << 13), crew=together))
    assert max(len(front.levels.nodes) for front in found if len(front.parts) > 1) > 2
    assert sum(tried) <= sum(front.nodes for front in found) == (1 << 14) - 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_step_that_grows_beyond_its_states_is_walked_one_by_one(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Its front has not grown for 12 levels, and then each level doubles it. Else it might take minutes."""
    grown = doubling(14).levels
    levels = grown.levels
    idle = replace(levels[4], choices=())
    plan = plan_of(None, replace(grown, levels=(*levels[:4], *[idle] * 12, *levels[4:])))
    parting_all(monkeypatch)
    monkeypatch.setattr(walking, "FEW_STATES", 1)
    monkeypatch.setattr(apart, "STATES_OF_STEP", 1 << 8)
    with crew(workers) as together:
        found = list(walk(plan, bounds=NO_BOUNDS, crew=together))
    several = [front for front in found if len(front.levels.nodes) > 1]
    assert all(front.n_states <= 1 << 8 for front in several)
    assert [front.ways for front in found][-1] == 1 << 14


@pytest.mark.parametrize("workers", [1, 2])
def test_levels_are_walked_one_by_one_to_the_last_that_fits(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """The front that is cut into slices then, and its nodes, are those without parts."""
    plan = CoverFrontier().plan(cover("dominoes 14 14")).without_exchanges()

    def levels_that_fit(**more: Any) -> list[tuple[int, int, int]]:
        found: list[Front] = []
        with pytest.raises(EngineRefuses, match="takes more than"):
            found.extend(walk(plan, most_bytes=100_000, **more))
        return levels_of(found)

    whole = levels_that_fit()
    parting_all(monkeypatch)
    with crew(workers) as together:
        assert levels_that_fit(bounds=NO_BOUNDS, crew=together) == whole


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_states_that_are_held_are_bounded(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    """By `most` together, and by as much again while the workers are at their last parts."""
    plan = CoverFrontier().plan(cover("dominoes 14 14"))
    front = max(walk(plan), key=lambda front: front.n_states)
    parting_all(monkeypatch)
    most = front.n_states // 4
    with crew(workers) as together:
        parted = apart.Parting(plan, together).parted(front)
        assert parted is not None
        step = apart._Step(parted, parted.level + 1, Bounds(states=most), InOrder(plan))
        are_too_many, _ = step.by(together, lambda: None)
    assert are_too_many
    held = [part for part, before in zip(step._parts, parted.parts, strict=True) if part is not before]
    assert sum(len(part.states) for part in held) <= 2 * most + workers


def step(plan: FrontierPlan[Any], front: Front, stop: int, bounds: Bounds) -> tuple[bool, Front]:
    return apart.step_apart(front, stop, bounds, InOrder(plan), no_pause, ALONE)


def with_levels(plan: FrontierPlan[Any], *levels: Level) -> FrontierPlan[Any]:
    """The same plan with more levels behind."""
    return plan_of(None, replace(plan.levels, levels=(*plan.levels.levels, *levels)))


def parted_by_all(plan: FrontierPlan[Any], front: Front) -> Front:
    with pytest.MonkeyPatch.context() as patch:
        parting_all(patch)
        parted = apart.Parting(plan, ALONE).parted(front)
    assert parted is not None
    assert len(parted.parts) > 8
    return parted


@pytest.mark.parametrize("are_parted", [False, True])
def test_the_most_states_and_nodes_that_fit(are_parted: bool) -> None:
    """From 32 states to 256 in three levels, each of which sets a bit in a copy of each state."""
    plan = doubling(8)
    front = front_before(plan, 5)
    if are_parted:
        front = parted_by_all(plan, front)
    n_nodes = 32 + 64 + 128
    assert n_nodes == step(plan, front, 8, NO_BOUNDS)[1].nodes
    for enough, too_few in (
        (Bounds(states=256), Bounds(states=255)),
        (Bounds(nodes=n_nodes), Bounds(nodes=n_nodes - 1)),
    ):
        is_beyond, after = step(plan, front, 8, enough)
        assert not is_beyond
        assert after.n_states == 256
        is_beyond, after = step(plan, front, 8, too_few)
        assert is_beyond
        assert after is front


def test_all_parts_together_have_too_many_states_before_the_last_level() -> None:
    """No part has, and after the last level there are as many as at first."""
    grown = doubling(9)
    plan = with_levels(grown, Level((), 0, 0, 0, (), (1 << 5) - 1))
    parted = parted_by_all(plan, front_before(plan, 5))
    is_beyond, after = step(plan, parted, 10, Bounds(states=512))
    assert (is_beyond, after.n_states) == (False, 32)
    is_beyond, after = step(plan, parted, 10, Bounds(states=511))
    assert is_beyond
    assert after is parted


def test_a_part_may_have_the_states_that_others_have_left() -> None:
    """So a worker that is alone never holds more than are within the bounds."""
    plan = doubling(8)
    parted = parted_by_all(plan, front_before(plan, 5))
    made = apart._Step(parted, 8, Bounds(states=200), InOrder(plan))
    assert made.by(ALONE, no_pause)[0]
    done = [part for part, before in zip(made._parts, parted.parts, strict=True) if part is not before]
    assert 100 < sum(len(part.states) for part in done) <= 200


@pytest.mark.parametrize(("n_levels", "fits"), [(127, True), (128, False)])
def test_counts_may_become_longer_by_one_limb(n_levels: int, fits: bool) -> None:
    """The bounds are of states with such counts. In each level here there are two ways to go on."""
    grown = doubling(5)
    plan = with_levels(grown, *[Level((Choice(0, 0, 0, 0),), 0, 0, 0, (), 31)] * n_levels)
    front = front_before(plan, 5)
    is_beyond, after = step(plan, front, 5 + n_levels, NO_BOUNDS)
    assert is_beyond is not fits
    if fits:
        assert after.ways == 32 << n_levels
