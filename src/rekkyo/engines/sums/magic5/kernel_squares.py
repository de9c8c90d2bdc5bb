"""Compiled: the search over partitions and choices, counted or listed.

A choice of rows, columns and diagonals gives four squares that no turn or reflection takes into each other:
of the two pairs of columns that the diagonals make opposite, either may be the outer one, and the inner pair
may stand either way round. The rows follow: where the first diagonal meets the columns. So there is one
*base* square for each choice, and every square is one of 4 x 8 fixed rearrangements of it (`rearranged.py`).
The least of the eight images of a square has its least corner at the top left, and there the number to the
right is less than that below.

Five numbers are packed into one word, a byte each, lowest byte first: of a column from the top row of the
partition down, of a row of the base from left to right. The packed fifth column is 60 in each byte minus the
four others, the complement of a row 24 in each byte minus the row: no byte borrows from the next.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, TWO, ZERO, Word, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.engines.sums.magic5.kernel_columns import (
    ITS_COMPLEMENT,
    ITSELF,
    MAX_CHOICES,
    find_choices,
    keep_centre,
)
from rekkyo.engines.sums.magic5.kernel_rows import (
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
from rekkyo.engines.sums.magic5.quad import N_WORDS, quad_of
from rekkyo.engines.sums.magic5.rearranged import MOVES, PLACES, TURNED, turned, write_square
from rekkyo.jit import inner_kernel, kernel

Packed: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
"""Five packed rows."""

N_SQUARES = len(PLACES)
N_TURNS = len(TURNED)
N_IMAGES = len(PLACES) * len(MOVES)
"""All images of the four squares of one base."""

MAX_SQUARES = 2 * N_IMAGES
"""A choice stands for a base, its complement, or both."""

# Where in the scratch array the columns are, and eight times the row in which each meets a diagonal.
COLUMN, FALLING, RISING = (np.uint64(start) for start in (0, 8, 16))
SCRATCH_SIZE = 24

THREE = np.uint64(3)
PACKED_SUMS = np.uint64(0x3C3C3C3C3C)
PACKED_LAST = np.uint64(0x1818181818)
PACKED_ONES = np.uint64(0x0101010101)
PACKED_TOP = np.uint64(1 << 40)  # so that nothing is borrowed from beyond the five bytes
PACKED_HIGHS = np.uint64(0x8080808080)

# How far to shift a packed row for its numbers in two columns.
OUTER = (np.uint64(0), np.uint64(32))
INNER = (np.uint64(8), np.uint64(24))


@inner_kernel
def write_squares(
    numbers: Words,
    choices: Words,
    first: Word,
    stop: Word,
    n_images: Word,
    scratch: Words,
    out: NDArray[np.uint8],
    row: Word,
) -> Word:
    """Write the squares of some choices from a row on; returns the row after the last.

    numbers, choices : as in `kernel_columns`.   first, stop : which choices; stop is exclusive.
    n_images : 8 for all images of every square, 1 for the least.
    scratch  : uint64[SCRATCH_SIZE].
    out      : uint8[n_rows, 25], out, with room for MAX_SQUARES for every choice.
    """
    for index in range(first, stop):
        choice = choices[index]
        base = _base_rows(numbers, choice, scratch)
        if choice & ITSELF:
            row = _write_base(base, n_images, out, row)
        if choice & ITS_COMPLEMENT:
            row = _write_base(_complements(base), n_images, out, row)
    return row


@inner_kernel
def _base_rows(numbers: Words, choice: Word, scratch: Words) -> Packed:
    """The five packed rows of the base square of a choice.

    Columns are put into the order outer, inner, middle, opposite the inner, opposite the outer one. In each,
    the row of a diagonal is the zero byte of column ^ diagonal.
    """
    falling = numbers[choice >> np.uint64(32) & BYTE]
    rising = numbers[choice >> np.uint64(40) & BYTE]
    scratch[COLUMN | np.uint64(4)] = PACKED_SUMS
    column_in_row = ZERO
    middle = ZERO
    for column in range(np.uint64(N)):
        if column < np.uint64(N - 1):
            scratch[COLUMN | column] = numbers[choice >> (column << THREE) & BYTE]
            scratch[COLUMN | np.uint64(4)] -= scratch[COLUMN | column]
        falling_row = _zero_byte(scratch[COLUMN | column] ^ falling)
        rising_row = _zero_byte(scratch[COLUMN | column] ^ rising)
        scratch[FALLING | column] = falling_row
        scratch[RISING | column] = rising_row
        column_in_row |= column << falling_row
        if falling_row == rising_row:
            middle = np.uint64(column)
    outer = np.uint64(middle == ZERO)
    last = column_in_row >> scratch[RISING | outer] & BYTE
    inner = lowest_index(np.uint64(31) & ~(ONE << middle | ONE << outer | ONE << last))
    bottom = column_in_row >> scratch[RISING | inner] & BYTE
    order = (outer, inner, middle, bottom, last)
    return (
        _base_row(scratch, order, outer),
        _base_row(scratch, order, inner),
        _base_row(scratch, order, middle),
        _base_row(scratch, order, bottom),
        _base_row(scratch, order, last),
    )


@inner_kernel
def _base_row(scratch: Words, order: Any, crossed: Word) -> Word:
    """The row in which the first diagonal meets a column."""
    shift = scratch[FALLING | crossed]
    row = ZERO
    for place in range(N):
        row |= (scratch[COLUMN | order[place]] >> shift & BYTE) << np.uint64(8 * place)
    return row


@inner_kernel
def _zero_byte(word: Word) -> Word:
    """Where the lowest zero byte of a word of five starts; there must be one."""
    return lowest_index((word + PACKED_TOP - PACKED_ONES) & ~word & PACKED_HIGHS) - np.uint64(7)


@inner_kernel
def _complements(rows: Packed) -> Packed:
    row0, row1, row2, row3, row4 = rows
    return (
        PACKED_LAST - row0,
        PACKED_LAST - row1,
        PACKED_LAST - row2,
        PACKED_LAST - row3,
        PACKED_LAST - row4,
    )


@inner_kernel
def _packed(rows: Packed) -> Any:
    """Five packed rows as one quad, see `rearranged.py`."""
    row0, row1, row2, row3, row4 = rows
    return quad_of(
        row0 | row1 << np.uint64(40),
        row1 >> np.uint64(24) | row2 << np.uint64(16) | row3 << np.uint64(56),
        row3 >> np.uint64(8) | row4 << np.uint64(32),
        row4 >> np.uint64(32),
    )


@inner_kernel
def _write_base(base: Packed, n_images: Word, out: NDArray[np.uint8], row: Word) -> Word:
    """Write the four squares of one base, or all their images; returns the row after the last."""
    quad = _packed(base)
    if n_images > ONE:
        for turn in range(np.uint64(N_TURNS)):
            at_hand = turned(quad, np.uint64(turn) >> ONE, np.uint64(turn) & ONE)
            for square in range(np.uint64(N_SQUARES)):
                write_square(at_hand, np.uint64(square), ZERO, out, row)
                write_square(at_hand, np.uint64(square), ONE, out, row + ONE)
                row += TWO
        return row
    row0, row1, _, row3, row4 = base
    _write_two(quad, ZERO, (row0, row4, row1, row3), OUTER, INNER, out, row)
    _write_two(quad, TWO, (row1, row3, row0, row4), INNER, OUTER, out, row + TWO)
    return row + np.uint64(N_SQUARES)


@inner_kernel
def _write_two(
    quad: Any,
    square: Word,
    rows: tuple[Word, Word, Word, Word],
    corners: tuple[Word, Word],
    sides: tuple[Word, Word],
    out: NDArray[np.uint8],
    row: Word,
) -> None:
    """Write the least images of the two squares with the same corners.

    square  : the first of the two.
    rows    : of the base, those with the corners, and the two that come next to them: in the first square the
              upper one beside the upper one, in the second the other way round.
    corners : how far to shift a row for its number in the columns of the corners; sides: in the other two.
    """
    top, bottom, near, far = rows
    left, right = corners
    near_side, far_side = sides
    least = min(
        (top >> left & BYTE) << TWO,
        (top >> right & BYTE) << TWO | ONE,
        (bottom >> left & BYTE) << TWO | TWO,
        (bottom >> right & BYTE) << TWO | THREE,
    )
    is_flipped, is_mirrored = least >> ONE & ONE, least & ONE
    top = bottom if is_flipped else top
    above, below = (far, near) if is_flipped else (near, far)
    corner = right if is_mirrored else left
    near_side, far_side = (far_side, near_side) if is_mirrored else (near_side, far_side)
    quad = turned(quad, is_flipped, is_mirrored)
    is_transposed = np.uint64((top >> near_side & BYTE) > (above >> corner & BYTE))
    write_square(quad, square, is_transposed, out, row)
    is_transposed = np.uint64((top >> far_side & BYTE) > (below >> corner & BYTE))
    write_square(quad, square + ONE, is_transposed, out, row + ONE)


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
    state   : uint64[4]. How many there are, and the next one; how many squares wait, and which one
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


@inner_kernel
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
