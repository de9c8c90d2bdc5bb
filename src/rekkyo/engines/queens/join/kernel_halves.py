"""Placements of queens in quadrants of the board, and the half boards that two quadrants make.

Every placement of non-attacking queens in one quadrant is in the bucket of its (row set, column set).
Array contracts, where h is the side of the quadrant and `plan` has the layout of a key:
    square_keys : uint64[h, h], in. The diagonals that a queen takes in the south-west quadrant, on row a from
                  the bottom and column b from the west edge.
    bounds      : uint32[4**h + 1], out. Bucket (rows, columns) has the number rows << h | columns, and the
                  keys keys[bounds[bucket] : bounds[bucket + 1]]. So the keys of a row set are sorted by
                  column set.
    keys        : uint64[n_placements + SLACK], out. Diagonals taken, and the column set in the top h bits.
Left out on purpose: tables for the other corners. Turning a key from one corner to another takes a few
operations, which is less than the memory traffic of a second table (and at n = 22 a gigabyte).

A half is turned upside down if necessary, so that its north quadrant is the one with fewer queens. Each key
of the north is compared with the keys of one bucket of the south, eight at a time: the bucket with exactly
the other columns. A loop over pairs of buckets, one pair for each column set, took four times as long at
n = 17, where buckets have few keys.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.queens.join import lanes
from rekkyo.jit import inner_kernel, kernel


class Quadrants(NamedTuple):
    """The arrays of the module docstring, the side of a quadrant, and the first bit of a key's columns."""

    side: Word
    columns_at: Word
    bounds: NDArray[np.uint32]
    keys: Words


STACK_ROWS = 6


@kernel
def place(side: Word, square_keys: Words, places: NDArray[np.uint32], keys: Words, stack: Words) -> None:
    """Visit all placements, row by row. Bit `side` of a row's choices means that the row stays empty.

    places : uint32[4**h], in and out. The place of a bucket grows by 1 for each of its placements.
    keys   : out, written at these places. If it is empty, placements are only counted.
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


STEP = np.uint64(lanes.N_WORDS)


class Masks(NamedTuple):
    """Bits of a key, see `plan`.

    width: number of diagonals of one direction. v: the diagonals of direction v, which are the lowest bits.
    first_of_pairs: the lower of every two neighbours that a half turn exchanges. centre: the two bits of
    diagonals n - 1. columns: the column set.
    """

    width: Word
    v: Word
    first_of_pairs: Word
    centre: Word
    columns: Word


@inner_kernel
def fill_half(
    quadrants: Quadrants,
    masks: Masks,
    north_start: Word,
    north_stop: Word,
    south_rows: Word,
    columns: Word,
    blocked_north: Word,
    blocked_south: Word,
    north_keys: Words,
    out: Words,
    n_out: Word,
) -> tuple[Word, Word]:
    """Append to out[:n_out] the half boards with these north placements; returns (new n_out, pairs tried).

    north_start, north_stop: a range of quadrants.keys. columns: the columns that the half must use.
    blocked_north, blocked_south: diagonals (and columns) that a quadrant must not use.
    north_keys: uint64[stop - start + SLACK], scratch.
    """
    n_north = select_north(quadrants.keys, masks, north_start, north_stop, blocked_north, north_keys)
    n_tried = ZERO
    side = quadrants.side
    south_base = south_rows << side
    for i in range(n_north):
        key = north_keys[i]
        bucket = south_base | (columns ^ key >> quadrants.columns_at)
        start, stop = np.uint64(quadrants.bounds[bucket]), np.uint64(quadrants.bounds[bucket + ONE])
        n_tried += stop - start
        taken = lanes.spread(key | blocked_south)
        own = lanes.spread(key)
        for j in range(start, stop, STEP):
            south = lanes.load(quadrants.keys, j)
            fits = lanes.empty_words(lanes.both(taken, south)) & ((ONE << min(STEP, stop - j)) - ONE)
            lanes.store_chosen(out, n_out, lanes.either(own, south), fits)
            n_out += popcount(fits)
    return n_out, n_tried


@inner_kernel
def select_north(keys: Words, masks: Masks, start: Word, stop: Word, blocked: Word, out: Words) -> Word:
    """Write those of keys[start:stop] that avoid `blocked` to out, flipped from the south to the north.

    The spare bit is dropped, because it means another diagonal in the south. Returns how many were written.
    """
    probe = lanes.spread(blocked)
    first_of_pairs, centre = lanes.spread(masks.first_of_pairs), lanes.spread(masks.centre)
    v, columns = lanes.spread(masks.v), lanes.spread(masks.columns)
    n_out = ZERO
    for i in range(start, stop, STEP):
        some = lanes.load(keys, i)
        avoids = lanes.empty_words(lanes.both(some, probe)) & ((ONE << min(STEP, stop - i)) - ONE)
        upward = lanes.up(lanes.both(some, first_of_pairs), ONE)
        downward = lanes.both(lanes.down(some, ONE), first_of_pairs)
        turned = lanes.either(lanes.either(upward, downward), lanes.both(some, centre))
        to_u = lanes.up(lanes.both(turned, v), masks.width)
        to_v = lanes.both(lanes.down(turned, masks.width), v)
        flipped = lanes.either(lanes.either(to_u, to_v), lanes.both(some, columns))
        lanes.store_chosen(out, n_out, flipped, avoids)
        n_out += popcount(avoids)
    return n_out


@inner_kernel
def mirror_keys(keys: Words, n_keys: Word, masks: Masks) -> None:
    """Mirror half boards from east to west; only the shared diagonals are kept."""
    for i in range(n_keys):
        key = keys[i]
        keys[i] = (key & masks.v) << masks.width | (key >> masks.width) & masks.v


@inner_kernel
def turn_keys(keys: Words, n_keys: Word, masks: Masks) -> None:
    """Rotate half boards by a half turn; only the shared diagonals are kept."""
    first_of_pairs = masks.first_of_pairs
    for i in range(n_keys):
        key = keys[i]
        keys[i] = (key & first_of_pairs) << ONE | (key >> ONE) & first_of_pairs | key & masks.centre
