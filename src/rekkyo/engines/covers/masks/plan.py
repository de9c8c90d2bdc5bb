"""From a filling to lists of masks or a chart, and to shards: the options that cover the first items."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from rekkyo.engines.contract import Shard, row_dtype
from rekkyo.engines.covers.masks.chart import Chart, draw_chart
from rekkyo.engines.covers.masks.entries import Entries, Entry, Node, make_entries
from rekkyo.engines.covers.masks.order import ItemOrder
from rekkyo.engines.covers.masks.rows import ITEM, PLACE, USED, WINDOW, Cursor, Words
from rekkyo.engines.prefixes import Prefix, grown, numbered
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.row import RowShape


@dataclass(frozen=True, slots=True, eq=False)
class MasksPlan:
    """What a search reads: the lists and, where it is small enough, the chart that replaces them.

    starts, masks: see `kernel.list_solutions`. all_labels: every label's bit, None without labels.
    is_sorted: along every branch of the search the option numbers increase.
    is_hopeless: it is plain that there is no solution.
    """

    shape: RowShape
    entries: Entries
    starts: Words
    masks: Words
    chart: Chart | None
    all_labels: np.uint64 | None
    is_sorted: bool
    is_hopeless: bool


def make_plan(model: ExactCover, order: ItemOrder, fewest_options: int, most_pairs: int) -> MasksPlan:
    """The plan of a filling, its items put in an order; with a chart for so many options, if that is small.

    most_pairs: of a window and an option, in the chart.
    """
    entries = make_entries(model, order.labels, order.order)
    starts, masks = _lists(entries)
    covered = {item for option in model.options for item, _ in option}
    is_hopeless = len(covered) < len(model.primary)
    has_few = len(model.options) < fewest_options
    chart = None if is_hopeless or has_few else draw_chart(entries, most_pairs)
    return MasksPlan(
        shape=model.row_shape,
        entries=entries,
        starts=starts,
        masks=masks,
        chart=chart,
        all_labels=np.uint64((1 << len(order.labels)) - 1) if order.labels else None,
        is_sorted=is_sorted(entries),
        is_hopeless=is_hopeless or (chart is not None and chart.place_of(0, 0) is None),
    )


def is_sorted(entries: Entries) -> bool:
    """Whether the option numbers increase along every branch of the search."""
    numbers = [entry.option for here in entries for entry in here]
    return numbers == list(range(len(numbers)))


def _lists(entries: Entries) -> tuple[Words, Words]:
    ended = [(*here, Entry(0, 0, 0)) for here in entries]
    table = [(entry.mask, entry.option, entry.labels) for entry in chain.from_iterable(ended)]
    starts = np.cumsum([0, *map(len, ended)])
    return starts.astype(np.uint64), np.array(table, dtype=np.uint64)


def split(plan: MasksPlan, at_least: int) -> tuple[Shard, ...]:
    """Fix the options of the first items, one item more where that is still needed.

    A node below which a solution is only one option away is left to the kernel, which needs something to do.
    """
    if plan.is_hopeless:
        return ()

    def below(node: Node) -> tuple[list[Node], int] | None:
        children = _below(plan, node)
        ends = any(child.item == len(plan.entries) for child in children)
        return None if ends else (children, len(children))

    nodes, n_tried = grown([Node()], below, at_least, by_levels=False)
    return numbered((node.prefix for node in nodes), n_tried) or (Shard(0, ()),)


def start(plan: MasksPlan, shard: Shard) -> Cursor:
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


def _below(plan: MasksPlan, node: Node) -> list[Node]:
    """The nodes one option further, in the order of the search."""
    below = [node.below(entry) for entry in plan.entries[node.item] if node.fits(entry)]
    return [child for child in below if _place(plan, child) is not None]


def _place(plan: MasksPlan, node: Node) -> int | None:
    """Where the moves from a node begin on the chart, or its list of masks; None: not on the chart."""
    if plan.chart is None:
        return int(plan.starts[node.item])
    return plan.chart.place_of(node.item, node.window)


def _follow(plan: MasksPlan, prefix: Prefix) -> Node:
    node = Node()
    for option in prefix:
        below = (child for child in _below(plan, node) if child.prefix[-1] == option)
        following = next(below, None)
        if following is None:
            raise EngineRefuses(f"engine cover-masks knows no shard {prefix} of this plan; split it anew")
        node = following
    return node
