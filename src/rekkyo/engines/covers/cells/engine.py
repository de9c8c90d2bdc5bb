"""Engine `cover-cells`: lists the solutions of any exact cover; others are checked against it."""

from __future__ import annotations

from typing import ClassVar

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status, row_dtype
from rekkyo.engines.covers.cells import plan as planning
from rekkyo.engines.covers.cells.kernel import list_solutions
from rekkyo.engines.covers.cells.plan import CellsPlan
from rekkyo.engines.covers.cells.state import Cursor
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.given_options import with_options_given
from rekkyo.model.puzzle import Model


class CoverCells(ListingEngine[CellsPlan, Cursor]):
    """Dancing cells: fewest ways first, with secondary items, colours and bounds, whatever the size.

    Rows come in the order of the search, which is the same however it is paused or cut.
    """

    model_type: ClassVar[type[ExactCover]] = ExactCover
    model_words: ClassVar[str] = "exact covers"
    name: ClassVar[str] = "cover-cells"
    summary: ClassVar[str] = "dancing cells, fewest options first, for every exact cover"

    def pays_off(self, model: Model) -> bool:
        """It is the last resort: whoever asks has found no faster engine."""
        return True

    def compile(self, model: Model) -> None:
        """Compile splitting, starting and the listing kernel for this model's kind of row."""
        tiny = self.plan(ExactCover(("a",), (), (((0, 0),),)))
        room = Room(unfilled((1, 1), row_dtype(model.row_shape.n_symbols)))
        self.begin_all(tiny, room)

    def make_plan(self, model: ExactCover) -> CellsPlan:
        """Uses by option and by item."""
        return planning.make_plan(model)

    def split(self, plan: CellsPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the options of the first levels; a shard's prefix is their numbers."""
        return planning.split(plan, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """The options of the prefix are given; with bounds a shard also rejects some, so there is none."""
        assert isinstance(model, ExactCover)
        if any(pair != (1, 1) for pair in model.bounds):
            return None
        return with_options_given(model, shard.prefix)

    def start(self, plan: CellsPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the prefix."""
        return planning.start(plan, shard)

    def nodes_of_moment(self, plan: CellsPlan) -> int:
        """A quarter of what is searched between two pauses."""
        return max(1, min(self.moment_nodes, plan.most_nodes // 4))

    def advance(self, plan: CellsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is an option chosen. Stops earlier when nodes take long in this model."""
        most_nodes = min(budget, plan.most_nodes)
        status, found, nodes = list_solutions(plan.cover, cursor, room.rows, most_nodes)
        return Advance(Status(status), int(found), int(nodes))
