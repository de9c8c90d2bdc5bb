"""Engine `cover-bitset`: lists the solutions of exact covers."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from rekkyo.arrays import different, unfilled
from rekkyo.bits import Words, bits_at
from rekkyo.engines.contract import WHOLE, Advance, Room, Shard
from rekkyo.engines.covers.bitset import kernel_frame as frame
from rekkyo.engines.covers.bitset.cutting import cut, estimated_nodes, n_first_options, state_below
from rekkyo.engines.covers.bitset.kernel_frame import Cursor
from rekkyo.engines.covers.bitset.kernel_search import list_in_frame_0, list_solutions
from rekkyo.engines.covers.bitset.plan import BitsetPlan
from rekkyo.engines.covers.bitset.tables import tables_of, with_ruled_out
from rekkyo.engines.covers.pivot import MOST_NARROW, Pivot, PivotSearch, kept_pivots, narrow_pivot
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.out import out_of
from rekkyo.jit import is_loaded, load
from rekkyo.model.exact_cover import MAX_COLOR, ExactCover
from rekkyo.model.lower import with_options_given
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group

MAX_OPTIONS = 30_000
MAX_ROWS = 8192
"""With MAX_OPTIONS too, a plan takes 60 MB, and a cursor at most 60 MB more, most of which is never used."""

TINY = ExactCover(("a",), ("b",), (((0, 0), (1, 1)),))
"""The cover that is searched in order to compile, with a colour, because colours have their own kernel."""


def too_many_options(n_options: int) -> str | None:
    """The limit on the options of a model, if it has more."""
    return (
        f"takes at most {MAX_OPTIONS} options; this model has {n_options}"
        if n_options > MAX_OPTIONS
        else None
    )


class CoverBitset(PivotSearch[BitsetPlan, Cursor]):
    """Branches on the item with the fewest options. Sets of options are bit vectors."""

    name = "cover-bitset"
    plan_version = 5
    summary = "option bitsets, fewest options first; secondary items, colours and multiplicities"

    long_nodes = 1 << 24
    """About ten seconds without narrow frames. Compiling those takes ten seconds and halves the rest."""

    least_options_to_look = 1 << 10
    """The fewest options of a model that is searched for dead colours, see `kernel_support`. Preparing that
    takes longer than many searches of fewer options do."""

    def limits(self, model: ExactCover) -> str | None:
        """Limits on the options, and on the items and their colours together."""
        too_many = too_many_options(len(model.options))
        if too_many is not None:
            return too_many
        n_rows = len(model.primary) + len(model.secondary)
        if n_rows + len(model.uses) // 2 > MAX_ROWS:
            uses = all_uses(model)
            n_rows += len(different((uses.items * (MAX_COLOR + 1) + uses.colors)[uses.colored]))
        if n_rows > MAX_ROWS:
            return f"takes at most {MAX_ROWS} items and colours of items; this model has {n_rows}"
        return None

    def compile(self, model: Model) -> None:
        """Load the kernel with narrow frames if a cache has it; otherwise compile the one without them.

        A cover of one option is enough, because all models run the same code.
        """
        self.check(model)
        if not is_loaded(list_solutions):
            _look_for_narrow_frames()
        self.begin(TINY, model)

    def compile_for_long(self, model: Model) -> None:
        """Compile the kernel with narrow frames, which later searches use."""
        list_solutions(*_tiny_search())

    def pivot(self, model: ExactCover, group: Group) -> Pivot | None:
        """An item that all symmetries map to itself, or the item with the fewest options.

        Of equal items of the first kind, it is the one whose options conflict with the most others
        (pentominoes 4 x 15: 228 thousand nodes instead of 337 thousand). The item with the fewest options is
        preferred if it has at most 1.1 times as many options as the other one has options to try (hexiamonds
        4 x 9: 58 thousand nodes instead of 96 thousand).
        """
        kept = kept_pivots(model, group)
        if not kept:
            return narrow_pivot(model, group)
        best = max(kept, key=partial(_clashes, model)) if len(kept) > 1 else kept[0]
        return narrow_pivot(model, group, min(MOST_NARROW, 11 * best.n_tried // 10)) or best

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> BitsetPlan:
        """The plan of a model that the engine accepts; with a pivot, for representatives."""
        n_primary, n_options = len(model.primary), len(model.options)
        ruled_out = pivot.rules_out if pivot else ()
        tables, counted = tables_of(model, len(ruled_out), self.least_options_to_look)
        if ruled_out:
            tables, counted = with_ruled_out(tables, counted, ruled_out)
        root = bits_at(slice(n_options), int(tables.shape[0]))
        if pivot is not None:
            root &= ~bits_at(list(pivot.superfluous), len(root))
        return BitsetPlan(
            tables=tables,
            n_open=sum(low > 0 for low, _ in model.bounds) if model.bounds else n_primary,
            n_levels=model.row_shape.length + 2,
            root=root,
            order=pivot.order if pivot else None,
            counted=counted,
            first=pivot.item if pivot is not None and ruled_out else None,
            n_ruling=len(ruled_out),
        )

    def plan_facts(self, plan: BitsetPlan) -> object:
        """See the contract. Information on items that are counted or ask is included if there are any."""
        facts = (plan.tables[:-1], plan.n_open, plan.n_levels, plan.root, plan.order)
        counted = (plan.counted,) if plan.has_counts else ()
        asks = (plan.tables.asks,) if len(plan.tables.asks.starts) else ()
        return *facts, *counted, *asks

    def split(self, plan: BitsetPlan, at_least: int) -> tuple[Shard, ...]:
        """Make the first decisions of every branch, see `cutting.py`."""
        return cut(plan, at_least)

    def estimated_nodes(self, plan: BitsetPlan) -> float:
        """See the contract."""
        return estimated_nodes(plan)

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """The model in which the options of the prefix are given.

        None for a model with counted items, because its shards may also rule out options.
        """
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix) if model.is_once else None

    def start(self, plan: BitsetPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the shard's prefix."""
        words, n_scan, stride = (int(number) for number in plan.tables.shape)
        levels, open_words = plan.n_levels, -(-n_scan // 64)
        state = state_below(plan, shard.prefix)
        chosen = [number for number in shard.prefix if 0 <= number < len(plan.tables.sizes)]
        cursor = Cursor(
            state=np.zeros(frame.STATE_LENGTH, dtype=np.uint64),
            heights=np.zeros(levels, dtype=np.uint64),
            opens=np.zeros(levels, dtype=np.uint64),
            began=np.zeros(levels, dtype=np.uint64),
            chosen=_empty(levels),
            wide_live=_empty(levels * words),
            wide_choices=_empty(levels * words),
            live=_empty(levels * frame.MAX_WIDTH),
            choices=_empty(levels * frame.MAX_WIDTH),
            opened=_empty(levels * open_words),
            supported=_empty(stride),
            counts=_empty(n_scan),
            marks=np.zeros(words, dtype=np.uint64),
            sorted=_empty(levels),
            weights=np.zeros(n_scan + 1, dtype=np.uint64),
            visits=np.zeros(n_scan + 1, dtype=np.uint64),
            heads=np.zeros(frame.N_FRAMES * int(frame.HEAD_LENGTH), dtype=np.uint64),
            tables=_empty(frame.N_FRAMES * frame.MAX_WIDTH * stride),
            sources=_empty(frame.N_FRAMES * stride),
            places=_empty(frame.N_FRAMES * stride),
            origins=_empty(frame.N_FRAMES * frame.MAX_NARROW),
            conflicts=_empty(frame.N_FRAMES * frame.MAX_NARROW * frame.MAX_WIDTH),
            covers=_empty(frame.N_FRAMES * frame.MAX_NARROW * open_words),
            known=_empty(frame.N_FRAMES * frame.MAX_WIDTH),
            counted=state.counted,
        )
        cursor.heads[frame.HEAD_WIDTH] = words
        if plan.has_counts:
            cursor.places[:stride] = plan.tables.same[:stride]
        cursor.state[frame.STATE_FRESH] = 1
        cursor.state[frame.STATE_ROWS] = stride - 1 - plan.n_ruling
        cursor.wide_choices[:words] = 0
        cursor.chosen[: len(chosen)] = chosen
        cursor.heights[0] = cursor.state[frame.STATE_CHOSEN] = len(chosen)
        cursor.opens[0], cursor.wide_live[words : 2 * words] = state.n_open, state.live
        if plan.first is not None and not shard.prefix:
            cursor.state[frame.STATE_FRESH], cursor.state[frame.STATE_LEVEL] = 0, 1
            cursor.heights[1], cursor.opens[1], cursor.began[1] = 0, state.n_open, 0
            cursor.wide_choices[words : 2 * words] = state.live & plan.row(plan.first)
        return cursor

    def advance(self, plan: BitsetPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is an option tried for an item that had two or more left."""
        search = list_solutions if is_loaded(list_solutions) else list_in_frame_0
        return Advance.of(search(plan.tables, cursor, out_of(room.rows), budget))

    def part_done(self, plan: BitsetPlan, cursor: Cursor) -> float:
        """See the contract: the part of the first options that are done, with half of the current one."""
        n_first = n_first_options(plan)
        if not n_first:
            return 0.0
        words = int(plan.tables.shape[0])
        left, first, n_words = cursor.wide_choices, words, words
        if cursor.state[frame.STATE_FRAME] and cursor.heads[frame.HEAD_LENGTH + frame.HEAD_BASE] == 1:
            left, first, n_words = cursor.choices, frame.MAX_WIDTH, int(cursor.heads[frame.HEAD_LENGTH])
        n_left = sum(map(int.bit_count, left[first : first + n_words].tolist()))
        return 1 - (n_left + 0.5) / n_first


@cache
def _look_for_narrow_frames() -> None:
    """Load the kernel with narrow frames if a cache has it. Asking takes longer than a short search."""
    load(list_solutions, *_tiny_search())


def _tiny_search() -> tuple[Any, ...]:
    """The arguments of a search with narrow frames."""
    engine = CoverBitset()
    plan = engine.plan(TINY)
    out = out_of(unfilled((1, TINY.row_shape.length), np.uint8))
    return plan.tables, engine.start(plan, WHOLE), out, 1


def _clashes(model: ExactCover, pivot: Pivot) -> int:
    """The sum, over the items of each option of the pivot, of the number of options of the item."""
    uses = all_uses(model)
    of_pivot = np.isin(uses.options, pivot.own)
    return int(np.bincount(uses.items)[uses.items[of_pivot]].sum())


def _empty(size: int) -> Words:
    return unfilled(size, np.uint64)
