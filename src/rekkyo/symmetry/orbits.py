"""Orbits of rows: representatives, stabilizers, and the ledger that checks unique against total.

The representative of an orbit is its lexicographically least row. For every set of rows that is closed under
the group, the sum of |G| / |stabilizer| over the representatives is the number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only_view, unfilled
from rekkyo.bits import HALF, LOW_HALF, Words
from rekkyo.errors import CountsDisagree, in_short
from rekkyo.model.row import Layout, Row, RowShape
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.kernel import least_images, survey, survey_by_moves


class OrbitSurvey:
    """Finds the representatives in blocks of rows. Built once per group; safe to share between threads.

    order: how rows are compared if not lexicographically: BY_POSITION the positions in the order in which
    they are compared, BY_OPTION the options, least first.
    """

    __slots__ = ("_compared_action", "_moves_all", "_order", "_plain_action", "_ranks", "group", "is_begun")

    def __init__(self, group: Group, order: Sequence[int] | None = None) -> None:
        self.group = group
        self._order = None if order is None else np.array(order, dtype=np.int64)
        elements = group.elements
        self._ranks: NDArray[np.uint32] | None = None
        if self._order is not None:
            atoms = _atoms_in_order(group.shape, self._order)
            self._ranks = np.arange(len(atoms) + 1, dtype=np.uint32)  # of the atoms, and of the filler
            self._ranks[atoms] = np.arange(len(atoms), dtype=np.uint32)
            elements = np.take(self._ranks, np.take(elements, atoms, axis=1))  # twice as fast as brackets
        self._compared_action: tuple[NDArray[Any], ...] = _action(group.shape, elements)
        self._plain_action = self._compared_action if self._order is None else None
        moves = _moves(*self._compared_action) if self._by_position else None
        self.is_begun = False
        self._moves_all = moves is not None
        if moves is not None:
            self._compared_action = moves

    def begin(self, no_rows: NDArray[Any]) -> None:
        """Compile or load what gives stabilizers, by asking for those of no rows; once is enough."""
        self.stabilizer_orders(no_rows)
        self.is_begun = True

    def stabilizer_orders(self, rows: NDArray[Any]) -> NDArray[np.uint32]:
        """For each row the order of its stabilizer, or 0 if it is not the representative of its orbit.

        rows : uint[n_rows, length]. Returns uint32[n_rows].
        """
        orders = unfilled(rows.shape[0], np.uint32)
        rows = read_only_view(self._as_compared(rows))
        if self._moves_all:
            sources, values = self._compared_action
            survey_by_moves(rows, sources, values, orders)
        else:
            (targets,) = self._compared_action
            survey(rows, targets, unfilled(rows.shape[1], rows.dtype), orders)
        return orders

    def least_images(self, rows: NDArray[Any]) -> NDArray[Any]:
        """For each row the lexicographically least row of its orbit, for any order of comparison."""
        images = unfilled(rows.shape, rows.dtype)
        (targets,) = self._action
        least_images(read_only_view(rows), targets, unfilled(rows.shape[1], rows.dtype), images)
        return images

    @property
    def order(self) -> Sequence[int] | None:
        """The order in which rows are compared; None if it is lexicographic."""
        return None if self._order is None else self._order.tolist()

    @property
    def is_lexicographic(self) -> bool:
        """Whether rows are compared lexicographically, so that the least rows are the representatives."""
        return self._order is None

    @property
    def _action(self) -> tuple[NDArray[Any], ...]:
        """The action of the group on rows. Built on first use, because many counts never need it."""
        if self._plain_action is None:
            self._plain_action = _action(self.group.shape, self.group.elements)
        return self._plain_action

    @property
    def _by_position(self) -> bool:
        return self.group.shape.layout is Layout.BY_POSITION

    def _as_compared(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Rows rewritten so that their lexicographic order is the order of comparison."""
        if self._order is None or self._ranks is None:
            return rows
        if self._by_position:
            return np.ascontiguousarray(rows[:, self._order])
        return np.sort(self._ranks.astype(rows.dtype)[rows], axis=1)

    def orbit(self, row: Sequence[int]) -> tuple[Row, ...]:
        """All different images of a row, in lexicographic order; the first one is the representative.

        Raises CountsDisagree if an element of the group takes the row to what is not a row.
        """
        shape = self.group.shape
        images = set()
        for number, atoms in enumerate(self.group.elements[:, shape.atoms(row)].tolist()):
            image = shape.row_of(atoms)
            if image is None:
                what = f"takes {in_short(str([*row]))} to two values at one position"
                raise CountsDisagree(
                    f"element {number} of the group {what} (check: orbit); please report this"
                )
            images.add(image)
        return tuple(sorted(images))


