"""Scratch arrays for `count_disjoint`. Each call has its own, so that threads share no writable memory."""

from __future__ import annotations

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import Words
from rekkyo.engines.queens.join import kernel_join
from rekkyo.engines.queens.join.kernel_join import JoinScratch
from rekkyo.engines.queens.join.plan import SLACK

CACHE_LINE_WORDS = 8


def make_join_scratch(most_keys: int) -> JoinScratch:
    """Scratch for lists of at most this number of keys."""
    room = most_keys + SLACK
    return JoinScratch(
        unfilled(room, np.uint64),
        unfilled(room, np.uint64),
        aligned_words(kernel_join.SLICE_WORDS),
        aligned_words(kernel_join.TABLE_WORDS),
        unfilled((kernel_join.MAX_LEVELS + 2, 5), np.uint64),
    )


def aligned_words(n_words: int) -> Words:
    """Zeros that begin at a cache line, so that no row of eight words crosses a cache line."""
    words = np.zeros(n_words + CACHE_LINE_WORDS, np.uint64)
    skipped = -(words.ctypes.data // words.itemsize) % CACHE_LINE_WORDS
    return words[skipped : skipped + n_words]
