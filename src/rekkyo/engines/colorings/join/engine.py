"""Engine `coloring-join`: lists colourings by joining parts that overlap; for recounts."""

from __future__ import annotations

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.colorings.join import plan as planning
from rekkyo.engines.colorings.join.kernel import join, write_rows
from rekkyo.engines.colorings.join.plan import Cursor, JoinPlan
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Model

MAX_CELLS = 64


class ColoringJoin(ListingEngine[JoinPlan, Cursor]):
    """The board in two parts that overlap, each of them likewise; shares no search code with the others.

    overlap: how many rows or columns parts share; a third of them unless a subclass says otherwise.
    """

    model_type = Coloring
    model_words = "colourings"
    name = "coloring-join"
    summary = "joins overlapping parts of the board, up to 64 cells; for recounts"
    overlap = None

    def limits(self, model: Coloring) -> str | None:
        """At most 64 cells. That the lists of parts grow too long turns out when they are made."""
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        return None

    def pays_off(self, model: Model) -> bool:
        """Never: it is there to check the others."""
        return False

    def compile(self, model: Model) -> None:
        """Compile the join."""
        self.begin(Coloring(2, 2, sets=((0, 1),)), model)

    def make_plan(self, model: Coloring) -> JoinPlan:
        """All colourings of both halves. Raises EngineRefuses when there are too many."""
        return planning.make_plan(model, self.overlap)

    def split(self, plan: JoinPlan, at_least: int) -> tuple[Shard, ...]:
        """Ranges of the colourings of the first half."""
        return planning.split(plan, at_least)

    def start(self, plan: JoinPlan, shard: Shard) -> Cursor:
        """A cursor at the first pair of the range."""
        return planning.start(plan, shard)

    def advance(self, plan: JoinPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a pair of parts that agree on what they share."""
        if len(cursor.planes) < len(room.rows):
            cursor.planes = unfilled((len(room.rows), plan.model.n_colors), np.uint64)
        status, found, tried = join(plan.last_join, cursor.state, cursor.planes[: len(room.rows)], budget)
        write_rows(cursor.planes, found, room.rows)
        return Advance(Status(status), int(found), int(tried))
