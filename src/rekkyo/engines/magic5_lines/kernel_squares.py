"""Compiled: from choices of columns and diagonals to counts, or to the squares themselves.

A choice gives four squares that no turn or reflection takes into each other: of the two pairs of columns that
the diagonals make opposite, either may be the outer one, and the inner pair may stand either way round. The
rows follow: where the first diagonal meets the columns. So there is one *base* square for each choice, and
every square is one of 4 x 8 fixed rearrangements of it, the *templates*. The least of the eight images of
a square has its least corner at the top left, and there the number to the right is less than the one below.

Five numbers of a row or column are packed into one word, a byte each. The packed fifth column is 60 in each
byte minus the four others: no byte borrows from the next.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.contract import Status
from rekkyo.engines.magic5_lines.kernel_columns import (
    ITS_COMPLEMENT,
    ITSELF,
    MAX_CHOICES,
    find_choices,
    keep_centre,
)
from rekkyo.engines.magic5_lines.kernel_rows import (
    BYTE,
    LAST_NUMBER,
    N_NUMBERS,
    N,
    Rows,
    compare_transversals,
    make_rows,
    make_transversals,
    next_partition,
)
from rekkyo.engines.magic5_lines.quad import N_WORDS
from rekkyo.jit import kernel

DONE = int(Status.DONE)
OUT_OF_BUDGET = int(Status.OUT_OF_BUDGET)
BUFFER_FULL = int(Status.BUFFER_FULL)

TWO = np.uint64(2)
THREE = np.uint64(3)
ANY_CENTRE = np.uint64(N_NUMBERS)
N_SQUARES = 4
"""Squares that one choice gives, up to turns and reflections."""

N_TURNS = 8
PACKED_SUMS = np.uint64(0x3C3C3C3C3C)
PACKED_ONES = np.uint64(0x0101010101)
PACKED_TOP = np.uint64(1 << 40)  # so that nothing is borrowed from beyond the five bytes
PACKED_HIGHS = np.uint64(0x8080808080)

# Places in `state` of a cursor.
N_CHOICES, CHOICE, NEXT_SQUARE, END_SQUARE = range(4)
STATE_SIZE = 4


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    walk    : the partition that the search is at.
    allowed : uint64[4]. The transversals that may be diagonals.
    found   : uint64[8]. Scratch of `find_choices`.
    choices : uint64[MAX_CHOICES]. The choices of the partition.
    state   : uint64[4]. How many there are, the one after that at hand, and which of the squares made of the
              one at hand comes next and which is the end.
    bases   : uint8[2, 25]. The base square of the choice at hand, and its complement.
    """

    walk: Rows
    allowed: NDArray[np.uint64]
    found: NDArray[np.uint64]
    choices: NDArray[np.uint64]
    state: NDArray[np.uint64]
    bases: NDArray[np.uint8]


def make_cursor(pairs: tuple[int, ...], n_five_sets: int) -> Cursor:
    """A cursor before the first partition of some pairs: (the first, the one after the last)."""
    return Cursor(
        make_rows(pairs, n_five_sets),
        np.zeros(N_WORDS, dtype=np.uint64),
        np.zeros(2 * N_WORDS, dtype=np.uint64),
        np.zeros(MAX_CHOICES, dtype=np.uint64),
        np.zeros(STATE_SIZE, dtype=np.uint64),
        np.zeros((2, N_NUMBERS), dtype=np.uint8),
    )


