"""The squares that one choice of rows, columns and diagonals gives, as rearrangements of its base square.

Four squares that no turn or reflection takes into each other, each in eight positions. A rearrangement says
for every cell which cell of the base square its number comes from. (The base square, in `kernel_bases`, has
its rows and columns in an order in which its diagonals are diagonals.) Rows and columns that are opposite in
the base are so in each of the four: turning the base over turns them over as well.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from rekkyo.engines.sums.magic5.kernel_rows import N
from rekkyo.model.sum_figure import Cell

Rearrangement: TypeAlias = tuple[Cell, ...]

ROWS_AND_COLUMNS = tuple(product(range(N), repeat=2))

PLACES = ((0, 1, 2, 3, 4), (0, 3, 2, 1, 4), (1, 0, 2, 4, 3), (1, 4, 2, 0, 3))
"""The four squares: which row and column of the base square comes where."""

UPRIGHT: tuple[Rearrangement, ...] = tuple(
    tuple(N * places[row] + places[column] for row, column in ROWS_AND_COLUMNS) for places in PLACES
)
TRANSPOSED: tuple[Rearrangement, ...] = tuple(
    tuple(N * places[column] + places[row] for row, column in ROWS_AND_COLUMNS) for places in PLACES
)
FLIPPED: Rearrangement = tuple(N * (N - 1 - row) + column for row, column in ROWS_AND_COLUMNS)
MIRRORED: Rearrangement = tuple(N * row + N - 1 - column for row, column in ROWS_AND_COLUMNS)


def _after(first: Rearrangement, then: Rearrangement) -> Rearrangement:
    return tuple(first[cell] for cell in then)


TURNED = (UPRIGHT[0], MIRRORED, FLIPPED, _after(FLIPPED, MIRRORED))
MOVES = (*TURNED, *(_after(turn, TRANSPOSED[0]) for turn in TURNED))
"""The eight turns and reflections, the identity first."""
