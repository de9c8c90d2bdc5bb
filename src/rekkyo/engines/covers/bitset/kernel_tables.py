"""Compiled filling of the tables of a model. With NumPy it took as long as a thousand nodes of a search."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import BIT_MASK, ONE, WORD_SHIFT, ZERO, Words
from rekkyo.engines.covers.bitset.kernel_frame import Tables
from rekkyo.jit import kernel

Pairs: TypeAlias = NDArray[np.intc]
"""intc[n_uses, 2]: the item and the colour of each use, option by option."""

Sizes: TypeAlias = NDArray[np.intc]
"""intc[n_options]: the uses of each option."""


@kernel
def fill_classes(
    pairs: Pairs,
    n_primary: int,
    n_colors: int,
    first_row: int,
    n_ruling: int,
    row_of: Words,
    alike: Words,
) -> int:
    """Number the rows of colour classes from first_row on, by item and colour, and fill `Tables.alike`.

    n_ruling : the rows of a pivot, between those of the classes and the zero row.
    row_of : uint64[...], all zero before, out.  The row of colour c of secondary item s, counted from 0, at
             s * n_colors + c - 1.
    Returns the number of classes.
    """
    end = first_row
    for use in range(pairs.shape[0]):
        item, color = pairs[use, 0], pairs[use, 1]
        if color != 0:
            row_of[(item - n_primary) * n_colors + color - 1] = ONE
    for place in range(row_of.shape[0]):
        if row_of[place] != ZERO:
            row_of[place] = np.uint64(end)
            end += 1
    for use in range(pairs.shape[0]):
        item, color = pairs[use, 0], pairs[use, 1]
        alike[use] = np.uint64(end + n_ruling)
        if color != 0:
            alike[use] = row_of[(item - n_primary) * n_colors + color - 1]
    return end - first_row


@kernel
def fill_tables(sizes: Sizes, pairs: Pairs, n_primary: int, tables: Tables) -> None:
    """Fill all tables but `alike`, `same`, `shape` and `asks`.

    tables : in/out.  `alike` and `shape` are filled, `rows`, `table` and `sizes` all zero.
    """
    words, n_scan, uncolored = tables.shape[0], tables.shape[1], tables.shape[2] - ONE
    has_colors, behind = tables.alike.shape[0] > 0, n_scan - np.uint64(n_primary)
    use = ZERO
    for number in range(sizes.shape[0]):
        option = np.uint64(number)
        word, bit = option >> WORD_SHIFT, ONE << (option & BIT_MASK)
        tables.starts[option] = use
        for _ in range(sizes[number]):
            row = np.uint64(pairs[use, 0])
            if pairs[use, 0] < n_primary:
                tables.sizes[option] += ONE
                tables.table[word * n_scan + row] |= bit
            else:
                row += behind
            tables.uses[use] = row
            tables.rows[row * words + word] |= bit
            if has_colors and tables.alike[use] != uncolored:
                tables.rows[tables.alike[use] * words + word] |= bit
            use += ONE
    tables.starts[sizes.shape[0]] = use
