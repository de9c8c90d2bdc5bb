"""Streams of levels: the states that a choice changes in the same way, and the order of their results."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

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
    Ways,
)
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
from tests.engines.test_frontier_in_order import WORDS, level


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
            "labels": replace(covered, rules=Rules(joins=(Join(1, (), ((),), (), 2, acyclic=False),))),
            "ways": replace(covered, rules=Rules(ways=(Ways((), ((),), frozenset()),))),
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