@kernel
def count_squares(
    pairs: NDArray[np.uint64], five_sets: NDArray[np.uint64], centre: np.uint64, cursor: Cursor
) -> Any:
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
    pairs: NDArray[np.uint64],
    five_sets: NDArray[np.uint64],
    centre: np.uint64,
    templates: NDArray[np.uint8],
    n_images: np.uint64,
    cursor: Cursor,
    out: NDArray[np.uint8],
    budget: int,
) -> Any:
    """Search on from the cursor; returns (status, found, partitions).

    pairs, five_sets, centre : as in `count_squares`.
    templates : uint8[32, 25], in. For each of four squares its eight images: for every cell the cell of the
                base square that its number comes from. Images in the order of `plan.MOVES`.
    n_images  : 8 for all images of every square, 1 for the least one.
    out       : uint8[n_rows, 25], out. Numbers from 0; n_rows >= 1.

    `state[NEXT_SQUARE]` counts the squares of a choice: n_images for each of four for each of two bases.
    """
    state, choices, bases = cursor.state, cursor.choices, cursor.bases
    per_base = np.uint64(N_SQUARES) * n_images
    n_partitions = 0
    n_rows = 0
    while True:
        while state[NEXT_SQUARE] < state[END_SQUARE]:
            if n_rows == out.shape[0]:
                return BUFFER_FULL, n_rows, n_partitions
            number = state[NEXT_SQUARE]
            state[NEXT_SQUARE] += ONE
            base = np.uint64(number >= per_base)
            number -= base * per_base
            template = number if n_images > ONE else _least_image(bases[base], templates, number)
            for cell in range(N_NUMBERS):
                out[n_rows, cell] = bases[base, templates[template, cell]]
            n_rows += 1
        if state[CHOICE] < state[N_CHOICES]:
            choice = choices[state[CHOICE]]
            state[CHOICE] += ONE
            _make_bases(cursor.walk.numbers, choice, bases)
            state[NEXT_SQUARE] = ZERO if choice & ITSELF else per_base
            state[END_SQUARE] = TWO * per_base if choice & ITS_COMPLEMENT else per_base
        elif n_partitions >= budget:
            return OUT_OF_BUDGET, n_rows, n_partitions
        elif next_partition(pairs, five_sets, cursor.walk):
            n_partitions += 1
            state[CHOICE] = ZERO
            state[N_CHOICES] = _choices_here(centre, cursor)
        else:
            return DONE, n_rows, n_partitions


@kernel
def _choices_here(centre: np.uint64, cursor: Cursor) -> np.uint64:
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
    compare_transversals(walk.numbers, walk.holding, n_transversals, walk.once, walk.apart)
    n_choices = find_choices(
        walk.state,
        walk.rows,
        walk.numbers,
        walk.holding,
        walk.once,
        walk.apart,
        n_transversals,
        allowed,
        cursor.found,
        cursor.choices,
    )
    if centre == ANY_CENTRE:
        return n_choices
    return keep_centre(walk.numbers, cursor.choices, n_choices, centre)


@kernel
def _make_bases(numbers: NDArray[np.uint64], choice: np.uint64, bases: NDArray[np.uint8]) -> None:
    """Write the base square of a choice, and its complement.

    Columns are put into the order outer, inner, middle, opposite the inner, opposite the outer one. In each,
    the row of a diagonal is the zero byte of column ^ diagonal.
    """
    falling = numbers[choice >> np.uint64(32) & BYTE]
    rising = numbers[choice >> np.uint64(40) & BYTE]
    columns = np.empty(N, dtype=np.uint64)
    falling_rows = np.empty(N, dtype=np.uint64)  # eight times the row, to shift by
    rising_rows = np.empty(N, dtype=np.uint64)
    columns[4] = PACKED_SUMS
    column_in_row = ZERO
    middle = ZERO
    for column in range(np.uint64(N)):
        if column < np.uint64(N - 1):
            columns[column] = numbers[choice >> (column << THREE) & BYTE]
            columns[4] -= columns[column]
        falling_rows[column] = _zero_byte(columns[column] ^ falling)
        rising_rows[column] = _zero_byte(columns[column] ^ rising)
        column_in_row |= column << falling_rows[column]
        if falling_rows[column] == rising_rows[column]:
            middle = np.uint64(column)
    outer = np.uint64(middle == ZERO)
    last = column_in_row >> rising_rows[outer] & BYTE
    inner = lowest_index(np.uint64(31) & ~(ONE << middle | ONE << outer | ONE << last))
    bottom = column_in_row >> rising_rows[inner] & BYTE
    order = (outer, inner, middle, bottom, last)
    cell = 0
    for row in range(N):
        shift = falling_rows[order[row]]
        for column_place in range(N):
            number = columns[order[column_place]] >> shift & BYTE
            bases[0, cell] = number
            bases[1, cell] = LAST_NUMBER - number
            cell += 1


@kernel
def _zero_byte(word: np.uint64) -> np.uint64:
    """Where the lowest zero byte of a word of five starts; there must be one."""
    return lowest_index((word + PACKED_TOP - PACKED_ONES) & ~word & PACKED_HIGHS) - np.uint64(7)


@kernel
def _least_image(base: NDArray[np.uint8], templates: NDArray[np.uint8], square: np.uint64) -> np.uint64:
    """Which template turns this one of the four squares into the least of its images."""
    upright = square * np.uint64(N_TURNS)
    least = ~ZERO
    for turn in range(np.uint64(N_TURNS // 2)):
        least = min(least, np.uint64(base[templates[upright + turn, 0]]) << TWO | turn)
    template = upright + (least & THREE)
    is_transposed = base[templates[template, 1]] > base[templates[template, N]]
    return template + np.uint64(N_TURNS // 2) * np.uint64(is_transposed)
