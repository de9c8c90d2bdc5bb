"""Representatives and stabilizers under a group too large to list, by `least_kernel` and `set_kernel`."""

from __future__ import annotations

import time
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
from rekkyo.symmetry.known_classes import KnownClasses, known_classes
from rekkyo.symmetry.large_group import AnyGroup, LargeGroup
from rekkyo.symmetry.least_kernel import FAILED, last_node_and_sizes
from rekkyo.symmetry.least_tables import MOST_ORDER
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.wording import asked_up_to

MOST_NODES = 1 << 22
"""The nodes of the search for an image that is less than one row, a second or two."""

LONG_S, AT_ONCE = 0.001, 16
"""If some rows take longer on average, classes are kept (`known_classes.py`), which takes some 0.2 ms. The
first call of the kernel tests so many rows, and each further one twice as many."""


class LargeSurvey:
    """Finds the representatives in blocks of rows, as `OrbitSurvey` does. Safe to share between threads."""

    def __init__(self, group: LargeGroup) -> None:
        self.group = group
        self.is_begun = False
        self._classes: KnownClasses | None = None
        self._may_be_slow = True

    def begin(self, no_rows: NDArray[Any]) -> None:
        """Compile or load what gives stabilizers, by asking for those of no rows; once is enough."""
        self._tested(np.ascontiguousarray(self._in_order(no_rows)))
        self.is_begun = True

    def stabilizer_orders(self, rows: NDArray[Any]) -> NDArray[Any]:
        """For each row the order of its stabilizer, or 0 if it is not the representative of its orbit.

        rows : uint[n_rows, length]. Returns int64[n_rows], or Python's integers if one is greater. Raises
        GroupTooLarge.
        """
        in_order = self._in_order(rows)
        increasing = np.lexsort(in_order.T[::-1])  # the least row of a class comes first, and is kept
        in_order = np.ascontiguousarray(in_order[increasing])
        orders: list[int] = []
        n_at_once = AT_ONCE
        while len(orders) < len(rows):
            first = len(orders)
            classes = self._classes
            if classes is None:
                orders += self._timed(in_order[first : first + n_at_once])
                n_at_once *= 2
            else:
                orders.append(self._order_by(classes, in_order[first]))
        is_large = max(orders, default=0) > MOST_ORDER
        found = np.empty(len(rows), dtype=object if is_large else np.int64)
        found[increasing] = orders
        return found

    def _timed(self, in_order: NDArray[Any]) -> list[int]:
        """The orders of some rows. If they take long, classes are kept from now on, until they do not pay."""
        started = time.perf_counter()
        orders = self._tested(in_order)
        if self._may_be_slow and time.perf_counter() - started > LONG_S * len(in_order):
            self._may_be_slow = False
            classes = known_classes(self.group)
            if classes is not None:
                for row in in_order[np.array(orders) > 0]:
                    classes.add(classes.seen(row))
            self._classes = classes
        return orders

    def _order_by(self, classes: KnownClasses, row: NDArray[Any]) -> int:
        """The order of a row, which is 0 if a class that is known has a lesser row."""
        seen = classes.seen(row)
        if classes.is_image(seen):
            return 0
        if not classes.pay:
            self._classes = None
        (order,) = self._tested(row[None])
        if order:
            classes.add(seen)
        return order

    def _tested(self, in_order: NDArray[Any]) -> list[int]:
        """The orders of rows in comparison order, by a search for an image of each that is less."""
        group, shape, tables = self.group, self.group.shape, self.group.tables
        kernel: Any = set_kernel if shape.layout is Layout.BY_OPTION else least_kernel
        rows = read_only_view(in_order)
        found: NDArray[Any] = unfilled(len(rows), np.int64)
        scratch = np.zeros(kernel.n_numbers(shape.length, shape.n_values), dtype=np.int64)
        large: dict[int, int] = {}
        first = 0
        while True:
            at = kernel.fill_stabilizer_orders(
                rows, tables.words, tables.root, shape.n_values, scratch, MOST_NODES, found, first
            )
            if at == len(rows):
                break
            if found[at] == FAILED:
                raise GroupTooLarge(
                    f"the symmetry group has {group.order} elements, too many to compare a solution with its"
                    f" images; count without it: {asked_up_to('none')}"
                )
            last, sizes = last_node_and_sizes(scratch, shape.length)
            large[at] = tables.orders[last] * prod(sizes)
            first = at + 1
        orders: list[int] = found.tolist()
        for at, order in large.items():
            orders[at] = order
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
