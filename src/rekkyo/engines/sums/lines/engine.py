"""Engine `sum-lines`: lists the solutions of any sum figure whose numbers fit one word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.engines.sums.lines import plan as planning
from rekkyo.engines.sums.lines import shards
from rekkyo.engines.sums.lines.kernel import Cursor, list_solutions
from rekkyo.engines.sums.lines.plan import MAX_SPAN, LinesPlan
from rekkyo.engines.sums.lines.sampler import FigureSampler
from rekkyo.model.puzzle import Model
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.group import Group


class SumLines(ListingEngine[LinesPlan, Cursor]):
    """Cell by cell, with cells forced by combinations of lines."""

    model_type: ClassVar[type[SumFigure]] = SumFigure
    model_words: ClassVar[str] = "sum figures"
    name: ClassVar[str] = "sum-lines"
    summary: ClassVar[str] = "cell by cell, forced by combinations of lines; numbers as bits of one word"
    moment_nodes: ClassVar[int] = 1 << 16

    def limits(self, model: SumFigure) -> str | None:
        """Sum figures whose numbers lie within 64."""
        least, greatest = model.numbers[0], model.numbers[-1]
        if greatest - least > MAX_SPAN:
            return f"needs numbers at most {MAX_SPAN} apart; these go from {least} to {greatest}"
        return None

    def compile(self, model: Model) -> None:
        """Compile the one version that there is."""
        plan = self.plan(SumFigure(("a", "b"), (1, 2), (Line((0, 1)),)))
        self.advance(plan, self.start(plan, Shard(0, (3,))), Room(unfilled((1, 2), np.uint8)), 1)

    def make_plan(self, model: SumFigure) -> LinesPlan:
        """The order of the cells and what narrows each of them."""
        return planning.make_plan(model)

    def make_plan_for_representatives(self, model: SumFigure, group: Group) -> LinesPlan | None:
        """A plan with one order more for each symmetry that only moves cells."""
        return planning.make_plan_for_representatives(model, group)

    def comparing_order(self, plan: LinesPlan) -> Sequence[int] | None:
        """Rows are compared in the order in which the cells are filled."""
        return plan.order

    def split(self, plan: LinesPlan, at_least: int) -> tuple[Shard, ...]:
        """The common sum and the numbers in the first cells."""
        return shards.split(plan, at_least)

    def start(self, plan: LinesPlan, shard: Shard) -> Cursor:
        """A cursor below the prefix."""
        return shards.start(plan, shard)

    def advance(self, plan: LinesPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a number put into a cell."""
        last = len(plan.order) - 1
        status, found, nodes = list_solutions(plan.program, cursor, last, room.rows, budget)
        return Advance(Status(status), int(found), int(nodes))

    def sampler(self, plan: LinesPlan) -> FigureSampler:
        """Draws the numbers of the first cells."""
        return FigureSampler(plan)
