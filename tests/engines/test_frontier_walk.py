"""Many levels walked in one call, against the same levels one by one."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import walk as walk_module
from rekkyo.engines.frontier.front import Bounds, Front, Passed
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.tally import tally_of
from rekkyo.engines.frontier.walk import Walk, walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS
from tests.engines.test_frontier_checkpoints import InMemory, Interrupted, stopping_after
from tests.engines.test_frontier_together import said

NUMBERS = st.integers(0, 60)


def one_by_one(plan: FrontierPlan[Any], **more: Any) -> list[Front]:
    return list(walk(plan, **more))


def at_once(plan: FrontierPlan[Any], bounds: Bounds | None = None, **more: Any) -> list[Front]:
    """The fronts at which a walk stops; bounds: for each part of the walk."""
    walking = Walk(plan, **more)
    fronts = [walking.front]
    while walking.front.level < plan.n_levels:
        fronts.append(walking.step(bounds or Bounds()))
    return fronts


def levels_of(fronts: list[Front]) -> Passed:
    """All levels between the first of these fronts and the last one."""
    columns = zip(*(front.levels for front in fronts[1:]), strict=True)
    return Passed(*(tuple(chain.from_iterable(column)) for column in columns))


def check(plan: FrontierPlan[Any], bounds: Bounds) -> None:
    """A walk stops at the first level that is beyond its bounds, and has passed all levels before it."""
    single, several = one_by_one(plan), at_once(plan, bounds)
    assert levels_of(several) == levels_of(single)
    for front in several[1:]:
        other = single[front.level]
        assert said(front)[0] == said(other)[0]
    for begin, end in pairwise(several):
        nodes = 0
        for level in range(begin.level + 1, end.level + 1):
            nodes += single[level].nodes
            is_beyond = level == plan.n_levels
            if not is_beyond:
                needs = single[level].n_states * len(plan.levels.levels[level].choices)
                is_beyond = nodes > bounds.nodes or needs > bounds.needs or nodes + needs > bounds.together
                is_beyond = is_beyond or single[level].n_limbs > begin.n_limbs
                is_beyond = (
                    is_beyond
                    or single[level].n_states > walk_module.FEW_STATES
                    or nodes > walk_module.FEW_NODES
                )
            assert is_beyond == (level == end.level)
        assert nodes == end.nodes


BOUNDS = st.builds(Bounds, NUMBERS, NUMBERS, NUMBERS) | st.just(Bounds())


@pytest.mark.kernel
@given(model=naive_cover.models(), bounds=BOUNDS)
def test_covers(model: ExactCover, bounds: Bounds) -> None:
    plan = CoverFrontier().plan(model)
    if plan.n_levels:
        check(plan, bounds)


@pytest.mark.kernel
@given(model=MODELS, bounds=BOUNDS)
def test_constraints(model: Csp, bounds: Bounds) -> None:
    engine = CspFrontier()
    if engine.accepts(model) and (plan := engine.plan(model)).n_levels:
        check(plan, bounds)


def counted(plan: FrontierPlan[Any], n_bytes: int) -> Tally | None:
    """The count with so much memory, in slices if necessary; None if it is refused."""
    with suppress(EngineRefuses):
        return tally_of(plan, n_bytes, no_pause)
    return None


def resumed(plan: FrontierPlan[Any], n_pauses: int) -> Tally:
    """The count, stopped after every so many pauses."""
    place = InMemory()
    while True:
        with suppress(Interrupted):
            return tally_of(plan, 1 << 30, stopping_after(n_pauses), ALONE, place)


def check_counts(plan: FrontierPlan[Any], n_bytes: int, n_pauses: int) -> None:
    """The total and the nodes do not depend on the length of steps."""
    whole, sliced = resumed(plan, n_pauses), counted(plan, n_bytes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, "MOST_LEVELS", 1)
        assert (resumed(plan, n_pauses), counted(plan, n_bytes)) == (whole, sliced)
    assert sliced is None or sliced.total == whole.total


BYTES, PAUSES = st.integers(1, 1 << 12), st.integers(2, 4)


@pytest.mark.kernel
@given(model=naive_cover.models(), n_bytes=BYTES, n_pauses=PAUSES)
def test_counts_of_covers(model: ExactCover, n_bytes: int, n_pauses: int) -> None:
    check_counts(CoverFrontier().plan(model), n_bytes, n_pauses)


@pytest.mark.kernel
@given(model=MODELS, n_bytes=BYTES, n_pauses=PAUSES)
def test_counts_of_constraints(model: Csp, n_bytes: int, n_pauses: int) -> None:
    engine = CspFrontier()
    if engine.accepts(model):
        check_counts(engine.plan(model), n_bytes, n_pauses)


def test_a_count_in_slices() -> None:
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    check_counts(plan, 1 << 13, 2)
    tally = counted(plan, 1 << 14)
    assert tally is not None
    assert tally.total == 12_988_816  # OEIS A004003


def test_counts_that_become_longer() -> None:
    """There are 2^69 tilings of 4x48 with dominoes."""
    plan = CoverFrontier().plan(cover("dominoes 4 48"))
    check(plan, Bounds())
    assert at_once(plan)[-1].n_limbs == 2


def test_states_of_several_words() -> None:
    """The ten digits have states of five words; after two levels there are more than FEW_STATES of them."""
    plan = CoverFrontier().plan(cover("digits"))
    assert plan.levels.n_words == 5
    single, several = Walk(plan), Walk(plan)
    fronts = [single.step(), single.step()]
    several.step(Bounds())
    assert said(several.front)[0] == said(single.front)[0]
    assert levels_of([single.front, several.front]) == levels_of([single.front, *fronts])


def test_without_counts() -> None:
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    several = levels_of(at_once(plan, counting=False))
    assert several._replace(ways=()) == levels_of(one_by_one(plan))._replace(ways=())


def test_fronts_grow_out_of_one_call() -> None:
    """Dominoes of 8x8 are walked in one call; those of 16x16 have fronts of more than FEW_STATES."""
    assert len(at_once(CoverFrontier().plan(cover("dominoes 8 8")))) == 2
    plan = CoverFrontier().plan(cover("dominoes 16 16"))
    fronts = at_once(plan)
    assert 3 < len(fronts) < plan.n_levels
    for front in fronts[1:-1]:
        is_long = front.n_states > walk_module.FEW_STATES
        assert is_long or front.nodes > walk_module.FEW_NODES or front.n_limbs > 1


def test_the_memory_ends_both_walks_at_the_same_level() -> None:
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    refused = []
    for most_bytes in (1 << 8, 1 << 10, 1 << 11, 1 << 12, 1 << 13):
        single, several = Walk(plan, most_bytes), Walk(plan, most_bytes)
        messages = []
        for walking, bounds in ((single, None), (several, Bounds())):
            try:
                while walking.front.level < plan.n_levels:
                    walking.step(bounds)
            except EngineRefuses as problem:
                messages.append(str(problem))
        assert said(single.front)[0] == said(several.front)[0]
        assert len(set(messages)) <= 1
        refused.append(len(messages))
    assert {0, 2} == set(refused)


def test_a_published_count() -> None:
    """OEIS A004003(4)."""
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    last = at_once(plan)[-1]
    assert last.ways == 12988816
    assert tally_of(plan, 1 << 26, no_pause) == Tally(12988816, last.nodes)
