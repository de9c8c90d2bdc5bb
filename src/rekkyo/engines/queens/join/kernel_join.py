"""Count the pairs of half boards that share no diagonal: a sieve on the long diagonals, then bit slices.

One list is split by its highest bit, which both sides are likeliest to have, then by the next bit, and so on
until a part is short. The keys with the bit are compared only with those of the other list that do not have
it. So at n = 18 about 26 % of all pairs are left to compare. The keys of a part agree on the bits by which it
was split, so these bits are not compared again.

Ideas that were slower. Equal keys as one key with a multiplicity: only 2 to 3 % of the half boards of a row
set share a key. Bits of both directions in turns (v, u, v, u, …) instead of all u before v: n = 20 took 42 s
instead of 35 s. Not tried: choosing the order of the bits for each row set, which would leave 20 % instead of
24 % of the pairs after five bits at n = 20, but moves bits in every key.

The remaining pairs are compared 512 keys at a time. These keys are transposed: slice d has one lane for each
key, which is set if the key has bit d. For every six bits there is a table: for each of the 64 subsets of
them, the lanes of the keys that have none of these bits. For a key of the other side, one row is looked up
for every six of its bits, and the lanes in the AND of all rows are counted.

    key      … | bits 12-17 | bits 6-11 | bits 0-5        tables : uint64[n_chunks * 64 * 8], row = 8 words
                     |            |          +--> row   0 + subset  (lanes out of use are cleared here)
                     |            +-------------> row  64 + subset
                     +--------------------------> row 128 + subset

A pair takes 0.0027 ns (1.39 ns for 512 pairs with five tables; each further table 0.25 ns). Ideas that gained
nothing: two keys at a time (1.36 ns); tables of seven bits (1.10 ns instead of 1.18 ns for four tables, which
does not repay the 0.1 us more for filling them); tables of eight bits (2.1 ns, because they do not fit in the
first-level cache); stopping early if the AND is empty, because all 512 lanes are rarely empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import ONE, ZERO, Word, Words, popcount
from rekkyo.engines.queens.join import lanes
from rekkyo.jit import inner_kernel

STEP = np.uint64(lanes.N_WORDS)
N_LANES = np.uint64(lanes.N_LANES)
CHUNK_BITS = np.uint64(6)
N_SUBSETS = np.uint64(64)
MIN_CHUNKS = np.uint64(3)
MAX_CHUNKS = 8
ALL_SET = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
TABLE_WORDS = MAX_CHUNKS * 64 * lanes.N_WORDS
SLICE_WORDS = 64 * lanes.N_WORDS


class Part(NamedTuple):
    """keys[start:stop] of a list of keys."""

    keys: Words
    start: Word
    stop: Word


@inner_kernel
def count_direct(short: Part, long: Part) -> Word:
    """Count disjoint pairs by comparing one key with eight, which is best for short lists."""
    n_pairs = ZERO
    for i in range(short.start, short.stop):
        one = lanes.spread(short.keys[i])
        for j in range(long.start, long.stop, STEP):
            fits = lanes.empty_words(lanes.both(one, lanes.load(long.keys, j)))
            if long.stop - j < STEP:
                fits &= (ONE << (long.stop - j)) - ONE
            n_pairs += popcount(fits)
    return n_pairs


@inner_kernel
def count_sliced(sliced: Part, other: Part, n_bits: Word, slices: Words, tables: Words) -> Word:
    """Count disjoint pairs. Only the lowest n_bits bits are compared; n_bits is at most 48."""
    n_chunks = max(MIN_CHUNKS, (n_bits + CHUNK_BITS - ONE) // CHUNK_BITS)
    n_pairs = ZERO
    for start in range(sliced.start, sliced.stop, N_LANES):
        stop = min(sliced.stop, start + N_LANES)
        slice_keys(Part(sliced.keys, np.uint64(start), stop), n_chunks * CHUNK_BITS, slices)
        fill_tables(stop - start, n_chunks, slices, tables)
        if n_chunks == MIN_CHUNKS:
            n_pairs += _look_up_3(tables, other)
        elif n_chunks == np.uint64(4):
            n_pairs += _look_up_4(tables, other)
        elif n_chunks == np.uint64(5):
            n_pairs += _look_up_5(tables, other)
        elif n_chunks == np.uint64(6):
            n_pairs += _look_up_6(tables, other)
        elif n_chunks == np.uint64(7):
            n_pairs += _look_up_7(tables, other)
        else:
            n_pairs += _look_up_8(tables, other)
    return n_pairs


@inner_kernel
def slice_keys(part: Part, n_bits: Word, slices: Words) -> None:
    """Transpose up to 512 keys: bit i of word w of slice d becomes bit d of key start + 8 i + w.

    Only the slices below n_bits are complete.
    These are eight transpositions of 64 x 64 bits at the same time (Hacker's Delight, section 7-3).
    """
    empty = lanes.spread(ZERO)
    n_filled = (part.stop - part.start + STEP - ONE) // STEP
    for row in range(n_filled):
        lanes.store(slices, row * STEP, lanes.load(part.keys, part.start + row * STEP))
    for row in range(n_filled, np.uint64(64)):
        lanes.store(slices, row * STEP, empty)
    n_rows = np.uint64(64)
    distance = np.uint64(32)
    pattern = np.uint64(0x0000_0000_FFFF_FFFF)
    while distance != ZERO:
        low_bits = lanes.spread(pattern)
        for block in range(ZERO, n_rows, distance << ONE):
            for row in range(block, block + distance):
                here, there = row * STEP, (row + distance) * STEP
                upper = lanes.load(slices, here)
                lower = lanes.load(slices, there)
                moved = lanes.both(lanes.unlike(lanes.down(upper, distance), lower), low_bits)
                lanes.store(slices, here, lanes.unlike(upper, lanes.up(moved, distance)))
                lanes.store(slices, there, lanes.unlike(lower, moved))
        if n_bits <= distance:
            n_rows = distance
        distance >>= ONE
        pattern ^= pattern << distance


@inner_kernel
def fill_tables(n_keys: Word, n_chunks: Word, slices: Words, tables: Words) -> None:
    """Fill the tables of the module docstring for n_keys sliced keys."""
    for word in range(STEP):
        n_used = (n_keys + STEP - ONE - word) // STEP
        tables[word] = ALL_SET if n_used >= np.uint64(64) else (ONE << n_used) - ONE
    everything = lanes.spread(ALL_SET)
    for chunk in range(n_chunks):
        base = chunk * N_SUBSETS * STEP
        if chunk != ZERO:
            lanes.store(tables, base, everything)
        for bit in range(CHUNK_BITS):
            without = lanes.unlike(lanes.load(slices, (chunk * CHUNK_BITS + bit) * STEP), everything)
            n_done = STEP << bit
            for row in range(ZERO, n_done, STEP):
                lanes.store(tables, base + n_done + row, lanes.both(lanes.load(tables, base + row), without))


def _look_up(n_chunks: int) -> Callable[..., Any]:
    """A kernel that looks up keys in exactly n_chunks tables, so that the loop over them is unrolled.

    Each gets its own name: in compiled code, functions are told apart by their names and a number that begins
    at 1 in every process, so that cached code of two processes may mean different functions by one name.
    """

    def look_up(tables: Words, part: Part) -> Word:
        counts = lanes.spread(ZERO)
        for i in range(part.start, part.stop):
            key = part.keys[i]
            left = lanes.load(tables, (key & (N_SUBSETS - ONE)) * STEP)
            for chunk in range(1, n_chunks):
                key >>= CHUNK_BITS
                row = np.uint64(chunk) * N_SUBSETS + (key & (N_SUBSETS - ONE))
                left = lanes.both(left, lanes.load(tables, row * STEP))
            counts = lanes.counted(counts, left)
        return lanes.total(counts)

    look_up.__name__ = look_up.__qualname__ = f"look_up_{n_chunks}"
    return inner_kernel(look_up)


_look_up_3 = _look_up(3)
_look_up_4 = _look_up(4)
_look_up_5 = _look_up(5)
_look_up_6 = _look_up(6)
_look_up_7 = _look_up(7)
_look_up_8 = _look_up(8)


# With 640 keys, some of which need two blocks of lanes, n = 20 took 52 s instead of 42 s.
LEAF_KEYS = np.uint64(lanes.N_LANES)
"""Parts of the split list with at most this number of keys, one block of lanes, are not split further."""
# A filtered list this short is sliced itself, in one block. Without the limit n = 18 and 20 take 10 % longer.
LEAF_KEPT = np.uint64(256)
"""Filtered lists with at most this number of keys are not filtered further."""
MAX_LEVELS = 64
KEPT_ROOM = 4
"""Filtered lists are appended to the list itself, whose array has this multiple of the space.

A part is not split if a filtered list might not fit.
"""
DIRECT_PAIRS = np.uint64(4000)
"""Below this number of pairs, comparing eight at a time takes less time than slicing (about 0.6 us)."""
SLICING_COST = np.uint64(230)
"""The time to slice a block and to fill its tables, in look-ups."""


class JoinScratch(NamedTuple):
    """Scratch arrays, one set for each call.

    odd_levels, even_levels: uint64[n + SLACK]. The split list at odd and at even levels.
    slices, tables: see the picture above; they begin at a cache line.
    stack: uint64[MAX_LEVELS + 2, 5]. Parts to do: split start, stop, kept start, stop, level.
    """

    odd_levels: Words
    even_levels: Words
    slices: Words
    tables: Words
    stack: Words


@inner_kernel
def count_disjoint(
    left: Words, n_left: Word, right: Words, n_right: Word, n_bits: Word, scratch: JoinScratch
) -> tuple[Word, Word]:
    """Returns (pairs with left & right == 0 in the lowest n_bits bits, pairs compared)."""
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


@inner_kernel
def _split(keys: Words, start: Word, stop: Word, bit: Word, out: Words) -> Word:
    """Write keys[start:stop] to out[start:stop], those without the bit first; returns where others begin."""
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


@inner_kernel
def _filter(keys: Words, start: Word, stop: Word, bit: Word) -> Word:
    """Append to keys[:stop] those of keys[start:stop] without the bit; returns the new stop."""
    probe = lanes.spread(bit)
    end = stop
    for i in range(start, stop, STEP):
        some = lanes.load(keys, i)
        without = lanes.empty_words(lanes.both(some, probe)) & ((ONE << min(STEP, stop - i)) - ONE)
        lanes.store_chosen(keys, end, some, without)
        end += popcount(without)
    return end


@inner_kernel
def _count_leaf(left: Part, right: Part, n_bits: Word, scratch: JoinScratch) -> Word:
    n_left, n_right = left.stop - left.start, right.stop - right.start
    if n_left * n_right < DIRECT_PAIRS:
        return count_direct(left, right) if n_left < n_right else count_direct(right, left)
    left_blocks = (n_left + np.uint64(511)) >> np.uint64(9)
    right_blocks = (n_right + np.uint64(511)) >> np.uint64(9)
    if left_blocks * (SLICING_COST + n_right) >= right_blocks * (SLICING_COST + n_left):
        left, right = right, left
    return count_sliced(left, right, n_bits, scratch.slices, scratch.tables)
