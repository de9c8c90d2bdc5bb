"""Classes of rows under permutations of atoms, without an orbit survey.

If the generators keep the set of rows, the group may have any size: every row is joined to its image under
each generator, and the classes are the connected components. Every row begins with its own number, and takes
the least number among its images under the powers of each generator in turn, by doubling, until nothing
changes. Otherwise the group is listed, and rows with the same least image are of one class.
Left out on purpose: canonical forms by refinement, which would compare some rows of a set that is too large
to list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import AtomPermutation, Row, RowShape
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey, images_under


class NotKept(Exception):
    """A row of the set has an image outside it. row: that row."""

    def __init__(self, row: Row) -> None:
        super().__init__(f"the image of {row} is missing")
        self.row = row


def in_order(rows: NDArray[Any]) -> NDArray[Any]:
    """The same rows in lexicographic order."""
    return rows[np.argsort(keys_of(rows), kind="stable")]


def classes_kept(
    shape: RowShape, rows: NDArray[Any], generators: Sequence[AtomPermutation]
) -> NDArray[np.int64]:
    """For each row the place of the first row of its class. Raises NotKept.

    rows : uint[n_rows, length], all different, in lexicographic order; the generators take the set to itself.
    """
    keys = keys_of(rows)
    first = np.arange(len(rows))
    steps = [_places(rows, keys, images_under(shape, generator, rows)) for generator in generators]
    is_settled = False
    while not is_settled:
        before = first
        for step in steps:
            first = _least_on_cycles(first, step)
        first = first[first]
        is_settled = np.array_equal(first, before)
    return first


def classes_met(
    shape: RowShape, rows: NDArray[Any], generators: Sequence[AtomPermutation]
) -> NDArray[np.int64]:
    """As `classes_kept`, for rows whose images need not be among them. Raises GroupTooLarge."""
    forms = OrbitSurvey(close(shape, generators)).least_images(np.ascontiguousarray(rows))
    _, first, which = np.unique(keys_of(forms), return_index=True, return_inverse=True)
    return first[which.reshape(-1)]


def _least_on_cycles(numbers: NDArray[np.int64], step: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least number on the cycle of each place under a permutation of places."""
    while True:
        least = np.minimum(numbers, numbers[step])
        if np.array_equal(least, numbers):
            return least
        numbers, step = least, step[step]


def _places(rows: NDArray[Any], keys: NDArray[Any], images: NDArray[Any]) -> NDArray[np.int64]:
    """The indices of the images among the rows."""
    wanted = keys_of(images)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    lost = np.flatnonzero(keys[places] != wanted) if len(keys) else places
    if len(lost):
        raise NotKept(tuple(rows[lost[0]].tolist()))
    return places


def keys_of(rows: NDArray[Any]) -> NDArray[Any]:
    """A key for each row; keys compare as the rows do. Texts are sorted twice as fast as numpy.void."""
    bytewise = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder(">"))
    return bytewise.view(f"S{bytewise.dtype.itemsize * rows.shape[1]}").reshape(-1)
