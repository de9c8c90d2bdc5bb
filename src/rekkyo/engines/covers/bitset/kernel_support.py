"""Rules out colours that an open item cannot give: arc consistency for coloured secondary items.

A primary item *asks* for a secondary item if all its options give that one a colour. As long as it is open,
each colour needs the support of at least one of its live options. A colour without the support of every open
item that asks is dead, and so are all options that give it:

    heights of column 2 in live options     3 4 5 6
    of the pair of columns (0, 2)           3 . 5 6
    of the pair of columns (1, 2)           . 4 5 6      so heights 3 and 4 are dead

Algorithm: AC-3 of A. K. Mackworth, "Consistency in networks of relations" (1977), on sets of askers as bits.

A look for dead colours takes as long as some dozen nodes. It saves 63 % of the nodes of Costas arrays of
order 10, and one in 500 where edges of tiles match. So the search looks only where that is expected to pay
off, by what it has met. Its nodes depend on how it is cut, because every shard begins without a past.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, WORD_SHIFT, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.covers.bitset.kernel_frame import STATE_DROPPED, STATE_LOOKED, Asks, Cursor, padded
from rekkyo.engines.covers.bitset.kernel_step import Frame
from rekkyo.jit import inlined_inner_kernel, kernel

LOOK_WORDS = np.uint64(2048)
"""A look is assumed to take as long as scanning so many words. With half or twice as many, Costas arrays of
order 10 take about as long; with 8 times as many, they take twice as long."""

MOST_NODES = np.uint64(1 << 20)
"""Below a level, so that no product overflows; assumed where no level has been finished."""

MOST_LOOKED = np.uint64(1 << 16)
"""Options of the last looks; of more, half are forgotten."""


@inlined_inner_kernel
def is_worth_looking(asks: Asks, cursor: Cursor, n_open: Word) -> Any:
    """Whether dead colours are looked for at a new level with so many open items.

    They are if that is expected to save time: the same part of the nodes below the level as the last looks
    have ruled out of the live options. The nodes below are the average of finished levels with as many open
    items.
    """
    if asks.starts.shape[0] == 0:
        return False
    n_visits = cursor.visits[n_open]
    nodes = MOST_NODES
    if n_visits != ZERO:
        nodes = min(nodes, cursor.weights[n_open] // n_visits)
    looked, dropped = cursor.state[STATE_LOOKED], cursor.state[STATE_DROPPED]
    return nodes * padded(n_open) * dropped >= LOOK_WORDS * looked


@kernel
def drop_unsupported(asks: Asks, cursor: Cursor, frame: Frame, at: Word, n_live: Word) -> bool:
    """Rule out the live options with dead colours, until there are none; whether there were any.

    frame : its live options from `at` on, in and out. n_live: how many they are.
    """
    state, n_left = cursor.state, ZERO
    _find_support(asks, frame, cursor.supported, at)
    while _has_dead_color(asks, cursor.supported):
        _drop(asks, frame, cursor.supported, at)
        _find_support(asks, frame, cursor.supported, at)
    for word in range(frame.words):
        n_left += popcount(frame.live[at + np.uint64(word)])
    if state[STATE_LOOKED] >= MOST_LOOKED:
        state[STATE_LOOKED] >>= ONE
        state[STATE_DROPPED] >>= ONE
    state[STATE_LOOKED] += n_live
    state[STATE_DROPPED] += n_live - n_left
    return bool(n_left != n_live)


@inlined_inner_kernel
def _find_support(asks: Asks, frame: Frame, supported: Words, at: Word) -> None:
    """Fill `supported`, but for colours without any live option."""
    for row in asks.classes:
        supported[row] = ZERO
    for index in range(frame.words):
        word = np.uint64(index)
        bits = frame.live[at + word]
        first = frame.origins_at + (word << WORD_SHIFT)
        while bits != ZERO:
            option = frame.origins[first + lowest_index(bits)]
            bits &= bits - ONE
            for use in range(asks.starts[option], asks.starts[option + ONE]):
                supported[asks.gives[use]] |= asks.bits[use]


@inlined_inner_kernel
def _has_dead_color(asks: Asks, supported: Words) -> bool:
    """Mark dead colours by a zero; whether there are any with some support."""
    for row in asks.items:
        supported[row] = ZERO
    for index in range(asks.classes.shape[0]):
        supported[asks.items[index]] |= supported[asks.classes[index]]
    is_any = False
    for index in range(asks.classes.shape[0]):
        row = asks.classes[index]
        if supported[row] != supported[asks.items[index]]:
            is_any |= supported[row] != ZERO
            supported[row] = ZERO
    return is_any


@inlined_inner_kernel
def _drop(asks: Asks, frame: Frame, supported: Words, at: Word) -> None:
    """Rule out live options that give a colour without support."""
    for index in range(frame.words):
        word = np.uint64(index)
        bits = frame.live[at + word]
        first = frame.origins_at + (word << WORD_SHIFT)
        while bits != ZERO:
            number = lowest_index(bits)
            bits &= bits - ONE
            option = frame.origins[first + number]
            for use in range(asks.starts[option], asks.starts[option + ONE]):
                if supported[asks.gives[use]] == ZERO:
                    frame.live[at + word] &= ~(ONE << number)
