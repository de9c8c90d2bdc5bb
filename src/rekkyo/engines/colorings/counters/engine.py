"""Engine `coloring-counters`: lists the solutions of every colouring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rekkyo.engines.colorings.counters import plan as planning
from rekkyo.engines.colorings.counters.plan import CountersPlan, Cursor
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.search_engine import ColoringSearch
from rekkyo.engines.contract import Advance, Room, Shard
from rekkyo.model.coloring import Cell, Coloring


class ColoringCounters(ColoringSearch[CountersPlan, Cursor]):
    """Cells in a fixed order, a counter on every pattern, unit propagation; symmetry inside the search.

    Rows come in the order of the search, which is lexicographic in the order of its cells.
    """

    name: ClassVar[str] = "coloring-counters"
    summary: ClassVar[str] = "cells in a fixed order with counters on the patterns, for every colouring"

    def ordered_plan(self, model: Coloring, order: tuple[Cell, ...], symmetry: Least | None) -> CountersPlan:
        """Counters on the patterns, and what follows from the fixed cells."""
        return planning.make_plan(model, order, symmetry)

    def advance(self, plan: CountersPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        return planning.search(plan, cursor, room, budget)

    def comparing_order(self, plan: CountersPlan) -> Sequence[int] | None:
        """The order of the search."""
        return tuple(plan.order.tolist())

    def split(self, plan: CountersPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the colours of the first decisions; a shard's prefix is these colours."""
        return planning.split(plan, at_least)

    def start(self, plan: CountersPlan, shard: Shard) -> Cursor:
        """A cursor that has only the last colour of the prefix left to try there."""
        return planning.start(plan, shard)
