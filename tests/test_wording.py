"""Numbers in messages."""

from __future__ import annotations

import pytest

from rekkyo.wording import how_often, large


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0"),
        (10**30 - 1, "9" * 30),
        (10**30, "about 10^30"),
        (9 * 10**35, "about 10^36"),
        (10**4000, "about 10^4000"),
    ],
)
def test_numbers_of_more_than_30_digits_are_powers_of_ten(number: int, words: str) -> None:
    assert large(number) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0, 0, "0 times"),
        (1, 1, "once"),
        (2, 2, "2 times"),
        (0, 1, "0 to 1 times"),
        (1, None, "1 or more times"),
    ],
)
def test_one_time_is_once(low: int, high: int | None, words: str) -> None:
    assert how_often(low, high) == words
