"""Levels walked in order, against the same levels with hashed results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import in_order, kernel, merge_kernel
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import NO_BOUNDS, NO_SUCCESSORS, Part, joined
from rekkyo.engines.frontier.in_order import InOrder, Segment
from rekkyo.engines.frontier.levels import (
    WORD,
    Choice,
    Level,
    Levels,
)
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.plan import plan_of as flat_plan_of
from rekkyo.engines.frontier.streams import (
    EVERY_BIT,
    alive_before,
)
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import to_ints, wrapping
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search.threads import crew
from tests import naive_cover
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import MODELS
from tests.engines.test_frontier_apart import front_before, parting_all
from tests.engines.test_frontier_together import said

MANY, LEAST, MOST = 1 << 30, 1 << 40, (1 << WORD) - 1

WORDS = st.integers(0, MOST)
"""States, masks, and bits of fields."""


def plan_of(words: str) -> FrontierPlan[Any]:
    return CoverFrontier().plan(cover(words))


def segments(plan: FrontierPlan[Any], first: int, stop: int) -> list[Segment]:
    """The segments of some levels, of which each may be of one level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_order, "LEAST_LEVELS", 1)
        return list(InOrder(plan).segments(first, stop))


Walked = tuple[bool, dict[int, int], list[list[int]], list[int]]


def walked(results: Any) -> Walked:
    """What a kernel returned: the ways to each state, the nodes and states of each level, and the ways."""
    too_many, states, counts, sizes, ways = results
    assert len(set(states.tolist())) == len(states)
    return too_many, dict(zip(states.tolist(), to_ints(counts), strict=True)), sizes.tolist(), to_ints(ways)


def by_hash(plan: FrontierPlan[Any], part: Part, first: int, stop: int) -> Walked:
    steps: Any = kernel.steps
    with wrapping():
        return walked(steps(*part, plan.flat, first, stop, MANY, tuple(NO_BOUNDS), NO_SUCCESSORS))


def by_order(part: Part, segment: Segment, most: int = MANY, most_nodes: int = MANY) -> Walked:
    steps: Any = merge_kernel.steps_in_order
    assert segment.streams is not None
    with wrapping():
        return walked(steps(*part, segment.streams, most, most_nodes))


def any_states(plan: FrontierPlan[Any], level: int, n: int, seed: int, n_limbs: int = 1) -> Part:
    """States with any of the bits that live before a level, and any counts; the last one is the greatest."""
    alive = alive_before(plan.levels)[level]
    random = np.random.default_rng(seed)
    words = random.integers(0, MOST, n, dtype=np.uint64, endpoint=True) & np.uint64(alive)
    states = np.unique(np.append(words, np.uint64(alive)))
    random.shuffle(states)
    counts = random.integers(1, LEAST, (len(states), n_limbs), dtype=np.uint64)
    return Part(states, counts)


def ordered(plan: FrontierPlan[Any]) -> Iterator[Segment]:
    """The segments of a plan that are walked in order."""
    return (some for some in segments(plan, 0, plan.n_levels) if some.streams is not None)


OF_MANY_STREAMS = ExactCover(
    primary=("p0", "p1", "p2"),
    secondary=("s0",),
    options=(
        ((0, 0),),
        ((0, 0), (3, 0)),
        *[((0, 0),)] * 4,
        ((1, 0), (3, 0)),
        ((1, 0),),
        ((0, 0), (1, 0), (2, 0)),
        ((1, 0),),
    ),
)
"""Two streams without a result are merged, and then a third one with them."""


