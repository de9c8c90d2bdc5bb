"""Room for the blocks of a search."""

from __future__ import annotations

import numpy as np

from rekkyo.engines.contract import Room, row_dtype
from rekkyo.model.row import RowShape

BLOCK_BYTES = 1 << 19
MOST_BLOCK_ROWS = 1 << 15
"""A block stays in the processor's cache, and is large enough to pay for handing it on."""


def room_for(shape: RowShape) -> Room:
    """Room for the solutions of a slice."""
    row_bytes = max(1, shape.length) * np.dtype(row_dtype(shape.n_symbols)).itemsize
    return Room.of(shape, max(1, min(MOST_BLOCK_ROWS, BLOCK_BYTES // row_bytes)))
