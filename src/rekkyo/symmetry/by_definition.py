"""Representatives and stabilizers by their definition, in NumPy, for a few rows of a search at a time.

A second computation of the results of `OrbitSurvey` and of the engines that settle symmetry; it shares no
code with them and compiles nothing. Left out on purpose: speed, which a sample does not need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import Layout
from rekkyo.symmetry.group import Group


def stabilizer_order(group: Group, row: NDArray[Any], order: Sequence[int] | None) -> int:
    """The number of elements that leave a row unchanged, or 0 if one of its images comes before it.

    row : uint[length]. order: of comparison, as in `OrbitSurvey`; None for lexicographic.
    """
    images = _images(group, row)
    here = row.astype(np.int64)
    if order is not None:
        images, here = (_as_compared(group, rows, order) for rows in (images, here))
    differs = images != here
    first = differs.argmax(axis=1)
    elements = np.arange(len(images))
    if (images[elements, first] < here[first]).any():
        return 0
    return int(np.count_nonzero(~differs.any(axis=1)))


def _images(group: Group, row: NDArray[Any]) -> NDArray[np.int64]:
    """int64[order, length]: the image of a row under every element."""
    shape = group.shape
    if shape.layout is Layout.BY_OPTION:
        fillers = np.full((group.order, 1), shape.n_values, dtype=np.int64)
        return np.sort(np.hstack([group.elements.astype(np.int64), fillers])[:, row], axis=1)
    atoms = group.elements[:, np.arange(shape.length) * shape.n_values + row].astype(np.int64)
    images = np.empty_like(atoms)
    positions, values = np.divmod(atoms, shape.n_values)
    images[np.arange(group.order)[:, None], positions] = values
    return images


def _as_compared(group: Group, rows: NDArray[np.int64], order: Sequence[int]) -> NDArray[np.int64]:
    if group.shape.layout is Layout.BY_POSITION:
        return rows[..., np.array(order)]
    ranks = np.arange(group.shape.n_values + 1)
    ranks[np.array(order)] = np.arange(len(order))
    return np.sort(ranks[rows], axis=-1)