class TestLevels:
    @pytest.mark.kernel
    @given(model=naive_cover.models())
    @example(OF_MANY_STREAMS)
    def test_of_any_cover(self, model: ExactCover) -> None:
        plan = CoverFrontier().plan(model)
        for segment in ordered(plan):
            part = joined(front_before(plan, segment.first))
            assume(len(part.states))
            assert by_order(part, segment) == by_hash(plan, part, segment.first, segment.stop)

    @pytest.mark.parametrize("words", ["dominoes 6 9", "aztec-diamond 5"])
    def test_all_of_tilings_by_dominoes(self, words: str) -> None:
        plan = plan_of(words)
        (segment,) = ordered(plan)
        assert (segment.first, segment.stop) == (0, plan.n_levels)
        part = joined(front_before(plan, 0))
        assert by_order(part, segment) == by_hash(plan, part, 0, plan.n_levels)

    @pytest.mark.parametrize("words", ["dominoes 12 11", "aztec-diamond 8"])
    def test_streams_that_take_a_new_item_are_not_merged(self, words: str) -> None:
        """In the order in which the items of an Aztec diamond end, all three streams of many levels were."""
        (segment,) = ordered(plan_of(words))
        assert segment.streams is not None
        levels = pairwise(segment.streams.ends.tolist())
        groups = [segment.streams.rows[first:stop, merge_kernel.GROUP].tolist() for first, stop in levels]
        sizes = Counter(tuple(Counter(some).values()) for some in groups)
        assert sizes[2, 1] > len(groups) // 2
        assert (3,) not in sizes

    def test_of_pieces_with_many_placements(self) -> None:
        """Pairs of cells that a king can move between: three streams of a group are merged, or more."""
        plan = CoverFrontier().plan(king_pairs(6, 6))
        (segment,) = ordered(plan)
        assert segment.streams is not None
        groups = segment.streams.rows[:, merge_kernel.GROUP]
        assert max(len(list(some)) for _, some in groupby(groups.tolist())) > 2
        part = any_states(plan, segment.first, 3000, 1)
        assert by_order(part, segment) == by_hash(plan, part, segment.first, segment.stop)

    @pytest.mark.kernel
    def test_counts_are_read_only_where_some_are(self) -> None:
        """A stream that all states fit ends behind the last state. Before, it was longer, as were the counts."""
        plan = CoverFrontier().plan(king_pairs(4, 4))
        (segment,) = ordered(plan)
        part = joined(front_before(plan, segment.first))
        assert by_order(part, segment) == by_hash(plan, part, segment.first, segment.stop)

    @pytest.mark.kernel
    @pytest.mark.parametrize("n_states", [1, 2, 1023, 1024, 1025, 6000])
    @pytest.mark.parametrize("n_limbs", [1, 2, 3])
    def test_of_states_in_several_stretches(self, n_states: int, n_limbs: int) -> None:
        plan = plan_of("dominoes 14 13")
        part = any_states(plan, 80, n_states, n_states, n_limbs)
        (segment,) = segments(plan, 80, 86)
        assert by_order(part, segment) == by_hash(plan, part, 80, 86)

    def test_counts_that_become_longer(self) -> None:
        plan = plan_of("dominoes 14 13")
        states, counts = any_states(plan, 80, 500, 1, n_limbs=2)
        part = Part(states, np.full_like(counts, MOST))
        (segment,) = segments(plan, 80, 86)
        found, wanted = by_order(part, segment), by_hash(plan, part, 80, 86)
        assert found == wanted
        assert max(found[1].values()) >= 1 << 2 * WORD
        assert len(found[2]) < 6  # the walk stops there

    def test_too_many_states(self) -> None:
        plan = plan_of("dominoes 14 13")
        part = any_states(plan, 80, 500, 1)
        (segment,) = segments(plan, 80, 86)
        _, _, sizes, _ = by_order(part, segment)
        most = max(n_states for _, n_states in sizes)
        assert not by_order(part, segment, most)[0]
        too_many, _, sizes_before, _ = by_order(part, segment, most - 1)
        assert too_many
        assert sizes_before == sizes[: len(sizes_before)]
        assert sizes[len(sizes_before)][1] == most

    def test_too_many_nodes(self) -> None:
        plan = plan_of("dominoes 14 13")
        part = any_states(plan, 80, 500, 1)
        (segment,) = segments(plan, 80, 86)
        _, _, sizes, _ = by_order(part, segment)
        nodes = [n_nodes for n_nodes, _ in sizes]
        assert len(by_order(part, segment, MANY, sum(nodes[:2]))[2]) == 3
        assert len(by_order(part, segment, MANY, sum(nodes[:2]) - 1)[2]) == 2


def king_pairs(height: int, width: int) -> ExactCover:
    cells = [(row, column) for row in range(height) for column in range(width)]
    pairs = [
        (cell, (cell[0] + down, cell[1] + right))
        for cell in cells
        for down, right in ((0, 1), (1, -1), (1, 0), (1, 1))
        if (cell[0] + down, cell[1] + right) in cells
    ]
    number = {cell: place for place, cell in enumerate(cells)}
    return ExactCover(
        primary=tuple(map(str, cells)),
        secondary=(),
        options=tuple(((number[one], 0), (number[other], 0)) for one, other in pairs),
    )


