"""Squares, balance and symmetry on a board of Hip, for the methods alone.

A board of side n has the cells 0 … n * n - 1, row by row; its row has the colour of each, 0 or 1. It is
balanced when both colours are used equally often, on odd boards but for one cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from rekkyo.model.row import Row

Corners: TypeAlias = tuple[int, int, int, int]
"""The corners of a square, the lowest cell first."""


@cache
def squares(n: int) -> tuple[Corners, ...]:
    """All squares of the board, tilted ones too: from each cell along each side that goes right or down."""
    found = set()
    for row in range(n):
        for column in range(n):
            for down in range(n):
                for across in range(1, n):
                    corners = (
                        (row, column),
                        (row + down, column + across),
                        (row + down + across, column + across - down),
                        (row + across, column - down),
                    )
                    if all(0 <= r < n and 0 <= c < n for r, c in corners):
                        found.add(tuple(sorted(r * n + c for r, c in corners)))
    return tuple(sorted((a, b, c, d) for a, b, c, d in found))


def has_square(board: Sequence[int], corners: Corners) -> bool:
    """Whether the corners have one colour."""
    a, b, c, d = corners
    return board[a] == board[b] == board[c] == board[d]


def is_balanced(board: Sequence[int]) -> bool:
    """Whether both colours are used equally often, or as nearly as that goes."""
    return sum(board) in (len(board) // 2, (len(board) + 1) // 2)


def row_images(row: Sequence[int]) -> list[Row]:
    """The board after each of the eight rotations and reflections."""
    n = round(len(row) ** 0.5)
    images = []
    board = tuple(row)
    for _ in range(4):
        board = tuple(board[(n - 1 - c) * n + r] for r in range(n) for c in range(n))
        images += [board, tuple(board[r * n + n - 1 - c] for r in range(n) for c in range(n))]
    return images
