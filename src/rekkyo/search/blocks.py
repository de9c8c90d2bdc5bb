"""Blocks: the rows that one slice of a search finds, and the room for them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from rekkyo.engines.contract import Advance, Rows, row_dtype
from rekkyo.model.row import RowShape

Block: TypeAlias = tuple[Rows, Advance]
"""The solutions of a slice of the search, and what the engine says of the slice."""

BLOCK_BYTES = 1 << 19
MOST_BLOCK_ROWS = 1 << 15
"""A block stays in the processor's cache, and is large enough to pay for handing it on."""


def empty_block(shape: RowShape) -> Rows:
    """uint8[n_rows, length], or a wider type where symbols need it."""
    dtype = np.dtype(row_dtype(shape.n_symbols))
    n_rows = max(1, min(MOST_BLOCK_ROWS, BLOCK_BYTES // (max(1, shape.length) * dtype.itemsize)))
    return np.empty((n_rows, shape.length), dtype=dtype)


def own_block(out: Rows, advance: Advance) -> Block:
    """Copy what a slice found, so that the next slice cannot overwrite it.

    An engine may reuse `out` and the array behind `advance.stabilizers`; a block that is kept for later
    would otherwise hold the rows of one slice beside the stabilizers of another.
    """
    if advance.stabilizers is not None:
        advance = advance._replace(stabilizers=advance.stabilizers.copy())
    return out[: advance.found].copy(), advance
