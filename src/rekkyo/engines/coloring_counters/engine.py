"""Engine `coloring-counters`: lists the solutions of every colouring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from rekkyo.engines.coloring.least import least
from rekkyo.engines.coloring.order import cell_order
from rekkyo.engines.coloring_counters import plan as planning
from rekkyo.engines.coloring_counters.plan import CountersPlan, Cursor
from rekkyo.engines.contract import Advance, ListingEngine, Rows, Shard
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group, close


class ColoringCounters(ListingEngine[CountersPlan, Cursor]):
    """Cells in a fixed order, a counter on every pattern, unit propagation; symmetry inside the search.

    Rows come in the order of the search, which is lexicographic in the order of its cells.
    """

    name: ClassVar[str] = "coloring-counters"
    summary: ClassVar[str] = "cells in a fixed order with counters on the patterns, for every colouring"

    def refusal(self, model: Model) -> str | None:
        """Every colouring is accepted."""
        return None if isinstance(model, Coloring) else "searches colourings only"

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

    def plan(self, model: Model) -> CountersPlan:
        """Counters on the patterns, and what follows from the fixed cells."""
        self.check(model)
        assert isinstance(model, Coloring)
        return planning.make_plan(model, cell_order(model), None)

    def plan_for_representatives(self, model: Model, group: Group) -> CountersPlan | None:
        """The same search, which leaves a branch as soon as some image of it is less."""
        self.check(model)
        assert isinstance(model, Coloring)
        order = cell_order(model)
        symmetry = least(group, order)
        return None if symmetry is None else planning.make_plan(model, order, symmetry)

    def comparing_order(self, plan: CountersPlan) -> Sequence[int] | None:
        """The order of the search."""
        return tuple(plan.order.tolist())

    def split(self, plan: CountersPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the colours of the first decisions; a shard's prefix is these colours."""
        return planning.split(plan, at_least)

    def start(self, plan: CountersPlan, shard: Shard) -> Cursor:
        """A cursor that has only the last colour of the prefix left to try there."""
        return planning.start(plan, shard)

    def advance(self, plan: CountersPlan, cursor: Cursor, out: Rows, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        if len(cursor.stabilizers) < len(out):
            cursor.stabilizers = np.empty(len(out), dtype=np.uint32)
        status, found, nodes = planning.search(plan, cursor, out, cursor.stabilizers, budget)
        stabilizers = None if plan.least is None else cursor.stabilizers[:found]
        return Advance(status, found, nodes, stabilizers)
