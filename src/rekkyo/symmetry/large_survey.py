"""Representatives and stabilizers under a group too large to list, by `least_kernel` and `set_kernel`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only_view, unfilled
from rekkyo.errors import GroupTooLarge
from rekkyo.model.row import Layout
from rekkyo.symmetry import least_kernel, set_kernel
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import AnyGroup, LargeGroup
from rekkyo.symmetry.least_kernel import FAILED, last_node_and_sizes
from rekkyo.symmetry.orbits import OrbitSurvey

MOST_NODES = 1 << 22
"""The nodes of the search for an image that is less than one row, a second or two."""


class LargeSurvey:
    """Finds the representatives in blocks of rows, as `OrbitSurvey` does. Safe to share between threads."""

    def __init__(self, group: LargeGroup) -> None:
        self.group = group
        self.is_begun = False

    def begin(self, no_rows: NDArray[Any]) -> None:
        """Compile or load what gives stabilizers, by asking for those of no rows; once is enough."""
        self.stabilizer_orders(no_rows)
        self.is_begun = True

    def stabilizer_orders(self, rows: NDArray[Any]) -> NDArray[Any]:
        """For each row the order of its stabilizer, or 0 if it is not the representative of its orbit.

        rows : uint[n_rows, length]. Returns int64[n_rows], or Python's integers if one is greater. Raises
        GroupTooLarge.
        """
        group, shape, tables = self.group, self.group.shape, self.group.tables
        kernel: Any = set_kernel if shape.layout is Layout.BY_OPTION else least_kernel
        in_order = read_only_view(np.ascontiguousarray(self._in_order(rows)))
        orders: NDArray[Any] = unfilled(len(rows), np.int64)
        scratch = np.zeros(kernel.n_numbers(shape.length, shape.n_values), dtype=np.int64)
        large: dict[int, int] = {}
        first = 0
        while True:
            at = kernel.fill_stabilizer_orders(
                in_order, tables.words, tables.root, shape.n_values, scratch, MOST_NODES, orders, first
            )
            if at == len(rows):
                break
            if orders[at] == FAILED:
                raise GroupTooLarge(
                    f"the symmetry group has {group.order} elements, too many to compare a solution with its"
                    " images; count without it (--up-to none)"
                )
            last, sizes = last_node_and_sizes(scratch, shape.length)
            large[at] = tables.orders[last] * prod(sizes)
            first = at + 1
        if large:
            orders = orders.astype(object)
            orders[list(large)] = list(large.values())
        return orders

    def _in_order(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The rows in comparison order: their positions, or their options by place and increasing."""
        group = self.group
        if group.shape.layout is Layout.BY_POSITION:
            return rows[:, group.compared]
        places = np.full(group.shape.n_symbols, group.shape.n_values)
        places[list(group.compared)] = np.arange(len(group.compared))
        return np.sort(places[rows], axis=1)


AnySurvey: TypeAlias = OrbitSurvey | LargeSurvey


def survey_of(group: AnyGroup, order: Sequence[int] | None = None) -> AnySurvey:
    """The survey of a group. order: of comparison, see `OrbitSurvey`; a large group has its own."""
    return OrbitSurvey(group, order) if isinstance(group, Group) else LargeSurvey(group)
