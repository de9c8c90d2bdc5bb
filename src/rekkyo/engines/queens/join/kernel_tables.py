"""Every way to place non-attacking queens in one quadrant, in buckets by (row set, column set).

Array contracts, h the side of the quadrant, key layout in `layout`:
    square_keys : uint64[h, h], in. The diagonals that a queen takes in the south-west quadrant, on row a from
                  the bottom and column b from the west edge.
    bounds      : uint32[4**h + 1], out. Bucket (rows, columns) is number rows << h | columns; its keys are
                  keys[bounds[bucket] : bounds[bucket + 1]]. So a row set's keys are sorted by column set.
    keys        : uint64[n_placements + SLACK], out. Diagonals taken, and the column set in the top h bits.
Deliberately left out: tables for the other corners. Turning a key from one corner to another takes a few
operations, which is less than the memory traffic of a second table (and at n = 22 a gigabyte).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, lowest_index
from rekkyo.jit import kernel


class Quadrants(NamedTuple):
    """The arrays of the module docstring, the side of a quadrant, and where the columns of a key begin."""

    side: np.uint64
    columns_at: np.uint64
    bounds: NDArray[np.uint32]
    keys: Words


STACK_ROWS = 6


@kernel
def place(side: np.uint64, square_keys: Words, places: NDArray[np.uint32], keys: Words, stack: Words) -> None:
    """Walk through all placements, row by row; bit `side` of a row's choices is to leave the row empty.

    places : uint32[4**h], in and out. The bucket's place goes up by one for each of its placements.
    keys   : written at these places; without any, placements are only counted.
    stack  : uint64[STACK_ROWS, h + 1], scratch, zeros.
    """
    is_writing = len(keys) > 0
    if side == ZERO:
        places[0] += np.uint32(1)
        return
    all_columns = (ONE << side) - ONE
    leave_empty = ONE << side
    choices, rows, columns = stack[0], stack[1], stack[2]
    falling, rising, taken = stack[3], stack[4], stack[5]
    choices[0] = all_columns | leave_empty
    row = ZERO
    while True:
        if choices[row] == ZERO:
            if row == ZERO:
                return
            row -= ONE
            continue
        choice = choices[row] & (~choices[row] + ONE)
        choices[row] ^= choice
        below = row + ONE
        rows[below] = rows[row]
        columns[below] = columns[row]
        taken[below] = taken[row]
        falling[below] = falling[row] << ONE
        rising[below] = rising[row] >> ONE
        if choice != leave_empty:
            rows[below] |= ONE << row
            columns[below] |= choice
            taken[below] |= square_keys[row, lowest_index(choice)]
            falling[below] |= choice << ONE
            rising[below] |= choice >> ONE
        if below < side:
            row = below
            choices[row] = all_columns & ~(columns[row] | falling[row] | rising[row]) | leave_empty
            continue
        bucket = rows[below] << side | columns[below]
        if is_writing:
            keys[places[bucket]] = taken[below] | columns[below] << (np.uint64(64) - side)
        places[bucket] += np.uint32(1)
