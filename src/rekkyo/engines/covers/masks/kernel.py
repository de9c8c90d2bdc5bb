"""Compiled search for exact covers in a fixed order of the items, with a sliding window of one word.

Algorithm: the lowest uncovered item is covered next, by one of the options whose lowest item it is. These are
in a list, in increasing order. An option reaches at most 62 items far, so the covered items beyond the lowest
uncovered one fit in one word for any number of items. Source: the usual way to fill a board, as in
D. S. Scott, "Programming a combinatorial puzzle" (1958), and J. G. Fletcher, CACM 8 (1965).

The window, for the lowest uncovered item i (bit k: item i + k is covered; bit 0 is clear, bit 63 never set):

    bit   63    | 62 … 2 1 0
          empty | i+62 … i+2 i+1 i

The lists of masks follow each other, for item 0, 1, 2, …. Each list ends with a mask of 0, which always fits:

    masks | mask mask mask 0 | mask 0 | 0 | mask mask 0 | …
            starts[0]          starts[1] starts[2]

Items that spread over the whole order, such as the names of pieces, are not in the window but are *labels*:
each is one bit of a second word. The search never branches on them.

The kernel tests masks, or it follows a chart (see `chart`), on which only labels can conflict.
Left out on purpose: secondary items, colours, bounds, and windows of several words (fillings that need them
are three-dimensional, and there a fixed order is slower than choosing the item with the fewest ways).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import BIT_MASK, ONE, WORD_BITS, WORD_SHIFT, ZERO, Word, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inner_kernel, kernel

# Columns of Cursor.levels.
PLACE, USED, ITEM, WINDOW = 0, 1, 2, 3


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    levels : uint64[length + 1, 4]. For each depth
               PLACE   the first entry that is still to be tried,
               USED    the labels of the options chosen above,
               ITEM    the item that is covered there (not used with a chart),
               WINDOW  the window over it before an option is chosen (not used with a chart).
    row    : out's dtype[length + 1]. The option chosen at each depth.
    picked : uint64[ceil(n_options / 64)]. The chosen options above the current depth as bits.
    state  : uint64[2]. The depth, and the first depth that this shard decides.
    """

    levels: Words
    row: NDArray[np.uint8]
    picked: Words
    state: Words


@inner_kernel
def flip(picked: Words | None, option: int) -> None:
    """Flip the bit of an option in `Cursor.picked`. Do nothing if picked is None."""
    if picked is not None:
        number = np.uint64(option)
        picked[number >> WORD_SHIFT] ^= ONE << (number & BIT_MASK)


@inner_kernel
def write_row(
    row: NDArray[np.uint8], depth: Word, picked: Words | None, out: NDArray[np.uint8], found: int, filler: int
) -> None:
    """Write the options chosen up to a depth, in increasing order, and then the filler into out[found].

    row    : see `Cursor`.
    picked : see `Cursor`, without the option at that depth; None if row is in increasing order.
    out    : row's dtype [n_rows, length], out.
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


NO_MORE = np.uint64((1 << 63) + 1)
SOLVED = np.uint64(1 << 63)


# Columns of the entries of a list or a chart.
MOVE, OPTION, LABELS = 0, 1, 2


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop, for speed
    starts: Words | None,
    entries: Words,
    all_labels: Word | None,
    picked: Words | None,
    cursor: Cursor,
    out: NDArray[np.uint8],
    filler: int,
    budget: int,
) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is an option chosen.

    Numba compiles versions for starts, all_labels and picked being None or not. One function, because with
    the loops that skip entries in another one, inlined, dominoes 6 8 took 1.8 % more instructions.

    starts     : uint64[n_items + 1], in. The place of the list of each item of the order; None for a chart.
    entries    : uint64[n_entries, 3], in. MOVE in a list: the items of an option relative to its lowest one,
                 0 at the end of the list. MOVE in a chart: the place of the next list, SOLVED if all items
                 are covered, NO_MORE at the end. OPTION: its number. LABELS: its labels as bits.
    all_labels : the bits of all labels, or None if there are no labels.
    picked     : `cursor.picked`, or None if options are chosen in increasing order.
    out        : uint8 | uint16 | uint32 [n_rows, length], out. Options in increasing order, then the filler.
    """
    levels, row, _, state = cursor
    depth = state[0]
    place, used = levels[depth, PLACE], levels[depth, USED]
    item, window = levels[depth, ITEM], levels[depth, WINDOW]
    n_items, end = ZERO, NO_MORE
    if starts is not None:
        n_items, end = np.uint64(starts.shape[0] - 1), ZERO
    status = OUT_OF_BUDGET
    found = nodes = 0
    while nodes < budget:
        if starts is None:
            if all_labels is not None:
                while entries[place, LABELS] & used != ZERO:
                    place += ONE
        elif all_labels is None:
            while entries[place, MOVE] & window != ZERO:
                place += ONE
        else:
            while (entries[place, MOVE] & window) | (entries[place, LABELS] & used) != ZERO:
                place += ONE
        move = entries[place, MOVE]
        if move == end:
            if depth == state[1]:
                status = DONE
                break
            depth -= ONE
            place, used = levels[depth, PLACE], levels[depth, USED]
            if starts is not None:
                item, window = levels[depth, ITEM], levels[depth, WINDOW]
            flip(picked, row[depth])
            continue
        nodes += 1
        row[depth] = entries[place, OPTION]
        used_below = used
        if all_labels is not None:
            used_below = used | entries[place, LABELS]
        place += ONE
        is_solved = move == SOLVED
        covered, step = ZERO, ZERO
        if starts is not None:
            covered = window | move
            step = lowest_index(~covered)
            is_solved = item + step == n_items
        if is_solved:
            if all_labels is not None and used_below != all_labels:
                continue
            write_row(row, depth, picked, out, found, filler)
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        flip(picked, row[depth])
        levels[depth, PLACE] = place
        depth += ONE
        place, used = move, used_below
        levels[depth, USED] = used
        if starts is not None:
            item += step
            window, place = covered >> step, starts[item]
            levels[depth, ITEM], levels[depth, WINDOW] = item, window
    levels[depth, PLACE] = place
    state[0] = depth
    return status, found, nodes
