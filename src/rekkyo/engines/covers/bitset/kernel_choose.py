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
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO
from rekkyo.jit import kernel


@kernel
def choose_wide(
    alike: NDArray[np.uint64] | None,
    starts: NDArray[np.uint64],
    uses: NDArray[np.uint64],
    rows: NDArray[np.uint64],
    words: np.uint64,
    live: NDArray[np.uint64],
    at: np.uint64,
    child: np.uint64,
    option: np.uint64,
) -> None:
    """Frame 0: live words from `child` on become those from `at` on without what the option rules out."""
    if at != child:
        for index in range(words):
            word = np.uint64(index)
            live[child + word] = live[at + word]
    for use in range(starts[option], starts[option + ONE]):
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
    alike: NDArray[np.uint64] | None,
    starts: NDArray[np.uint64],
    uses: NDArray[np.uint64],
    option: np.uint64,
    places: NDArray[np.uint64],
    places_at: np.uint64,
    table: NDArray[np.uint64],
    table_at: np.uint64,
    stride: np.uint64,
    conflicts: NDArray[np.uint64],
    at: np.uint64,
) -> None:
    """Narrow frame: fill in the words from `at` on of `conflicts` with what the option rules out."""
    for index in range(len(lanes)):
        conflicts[at + np.uint64(index)] = ZERO
    for use in range(starts[option], starts[option + ONE]):
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
