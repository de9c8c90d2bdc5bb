"""What an option rules out: every other live option that shares an item with it, colours considered.

Two options that give a secondary item the same colour do not clash on it, so the options ruled out on an item
are those of its row that are not in the row of the colour class:

    row of the item      1 1 0 1 1 0 1
    row of the colour    0 1 0 0 1 0 0        the zero row for a use without colour
    ruled out            1 0 0 1 0 0 1

Left out on purpose: a matrix of conflicts between all options. It costs R²/8 bytes, and joining the few rows
of an option costs little beside the scan that follows. In a narrow frame the result is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.covers.bitset.kernel_state import MAX_WIDTH, STATE_FRAME, Cursor, Tables
from rekkyo.jit import kernel

WIDTH = np.uint64(MAX_WIDTH)


@kernel
def choose_wide(
    alike: Words | None, tables: Tables, live: Words, at: np.uint64, child: np.uint64, option: np.uint64
) -> None:
    """Frame 0: live words from `child` on become those from `at` on without what the option rules out."""
    uses, rows, words = tables.uses, tables.rows, tables.shape[0]
    if at != child:
        for index in range(words):
            word = np.uint64(index)
            live[child + word] = live[at + word]
    for use in range(tables.starts[option], tables.starts[option + ONE]):
        row = uses[use] * words
        if alike is None:
            for index in range(words):
                word = np.uint64(index)
                live[child + word] &= ~rows[row + word]
        else:
            same_color = alike[use] * words
            for index in range(words):
                word = np.uint64(index)
                live[child + word] &= ~rows[row + word] | rows[same_color + word]


@kernel
def learn_conflicts(
    lanes: Any,
    alike: Words | None,
    tables: Tables,
    cursor: Cursor,
    stride: np.uint64,
    option: np.uint64,
    at: np.uint64,
) -> None:
    """Narrow frame: fill in the words from `at` on of `conflicts` with what the option rules out."""
    uses, places, table, conflicts = tables.uses, cursor.places, cursor.tables, cursor.conflicts
    places_at = cursor.state[STATE_FRAME] * tables.shape[2]
    table_at = places_at * WIDTH
    for index in range(len(lanes)):
        conflicts[at + np.uint64(index)] = ZERO
    for use in range(tables.starts[option], tables.starts[option + ONE]):
        row = table_at + places[places_at + uses[use]]
        same_color = row
        if alike is not None:
            same_color = table_at + places[places_at + alike[use]]
        for index in range(len(lanes)):
            word = np.uint64(index)
            bits = table[row + word * stride]
            if alike is not None:
                bits &= ~table[same_color + word * stride]
            conflicts[at + word] |= bits