def spied_in_order(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets the number of states of each part that is walked in order from now on."""
    steps: Any = merge_kernel.steps_in_order
    tried: list[int] = []

    def spy(states: Any, *more: Any) -> Any:
        tried.append(len(states))
        return steps(states, *more)

    monkeypatch.setattr(merge_kernel, "steps_in_order", spy)
    return tried


class TestWalks:
    @pytest.mark.kernel
    @given(model=naive_cover.models(), workers=st.integers(1, 2))
    def test_of_any_cover(self, model: ExactCover, workers: int) -> None:
        self.check(CoverFrontier().plan(model), workers)

    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize("words", ["dominoes 12 12", "dominoes 11 12", "aztec-diamond 7"])
    def test_of_tilings(self, words: str, workers: int) -> None:
        """Some levels exchange blocks, and are not in order."""
        assert self.check(CoverFrontier().plan(cover(words)).with_late_exchanges(), workers) > 0

    @pytest.mark.kernel
    @given(model=MODELS, workers=st.integers(1, 2))
    def test_of_any_problem(self, model: Csp, workers: int) -> None:
        self.check(CspFrontier().plan(model), workers)

    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize("kind", ["grid", "king", "torus"])
    def test_of_independent_sets(self, kind: str, workers: int) -> None:
        model = as_csp(rk.graph(named=f"{kind} 7 6").independent_sets().model)
        assert self.check(CspFrontier().plan(model), workers) > 0

    @pytest.mark.parametrize(("n_nodes", "are_in_order"), [(MANY, False), (50, True)])
    @pytest.mark.parametrize("workers", [1, 2])
    def test_of_short_fronts_after_many_nodes(
        self, workers: int, n_nodes: int, are_in_order: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Such a front is one part."""
        plan = CspFrontier().plan(as_csp(rk.graph(named="grid 7 6").independent_sets().model))
        total, tried = list(walk(plan))[-1].ways, spied_in_order(monkeypatch)
        monkeypatch.setattr(in_order, "load", lambda *_: True)
        monkeypatch.setattr(walking, "FEW_NODES", 16)
        monkeypatch.setattr(walking, "MANY_IN_ORDER", 4)
        monkeypatch.setattr(walking, "NODES_TO_LOAD", n_nodes)
        with crew(workers) as together:
            fronts = list(walk(plan, bounds=NO_BOUNDS, crew=together))
        assert fronts[-1].ways == total
        assert bool(tried) is are_in_order

    def test_parts_of_a_short_front_become_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plan = CspFrontier().plan(as_csp(rk.graph(named="grid 7 6").independent_sets().model))
        whole = [said(front) for front in walk(plan)]
        front = front_before(plan, 20)
        ((states, counts),) = front.parts
        parts = Part(states[:5], counts[:5]), Part(states[5:], counts[5:])
        monkeypatch.setattr(walking, "MANY_IN_ORDER", 1)
        monkeypatch.setattr(walking, "NODES_TO_LOAD", 0)
        monkeypatch.setattr(in_order, "LEAST_LEVELS", 1)
        monkeypatch.setattr(in_order, "load", lambda *_: True)
        tried = spied_in_order(monkeypatch)
        _, *fronts = walk(plan, begin=front._replace(parts=parts))
        assert [said(front) for front in fronts] == whole[21:]
        assert tried[0] == front.n_states

    def test_diagrams_are_hashed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The parts of a front have no array of successors."""
        plan = CspFrontier().plan(as_csp(rk.graph(named="grid 7 6").independent_sets().model))
        parting_all(monkeypatch, 1, 3)
        monkeypatch.setattr(walking, "MANY_IN_ORDER", 1)
        monkeypatch.setattr(in_order, "LEAST_LEVELS", 1)
        monkeypatch.setattr(walking, "NODES_TO_LOAD", 0)
        monkeypatch.setattr(in_order, "load", lambda *_: True)
        tried = spied_in_order(monkeypatch)
        _, *fronts = walk(plan, with_successors=True)
        assert all(front.successors is not None for front in fronts)
        assert not tried

    def check(self, plan: FrontierPlan[Any], workers: int) -> int:
        """The number of segments that were walked in order, each part by part."""
        whole = [said(front) for front in walk(plan)]
        with pytest.MonkeyPatch.context() as patch, crew(workers) as together:
            parting_all(patch, 1, 3)
            patch.setattr(in_order, "LEAST_LEVELS", 1)
            patch.setattr(in_order, "load", lambda *_: True)
            tried = spied_in_order(patch)
            at_once = list(walk(plan, bounds=NO_BOUNDS, crew=together))
            found = [said(front) for front in walk(plan, crew=together)]
        assert found == whole
        assert at_once[-1].ways == sum(whole[-1][0].values())
        assert sum(front.nodes for front in at_once) == sum(nodes for _, nodes in whole)
        return len(tried)


class TestKernel:
    """It is compiled only in long walks, because that takes some seconds."""

    @pytest.mark.parametrize("is_kept", [False, True])
    def test_few_nodes_are_hashed_unless_it_is_kept(
        self, is_kept: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(in_order, "load", lambda *_: is_kept)
        levels = InOrder(plan_of("dominoes 6 6"))
        few, many = in_order.NODES_TO_COMPILE - 1, in_order.NODES_TO_COMPILE
        for n_nodes, in_one_segment in ((few, not is_kept), (many, False)):
            found = list(levels.after(n_nodes).segments(0, 35))
            assert (found == [Segment(0, 35, None)]) is in_one_segment

    @pytest.mark.parametrize(("n_bits", "are_hashed"), [(WORD, False), (WORD + 1, True)])
    def test_states_of_several_words_are_hashed(self, n_bits: int, are_hashed: bool) -> None:
        some = Levels((level((0b011, 0b101), 0b001, 0b001),) * 3, n_bits, False, (), {})
        levels = InOrder(flat_plan_of(None, some))
        assert (list(levels.after(MANY).segments(0, 3)) == [Segment(0, 3, None)]) is are_hashed
        assert levels.begins_at(0) is not are_hashed


def level(choices: tuple[int, ...], covered: int, drop: int) -> Level:
    """A level of choices that take bits. All bits that it drops are required."""
    return Level(
        tuple(Choice(number, bits, bits, 0) for number, bits in enumerate(choices)),
        covered,
        opening=0,
        required=drop,
        limits=(),
        keep=EVERY_BIT & ~drop,
    )
