"""Engine `cover-cells`: lists the solutions of any exact cover. Other engines are checked against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import Words, bits_at
from rekkyo.engines.contract import WHOLE, Advance, ListingEngine, Room, Shard
from rekkyo.engines.covers.cells import kernel
from rekkyo.engines.covers.cells.kernel import Cover, Cursor, Ints
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.out import out_of
from rekkyo.engines.prefixes import ROOT, Prefix, dived, grown, no_such_shard, numbered
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import with_options_given
from rekkyo.model.puzzle import Model

SWAPS_AT_ONCE = 10_000_000
"""`advance` returns after about this number of swaps and reads of items: 25 ms if they are in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class CellsPlan:
    """The model as arrays, and those arrays of the first cursor that take time to make.

    cells, place, items, needy: see `kernel.Cursor`; every use is in its set. length: length of a row.
    is_hopeless: whether an item has fewer options than it must be covered times.
    most_nodes: nodes that take well under a second, after which `advance` returns.
    """

    cover: Cover
    cells: Ints
    place: Ints
    items: Ints
    needy: Words
    length: int
    is_hopeless: bool
    most_nodes: int


class CoverCells(ListingEngine[CellsPlan, Cursor]):
    """Dancing cells: items with the fewest ways first, with secondary items, colours and bounds.

    Rows are in the order of the search, which does not depend on pauses and shards.
    """

    model_type = ExactCover
    model_words = "exact covers"
    name = "cover-cells"
    plan_version = 1
    summary = "dancing cells, fewest options first, for every exact cover"
    smallest = ExactCover(("a",), (), (((0, 0),),))

    def make_plan(self, model: ExactCover) -> CellsPlan:
        """The plan of an exact cover."""
        lengths = np.fromiter(map(len, model.options), dtype=np.int64, count=len(model.options))
        used = all_uses(model)
        uses = np.stack((used.items, used.colors, used.options), axis=1).astype(np.int32)
        items = _items(model, uses)
        n_primary = len(model.primary)
        low, high = items[:n_primary, kernel.NEED], items[:n_primary, kernel.ROOM]
        mean_size, mean_length = len(uses) // len(items), len(uses) // max(1, len(lengths))
        n_swaps = mean_length * mean_size * mean_length
        cells = np.argsort(uses[:, kernel.ITEM], kind="stable").astype(np.int32)
        place = unfilled(cells.shape, np.int32)
        place[cells] = np.arange(len(cells), dtype=np.int32)
        return CellsPlan(
            cover=Cover(uses, _starts(lengths), np.flatnonzero(low < high).astype(np.int32)),
            cells=cells,
            place=place,
            items=items,
            needy=bits_at(np.flatnonzero(low > 0), -(-n_primary // 64)),
            length=model.row_shape.length,
            most_nodes=max(1, SWAPS_AT_ONCE // (n_swaps + len(items))),
            is_hopeless=bool((low > items[:n_primary, kernel.SIZE]).any()),
        )

    def split(self, plan: CellsPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the options of the first levels, one level deeper while more shards are needed.

        A prefix names the option chosen at each level; the options that the search tries before it are
        rejected. The number of options in place of an option means that all options are rejected, which is a
        solution.
        """
        if plan.is_hopeless:
            return ()
        prefixes, n_tried = grown(ROOT, partial(self._below, plan), at_least, by_levels=False)
        return numbered(prefixes, n_tried) or (WHOLE,)

    def estimated_nodes(self, plan: CellsPlan) -> float:
        """See the contract."""
        return 0.0 if plan.is_hopeless else dived(ROOT[0], partial(self._below, plan))

    def _below(self, plan: CellsPlan, prefix: Prefix) -> tuple[list[Prefix], int] | None:
        """See `grown`."""
        out = unfilled(len(plan.cover.option_start), np.int32)
        count, nodes = kernel.list_decisions(plan.cover, self.start(plan, Shard(0, prefix)), out)
        return ([(*prefix, option) for option in out[:count].tolist()], int(nodes)) if nodes else None

    def plan_facts(self, plan: CellsPlan) -> object:
        """See the contract. The number of nodes between pauses is left out."""
        return replace(plan, most_nodes=0)

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """The model in which the options of the prefix are given.

        None for a model with bounds, because its shards also reject options.
        """
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix) if model.is_once else None

    def start(self, plan: CellsPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the shard's prefix."""
        cursor = Cursor(
            cells=plan.cells.copy(),
            place=plan.place.copy(),
            items=plan.items.copy(),
            needy=plan.needy.copy(),
            trail=unfilled(len(plan.cells), np.int32),
            levels=unfilled((plan.length + 1, 2), np.int32),
            state=np.zeros(4, dtype=np.int64),
        )
        if not kernel.replay(plan.cover, cursor, np.array(shard.prefix, dtype=np.int32)):
            raise no_such_shard(self.name, shard.prefix)
        return cursor

    def nodes_of_moment(self, plan: CellsPlan) -> int:
        """See the contract: at most a quarter of the nodes between two pauses."""
        return max(1, min(self.moment_nodes, plan.most_nodes // 4))

    def advance(self, plan: CellsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is an option chosen. Stops after `most_nodes` if the budget is larger."""
        budget = min(budget, plan.most_nodes)
        return Advance.of(kernel.list_solutions(plan.cover, cursor, out_of(room.rows), budget))


def _items(model: ExactCover, uses: Ints) -> Ints:
    """See `kernel.Cursor`."""
    n_primary = len(model.primary)
    n_items = n_primary + len(model.secondary)
    sizes = np.bincount(uses[:, kernel.ITEM], minlength=n_items)
    items = np.zeros((n_items, 5), dtype=np.int32)
    items[:, kernel.START] = _starts(sizes)[:-1]
    items[:, kernel.SIZE] = sizes
    items[:, kernel.ROOM] = 1
    items[:, kernel.CLOSED_AT] = kernel.OPEN
    for item in range(n_primary):
        items[item, kernel.NEED], items[item, kernel.ROOM] = model.bounds_of(item)
    return items


def _starts(lengths: NDArray[np.int64]) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
