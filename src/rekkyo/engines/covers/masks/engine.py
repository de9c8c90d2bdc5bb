"""Engine `cover-masks`: lists fillings in a fixed order of the items. It is the fastest for short tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from rekkyo.arrays import read_only
from rekkyo.bits import Word, Words
from rekkyo.engines.contract import WHOLE, Advance, ListingEngine, Room, Shard, row_dtype
from rekkyo.engines.covers.masks.chart import END, MAX_PAIRS, Chart, draw_chart
from rekkyo.engines.covers.masks.kernel import ITEM, PLACE, USED, WINDOW, Cursor, list_solutions
from rekkyo.engines.covers.masks.order import Entries, Entry, Node, item_order, make_entries
from rekkyo.engines.prefixes import Prefix, dived, grown, no_such_shard, numbered
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import with_options_given
from rekkyo.model.puzzle import Model
from rekkyo.model.row import RowShape

MAX_ITEMS = 1 << 12
MAX_OPTIONS = 1 << 17
MAX_LABELS = 64
MAX_SPAN = 63
SHORT = 16
"""If the mean distance between first and last item of an option is greater, charts are often too large.

It is 4.5 for dominoes on 8x8, 9.5 for L-trominoes on 9x9, and 12.4 for all pentominoes on 5x8, which all have
a chart. It is 18.5 for all pentominoes on 8x10, and 30.8 for Y-pentominoes on 15x15, which are too large.
"""

FEW_PAIRS = 1 << 16
"""A chart of so many pairs of a window and an option is made in 5 ms."""

PAIRS_FOR_NODE = {True: 1.0, False: 0.125}
"""Pairs of a larger chart for each node without one, with and without labels.

