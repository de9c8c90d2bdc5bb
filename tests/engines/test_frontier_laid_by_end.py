"""Fields around a word, in the order in which they end, or in which they begin."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.frontier.levels import WORD, Field, laid_by_begin, laid_by_end

SPANS = st.dictionaries(
    st.integers(0, 99),
    st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda span: (span[0], sum(span))),
    max_size=30,
)


def laid(spans: dict[int, tuple[int, int]], width: int) -> dict[int, Field]:
    return laid_by_end(spans, dict.fromkeys(spans, width)) or {}


class TestLaidByEnd:
    @given(spans=SPANS, width=st.integers(1, 5))
    def test_fields_that_live_together_have_bits_of_their_own(
        self, spans: dict[int, tuple[int, int]], width: int
    ) -> None:
        fields = laid(spans, width)
        assert all(field[2:] == spans[key] for key, field in fields.items())
        assert all(field.shift + field.width <= WORD for field in fields.values())
        for one, other in combinations(fields.values(), 2):
            if one.first <= other.last and other.first <= one.last:
                assert one.shift >= other.shift + width or other.shift >= one.shift + width

    @given(spans=SPANS)
    def test_from_the_first_to_end_upwards_around_the_word(self, spans: dict[int, tuple[int, int]]) -> None:
        fields = laid(spans, 1)
        for level in range(40):
            alive = sorted(
                (field for field in fields.values() if field.first <= level <= field.last),
                key=lambda field: field.shift,
            )
            ends = [field.last for field in alive]
            descents = sum(one > other for one, other in zip(ends, ends[1:] + ends[:1], strict=True))
            assert descents <= 1

    def test_each_follows_the_one_before(self) -> None:
        spans = {number: (number, number + 9) for number in range(100)}
        fields = laid(spans, 6)
        assert [fields[number].shift for number in range(12)] == [*range(0, 60, 6), 0, 6]

    def test_a_field_that_ends_sooner_is_lower(self) -> None:
        fields = laid({0: (0, 9), 1: (3, 8), 2: (5, 20)}, 1)
        assert [fields[number].shift for number in range(3)] == [1, 0, 2]

    def test_bits_are_taken_again_after_the_last_level_of_a_field(self) -> None:
        """They are not taken at this level, where both fields live. No bit is left out before."""
        spans = {number: (number, number + WORD - 1) for number in range(WORD + 1)}
        assert [field.shift for field in laid(spans, 1).values()] == [*range(WORD), 0]
        spans[0] = (0, WORD)
        assert not laid(spans, 1)

    def test_not_if_one_lives_too_long(self) -> None:
        assert not laid({0: (0, 99), **{number: (number, number + 1) for number in range(1, 80)}}, 1)
        assert not laid({0: (0, 1)}, WORD + 1)
        assert laid({0: (0, 1)}, WORD) == {0: Field(0, WORD, 0, 1)}


class TestLaidByBegin:
    @given(spans=SPANS, width=st.integers(1, 5))
    def test_fields_that_live_together_have_bits_of_their_own(
        self, spans: dict[int, tuple[int, int]], width: int
    ) -> None:
        fields = laid_by_begin(spans, dict.fromkeys(spans, width)) or {}
        assert all(field[1:] == (width, *spans[key]) for key, field in fields.items())
        assert all(0 <= field.shift <= WORD - field.width for field in fields.values())
        for one, other in combinations(fields.values(), 2):
            if one.first <= other.last and other.first <= one.last:
                assert one.shift >= other.shift + width or other.shift >= one.shift + width

    def test_a_new_field_is_the_highest(self) -> None:
        """Around a word. By their ends the field 1 would be below the field 0."""
        spans = {0: (0, 9), 1: (3, 8), 2: (5, 20)}
        fields = laid_by_begin(spans, dict.fromkeys(spans, 1))
        assert fields is not None
        first = fields[0].shift
        assert [(fields[number].shift - first) % WORD for number in range(3)] == [0, 1, 2]

    def test_not_if_one_lives_too_long(self) -> None:
        spans = {0: (0, 99), **{number: (number, number + 1) for number in range(1, 80)}}
        assert laid_by_begin(spans, dict.fromkeys(spans, 1)) is None
        assert laid_by_begin({0: (0, 1)}, {0: WORD}) == {0: Field(0, WORD, 0, 1)}
