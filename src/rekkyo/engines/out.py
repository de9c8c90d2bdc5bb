"""The arrays into which kernels write rows, one for each type of number.

Numba compiles a kernel once for each type of its arguments, and once for all rows if they are in this tuple.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Rows
from rekkyo.jit import inlined_inner_kernel


class Out(NamedTuple):
    """The array [n_rows, length] in which rows are written; those of other types are empty."""

    rows8: NDArray[np.uint8]
    rows16: NDArray[np.uint16]
    rows32: NDArray[np.uint32]


NO_ROWS = tuple(np.zeros((0, 0), dtype=dtype) for dtype in (np.uint8, np.uint16, np.uint32))


def out_of(rows: Rows) -> Out:
    """Rows of any type as an `Out`."""
    return Out(*(rows if rows.dtype == none.dtype else none for none in NO_ROWS))


@inlined_inner_kernel
def n_rows_of(out: Out) -> Any:
    """The number of rows for which there is room."""
    return out.rows8.shape[0] + out.rows16.shape[0] + out.rows32.shape[0]


@inlined_inner_kernel
def length_of(out: Out) -> Any:
    """The length of a row."""
    return out.rows8.shape[1] + out.rows16.shape[1] + out.rows32.shape[1]


@inlined_inner_kernel
def put(out: Out, row: Any, column: Any, number: Any) -> None:
    """Write a number into a row."""
    if out.rows8.shape[0] > 0:
        out.rows8[row, column] = number
    elif out.rows16.shape[0] > 0:
        out.rows16[row, column] = number
    else:
        out.rows32[row, column] = number


@inlined_inner_kernel
def get(out: Out, row: Any, column: Any) -> Any:
    """A number of a row."""
    if out.rows8.shape[0] > 0:
        return np.uint64(out.rows8[row, column])
    if out.rows16.shape[0] > 0:
        return np.uint64(out.rows16[row, column])
    return np.uint64(out.rows32[row, column])
