"""Room for one call of the counting kernel. Nothing is shared between calls, so threads do not meet.

Arrays are not zeroed: only the part that a row set really fills is ever touched.
"""

from __future__ import annotations

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import Words
from rekkyo.engines.queens.join.kernel_count import Halves
from rekkyo.engines.queens.join.kernel_join import KEPT_ROOM, MAX_LEVELS, JoinScratch
from rekkyo.engines.queens.join.kernel_slices import SLICE_WORDS, TABLE_WORDS
from rekkyo.engines.queens.join.layout import SLACK
from rekkyo.engines.queens.join.plan import JoinPlan

CACHE_LINE_WORDS = 8


def make_halves(plan: JoinPlan) -> Halves:
    """Four lists of half boards, and the keys of one quadrant."""
    room = plan.half_room + SLACK
    return Halves(
        north=unfilled(plan.north_room + SLACK, np.uint64),
        west=unfilled(room, np.uint64),
        west_least=unfilled(room, np.uint64),
        east=unfilled(KEPT_ROOM * room, np.uint64),
        east_least=unfilled(KEPT_ROOM * room, np.uint64),
    )


def make_join_scratch(plan: JoinPlan) -> JoinScratch:
    """Room for `count_disjoint`."""
    room = plan.half_room + SLACK
    return JoinScratch(
        unfilled(room, np.uint64),
        unfilled(room, np.uint64),
        aligned_words(SLICE_WORDS),
        aligned_words(TABLE_WORDS),
        unfilled((MAX_LEVELS + 2, 5), np.uint64),
    )


def aligned_words(n_words: int) -> Words:
    """Zeros that begin at a cache line, so that no row of eight words lies across two."""
    words = np.zeros(n_words + CACHE_LINE_WORDS, np.uint64)
    skipped = -(words.ctypes.data // words.itemsize) % CACHE_LINE_WORDS
    return words[skipped : skipped + n_words]
