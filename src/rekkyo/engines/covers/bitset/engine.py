"""Engine `cover-bitset`: lists the solutions of exact covers in which every item is covered once."""

from __future__ import annotations

from typing import ClassVar

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Advance, Room, Shard, Status, row_dtype
from rekkyo.engines.covers.bitset import plan as planning
from rekkyo.engines.covers.bitset.kernel import list_solutions
from rekkyo.engines.covers.bitset.kernel_state import Cursor
from rekkyo.engines.covers.bitset.plan import BitsetPlan
from rekkyo.engines.covers.pivot import Pivot, PivotSearch
from rekkyo.engines.covers.uses import colors_of_items
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.given_options import with_options_given
from rekkyo.model.puzzle import Model

MAX_OPTIONS = 30_000
MAX_ROWS = 8192
"""With as many options as well a plan takes 60 MB, and a cursor at most as much again, mostly untouched."""


TINY, TINY_COLORED = (ExactCover(("a",), ("b",), (((0, 0), (1, color)),)) for color in (0, 1))
"""What is searched in order to compile."""


class CoverBitset(PivotSearch[BitsetPlan, Cursor]):
    """Branches on the item with the fewest options; options, and conflicts between them, as bit vectors."""

    name: ClassVar[str] = "cover-bitset"
    summary: ClassVar[str] = "option bitsets, fewest options first; secondary items and colours"

    def limits(self, model: ExactCover) -> str | None:
        """Exact covers without multiplicities, up to MAX_OPTIONS options."""
        if any(bounds != (1, 1) for bounds in model.bounds):
            return "takes every primary item exactly once"
        if len(model.options) > MAX_OPTIONS:
            return f"takes at most {MAX_OPTIONS} options; this model has {len(model.options)}"
        n_rows = len(model.primary) + len(model.secondary) + len(colors_of_items(model))
        if n_rows > MAX_ROWS:
            return f"takes at most {MAX_ROWS} items and colours of items; this model has {n_rows}"
        return None

    def compile(self, model: Model) -> None:
        """Compile for the row type of the model, with or without colours."""
        self.check(model)
        assert isinstance(model, ExactCover)
        tiny = self.plan(TINY_COLORED if colors_of_items(model) else TINY)
        room = Room(unfilled((1, 1), row_dtype(model.row_shape.n_symbols)))
        self.begin_all(tiny, room)

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> BitsetPlan:
        """A bit row for every item, and for every colour that it has."""
        return planning.make_plan(model, pivot)

    def split(self, plan: BitsetPlan, at_least: int) -> tuple[Shard, ...]:
        """Make the first decisions; a shard's prefix is the options chosen."""
        return planning.split(plan, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The options of the prefix are given."""
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix)

    def start(self, plan: BitsetPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the prefix."""
        return planning.start(plan, shard)

    def advance(self, plan: BitsetPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is an option tried for an item that had two or more left."""
        status, found, nodes = list_solutions(plan.alike, plan.tables, cursor, room.rows, budget)
        return Advance(Status(status), int(found), int(nodes))
