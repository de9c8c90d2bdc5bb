"""Engine `coloring-masks`: lists colourings of at most 64 cells; the fastest one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.masks import plan as planning
from rekkyo.engines.colorings.masks.plan import Cursor, MasksPlan
from rekkyo.engines.colorings.search_engine import ColoringSearch
from rekkyo.engines.contract import Advance, Room, Shard
from rekkyo.model.coloring import Cell, Coloring

MAX_CELLS = 64


class ColoringMasks(ColoringSearch[MasksPlan, Cursor]):
    """Cells in a fixed order, sets as bit masks, unit propagation; symmetry inside the search.

    Rows come in the order of the search, which is lexicographic in the order of its cells.
    """

    name: ClassVar[str] = "coloring-masks"
    summary: ClassVar[str] = "cells in a fixed order with bit masks and propagation, up to 64 cells"
    moment_nodes: ClassVar[int] = 1 << 17

    def limits(self, model: Coloring) -> str | None:
        """At most 64 cells, and patterns of one colour each."""
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        if not all(map(planning.has_one_color, model.patterns)):
            return "takes only patterns whose cells have one colour"
        return None

    def ordered_plan(self, model: Coloring, order: tuple[Cell, ...], symmetry: Least | None) -> MasksPlan:
        """Masks of the sets through each cell."""
        return planning.make_plan(model, order, symmetry)

    def advance(self, plan: MasksPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        return planning.search(plan, cursor, room, budget)

    def comparing_order(self, plan: MasksPlan) -> Sequence[int] | None:
        """The order of the search."""
        return tuple(plan.sets.order.tolist())

    def split(self, plan: MasksPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the colours of the first decisions; a shard's prefix is these colours.

        A search that ends within `moment_nodes` nodes is left in one piece; cutting would take longer.
        """
        return planning.split(plan, at_least, self.moment_nodes)

    def start(self, plan: MasksPlan, shard: Shard) -> Cursor:
        """A cursor that has only the last colour of the prefix left to try there."""
        return planning.start(plan, shard)
