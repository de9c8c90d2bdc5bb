"""The value that appears twice among many is found with few comparisons."""

from __future__ import annotations

import pytest

from rekkyo.model.checks import repeated


@pytest.mark.parametrize(
    ("values", "twice"), [("", None), ("a", None), ("abc", None), ("abca", "a"), ("bccbb", "b")]
)
def test_the_first_value_that_appears_twice(values: str, twice: str | None) -> None:
    assert repeated(values) == twice


class Compared(int):
    """A number that counts its comparisons."""

    times = 0

    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return int(self) == other


def test_values_are_not_compared_pair_by_pair() -> None:
    n = 1000
    assert repeated([*map(Compared, range(n)), Compared(n - 1)]) == n - 1
    assert Compared.times < 10 * n
