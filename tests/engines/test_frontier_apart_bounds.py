"""The bounds of a step in parts: what just fits, and what is just beyond."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rekkyo.engines.contract import no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.frontier import apart
from rekkyo.engines.frontier.front import NO_BOUNDS, Bounds, Front
from rekkyo.engines.frontier.in_order import InOrder
from rekkyo.engines.frontier.levels import Choice, Level
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.walk import walk
from tests.engines.test_frontier_apart import doubling, parting_all


def front_before(plan: FrontierPlan[Any], level: int) -> Front:
    return next(front for front in walk(plan) if front.level == level)


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
