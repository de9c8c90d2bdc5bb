"""Rules out colours that an open item cannot give: arc consistency for coloured secondary items.

A primary item *asks* for a secondary item if all its options give that one a colour. As long as it is open,
each colour needs the support of at least one of its live options. A colour without the support of every open
item that asks is dead, and so are all options that give it:

    heights of column 2 in live options     3 4 5 6
    of the pair of columns (0, 2)           3 . 5 6
    of the pair of columns (1, 2)           . 4 5 6      so heights 3 and 4 are dead

Algorithm: AC-3 of A. K. Mackworth, "Consistency in networks of relations" (1977), on sets of askers as bits.

This check takes as long as some dozen nodes. So it is made only for secondary items with three askers or
more, and only before new levels with many open items, see `asks.py`. It does not depend on what the search
has found before, because a search takes the same decisions however it is cut. A search that checked only
where earlier checks had saved more nodes than they cost was not faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, WORD_SHIFT, ZERO, Word, Words, lowest_index
from rekkyo.engines.covers.bitset.kernel_frame import Asks
from rekkyo.jit import inlined_inner_kernel, kernel


@inlined_inner_kernel
def is_worth_looking(asks: Asks, n_open: Word) -> Any:
    """Whether dead colours are looked for before a new level with `n_open` open items."""
    return n_open >= asks.least_open[0]


@kernel
def drop_unsupported(
    asks: Asks, live: Words, at: Word, words: Word, origins: Words, origins_at: Word, supported: Words
) -> bool:
    """Rule out the live options with dead colours, until there are none; whether there were any.

    live      : uint64[...], in and out. The live options of a frame are its `words` words from `at` on.
    origins   : uint64[...], in.         The number in the model of option i of the frame at origins_at + i.
    supported : uint64[n_rows], scratch. By rows of frame 0, for a secondary item: the open items that ask for
                it, a bit for each; for a colour class: those of them that can give it this colour.
    """
    has_dropped = False
    _find_support(asks, live, at, words, origins, origins_at, supported)
    while _has_dead_color(asks, supported):
        _drop(asks, live, at, words, origins, origins_at, supported)
        _find_support(asks, live, at, words, origins, origins_at, supported)
        has_dropped = True
    return has_dropped


@inlined_inner_kernel
def _find_support(
    asks: Asks, live: Words, at: Word, words: Word, origins: Words, origins_at: Word, supported: Words
) -> None:
    """Fill `supported` for all colours; a colour without a live option has 0."""
    for row in asks.classes:
        supported[row] = ZERO
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        first = origins_at + (word << WORD_SHIFT)
        while bits != ZERO:
            option = origins[first + lowest_index(bits)]
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
def _drop(
    asks: Asks, live: Words, at: Word, words: Word, origins: Words, origins_at: Word, supported: Words
) -> None:
    """Rule out live options that give a colour without support."""
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        first = origins_at + (word << WORD_SHIFT)
        while bits != ZERO:
            number = lowest_index(bits)
            bits &= bits - ONE
            option = origins[first + number]
            for use in range(asks.starts[option], asks.starts[option + ONE]):
                if supported[asks.gives[use]] == ZERO:
                    live[at + word] &= ~(ONE << number)
