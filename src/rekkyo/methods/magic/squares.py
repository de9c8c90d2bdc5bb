"""The lines and the test of a full square, for all methods for magic squares.

A row is that of the catalog's magic squares: the cells from the top left, row by row, each with its number
less one. The methods themselves work with the numbers 1 to n^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from rekkyo.model.row import Row

Cells: TypeAlias = tuple[int, ...]


def magic_sum(n: int) -> int:
    """The n rows contain 1 to n^2 once, so each has the sum n (n^2 + 1) / 2. One of the factors is even."""
    return n * (n * n + 1) // 2


@cache
def square_lines(n: int) -> tuple[Cells, ...]:
    """Rows, columns, and the two diagonals."""
    rows = [tuple(range(n * r, n * r + n)) for r in range(n)]
    columns = [tuple(range(c, n * n, n)) for c in range(n)]
    return (*rows, *columns, tuple(range(0, n * n, n + 1)), tuple(n - 1 + k * (n - 1) for k in range(n)))


def is_magic(square: Sequence[int], n: int) -> bool:
    """Whether all lines of a full square have the magic sum."""
    wanted = magic_sum(n)
    return all(sum(map(square.__getitem__, line)) == wanted for line in square_lines(n))


def as_row(square: Sequence[int]) -> Row:
    """Numbers 1 … n^2 to values 0 … n^2 - 1."""
    return tuple(number - 1 for number in square)
