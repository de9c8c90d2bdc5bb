"""Compiled: the search over partitions and choices, counted or listed.

Every choice of columns and diagonals gives four squares up to turns and reflections (`kernel_bases.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, ZERO, Word, Words
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.sums.magic5.kernel_bases import MAX_SQUARES, N_SQUARES, SCRATCH_SIZE, write_squares
from rekkyo.engines.sums.magic5.kernel_columns import (
    ITS_COMPLEMENT,
    ITSELF,
    MAX_CHOICES,
    find_choices,
    keep_centre,
)
from rekkyo.engines.sums.magic5.kernel_rows import (
    LAST_NUMBER,
    N_NUMBERS,
    Rows,
    compare_transversals,
    make_rows,
    make_transversals,
    next_partition,
)
from rekkyo.engines.sums.magic5.quad import N_WORDS
from rekkyo.jit import kernel

ANY_CENTRE = np.uint64(N_NUMBERS)

# Places in `state` of a cursor.
N_CHOICES, CHOICE, N_WAITING, WAITING = range(4)
STATE_SIZE = 4


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    walk    : the partition that the search is at.
    allowed : uint64[4]. The transversals that may be diagonals.
    found   : uint64[8]. Scratch of `find_choices`.
    choices : uint64[MAX_CHOICES]. The choices of the partition.
    state   : uint64[4]. How many there are, the one after that at hand; how many squares wait, and which one
              comes next.
    waiting : uint8[MAX_SQUARES, 25]. Squares of a choice for which the block had no room.
    scratch : uint64[SCRATCH_SIZE]. Scratch of `write_squares`.
    """

    walk: Rows
    allowed: Words
    found: Words
    choices: Words
    state: Words
    waiting: NDArray[np.uint8]
    scratch: Words


def make_cursor(pairs: tuple[int, ...], n_five_sets: int) -> Cursor:
    """A cursor before the first partition of some pairs: (the first, the one after the last)."""
    return Cursor(
        make_rows(pairs, n_five_sets),
        np.zeros(N_WORDS, dtype=np.uint64),
        np.zeros(2 * N_WORDS, dtype=np.uint64),
        unfilled(MAX_CHOICES, np.uint64),
        np.zeros(STATE_SIZE, dtype=np.uint64),
        np.zeros((MAX_SQUARES, N_NUMBERS), dtype=np.uint8),
        np.zeros(SCRATCH_SIZE, dtype=np.uint64),
    )


@kernel
def count_squares(pairs: Words, five_sets: Words, centre: Word, cursor: Cursor) -> Any:
    """Count the squares of all partitions that are left, up to turns and reflections: (count, partitions).

    pairs, five_sets : as in `next_partition`. centre: the number at the centre, from 0, or ANY_CENTRE.
    """
    choices = cursor.choices
    count = ZERO
    n_partitions = ZERO
    while next_partition(pairs, five_sets, cursor.walk):
        n_partitions += ONE
        for index in range(_choices_here(centre, cursor)):
            count += np.uint64(choices[index] & ITSELF != ZERO)
            count += np.uint64(choices[index] & ITS_COMPLEMENT != ZERO)
    return count * np.uint64(N_SQUARES), n_partitions


@kernel
def list_squares(
    pairs: Words,
    five_sets: Words,
    centre: Word,
    n_images: Word,
    cursor: Cursor,
    out: NDArray[np.uint8],
    budget: int,
) -> Any:
    """Search on from the cursor; returns (status, found, partitions).

    pairs, five_sets, centre : as in `count_squares`.
    n_images  : 8 for all images of every square, 1 for the least one.
    out       : uint8[n_rows, 25], out. Numbers from 0; n_rows >= 1.
    """
    state, choices, waiting, scratch = cursor.state, cursor.choices, cursor.waiting, cursor.scratch
    numbers = cursor.walk.numbers
    n_partitions = 0
    n_rows = ZERO
    room = np.uint64(out.shape[0])
    while True:
        while state[WAITING] < state[N_WAITING]:
            if n_rows == room:
                return BUFFER_FULL, n_rows, n_partitions
            for cell in range(N_NUMBERS):
                out[n_rows, cell] = waiting[state[WAITING], cell]
            state[WAITING] += ONE
            n_rows += ONE
        if state[CHOICE] < state[N_CHOICES]:
            first = state[CHOICE]
            stop = min(state[N_CHOICES], first + (room - n_rows) // np.uint64(MAX_SQUARES))
            if stop > first:
                n_rows = write_squares(numbers, choices, first, stop, n_images, scratch, out, n_rows)
            else:
                stop = first + ONE
                n_waiting = write_squares(numbers, choices, first, stop, n_images, scratch, waiting, ZERO)
                state[WAITING], state[N_WAITING] = ZERO, n_waiting
            state[CHOICE] = stop
        elif n_partitions >= budget:
            return OUT_OF_BUDGET, n_rows, n_partitions
        elif next_partition(pairs, five_sets, cursor.walk):
            n_partitions += 1
            state[CHOICE] = ZERO
            state[N_CHOICES] = _choices_here(centre, cursor)
        else:
            return DONE, n_rows, n_partitions


@kernel
def _choices_here(centre: Word, cursor: Cursor) -> Word:
    """Find the choices of the partition that the walk is at; how many they are."""
    walk, allowed = cursor.walk, cursor.allowed
    n_transversals = make_transversals(walk)
    if n_transversals == ZERO:
        return ZERO
    for word in range(N_WORDS):
        allowed[word] = ~ZERO
        if centre != ANY_CENTRE:
            mirrored = LAST_NUMBER - centre
            allowed[word] = walk.holding[N_WORDS * centre + word] | walk.holding[N_WORDS * mirrored + word]
    compare_transversals(walk, n_transversals)
    n_choices = find_choices(walk, n_transversals, allowed, cursor.found, cursor.choices)
    if centre == ANY_CENTRE:
        return n_choices
    return keep_centre(walk.numbers, cursor.choices, n_choices, centre)
