"""The elements of a group that leave a row unchanged, and the conjugacy classes of such subgroups.

Rows of one orbit have conjugate stabilizers, so the symmetry of a solution is a conjugacy class of subgroups.
Left out on purpose: subgroups that no solution has.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.model.row import Layout
from rekkyo.symmetry.group import Group

Subgroup: TypeAlias = frozenset[int]
"""Numbers of elements of the group."""


def stabilizers(group: Group, rows: NDArray[Any]) -> list[Subgroup]:
    """For each row the elements that leave it unchanged. One pass for each element: meant for few rows."""
    shape = group.shape
    atoms = rows.astype(np.int64)
    if shape.layout is Layout.BY_POSITION:
        atoms += np.arange(shape.length) * shape.n_values
    filler = np.array([shape.n_atoms], dtype=np.uint32)
    fixed = unfilled((group.order, len(rows)), np.bool_)
    for number, element in enumerate(group.elements):
        images = np.sort(np.append(element, filler)[atoms], axis=1)
        fixed[number] = (images == atoms).all(axis=1)
    return [frozenset(np.flatnonzero(column).tolist()) for column in fixed.T]


class Conjugacy:
    """Names every subgroup by a fixed one of its conjugates."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._numbers = {element.tobytes(): number for number, element in enumerate(group.elements)}
        self._names: dict[Subgroup, Subgroup] = {}

    def name(self, subgroup: Subgroup) -> Subgroup:
        """The conjugate whose sorted elements come first."""
        if subgroup not in self._names:
            conjugates = self._conjugates(subgroup)
            first = min(conjugates, key=sorted)
            self._names.update(dict.fromkeys(conjugates, first))
        return self._names[subgroup]

    def _conjugates(self, subgroup: Subgroup) -> set[Subgroup]:
        """All conjugates, by the generators alone: each is reached from another one by one of them."""
        if len(subgroup) in (1, self._group.order):
            return {subgroup}
        conjugates, todo = {subgroup}, [subgroup]
        while todo:
            members = self._group.elements[sorted(todo.pop())]
            for generator in self._group.generators:
                # First the inverse, then the member, then the generator.
                images = generator[members[:, np.argsort(generator)]]
                conjugate = frozenset(self._numbers[image.tobytes()] for image in images)
                if conjugate not in conjugates:
                    conjugates.add(conjugate)
                    todo.append(conjugate)
        return conjugates


def order_of(permutation: NDArray[Any]) -> int:
    """The order of a permutation: the least power that is the identity."""
    identity = np.arange(len(permutation))
    image, order = permutation, 1
    while not np.array_equal(image, identity):
        image, order = permutation[image], order + 1
    return order
