"""Fields that follow each other around a word."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

from rekkyo.engines.frontier.levels import WORD, Field, laid_in_ring

SPANS = st.dictionaries(
    st.integers(0, 99),
    st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda span: (span[0], sum(span))),
    max_size=40,
)


class TestRing:
    @given(spans=SPANS, width=st.integers(1, 5))
    def test_fields_that_live_together_have_bits_of_their_own(
        self, spans: dict[int, tuple[int, int]], width: int
    ) -> None:
        fields = laid_in_ring(spans, dict.fromkeys(spans, width))
        assume(fields is not None)
        assert fields is not None
        assert {key: field[2:] for key, field in fields.items()} == spans
        for field in fields.values():
            assert field.shift + field.width <= WORD
        for one, other in combinations(fields.values(), 2):
            if one.first <= other.last and other.first <= one.last:
                assert one.shift >= other.shift + width or other.shift >= one.shift + width

    def test_each_follows_the_one_before(self) -> None:
        spans = {number: (number, number + 9) for number in range(100)}
        fields = laid_in_ring(spans, dict.fromkeys(spans, 6))
        assert fields is not None
        assert [fields[number].shift for number in range(12)] == [*range(0, 60, 6), 0, 6]

    def test_bits_are_taken_again_after_the_last_level_of_a_field(self) -> None:
        """They are not taken at this level, where both fields live. No bit is left out before."""
        spans = {number: (number, number + WORD - 1) for number in range(WORD + 1)}
        fields = laid_in_ring(spans, dict.fromkeys(spans, 1))
        assert fields is not None
        assert [field.shift for field in fields.values()] == [*range(WORD), 0]
        spans[0] = (0, WORD)
        assert laid_in_ring(spans, dict.fromkeys(spans, 1)) is None

    def test_not_if_one_lives_too_long(self) -> None:
        spans = {0: (0, 99), **{number: (number, number + 1) for number in range(1, 80)}}
        assert laid_in_ring(spans, dict.fromkeys(spans, 1)) is None
        assert laid_in_ring({0: (0, 1)}, {0: WORD + 1}) is None
        assert laid_in_ring({0: (0, 1)}, {0: WORD}) == {0: Field(0, WORD, 0, 1)}