A pair takes 60 to 110 ns, a node 30 ns with labels and 5 ns without, and a chart saves half of the nodes or
more. The chart of the calendar took 0.18 s and saved 3 ms, that of Soma 0.9 s and saved 20 ms; random covers
of 31 items took 0.7 instead of 0.1 s. Pentominoes on 6x10 have 7.4 million pairs, for 1.7 million nodes
that are expected and 26 million that there are: they take 1.0 s instead of 0.7.
"""

EMPTY_CHART = read_only(Chart(np.array([END]), (), ()))


@dataclass(frozen=True, slots=True, eq=False)
class MasksPlan:
    """The data that a search reads: the lists, or the chart that replaces them if it pays off.

    starts, masks: see `kernel.list_solutions`. all_labels: the bits of all labels, None without labels.
    is_sorted: whether option numbers increase along every branch of the search.
    is_hopeless: whether it is known that there is no solution.
    """

    shape: RowShape
    entries: Entries
    starts: Words
    masks: Words
    chart: Chart | None
    all_labels: Word | None
    is_sorted: bool
    is_hopeless: bool


class CoverMasks(ListingEngine[MasksPlan, Cursor]):
    """Covers the first uncovered item, with options as bit masks. Every item is covered exactly once.

    Rows are in the order of the search, which does not depend on pauses and shards. It is lexicographic if
    options are numbered by their first item.
    """

    model_type = ExactCover
    model_words = "exact covers"
    name = "cover-masks"
    plan_version = 4
    summary = "first uncovered item with bit masks, for fillings with short tiles"
    moment_nodes = 1 << 16
    fewest_options = 33
    most_pairs = MAX_PAIRS
    """A chart is made from `fewest_options` options on, with at most `most_pairs` pairs, if it pays off.

    For a cover of 20 options the chart took longer than the search.
    """

    def limits(self, model: ExactCover) -> str | None:
        """Reject secondary items, bounds, options that reach too far in the order, and large covers."""
        if model.secondary or not model.is_once:
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
        """True for pieces without names whose options are so short that the chart is likely to be small."""
        if not isinstance(model, ExactCover) or not model.options:
            return False
        order = item_order(model)
        return not order.labels and order.mean_reach <= SHORT

    def pays_off_again(self, model: Model) -> bool:
        """Also for short pieces with names, where looking for the fewest options takes far longer.

        The order takes a fifth to a thirtieth of that for pentominoes, hexiamonds and polyspheres with a mean
        reach of at most 16, and 0.4 of it for flat pieces of five cubes, whose mean reach is 23. Options of
        two items and a name are left out: in Latin squares with clues the order takes up to 20 times as many
        nodes.
        """
        if not isinstance(model, ExactCover):
            return False
        has_pieces = len(model.uses) >= 2 * (3 + 1) * len(model.options) > 0  # its numbers are pairs
        return self.pays_off(model) or (has_pieces and item_order(model).mean_reach <= SHORT)

    def compile(self, model: Model) -> None:
        """Compile the kernel for masks and charts, with or without labels, for the model's type of rows."""
        assert isinstance(model, ExactCover)
        order = item_order(model)
        entries = make_entries(model, order.labels, order.order)
        _compile(bool(order.labels), _is_sorted(entries), np.dtype(row_dtype(model.row_shape.n_symbols)))

    def make_plan(self, model: ExactCover) -> MasksPlan:
        """The lists of masks, and a chart if the model is neither too small nor too large for one."""
        order = item_order(model)
        entries = make_entries(model, order.labels, order.order)
        starts, masks = _lists(entries)
        covered = {item for option in model.options for item, _ in option}
        is_hopeless = len(covered) < len(model.primary)
        plan = MasksPlan(
            shape=model.row_shape,
            entries=entries,
            starts=starts,
            masks=masks,
            chart=None,
            all_labels=np.uint64((1 << len(order.labels)) - 1) if order.labels else None,
            is_sorted=_is_sorted(entries),
            is_hopeless=is_hopeless,
        )
        chart = None if is_hopeless or len(model.options) < self.fewest_options else self._chart(plan)
        if chart is None:
            return plan
        return replace(plan, chart=chart, is_hopeless=chart.place_of(0, 0) is None)

    def _chart(self, plan: MasksPlan) -> Chart | None:
        """The chart, if it is small, or is expected to save more time than it takes."""
        chart = draw_chart(plan.entries, min(FEW_PAIRS, self.most_pairs))
        if chart is not None:
            return chart
        worth = PAIRS_FOR_NODE[plan.all_labels is not None] * self.estimated_nodes(plan)
        most_pairs = min(worth, self.most_pairs)
        return draw_chart(plan.entries, int(most_pairs)) if most_pairs > FEW_PAIRS else None

    def split(self, plan: MasksPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the options of the first items, one more item while more shards are needed.

        A node at which one option makes a solution is not divided: the kernel needs an item to decide.
        """
        if plan.is_hopeless:
            return ()

        def below(node: Node) -> tuple[list[Node], int] | None:
            children = _below(plan, node)
            ends = any(child.item == len(plan.entries) for child in children)
            return None if ends else (children, len(children))

        nodes, n_tried = grown([Node()], below, at_least, by_levels=False)
        return numbered((node.prefix for node in nodes), n_tried) or (WHOLE,)

    def estimated_nodes(self, plan: MasksPlan) -> float:
        """See the contract."""

        def below(node: Node) -> tuple[list[Node], int] | None:
            if node.item == len(plan.entries):
                return None
            children = _below(plan, node)
            return children, len(children)

        return 0.0 if plan.is_hopeless else dived(Node(), below)

    def plan_facts(self, plan: MasksPlan) -> object:
        """The lists. The chart itself follows from them."""
        return plan.starts, plan.masks, plan.chart is None, plan.is_hopeless

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The model in which the options of the prefix are given."""
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix)

    def start(self, plan: MasksPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the shard's prefix."""
        shape = plan.shape
        size, depth = shape.length + 1, len(shard.prefix)
        node = _follow(plan, shard.prefix)
        cursor = Cursor(
            levels=np.zeros((size, 4), dtype=np.uint64),
            row=np.zeros(size, dtype=row_dtype(shape.n_symbols)),
            picked=np.zeros((shape.n_values + 63) // 64, dtype=np.uint64),
            state=np.array([depth, depth], dtype=np.uint64),
        )
        place = _place(plan, node)
        assert place is not None
        cursor.levels[depth, [PLACE, USED, ITEM, WINDOW]] = place, node.used, node.item, node.window
        cursor.row[:depth] = shard.prefix
        for option in shard.prefix:
            cursor.picked[option // 64] |= np.uint64(1 << option % 64)
        return cursor

    def advance(self, plan: MasksPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is an option chosen."""
        starts, entries = (plan.starts, plan.masks) if plan.chart is None else (None, plan.chart.moves)
        picked, filler = None if plan.is_sorted else cursor.picked, plan.shape.n_values
        found = list_solutions(starts, entries, plan.all_labels, picked, cursor, room.rows, filler, budget)
        return Advance.of(found)


def _is_sorted(entries: Entries) -> bool:
    """Whether the option numbers increase along every branch of the search."""
    numbers = [entry.option for here in entries for entry in here]
    return numbers == list(range(len(numbers)))


def _lists(entries: Entries) -> tuple[Words, Words]:
    ended = [(*here, Entry(0, 0, 0)) for here in entries]
    table = [(entry.mask, entry.option, entry.labels) for entry in chain.from_iterable(ended)]
    starts = np.cumsum([0, *map(len, ended)])
    return starts.astype(np.uint64), np.array(table, dtype=np.uint64)


def _below(plan: MasksPlan, node: Node) -> list[Node]:
    """The children of a node, in the order of the search."""
    below = [node.below(entry) for entry in plan.entries[node.item] if node.fits(entry)]
    return [child for child in below if _place(plan, child) is not None]


def _place(plan: MasksPlan, node: Node) -> int | None:
    """The place of a node's moves on the chart, or of its list of masks; None if it is not on the chart."""
    if plan.chart is None:
        return int(plan.starts[node.item])
    return plan.chart.place_of(node.item, node.window)


def _follow(plan: MasksPlan, prefix: Prefix) -> Node:
    node = Node()
    for option in prefix:
        following = [child for child in _below(plan, node) if child.prefix[-1] == option]
        if not following:
            raise no_such_shard(CoverMasks.name, prefix)
        node = following[0]
    return node


@cache
def _compile(has_labels: bool, is_sorted: bool, dtype: np.dtype[Any]) -> None:
    """Search a cover of one option, with and without a chart."""
    engine = CoverMasks()
    plan = engine.plan(ExactCover(("a",), (), (((0, 0),),)))
    plan = replace(plan, all_labels=np.uint64(0) if has_labels else None, is_sorted=is_sorted)
    for way in (plan, replace(plan, chart=EMPTY_CHART)):
        cursor = engine.start(plan, WHOLE)
        engine.advance(way, cursor._replace(row=cursor.row.astype(dtype)), Room(np.zeros((1, 1), dtype)), 1)
