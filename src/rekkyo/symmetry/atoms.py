"""The atoms of many rows, see `rekkyo.model.row`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import Layout, RowShape


def uses_in(shape: RowShape, rows: NDArray[Any]) -> NDArray[np.int64]:
    """The number of rows with each atom.

    rows : uint[n_rows, length]. uses : int64[n_atoms], fresh.
    """
    if shape.layout is Layout.BY_OPTION:
        return np.bincount(rows.ravel(), minlength=shape.n_symbols)[: shape.n_atoms]
    columns = [np.bincount(column, minlength=shape.n_values) for column in rows.T]
    return np.concatenate([np.zeros(0, dtype=np.int64), *columns])
