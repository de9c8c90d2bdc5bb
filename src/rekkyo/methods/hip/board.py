"""Squares and balance on a board of Hip, for the methods alone.

A board of side n has the cells 0 … n * n - 1, row by row; its row has the colour of each, 0 or 1. It is
balanced when both colours are used equally often, on odd boards but for one cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

Corners: TypeAlias = tuple[int, ...]
"""The corners of a square, the lowest cell first."""


@cache
def squares(n: int) -> tuple[Corners, ...]:
    """All squares of the board; one with a box of side s around it leans by 0 to s - 1 cells."""
    return tuple(
        sorted(
            tuple(
                sorted(
                    (top + down) * n + left + across
                    for down, across in ((0, lean), (lean, side), (side, side - lean), (side - lean, 0))
                )
            )
            for side in range(1, n)
            for lean in range(side)
            for top in range(n - side)
            for left in range(n - side)
        )
    )


def has_square(board: Sequence[int], corners: Corners) -> bool:
    """Whether the corners have one colour."""
    return len({board[corner] for corner in corners}) == 1


def is_balanced(board: Sequence[int]) -> bool:
    """Whether both colours are used equally often, or as nearly as that goes."""
    return sum(board) in (len(board) // 2, (len(board) + 1) // 2)
