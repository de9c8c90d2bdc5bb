"""Count the pairs of half boards that share no diagonal: a sieve on the long diagonals, then bit slices.

One list is split by its highest bit, which is the likeliest to be taken on both sides, then by the next, and
so on until a part is short. The part that has the bit meets only those of the other list that lack it; so at
n = 18 about 26 % of all pairs are left to compare. In a part all keys agree on the bits that it was split by,
so these bits need not be looked at any more.

Ideas that lost. Equal keys as one key with a multiplicity: only 2 to 3 % of the half boards of a row set
share a key. Directions taken in turns (v, u, v, u, …) instead of all u before v: n = 20 in 42 s instead of
35 s. Not tried: choosing the order of the bits for each row set, which would leave 20 % instead of 24 % of
the pairs after five bits at n = 20, but moves bits in every key.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rekkyo.bits import ONE, ZERO, Words, popcount
from rekkyo.engines.queens.join import lanes
from rekkyo.engines.queens.join.kernel_slices import Part, count_direct, count_sliced
from rekkyo.jit import kernel

STEP = np.uint64(lanes.N_WORDS)
# Parts of up to 640 keys, some of which take two blocks of lanes, cost 52 s against 42 s at n = 20.
LEAF_KEYS = np.uint64(lanes.N_LANES)
"""Parts of the split list that are not split further: they fill one block of lanes."""
# A filtered list this short is sliced itself, in one block. Without the limit n = 18 and 20 take 10 % more.
LEAF_KEPT = np.uint64(256)
"""Filtered lists that are not filtered further."""
MAX_LEVELS = 64
KEPT_ROOM = 4
"""Filtered lists lie behind the list itself; when they fill so many times its room, a part stays whole."""
DIRECT_PAIRS = np.uint64(4000)
"""Below so many pairs, comparing eight at a time costs less than slicing (about 0.6 us)."""
SLICING_COST = np.uint64(230)
"""What slicing a block and filling its tables costs, counted in look-ups."""


class JoinScratch(NamedTuple):
    """Room to work in, one for each call.

    odd_levels, even_levels: uint64[n + SLACK]. The split list, level by level in turns.
    slices, tables: see kernel_slices; begin at a cache line.
    stack: uint64[MAX_LEVELS + 2, 5]. Nodes to do: split start, stop, kept start, stop, level.
    """

    odd_levels: Words
    even_levels: Words
    slices: Words
    tables: Words
    stack: Words


@kernel
def count_disjoint(
    left: Words, n_left: np.uint64, right: Words, n_right: np.uint64, n_bits: np.uint64, scratch: JoinScratch
) -> tuple[np.uint64, np.uint64]:
    """Gives (pairs with left & right == 0 in the lowest n_bits bits, pairs compared)."""
    stack, kept = scratch.stack, right
    n_found = ZERO
    n_compared = ZERO
    if n_left * n_right == ZERO:
        return n_found, n_compared
    n_room = np.uint64(len(kept))
    stack[0, 0] = ZERO
    stack[0, 1] = n_left
    stack[0, 2] = ZERO
    stack[0, 3] = n_right
    stack[0, 4] = ZERO
    depth = ONE
    while depth != ZERO:
        depth -= ONE
        start, stop = stack[depth, 0], stack[depth, 1]
        kept_start, kept_stop = stack[depth, 2], stack[depth, 3]
        level = stack[depth, 4]
        keys = left if level == ZERO else (scratch.odd_levels if level & ONE else scratch.even_levels)
        if (
            stop - start <= LEAF_KEYS
            or kept_stop - kept_start <= LEAF_KEPT
            or level + ONE >= n_bits
            or kept_stop + kept_stop - kept_start + STEP > n_room
        ):
            n_compared += (stop - start) * (kept_stop - kept_start)
            n_found += _count_leaf(
                Part(keys, start, stop), Part(kept, kept_start, kept_stop), n_bits - level, scratch
            )
            continue
        below = scratch.even_levels if level & ONE else scratch.odd_levels
        bit = ONE << (n_bits - ONE - level)
        middle = _split(keys, start, stop, bit, below)
        free_stop = _filter(kept, kept_start, kept_stop, bit)
        if start != middle:
            stack[depth, 0] = start
            stack[depth, 1] = middle
            stack[depth, 2] = kept_start
            stack[depth, 3] = kept_stop
            stack[depth, 4] = level + ONE
            depth += ONE
        if middle != stop and free_stop != kept_stop:
            stack[depth, 0] = middle
            stack[depth, 1] = stop
            stack[depth, 2] = kept_stop
            stack[depth, 3] = free_stop
            stack[depth, 4] = level + ONE
            depth += ONE
    return n_found, n_compared


@kernel
def _split(keys: Words, start: np.uint64, stop: np.uint64, bit: np.uint64, out: Words) -> np.uint64:
    """Write keys[start:stop] to out[start:stop], those without the bit first; gives where others begin."""
    probe = lanes.spread(bit)
    low, high = start, stop
    for i in range(start, stop, STEP):
        some = lanes.load(keys, i)
        in_use = (ONE << min(STEP, stop - i)) - ONE
        without = lanes.empty_words(lanes.both(some, probe)) & in_use
        lanes.store_chosen(out, low, some, without)
        low += popcount(without)
        having = without ^ in_use
        high -= popcount(having)
        lanes.store_chosen(out, high, some, having)
    return low


@kernel
def _filter(keys: Words, start: np.uint64, stop: np.uint64, bit: np.uint64) -> np.uint64:
    """Append to keys[:stop] those of keys[start:stop] that lack the bit; gives the new stop."""
    probe = lanes.spread(bit)
    end = stop
    for i in range(start, stop, STEP):
        some = lanes.load(keys, i)
        without = lanes.empty_words(lanes.both(some, probe)) & ((ONE << min(STEP, stop - i)) - ONE)
        lanes.store_chosen(keys, end, some, without)
        end += popcount(without)
    return end


@kernel
def _count_leaf(left: Part, right: Part, n_bits: np.uint64, scratch: JoinScratch) -> np.uint64:
    n_left, n_right = left.stop - left.start, right.stop - right.start
    if n_left * n_right < DIRECT_PAIRS:
        return count_direct(left, right) if n_left < n_right else count_direct(right, left)
    left_blocks = (n_left + np.uint64(511)) >> np.uint64(9)
    right_blocks = (n_right + np.uint64(511)) >> np.uint64(9)
    if left_blocks * (SLICING_COST + n_right) >= right_blocks * (SLICING_COST + n_left):
        left, right = right, left
    return count_sliced(left, right, n_bits, scratch.slices, scratch.tables)
