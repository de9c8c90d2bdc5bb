"""Engine `cover-parts`: lists the solutions of exact covers in which every option has one primary item."""

from __future__ import annotations

from typing import ClassVar

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, Room, Shard, Status, row_dtype
from rekkyo.engines.covers.parts import plan as planning
from rekkyo.engines.covers.parts.kernel_search import list_solutions
from rekkyo.engines.covers.parts.kernel_state import MAX_PARTS, Cursor
from rekkyo.engines.covers.parts.plan import PartsPlan
from rekkyo.engines.covers.pivot import Pivot, PivotSearch
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

MAX_BYTES = 1 << 30


class CoverParts(PivotSearch[PartsPlan, Cursor]):
    """Takes one option of each part, all agreeing in pairs; drops options that some part rules out."""

    name: ClassVar[str] = "cover-parts"
    summary: ClassVar[str] = (
        "one option of each part, pairs tabulated, arc consistency; for packings with gaps"
    )

    def limits(self, model: ExactCover) -> str | None:
        """Exact covers with one primary item in every option, each covered once."""
        if any(bounds != (1, 1) for bounds in model.bounds):
            return "takes every primary item exactly once"
        n_parts = len(model.primary)
        if n_parts > MAX_PARTS:
            return f"takes at most {MAX_PARTS} primary items; this model has {n_parts}"
        if any(sum(item < n_parts for item, _ in option) > 1 for option in model.options):
            return "takes options with one primary item only"
        if planning.memory_bytes(model) > MAX_BYTES:
            return f"tabulates all pairs of options; {len(model.options)} options are too many"
        return None

    def compile(self, model: Model) -> None:
        """Compile for the row type of the model."""
        tiny = self.plan(ExactCover(("a",), (), (((0, 0),),)))
        room = Room(unfilled((1, 1), row_dtype(model.row_shape.n_symbols)))
        self.begin_all(tiny, room)

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> PartsPlan:
        """A matrix of which options agree."""
        return planning.make_plan(model, pivot)

    def split(self, plan: PartsPlan, at_least: int) -> tuple[Shard, ...]:
        """Make the first decisions; a shard's prefix is the slots chosen."""
        return planning.split(plan, at_least)

    def start(self, plan: PartsPlan, shard: Shard) -> Cursor:
        """A cursor below the slots of the prefix."""
        return planning.start(plan, shard)

    def advance(self, plan: PartsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is an option tried."""
        status, found, nodes = list_solutions(plan.tables, cursor, room.rows, budget)
        return Advance(Status(status), int(found), int(nodes))
