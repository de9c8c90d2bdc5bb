"""Engine `coloring-masks`: lists colourings of at most 64 cells; the fastest one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from rekkyo.engines.coloring.least import least
from rekkyo.engines.coloring.order import cell_order
from rekkyo.engines.coloring_masks import plan as planning
from rekkyo.engines.coloring_masks.plan import Cursor, MasksPlan
from rekkyo.engines.contract import Advance, ListingEngine, Rows, Shard
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group, close

MAX_CELLS = 64

SMALL_NODES = 1 << 17
"""A search of so many nodes takes some milliseconds; cutting it into 256 shards takes about forty."""


class ColoringMasks(ListingEngine[MasksPlan, Cursor]):
    """Cells in a fixed order, sets as bit masks, unit propagation; symmetry inside the search.

    Rows come in the order of the search, which is lexicographic in the order of its cells.
    """

    name: ClassVar[str] = "coloring-masks"
    summary: ClassVar[str] = "cells in a fixed order with bit masks and propagation, up to 64 cells"
    small_nodes: ClassVar[int] = SMALL_NODES

    def refusal(self, model: Model) -> str | None:
        """At most 64 cells, and patterns of one colour each."""
        if not isinstance(model, Coloring):
            return "searches colourings only"
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        if not all(map(planning.has_one_color, model.patterns)):
            return "takes only patterns whose cells have one colour"
        return None

    def compile(self, model: Model) -> None:
        """Compile the search with bounds or without, with symmetry and without it."""
        bounds = ((0, 2), (0, 2)) if isinstance(model, Coloring) and model.bounds else ()
        small = Coloring(2, 2, sets=((0, 1),), bounds=bounds)
        group = close(small.row_shape, [(2, 3, 0, 1)])
        for plan in (self.plan(small), self.plan_for_representatives(small, group)):
            assert plan is not None
            out = np.empty((1, 2), dtype=np.uint8)
            for shard in self.split(plan, 2):
                self.advance(plan, self.start(plan, shard), out, 1)

    def plan(self, model: Model) -> MasksPlan:
        """Masks of the sets through each cell."""
        self.check(model)
        assert isinstance(model, Coloring)
        return planning.make_plan(model, cell_order(model), None)

    def plan_for_representatives(self, model: Model, group: Group) -> MasksPlan | None:
        """The same search, which leaves a branch as soon as some image of it is less."""
        self.check(model)
        assert isinstance(model, Coloring)
        order = cell_order(model)
        symmetry = least(group, order)
        return None if symmetry is None else planning.make_plan(model, order, symmetry)

    def comparing_order(self, plan: MasksPlan) -> Sequence[int] | None:
        """The order of the search."""
        return tuple(plan.sets.order.tolist())

    def split(self, plan: MasksPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the colours of the first decisions; a shard's prefix is these colours.

        A search that ends within `small_nodes` nodes is left in one piece.
        """
        return planning.split(plan, at_least, self.small_nodes)

    def start(self, plan: MasksPlan, shard: Shard) -> Cursor:
        """A cursor that has only the last colour of the prefix left to try there."""
        return planning.start(plan, shard)

    def advance(self, plan: MasksPlan, cursor: Cursor, out: Rows, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        if len(cursor.stabilizers) < len(out):
            cursor.stabilizers = np.empty(len(out), dtype=np.uint32)
        status, found, nodes = planning.search(plan, cursor, out, cursor.stabilizers, budget)
        stabilizers = None if plan.least is None else cursor.stabilizers[:found]
        return Advance(status, found, nodes, stabilizers)
