"""The cursor of this engine, and how a solution is written down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, lowest_index
from rekkyo.jit import kernel

WORD_SHIFT = np.uint64(6)
WORD_REST = np.uint64(63)
WORD_BITS = np.uint64(64)


# Columns of Cursor.levels.
PLACE, USED, ITEM, WINDOW = 0, 1, 2, 3


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    levels : uint64[length + 1, 4]. For each depth
               PLACE   the first entry that is still to be tried,
               USED    the labels of the options chosen above,
               ITEM    the item that is covered there (not along a chart),
               WINDOW  the window over it before an option is chosen (not along a chart).
    row    : out's dtype[length + 1]. Per depth, the chosen option.
    picked : uint64[ceil(n_options / 64)]. The chosen options above the current depth as bits.
    state  : uint64[2]. The depth, and the first depth that this shard decides.
    """

    levels: Words
    row: NDArray[np.uint8]
    picked: Words
    state: Words


@kernel
def flip(picked: Words | None, option: int) -> None:
    """Note in `Cursor.picked` that an option is chosen, or no longer chosen; picked may be None."""
    if picked is not None:
        number = np.uint64(option)
        picked[number >> WORD_SHIFT] ^= ONE << (number & WORD_REST)


@kernel
def write_row(
    row: NDArray[np.uint8],
    depth: np.uint64,
    picked: Words | None,
    out: NDArray[np.uint8],
    found: int,
    filler: int,
) -> None:
    """Write the options chosen down to a depth, in increasing order, and the filler into out[found].

    row    : see `Cursor`.
    picked : see `Cursor`, as it is without the option at that depth; None: row is in increasing order.
    out    : as row [n_rows, length], out.
    """
    column = 0
    if picked is None:
        while column <= np.int64(depth):
            out[found, column] = row[column]
            column += 1
    else:
        flip(picked, row[depth])
        base = ZERO
        for index in range(picked.shape[0]):
            word = picked[index]
            while word != ZERO:
                out[found, column] = base + lowest_index(word)
                column += 1
                word &= word - ONE
            base += WORD_BITS
        flip(picked, row[depth])
    while column < out.shape[1]:
        out[found, column] = filler
        column += 1
