"""Settle a state: count the live slots of every open part, and drop those that some other part rules out.

Algorithm: arc consistency (A. K. Mackworth, "Consistency in networks of relations", 1977) on the graph of
parts: a slot that agrees with no live slot of another open part is dropped, and so on, for a few rounds.
A child costs some hundred times as much as without, and the ten digits by half blocks take a fiftieth of the
nodes. That pays while many slots are live, so small states are only counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, WORD_SHIFT, ZERO, Words, lowest_index, popcount
from rekkyo.engines.covers.parts.kernel_state import Frame
from rekkyo.jit import kernel

DEAD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
COUNT_SHIFT = np.uint64(32)
PART_MASK = np.uint64(0xFFFF_FFFF)

MANY = np.uint64(32)
N_ROUNDS = 2


@kernel
def settle(frame: Frame, live: Words, at: np.uint64, open_parts: np.uint64) -> Any:
    """Returns (best, n_live, n_words): live words from `at` on are in/out.

    best    : count << 32 | part of the first open part with the fewest live slots, or DEAD.
    n_words : words that the live slots need when every part begins a word.
    """
    best, n_live, n_words = count_parts(frame, live, at, open_parts)
    if best == DEAD or n_live < MANY or (open_parts & (open_parts - ONE)) == ZERO:
        return best, n_live, n_words
    for _ in range(N_ROUNDS):
        n_before = n_live
        if not _drop(frame, live, at, open_parts):
            return DEAD, n_live, n_words
        best, n_live, n_words = count_parts(frame, live, at, open_parts)
        if n_live == n_before or n_live < MANY:
            break
    return best, n_live, n_words


@kernel
def count_parts(frame: Frame, live: Words, at: np.uint64, open_parts: np.uint64) -> Any:
    """As `settle`, without dropping anything."""
    firsts, firsts_at = frame.firsts, frame.firsts_at
    best, n_live, n_words = DEAD, ZERO, ZERO
    left = open_parts
    while left != ZERO:
        part = lowest_index(left)
        left &= left - ONE
        count = ZERO
        for word in range(firsts[firsts_at + part], firsts[firsts_at + part + ONE]):
            count += popcount(live[at + np.uint64(word)])
        if count == ZERO:
            return DEAD, n_live, n_words
        n_live += count
        n_words += (count + np.uint64(63)) >> WORD_SHIFT
        best = min(best, (count << COUNT_SHIFT) | part)
    return best, n_live, n_words


@kernel
def _drop(frame: Frame, live: Words, at: np.uint64, open_parts: np.uint64) -> bool:
    """One round over all live slots; False when a part has none left."""
    firsts, firsts_at = frame.firsts, frame.firsts_at
    left = open_parts
    while left != ZERO:
        part = lowest_index(left)
        left &= left - ONE
        others = open_parts & ~(ONE << part)
        some = ZERO
        for index in range(firsts[firsts_at + part], firsts[firsts_at + part + ONE]):
            word = np.uint64(index)
            bits = live[at + word]
            kept = bits
            while bits != ZERO:
                slot = (word << WORD_SHIFT) + lowest_index(bits)
                bit = bits & (~bits + ONE)
                bits ^= bit
                if not _agrees(frame, slot, live, at, others):
                    kept ^= bit
            live[at + word] = kept
            some |= kept
        if some == ZERO:
            return False
    return True


@kernel
def _agrees(frame: Frame, slot: np.uint64, live: Words, at: np.uint64, others: np.uint64) -> bool:
    """Whether a slot agrees with some live slot of each of the other parts."""
    matrix, firsts, firsts_at = frame.matrix, frame.firsts, frame.firsts_at
    row = frame.matrix_at + slot * frame.words
    while others != ZERO:
        part = lowest_index(others)
        others &= others - ONE
        word, stop = firsts[firsts_at + part], firsts[firsts_at + part + ONE]
        while word < stop and matrix[row + word] & live[at + word] == ZERO:
            word += ONE
        if word == stop:
            return False
    return True
