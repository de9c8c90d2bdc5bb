"""Count disjoint pairs of keys 512 at a time: bit slices and tables of their intersections.

512 keys of one side are transposed: slice d has one lane a key, set when the key has bit d. For every six
bits a table holds, for each of the 64 subsets of them, the lanes whose keys have none of these bits. A key
of the other side then looks up one row for every six of its bits, takes the AND, and counts the lanes left.

    key      … | bits 12-17 | bits 6-11 | bits 0-5        tables : uint64[n_chunks * 64 * 8], row = 8 words
                     |            |          +--> row   0 + subset  (lanes out of use are cleared here)
                     |            +-------------> row  64 + subset
                     +--------------------------> row 128 + subset

A pair costs 0.0027 ns (1.39 ns for 512 pairs with five tables; each further table 0.25 ns). Ideas that lost:
two keys at a time, 1.36 ns; tables of seven bits, 1.10 ns instead of 1.18 ns for four of them, which is less
than the 0.1 us that filling them costs more; tables of eight bits, 2.1 ns, because they outgrow the first
cache; stopping early on an empty AND, because all 512 lanes are rarely empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import ONE, ZERO, Words, popcount
from rekkyo.engines.queens.join import lanes
from rekkyo.jit import kernel

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
    start: np.uint64
    stop: np.uint64


@kernel
def count_direct(short: Part, long: Part) -> np.uint64:
    """Count disjoint pairs one key against eight: best for short lists."""
    n_pairs = ZERO
    for i in range(short.start, short.stop):
        one = lanes.spread(short.keys[i])
        for j in range(long.start, long.stop, STEP):
            fits = lanes.empty_words(lanes.both(one, lanes.load(long.keys, j)))
            if long.stop - j < STEP:
                fits &= (ONE << (long.stop - j)) - ONE
            n_pairs += popcount(fits)
    return n_pairs


@kernel
def count_sliced(sliced: Part, other: Part, n_bits: np.uint64, slices: Words, tables: Words) -> np.uint64:
    """Count disjoint pairs; only the lowest n_bits bits need to be looked at, 48 at most."""
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


@kernel
def slice_keys(part: Part, n_bits: np.uint64, slices: Words) -> None:
    """Transpose up to 512 keys: bit i of word w of slice d becomes bit d of key start + 8 i + w.

    Slices below n_bits are right, the others may be left half done.
    Eight transpositions of 64 x 64 bits side by side (Hacker's Delight, section 7-3).
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


@kernel
def fill_tables(n_keys: np.uint64, n_chunks: np.uint64, slices: Words, tables: Words) -> None:
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
    """A kernel that looks up keys in exactly n_chunks tables, so that the loop over them is unrolled."""

    @kernel
    def look_up(tables: Words, part: Part) -> np.uint64:
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

    return look_up


_look_up_3 = _look_up(3)
_look_up_4 = _look_up(4)
_look_up_5 = _look_up(5)
_look_up_6 = _look_up(6)
_look_up_7 = _look_up(7)
_look_up_8 = _look_up(8)
