"""Counts that go on from a checkpoint: the same total and nodes wherever they were stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.bits import Words
from rekkyo.engines.checkpoints import Saved
from rekkyo.engines.contract import WHOLE, Pause, Tally, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.facts import add_facts
from rekkyo.engines.frontier import tally as tallying
from rekkyo.engines.frontier import walk as walking
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.search.question import ask
from rekkyo.search.race import merger_of
from rekkyo.search.threads import crew
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS

ResultT = TypeVar("ResultT")
pytestmark = pytest.mark.usefixtures("steps_of_one_level")


@dataclass
class InMemory:
    """One checkpoint for one count. is_due_after: the level from which on it is due."""

    due_from_level: int = 0
    content: Saved | None = None
    written: list[int] = field(default_factory=list)

    @property
    def is_there(self) -> bool:
        return self.content is not None

    def of(self, facts: object) -> InMemory:
        return self

    def read(self, most_bytes: int, made: Callable[[Saved], ResultT]) -> ResultT | None:
        if self.content is None:
            return None
        assert self.content.words.nbytes <= most_bytes
        return made(self.content)

    def is_due(self, n_bytes: int) -> bool:
        self.due_from_level -= 1
        return self.due_from_level < 0

    def write(self, numbers: Sequence[int], arrays: Iterable[Words]) -> None:
        self.content = Saved(tuple(numbers), np.concatenate([array.reshape(-1) for array in arrays]))
        self.written.append(numbers[0])


class Interrupted(BaseException):
    """What a pause raises, as Ctrl-C does."""


def stopping_after(n_pauses: int) -> Pause:
    left = iter(range(n_pauses))

    def pause() -> None:
        if next(left, None) is None:
            raise Interrupted

    return pause


def resumed(model: Any, n_pauses: int, workers: int = 1, most_stops: int = 1 << 20) -> tuple[Tally, InMemory]:
    """A count that is stopped after every so many pauses, but not more often than `most_stops`."""
    engine, place = merger_of(model), InMemory()
    plan = engine.plan(model)
    with crew(workers) as together:
        for _ in range(most_stops):
            with suppress(Interrupted):
                pause = stopping_after(n_pauses)
                return engine.count_together(plan, WHOLE, pause, together, place), place
        return engine.count_together(plan, WHOLE, no_pause, together, place), place


def whole(model: Any) -> Tally:
    engine = merger_of(model)
    return engine.count(engine.plan(model), WHOLE, no_pause)


@pytest.mark.kernel
@given(model=MODELS, n_pauses=st.integers(1, 4))
def test_constraints(model: Csp, n_pauses: int) -> None:
    assert resumed(model, 1 + n_pauses)[0] == whole(model)


@pytest.mark.kernel
@given(model=naive_cover.models(), n_pauses=st.integers(1, 4))
def test_covers(model: ExactCover, n_pauses: int) -> None:
    assert resumed(model, 1 + n_pauses)[0] == whole(model)


N_SHARED = 70


def shared() -> ExactCover:
    """One option takes all secondary items, or each further item may take its own: 1 + 2^70 solutions."""
    n_primary = 1 + N_SHARED
    options = [((0, 0), *((n_primary + item, 0) for item in range(N_SHARED))), ((0, 0),)]
    for item in range(N_SHARED):
        options += [((1 + item, 0), (n_primary + item, 0)), ((1 + item, 0),)]
    names = tuple(f"p{item}" for item in range(n_primary)), tuple(f"s{item}" for item in range(N_SHARED))
    return ExactCover(*names, tuple(options))


LARGER = [
    pytest.param(cover("dominoes 14 14"), 1, id="cover, two limbs"),
    pytest.param(cover("latin-square 5"), 1, id="cover, exchanged blocks"),
    pytest.param(shared(), 2, id="cover, two words"),
    pytest.param(cover("polyominoes 3 6 6 --any-number"), 1, id="cover, pieces that are counted"),
    pytest.param(rk.graph(named="grid 10 10").independent_sets().model, 1, id="patterns"),
    pytest.param(rk.graph(named="grid 7 7").colorings(3).model, 1, id="exchanged colours"),
    pytest.param(rk.graph(named="grid 7 7").cycles().model, 1, id="mates"),
    pytest.param(rk.graph(named="grid 5 5").cycles(hamiltonian=False).model, 1, id="mates and machines"),
    pytest.param(rk.graph(named="grid 5 5").spanning_trees().model, 1, id="labels"),
    pytest.param(rk.puzzle("magic-square 3").model, 1, id="machines"),
    pytest.param(rk.puzzle("hip 5").model, 2, id="many patterns"),
]


@pytest.mark.parametrize(("workers", "most_levels"), [(1, 1), (2, 1), (2, 5)])
@pytest.mark.parametrize(("model", "n_words"), LARGER)
def test_stopped_after_every_step(
    model: Model, n_words: int, workers: int, most_levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With levels by several workers, whose fronts have several parts; in states of one word and of several."""
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 5)
    monkeypatch.setattr(walking, "MOST_LEVELS", most_levels)
    tally, place = resumed(model, 2, workers, most_stops=60)
    assert tally == whole(model)
    assert place.written == sorted(place.written)
    plan = merger_of(model).plan(model)
    assert plan.levels.n_words == n_words
    assert place.written[-1] == len(plan.arrays)
    assert len(set(place.written)) >= min(40, len(plan.arrays) // most_levels)


def test_wide_states_and_several_limbs() -> None:
    assert resumed(shared(), 2)[0].total == 1 + 2**N_SHARED


def test_counts_of_several_limbs_and_published() -> None:
    """OEIS A004003: domino tilings of 20 x 20, three limbs."""
    model = cover("dominoes 20 20")
    engine, place = CoverFrontier(), InMemory()
    plan = engine.plan(model)
    for n_pauses in (300, 80):
        with pytest.raises(Interrupted):
            engine.count_together(plan, WHOLE, stopping_after(n_pauses), ALONE, place)
    assert place.content is not None
    assert place.content.numbers[3] >= 2
    tally = engine.count_together(plan, WHOLE, no_pause, ALONE, place)
    assert tally.total == 1269984011256235834242602753102293934298576249856
    assert tally == whole(model)


@pytest.mark.parametrize("model", [cover("dominoes 6 6"), rk.graph(named="grid 5 5").cycles().model])
def test_a_count_that_ends_is_kept_until_it_is_committed(model: Model) -> None:
    engine = merger_of(model)
    plan, place = engine.plan(model), InMemory()
    tally = engine.count_together(plan, WHOLE, no_pause, ALONE, place)
    assert place.content is not None
    assert place.content.numbers[:2] == (len(plan.arrays), tally.nodes)
    written = len(place.written)
    assert engine.count_together(plan, WHOLE, no_pause, ALONE, place) == tally
    assert len(place.written) == written


def test_nothing_is_written_before_it_is_due_but_when_the_count_is_stopped() -> None:
    model = cover("dominoes 8 8")
    engine, plan = CoverFrontier(), CoverFrontier().plan(cover("dominoes 8 8"))
    place = InMemory(due_from_level=1 << 30)
    assert engine.count_together(plan, WHOLE, no_pause, ALONE, place) == whole(model)
    assert place.written == []
    with pytest.raises(Interrupted):
        engine.count_together(plan, WHOLE, stopping_after(30), ALONE, place)
    assert place.written == [30]
    assert engine.count_together(plan, WHOLE, no_pause, ALONE, place) == whole(model)
    assert place.written == [30, len(plan.arrays)]


def test_no_front_is_written_again_when_the_count_is_stopped() -> None:
    """Nor when it goes on in slices."""
    place, plan = InMemory(), CoverFrontier().plan(cover("dominoes 8 8"))
    with pytest.raises(Interrupted):
        CoverFrontier().count_together(plan, WHOLE, stopping_after(30), ALONE, place)
    assert place.written == list(range(1, 31))
    place, engine = InMemory(), CoverFrontier(most_bytes=1 << 15)
    engine.count_together(engine.plan(cover("langford 7")), WHOLE, no_pause, ALONE, place)
    assert place.written == list(range(1, len(place.written) + 1))


def test_a_front_that_takes_half_of_the_memory_is_not_read() -> None:
    """There must be room for the next one, too."""
    asked: list[int] = []

    class Place(InMemory):
        def read(self, most_bytes: int, made: Callable[[Saved], ResultT]) -> ResultT | None:
            asked.append(most_bytes)
            return None

        def of(self, facts: object) -> Place:
            return self

    engine = CoverFrontier(most_bytes=1 << 20)
    engine.count_together(engine.plan(cover("dominoes 4 4")), WHOLE, no_pause, ALONE, Place())
    (most_bytes,) = asked
    assert (1 << 20) / 3 < most_bytes < (1 << 20) / 2


def test_a_large_front_is_not_written_when_the_count_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallying, "MOST_BYTES_AT_END", 100)
    place = InMemory(due_from_level=1 << 30)
    plan = CoverFrontier().plan(cover("dominoes 8 8"))
    with pytest.raises(Interrupted):
        CoverFrontier().count_together(plan, WHOLE, stopping_after(30), ALONE, place)
    assert place.written == []


