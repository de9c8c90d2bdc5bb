"""Join the two quadrants of one half of the board into the list of half boards.

A half is looked at upside down if need be, so that its north quadrant is the one with fewer queens. Each key
of the north is held against the one bucket of the south that uses just the other columns, eight keys at a
time. Going through pairs of buckets instead, one pair for each column set, took four times as long at n = 17,
where buckets hold few keys.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rekkyo.bits import ONE, ZERO, Words, popcount
from rekkyo.engines.queens.join import lanes
from rekkyo.engines.queens.join.kernel_tables import Quadrants
from rekkyo.jit import kernel

STEP = np.uint64(lanes.N_WORDS)
TWO = np.uint64(2)


class Masks(NamedTuple):
    """Bits of a key, see `layout`.

    width: how many diagonals of one direction there are. v: those of direction v, the lowest bits.
    first_of_pairs: the lower of every two neighbours that a half turn exchanges. centre: the two bits of
    n - 1. columns: the column set.
    """

    width: np.uint64
    v: np.uint64
    first_of_pairs: np.uint64
    centre: np.uint64
    columns: np.uint64


@kernel
def fill_half(
    quadrants: Quadrants,
    masks: Masks,
    north_start: np.uint64,
    north_stop: np.uint64,
    south_rows: np.uint64,
    columns: np.uint64,
    blocked_north: np.uint64,
    blocked_south: np.uint64,
    north_keys: Words,
    out: Words,
    n_out: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Append to out[:n_out] the half boards with these north placements; gives (new n_out, pairs tried).

    north_start, north_stop: a range of quadrants.keys. columns: all that the half must use.
    blocked_north, blocked_south: diagonals (and columns) that a quadrant must not use.
    north_keys: uint64[stop - start + SLACK], room to work in.
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


@kernel
def select_north(
    keys: Words, masks: Masks, start: np.uint64, stop: np.uint64, blocked: np.uint64, out: Words
) -> np.uint64:
    """Write those of keys[start:stop] that avoid `blocked` to out, flipped from the south to the north.

    The spare bit is dropped, because it means another diagonal in the south. Gives how many were written.
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


@kernel
def mirror_keys(keys: Words, n_keys: np.uint64, masks: Masks) -> None:
    """Mirror half boards from east to west, keeping shared diagonals only."""
    for i in range(n_keys):
        key = keys[i]
        keys[i] = (key & masks.v) << masks.width | (key >> masks.width) & masks.v


@kernel
def turn_keys(keys: Words, n_keys: np.uint64, masks: Masks) -> None:
    """Turn half boards by a half turn, keeping shared diagonals only."""
    first_of_pairs = masks.first_of_pairs
    for i in range(n_keys):
        key = keys[i]
        keys[i] = (key & first_of_pairs) << ONE | (key >> ONE) & first_of_pairs | key & masks.centre
