"""Numbers in messages."""

from __future__ import annotations

import pytest

from rekkyo.wording import large


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
