"""Representatives and stabilizers by their definition, in NumPy, for a few rows of a search at a time.

A second computation of the results of `OrbitSurvey` and of the engines that settle symmetry; it shares no
code with them and compiles nothing.
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
    Rows compare as their atoms in increasing order do; fillers have none and come last.
    """
    atoms = np.array(group.shape.atoms(row.tolist()), dtype=np.int64)
    images: NDArray[Any] = group.elements[:, atoms]
    if order is not None:
        ranks = _ranks(group, order)
        atoms, images = ranks[atoms], ranks[images]
    if not len(atoms):  # of nothing there is one image
        return group.order
    images.sort(axis=1)
    atoms.sort()
    differ = images != atoms
    first = differ.argmax(axis=1)  # 0 where nothing differs
    comes_before = np.take_along_axis(images, first[:, None], axis=1)[:, 0] < atoms[first]
    return 0 if comes_before.any() else int(np.count_nonzero(~differ.any(axis=1)))


def _ranks(group: Group, order: Sequence[int]) -> NDArray[np.int64]:
    """int64[n_atoms]: the place of each atom in the order of comparison."""
    atoms = np.array(order)
    if group.shape.layout is Layout.BY_POSITION:
        atoms = (atoms[:, None] * group.shape.n_values + np.arange(group.shape.n_values)).reshape(-1)
    return np.argsort(atoms)