def images_under(shape: RowShape, symmetry: Sequence[int], rows: NDArray[Any]) -> NDArray[Any]:
    """The images of rows under one permutation of atoms. rows : uint[n_rows, length]."""
    ((targets,),) = _action(shape, np.array([symmetry]))
    if shape.layout is Layout.BY_OPTION:
        return np.sort(targets.astype(rows.dtype)[rows], axis=1)
    moved = targets[np.arange(shape.length), rows]
    images = unfilled(rows.shape, rows.dtype)
    np.put_along_axis(images, (moved >> HALF).astype(np.int64), (moved & LOW_HALF).astype(rows.dtype), axis=1)
    return images


def _action(shape: RowShape, elements: NDArray[Any]) -> tuple[NDArray[Any]]:
    """Elements of a group in the form that the kernel of the layout takes: C-contiguous.

    A selection of columns is not contiguous, and Numba would compile all kernels again for each such layout.
    """
    elements = np.ascontiguousarray(elements)
    if shape.layout is Layout.BY_POSITION:
        atoms = elements.reshape(-1, shape.length, shape.n_values)
        positions, values = (part.astype(np.uint64) for part in np.divmod(atoms, shape.n_values))
        return (positions << HALF | values,)
    filler = np.full((elements.shape[0], 1), shape.n_values, dtype=np.uint32)
    return (np.hstack([elements.astype(np.uint32), filler]),)


def _moves(targets: Words) -> tuple[NDArray[np.uint32], ...] | None:
    """The action in the form of `survey_by_moves`; None if the image of some position depends on its
    value.
    """
    positions, values = targets >> HALF, (targets & LOW_HALF).astype(np.uint32)
    if not (positions == positions[:, :, :1]).all():
        return None
    sources = np.argsort(positions[:, :, 0], axis=1)
    return sources.astype(np.uint32), np.take_along_axis(values, sources[:, :, None], axis=1)


def _atoms_in_order(shape: RowShape, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The atoms in the order of comparison."""
    if shape.layout is Layout.BY_OPTION:
        return order
    return (order[:, None] * shape.n_values + np.arange(shape.n_values)).ravel()


@dataclass(slots=True)
class OrbitLedger:
    """The number of orbits found, by the order of their stabilizer."""

    group_order: int
    n_orbits: dict[int, int] = field(default_factory=dict)

    def enter(self, stabilizer_orders: NDArray[Any]) -> None:
        """Add the result of `OrbitSurvey.stabilizer_orders` for a block of rows."""
        n_plain = int(np.count_nonzero(stabilizer_orders == 1))  # nearly all; np.unique sorts the others
        orders, counts = np.unique(stabilizer_orders[stabilizer_orders > 1], return_counts=True)
        for order, count in zip([1, *orders.tolist()], [n_plain, *counts.tolist()], strict=True):
            if count:
                self.n_orbits[order] = self.n_orbits.get(order, 0) + count

    @property
    def unique(self) -> int:
        """The number of orbits."""
        return sum(self.n_orbits.values())

    @property
    def total(self) -> int:
        """The number of rows in these orbits: the sum of |G| / |stabilizer|."""
        return sum(count * (self.group_order // order) for order, count in self.n_orbits.items())
