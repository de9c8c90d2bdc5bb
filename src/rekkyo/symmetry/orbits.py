"""Orbits of rows: representatives, stabilizers, and the ledger that ties unique to total.

The representative of an orbit is its lexicographically least row. For every set of rows that is closed under
the group, the sum of |G| / |stabilizer| over the representatives is the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import Layout, Row
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.kernel import survey_by_option, survey_by_position


class OrbitSurvey:
    """Finds the representatives in blocks of rows. Built once per group; safe to share between threads."""

    __slots__ = ("_action", "_kernel", "group")

    def __init__(self, group: Group) -> None:
        self.group = group
        shape = group.shape
        if shape.layout is Layout.BY_POSITION:
            atoms = group.elements.reshape(group.order, shape.length, shape.n_values)
            self._action: tuple[NDArray[np.uint32], ...] = (atoms // shape.n_values, atoms % shape.n_values)
            self._kernel: Callable[..., None] = survey_by_position
        else:
            filler = np.full((group.order, 1), shape.n_values, dtype=np.uint32)
            self._action = (np.hstack([group.elements, filler]),)
            self._kernel = survey_by_option

    def stabilizer_orders(self, rows: NDArray[Any]) -> NDArray[np.uint32]:
        """For each row the order of its stabilizer, or 0 if it is not the representative of its orbit.

        rows : uint[n_rows, length]. Returns uint32[n_rows].
        """
        orders = np.empty(rows.shape[0], dtype=np.uint32)
        self._kernel(rows, *self._action, orders)
        return orders

    def orbit(self, row: Sequence[int]) -> tuple[Row, ...]:
        """All different images of a row, in lexicographic order; the first one is the representative."""
        return tuple(sorted({self._image(row, element) for element in range(self.group.order)}))

    def _image(self, row: Sequence[int], element: int) -> Row:
        if self.group.shape.layout is Layout.BY_OPTION:
            (targets,) = self._action
            return tuple(sorted(int(targets[element, option]) for option in row))
        positions, values = self._action
        image = [0] * len(row)
        for position, value in enumerate(row):
            image[positions[element, position, value]] = int(values[element, position, value])
        return tuple(image)


@dataclass(slots=True)
class OrbitLedger:
    """How many orbits have been met, by the order of their stabilizer."""

    group_order: int
    n_orbits: dict[int, int] = field(default_factory=dict)

    def enter(self, stabilizer_orders: NDArray[np.uint32]) -> None:
        """Add what `OrbitSurvey.stabilizer_orders` said of a block of rows."""
        orders, counts = np.unique(stabilizer_orders[stabilizer_orders > 0], return_counts=True)
        for order, count in zip(orders.tolist(), counts.tolist(), strict=True):
            self.n_orbits[order] = self.n_orbits.get(order, 0) + count

    def merge(self, other: OrbitLedger) -> None:
        """Add the orbits of another part of the search."""
        for order, count in other.n_orbits.items():
            self.n_orbits[order] = self.n_orbits.get(order, 0) + count

    @property
    def unique(self) -> int:
        """The number of orbits."""
        return sum(self.n_orbits.values())

    @property
    def total(self) -> int:
        """The number of rows that these orbits hold: the sum of |G| / |stabilizer|."""
        return sum(count * (self.group_order // order) for order, count in self.n_orbits.items())
