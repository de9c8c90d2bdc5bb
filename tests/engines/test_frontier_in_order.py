"""Levels walked in order, against the same levels with hashed results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
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
    Field,
    Hop,
    Join,
    Level,
    Levels,
    Limits,
    Loop,
    Machine,
    Rules,
)
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.plan import plan_of as flat_plan_of
from rekkyo.engines.frontier.streams import (
    EVERY_BIT,
    MOST_STREAMS,
    Stream,
    alive_before,
    in_groups,
    streams_of,
    turn_of,
    turned,
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


class TestLevels:
    @pytest.mark.kernel
    @given(model=naive_cover.models())
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
        assert self.check(CoverFrontier().plan(cover(words)).after(MANY), workers) > 0

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


class TestStreams:
    def test_bits_that_may_be_set_before_each_level(self) -> None:
        one, other = level((0b011, 0b101), 0b001, 0b001), level((0b010,), 0b010, 0b010)
        opening, hopping = (replace(other, opening=0b1000), replace(other, rules=Rules((Hop(0, 2, 4),))))
        assert alive_in(one, other, one) == [0, 0b110, 0b100, 0b110]
        assert alive_in(one, opening) == [0, 0b110, 0b1100]
        assert alive_in(one, hopping) == [0, 0b110, 0b10100]

    def test_all_bits_of_a_counter_may_be_set(self) -> None:
        counter = level((0b001,), 0b001, 0b001)
        counter = replace(counter, choices=(counter.choices[0]._replace(plus=0b010),))
        assert alive_in(counter, fields={"counter": Field(1, 3, 0, 2)}) == [0, 0b1110]

    def test_fields_of_counters_are_looked_through_once(self) -> None:
        """Not for each level, of which there may be thousands."""

        class Spied(dict[str, Field]):
            n_looks = 0

            def values(self) -> Any:
                self.n_looks += 1
                return super().values()

        counter = level((0b001,), 0b001, 0b001)
        begun, counter = counter, replace(counter, choices=(counter.choices[0]._replace(plus=0b110),))
        spied = Spied(one=Field(1, 1, 0, 1), other=Field(2, 2, 2, 2))
        assert alive_in(begun, counter, begun, fields=spied) == [0, 0, 0b10, 0b10]
        assert alive_in(begun, begun, counter, fields=spied) == [0, 0, 0, 0b1100]
        assert spied.n_looks == 2

    def test_of_dominoes(self) -> None:
        """An item is covered already, or with one of two new ones; the last one is not alive before."""
        streams = streams_of(level((0b011, 0b101), covered=0b001, drop=0b001), 0b011, 0b110, 0)
        dead = EVERY_BIT & ~0b011
        assert streams == [
            Stream(0, dead | 0b011, take=0b011, drop=0b001),
            Stream(0, dead | 0b101, take=0b101, drop=0b001),
            Stream(0b001, dead, drop=0b001, is_choice=False),
        ]

    def test_of_independent_sets(self) -> None:
        """A cell may be chosen unless bit 0 is set. Bits 1 and 2 forbid cells beside it; bit 1 may be set before.

        Whether a bit was set is lost if the level sets it or drops it. The lost bits are the lowest ones.
        """
        cell = of_variable((Choice(0, 0, 0, 0), Choice(1, 0b001, 0b110, 0)), drop=0b001)
        streams = streams_of(cell, 0b1011, 0b1110, 0)
        dead = EVERY_BIT & ~0b1011
        assert streams == [Stream(0, dead, drop=0b001), Stream(0, dead | 0b001, take=0b110, drop=0b001)]
        assert [stream.lost for stream in streams] == [0b001, 0b010]

    def test_a_lost_bit_above_another_one_makes_two_streams(self) -> None:
        dropping = of_variable((Choice(0, 0, 0, 0),), drop=0b010)
        for turn, n_streams in ((0, 2), (1, 1)):
            streams = streams_of(dropping, 0b011, 0b001, turn)
            assert streams is not None
            assert len(streams) == n_streams, turn

    def test_a_hop_makes_two_streams(self) -> None:
        """Unless its source is known, or its target is set in any case."""
        hop = Rules((Hop(0, 0, 2),))
        for choice, n_streams in (
            (Choice(0, 0, 0, 0), 2),
            (Choice(0, 0b001, 0, 0), 1),
            (Choice(0, 0, 0b100, 0), 1),
        ):
            streams = streams_of(replace(of_variable((choice,), drop=0b001), rules=hop), 0b011, 0b110, 0)
            assert streams is not None
            assert len(streams) == n_streams
        chained = replace(
            of_variable((Choice(0, 0, 0, 0),), drop=0b001), rules=Rules((Hop(0, 0, 1), Hop(0, 0, 2)))
        )
        assert [one.take for one in streams_of(chained, 0b001, 0b110, 0) or ()] == [0b110, 0]

    def test_an_item_that_ends_uncovered_needs_its_bit(self) -> None:
        """States without it are nodes, but lead nowhere."""
        streams = streams_of(level((0b101,), covered=0b001, drop=0b011), 0b011, 0b100, 0)
        assert streams is not None
        assert [(stream.ones, stream.needed, stream.drop) for stream in streams] == [
            (0b010, 0b010, 0b011),
            (0b011, 0b010, 0b011),
        ]

    def test_not_in_order(self) -> None:
        covered = level((0b011,), covered=0b001, drop=0b001)
        choice = covered.choices[0]
        for reason, other in {
            "a counter": replace(covered, choices=(choice._replace(plus=0b010),)),
            "limits": replace(covered, limits=(Limits(1, 1, 0, 1),)),
            "bits that are set first": replace(covered, opening=0b010),
            "an automaton": replace(covered, rules=Rules(machines=(Machine(1, 1, ((0, 1),)),))),
            "labels": replace(covered, rules=Rules(joins=(Join(1, (), ((),), (), 2),))),
            "mates": replace(covered, rules=Rules(loops=(Loop(1, (), ((),), (), 2),))),
            "many choices": replace(covered, choices=(choice,) * MOST_STREAMS),
        }.items():
            assert streams_of(other, 0b011, 0b010, 0) is None, reason
        assert streams_of(covered, 0b011, 0b010, 0) is not None
        assert streams_of(covered, 0b011, EVERY_BIT, 0) is None  # no word would be greater than all results

    def test_many_ways_to_hop_or_to_lose_bits(self) -> None:
        """Of twenty hops, and of twenty bits that are lost above another one."""
        bits = (1 << 21) - 2
        hops = Rules(tuple(Hop(0, place, place + 22) for place in range(21)))
        choice = of_variable((Choice(0, 0, 0, 0),), drop=bits)
        assert streams_of(replace(choice, rules=hops), bits, bits << 22, 0) is None
        assert streams_of(choice, bits | 1, 1, 0) is None

    def test_an_item_at_most_once_may_end_in_two_ways(self) -> None:
        ending = replace(level((0b101,), covered=0b001, drop=0b011), required=0b001)
        streams = streams_of(ending, 0b011, 0b100, 0)
        assert [one.lost for one in streams or ()] == [0b010, 0b010]

    @given(
        streams=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5),
        words=st.lists(WORDS, min_size=1, max_size=20),
        turn=st.integers(0, WORD - 1),
    )
    def test_groups_follow_each_other(
        self, streams: list[tuple[int, int]], words: list[int], turn: int
    ) -> None:
        made = [Stream(ones, zeros & ~ones) for ones, zeros in streams]
        groups = in_groups(made, turn)
        assert sorted(stream for group in groups for stream in group) == sorted(made)
        results = [
            [turned(word & ~stream.zeros | stream.ones, turn) for stream in group for word in words]
            for group in groups
        ]
        for one, other in pairwise(results):
            assert max(one) < min(other)

    def test_streams_between_the_results_of_another_are_in_its_group(self) -> None:
        """Bits 0 to 3 of results: ****, 0001 and 1000, in any order."""
        streams = [Stream(ones, EVERY_BIT & ~15 | zeros) for ones, zeros in ((0, 0), (1, 14), (8, 7))]
        for some in permutations(streams):
            (group,) = in_groups(some, 0)
            assert sorted(group) == sorted(streams)

    @given(words=st.lists(WORDS, min_size=2), before=WORDS, after=WORDS, turn=st.integers(0, WORD - 1))
    def test_the_next_turn_leaves_the_order(
        self, words: list[int], before: int, after: int, turn: int
    ) -> None:
        states = sorted((word & before for word in words), key=lambda word: turned(word, turn))
        turn = turn_of(before, after, turn)
        assert states == sorted(states, key=lambda word: turned(word, turn))

    @given(start=st.integers(0, WORD - 1), width=st.integers(1, 40))
    def test_the_first_field_to_end_is_the_lowest(self, start: int, width: int) -> None:
        """Fields around a word: the longest run of dead bits comes before them."""
        alive = turned((1 << width) - 1, WORD - start)
        lowest = alive & -alive if start + width <= WORD else 1 << start
        for before, after in ((alive, alive), (alive, alive & ~lowest), (lowest, alive)):
            assert turn_of(before, after, None) == start

    def test_new_bits_may_be_the_lowest(self) -> None:
        """Two bits are alive, with most dead bits above them. The new one is below them."""
        assert turn_of(0b1100, 0b1110, 2) == 1
        assert turn_of(0b1100, 0b1110, 3) == 3  # in the order of the states bit 3 is the lowest


def alive_in(*levels: Level, fields: Any = None) -> list[int]:
    return alive_before(Levels(levels, WORD, False, (), fields or {}))


def of_variable(choices: tuple[Choice, ...], drop: int) -> Level:
    """A level of a variable, which gets a value, and drops bits whether they are set or not."""
    return Level(choices, 0, 0, 0, (), EVERY_BIT & ~drop, Rules())


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
