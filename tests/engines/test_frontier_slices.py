"""Counts whose states do not fit into the memory: in slices, with the same total, or refused in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, Tally, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import tally as tallying
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import Bounds, Front
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import Walk, walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.search.question import ask
from rekkyo.search.race import merger_of
from rekkyo.search.threads import crew
from tests import naive_cover, naive_csp
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS
from tests.engines.test_frontier_checkpoints import InMemory, Interrupted, stopping_after

ResultT = TypeVar("ResultT")
pytestmark = pytest.mark.usefixtures("steps_of_one_level")


def needs(model: Any) -> tuple[Tally, int]:
    """What a count comes to, and the memory that it needs."""
    plan = merger_of(model).plan(model)
    nodes = n_bytes = 0
    for front in walk(plan):
        nodes += front.nodes
        n_bytes = max(n_bytes, front.n_states * (24 * (plan.levels.n_words + front.n_limbs) + 16))
    return Tally(front.ways, nodes), n_bytes


def count(model: Any, most_bytes: int, workers: int = 1, place: InMemory | None = None) -> Tally:
    engine = type(merger_of(model))(most_bytes=most_bytes)
    with crew(workers) as together:
        return engine.count_together(
            engine.plan(model), WHOLE, no_pause, together, place or InMemory(1 << 30)
        )


@pytest.mark.kernel
@given(model=MODELS, n_bytes=st.integers(1, 1 << 12))
def test_constraints(model: Csp, n_bytes: int) -> None:
    try:
        tally = count(model, n_bytes)
    except EngineRefuses:
        return
    assert tally.total == len(naive_csp.solutions(model))


@pytest.mark.kernel
@given(model=naive_cover.models(), n_bytes=st.integers(1, 1 << 12))
def test_covers(model: ExactCover, n_bytes: int) -> None:
    try:
        tally = count(model, n_bytes)
    except EngineRefuses:
        return
    assert tally.total == len(naive_cover.solutions(model))


@pytest.mark.parametrize(
    ("model", "total", "most_times"),
    [
        pytest.param(cover("langford 11"), 35584, 4, id="pairs"),  # OEIS A014552, and their mirror images
        pytest.param(cover("pentominoes 4 15"), 1472, 4, id="pieces"),  # 368 up to symmetry
        pytest.param(rk.puzzle("hip 5").model, 5408, 2, id="constraints, two words"),
    ],
)
@pytest.mark.parametrize("part", [2, 6])
def test_in_slices(
    model: Model, total: int, most_times: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nodes do not depend on the workers, although these leave the states in another order."""
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 8)
    whole, n_bytes = needs(model)
    assert whole.total == total
    one, two = (count(model, n_bytes // part, workers) for workers in (1, 2))
    assert one == two
    assert one.total == total
    assert whole.nodes < one.nodes < most_times * whole.nodes


def test_counts_of_several_limbs() -> None:
    """Langford pairs beside 70 items with two options each."""
    pairs = cover("langford 9")
    n = len(pairs.primary)
    more = tuple(((n + number, 0),) for number in range(70) for _ in range(2))
    names = tuple(f"more {number}" for number in range(70))
    model = ExactCover(pairs.primary + names, (), pairs.options + more)
    whole, n_bytes = needs(model)
    sliced = count(model, n_bytes // 3)
    assert whole.total == sliced.total == count(pairs, 1 << 30).total << 70
    assert sliced.nodes > whole.nodes


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, list[Front]]]:
    """The memory for each walk, and its fronts, without their states."""
    walks: list[tuple[int, list[Front]]] = []

    class Watched(Walk):
        def __init__(self, plan: FrontierPlan[Any], most_bytes: int, **more: Any) -> None:
            super().__init__(plan, most_bytes, **more)
            self._fronts = [self.front._replace(parts=())]
            walks.append((most_bytes, self._fronts))

        def step(self, bounds: Bounds | None = None) -> Front:
            front = super().step(bounds)
            self._fronts.append(front._replace(parts=()))
            return front

    monkeypatch.setattr(tallying, "Walk", Watched)
    return walks


def test_the_memory_is_kept(walked: list[tuple[int, list[Front]]]) -> None:
    """The slices that wait take a part of it."""
    model = cover("langford 11")
    _, n_bytes = needs(model)
    most_bytes = n_bytes // 6
    count(model, most_bytes)
    assert walked[0][0] == most_bytes
    assert len(walked) > 10
    assert all(most_bytes // 4 < n_bytes <= most_bytes for n_bytes, _ in walked)
    assert any(n_bytes < most_bytes for n_bytes, _ in walked)
    for n_bytes, fronts in walked:
        assert all(front.n_states * 64 <= n_bytes for front in fronts[1:])


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(rk.graph(named="grid 8 8").cycles().model, id="cycles"),
        pytest.param(rk.graph(named="king 9 9").independent_sets().model, id="sets"),
        pytest.param(lower(rk.puzzle("dominoes 14 14").model), id="dominoes"),
    ],
)
def test_a_hopeless_one_is_refused_in_time(model: Model, walked: list[tuple[int, list[Front]]]) -> None:
    """Not after the age of the universe, but after some times the nodes of a count that fits."""
    whole, n_bytes = needs(model)
    with pytest.raises(EngineRefuses, match=r"merging equal states takes more than .* MB for this puzzle"):
        count(model, n_bytes // 6)
    assert len(walked) > 2
    assert sum(front.nodes for _, fronts in walked for front in fronts) < 12 * whole.nodes


def test_a_state_that_does_not_fit_is_refused(walked: list[tuple[int, list[Front]]]) -> None:
    with pytest.raises(EngineRefuses):
        count(cover("langford 7"), 1)
    assert len(walked) <= 2 + 2 * tallying.MOST_CUTS


def test_slices_begin_again_from_the_checkpoint_of_the_first_front(
    walked: list[tuple[int, list[Front]]],
) -> None:
    model = cover("langford 11")
    whole, n_bytes = needs(model)
    engine, place = CoverFrontier(most_bytes=n_bytes // 4), InMemory(1 << 30)
    plan = engine.plan(model)
    expected = count(model, n_bytes // 4)
    walked.clear()
    with pytest.raises(Interrupted), crew(1) as together:
        engine.count_together(plan, WHOLE, stopping_after(len(plan.arrays) + 5), together, place)
    assert len(walked) > 1
    first_cut = walked[0][1][-1].level
    assert place.written == [first_cut]
    walked.clear()
    assert count(model, n_bytes // 4, place=place) == expected
    assert walked[0][1][0].level == first_cut
    assert expected.total == whole.total


class OneAfterTheOther:
    """A crew whose caller does all of the work, so that it has all pauses."""

    n_workers = 2

    def __init__(self) -> None:
        self.n_calls = 0

    def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
        self.n_calls += 1
        return [task() for task in tasks]


@pytest.mark.parametrize("part", [1, 4])
def test_long_levels_are_shared_by_the_crew_and_can_be_stopped(
    part: int, walked: list[tuple[int, list[Front]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With slices and without: a level of many states has several pauses."""
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 5)
    model = cover("langford 9")
    whole, n_bytes = needs(model)
    engine, n_pauses = CoverFrontier(most_bytes=n_bytes // part), 0

    def pause() -> None:
        nonlocal n_pauses
        n_pauses += 1

    together = OneAfterTheOther()
    tally = engine.count_together(engine.plan(model), WHOLE, pause, together, InMemory(1 << 30))
    assert tally.total == whole.total
    n_fronts = sum(len(fronts) for _, fronts in walked)
    assert len(walked) > (part > 1)
    assert min(n_pauses, together.n_calls) > 1.5 * n_fronts


def test_symmetric_solutions_are_counted_in_slices() -> None:
    """So `unique` is reported although their states do not fit."""
    puzzle = rk.puzzle("pentominoes 4 15")
    model = lower(puzzle.model)
    engine = CoverFrontier()
    small = CoverFrontier(most_bytes=1 << 19)
    plan = engine.plan(model)
    group = ask(puzzle, engine="cover-frontier", up_to="symmetry").group
    assert group is not None
    moved = [tuple(element.tolist()) for element, _ in group.conjugates()[1:]]
    expected = [engine.count_fixed(plan, symmetry, no_pause, ALONE) for symmetry in moved]
    assert [small.count_fixed(plan, symmetry, no_pause, ALONE) for symmetry in moved] == expected


def test_the_engine_of_constraints_counts_in_slices_too() -> None:
    puzzle = rk.puzzle("hip 5")
    assert (
        CspFrontier(most_bytes=1 << 16).count(CspFrontier().plan(puzzle.model), WHOLE, no_pause).total == 5408
    )