def test_a_front_that_just_fits_is_read_again_although_its_counts_have_become_longer() -> None:
    """With 64 bytes a state there is room for counts of one word. The front was refused, and all done again."""
    n_states, level = 252, 165
    engine, place = CoverFrontier(64 * n_states), InMemory(due_from_level=1 << 30)
    plan = engine.plan(cover("dominoes 10 20"))
    with pytest.raises(Interrupted):
        engine.count_together(plan, WHOLE, stopping_after(level), ALONE, place)
    assert place.content is not None
    assert (place.content.numbers[0], *place.content.numbers[2:4]) == (level, n_states, 2)
    with pytest.raises(Interrupted):
        engine.count_together(plan, WHOLE, stopping_after(0), ALONE, place)
    assert place.written == [level]


class Places:
    """A checkpoint for each count, by what determines it."""

    def __init__(self) -> None:
        self.by_key: dict[str, InMemory] = {}

    def of(self, facts: object) -> InMemory:
        digest = hashlib.sha256()
        add_facts(digest, facts)
        return self.by_key.setdefault(digest.hexdigest(), InMemory())


@pytest.mark.parametrize(
    ("puzzle", "n_symmetries"),
    [
        pytest.param(rk.puzzle("dominoes 6 8"), 3, id="cover"),
        pytest.param(rk.graph(named="grid 8 8").independent_sets(), 4, id="constraints"),
    ],
)
def test_what_each_symmetry_leaves_unchanged_has_a_place(puzzle: rk.Puzzle, n_symmetries: int) -> None:
    model = lower(puzzle.model)
    engine, places = merger_of(model), Places()
    plan = engine.plan(model)
    whole_tally = engine.count_together(plan, WHOLE, no_pause, ALONE, places)
    group = ask(puzzle, engine=engine.name, up_to="symmetry").group
    assert group is not None
    moved = [tuple(element.tolist()) for element, _ in group.conjugates()[1:]]
    assert len(moved) == n_symmetries
    expected = [engine.count_fixed(plan, symmetry, no_pause, ALONE) for symmetry in moved]
    for symmetry, tally in zip(moved, expected, strict=True):
        for _ in range(3):
            with pytest.raises(Interrupted):
                engine.count_fixed(plan, symmetry, stopping_after(4), ALONE, places)
        assert engine.count_fixed(plan, symmetry, no_pause, ALONE, places) == tally
    assert len(places.by_key) == 1 + n_symmetries
    assert [
        engine.count_fixed(plan, symmetry, stopping_after(1), ALONE, places) for symmetry in moved
    ] == expected
    assert engine.count_together(plan, WHOLE, stopping_after(1), ALONE, places) == whole_tally
