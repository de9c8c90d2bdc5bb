"""Count the live options of all primary rows of a frame.

Source: the rule "fewest options first" is S. W. Golomb and L. D. Baumert, "Backtrack programming" (1965).
There is no early end at a row without live options: rows of covered items have none either, and counting
every row in one vector loop is cheaper than looking at open items one by one (16 rows of 1 word in 5 ns, of
8 words in 13 ns). What a scan returns tells all cases apart:

    best     count << 32 | row of the first row with the fewest live options, rows without any left aside
    n_alive  rows with a live option: fewer than items are open, and the state is dead
    n_left   sum of all counts: as many as items are open, and every one of them has one option left
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Words, popcount
from rekkyo.jit import kernel

NOTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
COUNT_SHIFT = np.uint64(32)
ROW_MASK = np.uint64(0xFFFF_FFFF)


@kernel
def scan_narrow(
    lanes: Any,
    table: Words,
    table_at: np.uint64,
    stride: np.uint64,
    n_scan: np.uint64,
    live: Words,
    at: np.uint64,
) -> Any:
    """Scan a frame as wide as `lanes` is long; returns (best, n_alive, n_left).

    table : uint64[...], in. Word w of row r at table_at + w * stride + r. live : uint64[...], in, from `at`.
    """
    best, n_alive, n_left = NOTHING, ZERO, ZERO
    for row in range(n_scan):
        first = table_at + np.uint64(row)
        count = ZERO
        for index in range(len(lanes)):
            word = np.uint64(index)
            count += popcount(table[first + word * stride] & live[at + word])
        key = NOTHING
        if count != ZERO:
            key = (count << COUNT_SHIFT) | np.uint64(row)
            n_alive += ONE
        n_left += count
        best = min(best, key)
    return best, n_alive, n_left


@kernel
def scan_wide(
    words: np.uint64, table: Words, n_scan: np.uint64, live: Words, at: np.uint64, counts: Words
) -> Any:
    """Scan frame 0; returns (best, n_alive, n_left). Words without live options cost nothing.

    table : uint64[words * n_scan], in. live : uint64[...], in, from `at`. counts : uint64[n_scan], scratch.
    """
    for row in range(n_scan):
        counts[row] = ZERO
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        if bits != ZERO:
            first = word * n_scan
            for row in range(n_scan):
                counts[row] += popcount(table[first + np.uint64(row)] & bits)
    best, n_alive, n_left = NOTHING, ZERO, ZERO
    for row in range(n_scan):
        count = counts[row]
        key = NOTHING
        if count != ZERO:
            key = (count << COUNT_SHIFT) | np.uint64(row)
            n_alive += ONE
        n_left += count
        best = min(best, key)
    return best, n_alive, n_left
