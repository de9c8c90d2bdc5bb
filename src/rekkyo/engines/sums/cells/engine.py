"""Engine `sum-cells`: lists the solutions of any sum figure, however far apart the numbers are."""

from __future__ import annotations

from typing import ClassVar

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status, row_dtype
from rekkyo.engines.sums.cells import plan as planning
from rekkyo.engines.sums.cells.kernel import Cursor, list_solutions
from rekkyo.engines.sums.cells.plan import CellsPlan
from rekkyo.model.puzzle import Model
from rekkyo.model.sum_figure import Line, SumFigure


class SumCells(ListingEngine[CellsPlan, Cursor]):
    """Line by line, in an order that depends on what was filled."""

    model_type: ClassVar[type[SumFigure]] = SumFigure
    model_words: ClassVar[str] = "sum figures"
    name: ClassVar[str] = "sum-cells"
    summary: ClassVar[str] = (
        "line by line, fewest open cells first; any numbers, a second way for every sum figure"
    )

    def compile(self, model: Model) -> None:
        """Compile the version for rows of this kind."""
        plan = self.plan(SumFigure(("a", "b"), (1, 2), (Line((0, 1)),)))
        rows = unfilled((1, 2), row_dtype(model.row_shape.n_symbols))
        self.advance(plan, self.start(plan, Shard(0, (-1, -1))), Room(rows), 1)

    def make_plan(self, model: SumFigure) -> CellsPlan:
        """The lines as arrays."""
        return planning.make_plan(model)

    def split(self, plan: CellsPlan, at_least: int) -> tuple[Shard, ...]:
        """The first cells filled."""
        return planning.split(plan, at_least)

    def start(self, plan: CellsPlan, shard: Shard) -> Cursor:
        """A cursor below the prefix."""
        return planning.start(plan, shard)

    def advance(self, plan: CellsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a number put into a cell."""
        last = room.rows.shape[1] - 1
        status, found, nodes = list_solutions(plan.figure, cursor, last, room.rows, budget)
        return Advance(Status(status), int(found), int(nodes))
