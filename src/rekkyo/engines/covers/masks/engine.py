"""Engine `cover-masks`: lists fillings in a fixed order of the items; the fastest one for short tiles."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status, row_dtype
from rekkyo.engines.covers.masks import plan as planning
from rekkyo.engines.covers.masks.chart import END, MAX_PAIRS, Chart
from rekkyo.engines.covers.masks.entries import make_entries
from rekkyo.engines.covers.masks.kernel import list_solutions
from rekkyo.engines.covers.masks.order import item_order
from rekkyo.engines.covers.masks.plan import MasksPlan
from rekkyo.engines.covers.masks.rows import Cursor
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.given_options import with_options_given
from rekkyo.model.puzzle import Model

MAX_ITEMS = 1 << 12
MAX_OPTIONS = 1 << 17
MAX_LABELS = 64
MAX_SPAN = 63

SHORT = 16
"""The mean distance between first and last item of an option with which charts begin to grow too large: 4.5
for dominoes on 8x8, 9.5 for L-trominoes on 9x9, 12.4 for all pentominoes on 5x8 (a chart each); 18.5 for all
pentominoes on 8x10, 30.8 for Y-pentominoes on 15x15 (too large)."""

EMPTY_CHART = read_only(Chart(np.array([END]), (), ()))


class CoverMasks(ListingEngine[MasksPlan, Cursor]):
    """First uncovered item, options as bit masks: every item covered exactly once, nothing else.

    Rows come in the order of the search, which is the same however it is paused or cut; it is the
    lexicographic order when options are numbered by their first item.
    """

    model_type: ClassVar[type[ExactCover]] = ExactCover
    model_words: ClassVar[str] = "exact covers"
    name: ClassVar[str] = "cover-masks"
    summary: ClassVar[str] = "first uncovered item with bit masks, for fillings with short tiles"
    moment_nodes: ClassVar[int] = 1 << 16
    fewest_options: ClassVar[int] = 33
    most_pairs: ClassVar[int] = MAX_PAIRS
    """Between these a chart is drawn. For a cover of 20 options it took longer than the search."""

    def limits(self, model: ExactCover) -> str | None:
        """Only covers of primary items, exactly once each, with options that are short in a good order."""
        if model.secondary or any(pair != (1, 1) for pair in model.bounds):
            return "takes only primary items that are covered exactly once"
        if len(model.primary) > MAX_ITEMS or len(model.options) > MAX_OPTIONS:
            return f"takes at most {MAX_ITEMS} items and {MAX_OPTIONS} options"
        order = item_order(model)
        if len(order.labels) > MAX_LABELS:
            return f"takes at most {MAX_LABELS} names of pieces, and there are {len(order.labels)}"
        if order.longest > MAX_SPAN:
            return f"takes options of at most {MAX_SPAN} items in a row, not {order.longest}"
        return None

    def pays_off(self, model: Model) -> bool:
        """For pieces without names, with options so short on average that the chart is likely to be small."""
        if not isinstance(model, ExactCover) or not model.options:
            return False
        order = item_order(model)
        return not order.labels and order.mean_reach <= SHORT

    def compile(self, model: Model) -> None:
        """Compile for this model: masks and charts, labels or none, rows sorted or not, kind of row."""
        assert isinstance(model, ExactCover)
        order = item_order(model)
        is_sorted = planning.is_sorted(make_entries(model, order.labels, order.order))
        _compile(bool(order.labels), is_sorted, np.dtype(row_dtype(model.row_shape.n_symbols)))

    def make_plan(self, model: ExactCover) -> MasksPlan:
        """One list of masks per item, or a chart."""
        order = item_order(model)
        return planning.make_plan(model, order, self.fewest_options, self.most_pairs)

    def split(self, plan: MasksPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the options of the first items; a shard's prefix is their numbers."""
        return planning.split(plan, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The options of the prefix are given."""
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix)

    def start(self, plan: MasksPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the prefix."""
        return planning.start(plan, shard)

    def advance(self, plan: MasksPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is an option chosen."""
        starts, entries = (plan.starts, plan.masks) if plan.chart is None else (None, plan.chart.moves)
        picked = None if plan.is_sorted else cursor.picked
        status, found, nodes = list_solutions(
            starts, entries, plan.all_labels, picked, cursor, room.rows, plan.shape.n_values, budget
        )
        return Advance(Status(status), int(found), int(nodes))


@cache
def _compile(has_labels: bool, is_sorted: bool, dtype: np.dtype[Any]) -> None:
    """Search a cover of one option: with and without a chart."""
    engine = CoverMasks()
    plan = engine.plan(ExactCover(("a",), (), (((0, 0),),)))
    plan = replace(plan, all_labels=np.uint64(0) if has_labels else None, is_sorted=is_sorted)
    for way in (plan, replace(plan, chart=EMPTY_CHART)):
        cursor = engine.start(plan, Shard(0, ()))
        engine.advance(way, cursor._replace(row=cursor.row.astype(dtype)), Room(np.zeros((1, 1), dtype)), 1)
