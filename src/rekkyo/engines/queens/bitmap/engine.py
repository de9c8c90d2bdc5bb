"""Engine `queens-bitmap`: lists the solutions of any queens model in lexicographic order."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status, row_dtype
from rekkyo.engines.queens.bitmap import plan as planning
from rekkyo.engines.queens.bitmap.kernel import Cursor, list_solutions
from rekkyo.engines.queens.bitmap.plan import BitmapPlan
from rekkyo.engines.queens.bitmap.sampler import BoardSampler
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens


class QueensBitmap(ListingEngine[BitmapPlan, Cursor]):
    """Row by row with bit masks; blocked squares, given queens and the torus included."""

    model_type: ClassVar[type[Queens]] = Queens
    model_words: ClassVar[str] = "queens models"
    name: ClassVar[str] = "queens-bitmap"
    summary: ClassVar[str] = "row by row with bit masks, lists in lexicographic order"
    moment_nodes: ClassVar[int] = 1 << 18

    def compile(self, model: Model) -> None:
        """Compile the flat or the toroidal version."""
        plan = self.plan(Queens(1, toroidal=isinstance(model, Queens) and model.toroidal))
        room = Room(unfilled((1, 1), row_dtype(1)))
        self.advance(plan, self.start(plan, Shard(0, ())), room, 1)

    def make_plan(self, model: Queens) -> BitmapPlan:
        """One word of allowed columns per row."""
        return planning.make_plan(model)

    def split(self, plan: BitmapPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the queens of the first rows; a shard's prefix is their columns."""
        return planning.split(plan, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The queens of the prefix are given."""
        assert isinstance(model, Queens)
        return replace(model, given=model.given | frozenset(enumerate(shard.prefix)))

    def start(self, plan: BitmapPlan, shard: Shard) -> Cursor:
        """A cursor below the queens of the prefix."""
        return planning.start(plan, shard)

    def advance(self, plan: BitmapPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a queen placed."""
        status, found, nodes = list_solutions(plan.allowed, plan.wrap, cursor, room.rows, budget)
        return Advance(Status(status), int(found), int(nodes))

    def sampler(self, plan: BitmapPlan) -> BoardSampler:
        """Draws the queens of the first rows."""
        return BoardSampler(plan)
