"""The elements of a group that leave a row unchanged, and the conjugacy classes of such subgroups.

Rows of one orbit have conjugate stabilizers, so the symmetry of a solution is a conjugacy class of subgroups.
Left out on purpose: subgroups that no solution has.
"""

from __future__ import annotations

from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.model.row import Layout
from rekkyo.symmetry.chain import least_of_cycles
from rekkyo.symmetry.group import Group

Subgroup: TypeAlias = frozenset[int]
"""Numbers of elements of the group."""

MOST_ATOMS = 1 << 18
"""The atoms of all images that are made at a time."""


def stabilizers(group: Group, rows: NDArray[Any]) -> list[Subgroup]:
    """For each row the elements that leave it unchanged, many elements at a time.

    One by one, `orbits` of 960 solutions under a group of order 82944 took two workers 21 s instead of 1.6,
    because every shard took as long as the group is large.
    """
    shape = group.shape
    atoms = rows.astype(np.int64)
    if shape.layout is Layout.BY_POSITION:
        atoms += np.arange(shape.length) * shape.n_values
    fixed = unfilled((group.order, len(rows)), np.bool_)
    n_at_once = max(1, MOST_ATOMS // max(1, group.shape.n_atoms + atoms.size))
    for first in range(0, group.order if len(rows) else 0, n_at_once):
        elements = group.elements[first : first + n_at_once]
        with_filler = np.pad(elements, ((0, 0), (0, 1)), constant_values=shape.n_atoms)
        images = np.sort(with_filler[:, atoms], axis=2)
        fixed[first : first + n_at_once] = (images == atoms).all(axis=2)
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
    sizes = np.bincount(least_of_cycles(permutation))
    return lcm(*{*sizes.tolist()} - {0})
