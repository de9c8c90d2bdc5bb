"""Levels of a front in parts that stay apart, against the same levels in one piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from threading import Event
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.csp.frontier import order
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import apart
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.arrange import COLORS
from rekkyo.engines.frontier.front import NO_BOUNDS, Bounds, Front
from rekkyo.engines.frontier.levels import Choice, Level, Levels
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import Problem
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search.threads import crew
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS
from tests.engines.test_frontier_together import Interrupted, said

ResultT = TypeVar("ResultT")


def parting_all(monkeypatch: pytest.MonkeyPatch, least_bits: int = 1, states_of_part: int = 1) -> None:
    """Part every front that differs in so many bits which stay, if only for one level."""
    monkeypatch.setattr(walking, "MANY_STATES", 1)
    monkeypatch.setattr(apart, "LEAST_LEVELS", 1)
    monkeypatch.setattr(apart, "LEAST_BITS", least_bits)
    monkeypatch.setattr(apart, "STATES_OF_PART", states_of_part)


def front_before(plan: FrontierPlan[Any], level: int) -> Front:
    return next(front for front in walk(plan) if front.level == level)


def fronts(plan: FrontierPlan[Any], workers: int) -> list[Front]:
    with crew(workers) as together:
        return list(walk(plan, crew=together))


def check(plan: FrontierPlan[Any], workers: int, least_bits: int, states_of_part: int) -> int:
    """The most parts of a front."""
    whole = [said(front) for front in walk(plan)]
    with pytest.MonkeyPatch.context() as patch:
        parting_all(patch, least_bits, states_of_part)
        found = fronts(plan, workers)
    assert [said(front) for front in found] == whole
    for front, (ways, _) in zip(found, whole, strict=True):
        assert sum(len(part.states) for part in front.parts) == front.n_states == len(ways)
        assert front.levels.ways[-1] == front.ways == sum(ways.values())
    return max(len(front.parts) for front in found)


@pytest.mark.kernel
@given(
    model=naive_cover.models(),
    workers=st.integers(1, 3),
    least_bits=st.integers(1, 3),
    states_of_part=st.sampled_from([1, 3]),
)
def test_covers(model: ExactCover, workers: int, least_bits: int, states_of_part: int) -> None:
    check(CoverFrontier().plan(model), workers, least_bits, states_of_part)


@pytest.mark.kernel
@given(
    model=MODELS,
    workers=st.integers(1, 3),
    least_bits=st.integers(1, 3),
    states_of_part=st.sampled_from([1, 3]),
)
def test_constraints(model: Csp, workers: int, least_bits: int, states_of_part: int) -> None:
    check(CspFrontier().plan(model), workers, least_bits, states_of_part)


@pytest.mark.parametrize("workers", [1, 2])
def test_dominoes_and_independent_sets(workers: int) -> None:
    """One word and two limbs; with rules."""
    assert check(CoverFrontier().plan(cover("dominoes 12 12")), workers, 4, 64) > 8
    sets = rk.graph(named="grid 9 9").independent_sets().model
    assert check(CspFrontier().plan(sets), workers, 4, 4) > 8


@pytest.mark.parametrize("workers", [1, 2])
def test_exchanges_that_are_found_late_part_the_front_anew(workers: int) -> None:
    """Parts that were made before do not stay apart when blocks are exchanged."""
    plan = CoverFrontier().plan(cover("dominoes 12 12"))
    assert plan.late is not None
    late = replace(plan, late=plan.late._replace(least_nodes=3_000))
    assert late.with_late_exchanges() is not late
    assert check(late, workers, 1, 4) > 8


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("puzzle", "parts"),
    [
        (rk.graph(named="grid 6 6").cycles(), 2),
        (rk.graph(named="grid 5 5").cycles(hamiltonian=False), 2),
        (rk.graph(named="grid 4 4").paths(), 2),
        (rk.graph(named="grid 4 4").spanning_trees(), 2),
        (rk.graph(named="grid 4 4").edge_sets(acyclic=True), 1),
        (rk.graph(named="grid 3 4").orientations(acyclic=True), 1),
    ],
    ids=["Hamiltonian cycles", "cycles", "paths", "trees", "forests", "orientations"],
)
def test_loops_labels_and_ways(puzzle: rk.Puzzle, parts: int, workers: int) -> None:
    """The sorts of mates and labels stay where their joints are not touched. Nothing stays in a forest."""
    assert check(CspFrontier().plan(puzzle.model), workers, 2, 4) >= parts


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_that_are_exchanged_between_levels_that_exchange_colors(workers: int) -> None:
    """Latin rectangles of 4x6: parts hash no bits of a place that another exchange moves."""
    problem = Problem()
    rows = [problem.variables([f"{row},{column}" for column in range(6)], range(6)) for row in range(4)]
    for line in (*rows, *zip(*rows, strict=True)):
        problem.all_different(line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "LONG", inf)  # else column by column
        plan = CspFrontier().plan(problem.model())
    kinds = {int(blocks[0, 0]) for blocks in plan.blocks if len(blocks)}
    assert {0, int(COLORS)} <= kinds  # blocks of class 0, or colours
    assert check(plan, workers, 2, 3) > 8


@pytest.mark.parametrize("workers", [1, 2])
def test_states_of_several_words(workers: int) -> None:
    """Twelve times, at different ends of two words: something early, something late, or neither."""
    bits = [1 << 9 * number for number in range(12)]
    early = [Level((Choice(0, 0, bit, 0),), 0, 0, 0, (), sum(bits)) for bit in bits]
    late = [
        Level((Choice(0, bit, 0, 0),), 0, 0, 0, (), sum(bits[number + 1 :]))
        for number, bit in enumerate(bits)
    ]
    plan = plan_of(None, Levels((*early, *late), 9 * len(bits), False, (0,), {}))
    assert plan.levels.n_words == 2
    assert check(plan, workers, 5, 8) > 4
    assert list(walk(plan))[-1].ways == 3 ** len(bits)


def levels_that_shrink_and_grow() -> FrontierPlan[Any]:
    """Long fronts before level 11, short ones after it, and before level 17 long ones again.

    Those are shared, because level 19 changes most bits, although the parts of before would stay apart until
    then. Level 18 makes pairs of states equal.
    """
    every = (1 << 14) - 1

    def level(number: int, bit: int, keep: int = every) -> Level:
        return Level((Choice(number, 0, 1 << bit, 0),), 0, 0, 0, (), keep)

    levels = (
        *(level(number, number) for number in range(11)),
        level(11, 11, every & ~(0xFF << 4)),
        *(level(12 + number, 4 + number) for number in range(5)),
        level(17, 9),
        level(18, 10, every & ~(1 << 4)),
        level(19, 11, 0x3FF << 4),
        level(20, 12, 0),
    )
    return plan_of(None, Levels(levels, 14, False, tuple(range(21)), {}))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_parts_of_shared_levels_are_not_taken_for_parts_that_stay_apart(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 9)
    monkeypatch.setattr(apart, "LEAST_BITS", 2)
    monkeypatch.setattr(apart, "LEAST_LEVELS", 4)
    monkeypatch.setattr(apart, "STATES_OF_PART", 1 << 8)
    plan = levels_that_shrink_and_grow()
    found = fronts(plan, workers)
    assert [said(front) for front in found] == [said(front) for front in fronts(plan, 1)]
    assert all(front.n_states == len(said(front)[0]) for front in found)


def test_a_front_that_is_nearly_one_part_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only ten bits stay, and they are the same in all states but one."""
    every = (1 << 20) - 1
    early = Level((Choice(0, 0, (1 << 10) - 1, 0),), 0, 0, 0, (), every)
    more = [Level((Choice(0, 1, 1 << 10 + number, 0),), 0, 0, 0, (), every) for number in range(6)]
    plan = plan_of(None, Levels((early, *more, *more), 20, False, (0,), {}))
    monkeypatch.setattr(walking, "MANY_STATES", 32)
    monkeypatch.setattr(apart, "STATES_OF_PART", 4)
    found = fronts(plan, 1)
    assert {len(front.parts) for front in found} == {1}
    assert found[-1].n_states == 65


