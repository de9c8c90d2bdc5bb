"""The eight symmetries of the square, applied to queens.

Half turns, quarter turns and mirrors take a solution to a solution, so the solutions fall into orbits of up
to eight. Two facts about n >= 2 queens, used by several methods of the ladder:

* No solution equals its mirror image. Left-right would need every queen in the middle column; a mirror along
  a diagonal takes a queen at (a, b) to (b, a), on a diagonal of the other direction, so both would attack
  each other, unless every queen were on the mirror itself.
* So only rotations can leave a solution unchanged, and orbits have 8, 4 (half turn) or 2 (quarter turn)
  members. The single queen of n = 1 is its own orbit.

These few lines do not use `rekkyo.symmetry`, which is general, so that a method can be read from top to
bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rekkyo.model.queens import Square
from rekkyo.model.row import Row

Squares: TypeAlias = tuple[Square, ...]
"""Squares in increasing order, so that equal sets are equal tuples."""


def quarter_turn(squares: Iterable[Square], n: int) -> Squares:
    """The squares after turning the board clockwise by 90 degrees."""
    return tuple(sorted((column, n - 1 - row) for row, column in squares))


def mirror(squares: Iterable[Square], n: int) -> Squares:
    """The squares after exchanging left and right."""
    return tuple(sorted((row, n - 1 - column) for row, column in squares))


def eight_images(squares: Iterable[Square], n: int) -> list[Squares]:
    """The four rotations, each with its mirror image; the last but one is the identity."""
    images = []
    for _ in range(4):
        squares = quarter_turn(squares, n)
        images += [squares, mirror(squares, n)]
    return images


def row_images(row: Sequence[int]) -> list[Row]:
    """The eight images of a solution row."""
    return [as_row(squares) for squares in eight_images(enumerate(row), len(row))]


def as_row(squares: Squares) -> Row:
    """The columns of queens, one in each row."""
    return tuple(column for _, column in squares)
