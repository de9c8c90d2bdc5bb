"""Representatives and stabilizers by their definition, in NumPy, for a few rows of a search at a time.

A second computation of the results of `OrbitSurvey` and of the engines that settle symmetry, and a check of
those of `LargeSurvey`. It shares no code with them and compiles nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import Layout
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import AnyGroup, LargeGroup

N_IMAGES = 100
"""Images with which a row is compared under a large group."""


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
    if not len(atoms):  # every element leaves a row of fillers unchanged
        return group.order
    images.sort(axis=1)
    atoms.sort()
    differ = images != atoms
    first = differ.argmax(axis=1)  # 0 where nothing differs
    comes_before = np.take_along_axis(images, first[:, None], axis=1)[:, 0] < atoms[first]
    return 0 if comes_before.any() else int(np.count_nonzero(~differ.any(axis=1)))


def _ranks(group: AnyGroup, order: Sequence[int]) -> NDArray[np.int64]:
    """int64[n_atoms]: the place of each atom in the order of comparison."""
    atoms = np.array(order)
    if group.shape.layout is Layout.BY_POSITION:
        atoms = (atoms[:, None] * group.shape.n_values + np.arange(group.shape.n_values)).reshape(-1)
    return np.argsort(atoms)


def lesser_image(group: LargeGroup, row: NDArray[Any]) -> NDArray[Any] | None:
    """An image of a row that is less in the order of the group, among some on a random walk; None if none is.

    row : uint[length].
    """
    draw, shape = random.Random(0), group.shape
    ranks = _ranks(group, group.compared)
    atoms = shape.atoms(row.tolist())
    least = sorted(ranks[atoms].tolist())
    for _ in range(N_IMAGES):
        generator = draw.choice(group.generators)
        atoms = [generator[atom] for atom in atoms]
        if sorted(ranks[atoms].tolist()) < least:
            return np.array(shape.row_of(atoms), dtype=row.dtype)
    return None
