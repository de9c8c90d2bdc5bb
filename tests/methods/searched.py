"""What a method finds in a size, searched once for all tests that ask: the largest sizes take a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from rekkyo.methods.ladder import Effort, Found, Method, Outcome, run_method

Row = tuple[int, ...]


@cache
def searched(method: Method, n: int) -> tuple[Outcome, tuple[tuple[Row, int], ...]]:
    """The outcome, and each row with its weight in the order in which they were found."""
    found: list[tuple[Row, int]] = []

    def search(n: int, add: Found) -> int | Effort:
        def noted(row: Sequence[int], weight: int) -> None:
            found.append((tuple(row), weight))
            add(row, weight)

        return method.search(n, noted)

    return run_method(replace(method, search=search), n), tuple(found)