def doubling(n_levels: int) -> FrontierPlan[Any]:
    """Every level sets a bit in a copy of each state."""
    bits = [1 << number for number in range(n_levels)]
    levels = tuple(Level((Choice(0, 0, bit, 0),), 0, 0, 0, (), (1 << n_levels) - 1) for bit in bits)
    return plan_of(None, Levels(levels, n_levels, False, (0,), {}))


def levels_of(fronts: Sequence[Front]) -> list[tuple[int, int, int]]:
    """Nodes, states and ways of every level."""
    return [level for front in fronts for level in zip(*front.levels, strict=True)]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("states_of_step", "bounds"),
    [
        (1 << 24, NO_BOUNDS),
        (1 << 10, NO_BOUNDS),
        (1 << 24, Bounds(together=1 << 18)),
        (1 << 24, Bounds(nodes=1 << 15)),
        (1 << 24, Bounds(nodes=1 << 12)),
    ],
)
def test_several_levels_at_once(
    monkeypatch: pytest.MonkeyPatch, workers: int, states_of_step: int, bounds: Bounds
) -> None:
    """Every level as if it were walked alone; at the end counts have two limbs.

    Bounds that end in the middle are those of each step here, so they end no walk.
    """
    plan = CoverFrontier().plan(cover("dominoes 10 20")).without_exchanges()
    one_by_one = list(walk(plan))
    parting_all(monkeypatch)
    monkeypatch.setattr(apart, "STATES_OF_STEP", states_of_step)
    with crew(workers) as together:
        found = list(walk(plan, bounds=bounds, crew=together))
    several = [front for front in found if len(front.parts) > 1 and len(front.levels.nodes) > 1]
    assert len(several) > 3
    assert all(front.nodes <= min(bounds.nodes, bounds.together) // 8 for front in several)
    assert levels_of(found) == levels_of(one_by_one)
    ways = {front.level: said(front)[0] for front in one_by_one}
    assert all(said(front)[0] == ways[front.level] for front in found)
    assert found[-1].n_limbs == 2


def test_a_published_count() -> None:
    """OEIS A004003(10), whose fronts are long enough to be parted."""
    found = fronts(CoverFrontier().plan(cover("dominoes 20 20")), 2)
    assert max(len(front.parts) for front in found) > 2
    assert found[-1].ways == 1269984011256235834242602753102293934298576249856


def test_a_front_in_one_part_is_parted_anew() -> None:
    """Though the parts that were made before would stay apart: the front was short and joined in between."""
    plan = CoverFrontier().plan(cover("dominoes 16 16"))
    front = max(walk(plan), key=lambda front: front.n_states)
    with crew(2) as together:
        parting = apart.Parting(plan, together)
        parted = parting.parted(front)
        assert parted is not None
        assert len(parted.parts) == 2 * apart.PARTS_OF_WORKER
        assert parting.parted(parted) is parted
        again = parting.parted(front)
    assert again is not None
    assert len(again.parts) == len(parted.parts)


def test_there_are_no_more_parts_than_a_byte_can_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if each may have a single state only, and ten bits part 1024 states."""
    plan = doubling(12)
    front = list(walk(plan))[10]
    parting_all(monkeypatch)
    monkeypatch.setattr(apart, "MOST_STATES_OF_PART", 1)
    with crew(1) as together:
        parted = apart.Parting(plan, together).parted(front)
    assert parted is not None
    assert front.n_states > 1 << 8
    assert apart.PARTS < len(parted.parts) <= apart.MOST_PARTS < 1 << 8
    assert said(parted) == said(front)


@pytest.mark.parametrize(("most", "n_parts"), [(1 << 17, 64), (8, 128)])
def test_large_fronts_have_more_parts(monkeypatch: pytest.MonkeyPatch, most: int, n_parts: int) -> None:
    """A level of a part of any size is walked without a pause, so that parts may not be large."""
    plan = doubling(12)
    front = list(walk(plan))[10]
    parting_all(monkeypatch)
    monkeypatch.setattr(apart, "MOST_STATES_OF_PART", most)
    with crew(1) as together:
        parted = apart.Parting(plan, together).parted(front)
    assert parted is not None
    assert front.n_states == 1 << 10
    assert 0.9 * n_parts < len(parted.parts) <= n_parts


@pytest.mark.parametrize("workers", [1, 2])
def test_too_many_states(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    parting_all(monkeypatch)
    plan = CoverFrontier().plan(cover("dominoes 14 14"))
    with pytest.raises(EngineRefuses, match="takes more than"), crew(workers) as together:
        for _ in walk(plan, most_bytes=100_000, crew=together):
            pass


@pytest.mark.parametrize("workers", [1, 3])
def test_it_can_be_stopped_within_a_level(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    parting_all(monkeypatch)
    plan = CoverFrontier().plan(cover("dominoes 12 12"))

    def stop() -> None:
        raise Interrupted

    with pytest.raises(Interrupted), crew(workers) as together:
        for _ in walk(plan, crew=together, pause=stop):
            pass


def test_a_failure_of_another_worker_ends_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    parting_all(monkeypatch)
    plan = CoverFrontier().plan(cover("dominoes 12 12"))

    def fail() -> None:
        raise ZeroDivisionError

    class CallerLast:
        """A crew whose caller begins when another worker has ended; else it might do all parts of every level."""

        n_workers = 3

        def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
            ended = Event()

            def first() -> ResultT:
                assert len(tasks) == 1 or ended.wait()
                return tasks[0]()

            def other(task: Callable[[], ResultT]) -> ResultT:
                try:
                    return task()
                finally:
                    ended.set()

            return together([first, *(partial(other, task) for task in tasks[1:])])

    monkeypatch.setattr(apart, "no_pause", fail)
    with pytest.raises(ZeroDivisionError), crew(3) as together:
        for _ in walk(plan, crew=CallerLast()):
            pass
