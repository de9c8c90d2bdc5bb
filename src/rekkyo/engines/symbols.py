"""Compiled: rows of values as rows of symbols, one byte each. Source: definition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.jit import kernel


@kernel
def write_symbols(rows: NDArray[Any], symbols: NDArray[np.uint8], text: NDArray[np.uint8]) -> None:
    """Put the symbol of every value into its place.

    rows : uint[n_rows, length], in.   symbols : uint8[n_values], in.
    text : uint8[n_rows, length or more], out.
    """
    for index in range(rows.shape[0]):
        for position in range(rows.shape[1]):
            text[index, position] = symbols[rows[index, position]]
