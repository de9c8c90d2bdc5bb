"""Engine `cover-bitset`: lists the solutions of exact covers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, ZERO, Words, bits_at
from rekkyo.engines.contract import Advance, Room, Shard
from rekkyo.engines.covers.bitset import kernel_frame as frame
from rekkyo.engines.covers.bitset.asks import NOBODY, find_asks
from rekkyo.engines.covers.bitset.kernel_frame import IDLE, Counted, Cursor, Tables
from rekkyo.engines.covers.bitset.kernel_search import list_in_frame_0, list_solutions
from rekkyo.engines.covers.bitset.kernel_step import COUNT_SHIFT, ROW_MASK, choose_wide, scan_wide
from rekkyo.engines.covers.bitset.kernel_support import drop_unsupported
from rekkyo.engines.covers.pivot import MOST_NARROW, Pivot, PivotSearch, kept_pivots, narrow_pivot
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.out import out_of
from rekkyo.engines.prefixes import ROOT, Prefix, grown, numbered
from rekkyo.jit import is_loaded, load
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import with_options_given
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group

MAX_OPTIONS = 30_000
MAX_ROWS = 8192
"""With MAX_OPTIONS too, a plan takes 60 MB, and a cursor at most 60 MB more, most of which is never used."""

TINY = ExactCover(("a",), (), (((0, 0),),))
"""The cover that is searched in order to compile."""


@dataclass(frozen=True, slots=True, eq=False)
class BitsetPlan:
    """The tables of a model, see `kernel_frame`.

    n_open: the number of items that must be covered. n_levels: the levels of a cursor, see `Cursor`.
    root : uint64[words], the options that are live at first. order: the order of options in which a search
           for representatives compares rows; None in other searches.
    counted: information on the items that are not covered exactly once.
    first: the row of a pivot that rules out options of other items, which is always decided first; or None.
    n_ruling: the number of rows with options that such a pivot rules out, just before the zero row.
    """

    tables: Tables
    n_open: int
    n_levels: int
    root: Words
    order: tuple[int, ...] | None
    counted: Counted
    first: int | None
    n_ruling: int

    @property
    def has_counts(self) -> bool:
        """Whether any item is counted."""
        return len(self.counted.later) > 0


@dataclass(slots=True, eq=False)
class _State:
    """The state after some decisions: the number of open items, the live options, and `Cursor.counted`."""

    n_open: int
    live: Words
    counted: Counted


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
        n_rows = len(model.primary) + len(model.secondary) + all_uses(model).n_classes
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

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None = None) -> BitsetPlan:
        """The plan of a model that the engine accepts; with a pivot, for representatives."""
        n_primary, n_options = len(model.primary), len(model.options)
        words = max(1, -(-n_options // 64))
        n_scan = -(-n_primary // frame.LANE) * frame.LANE
        first_class = n_scan + len(model.secondary)
        all_used = all_uses(model)
        n_classes = all_used.n_classes
        ruled_out = pivot.rules_out if pivot else ()
        first_ruled_out = first_class + n_classes
        n_rows = first_ruled_out + len(ruled_out) + 1

        numbers, items = all_used.options, all_used.items
        same_color = np.full(len(items), n_rows - 1)
        same_color[all_used.colored] = all_used.classes + first_class
        is_once = np.ones(n_primary + len(model.secondary), dtype=np.bool_)
        is_once[: len(model.bounds)] = [pair == (1, 1) for pair in model.bounds]
        has_counts = not is_once.all()
        if has_counts:  # counted items last in every option
            order = np.lexsort((~is_once[items], numbers))
            numbers, items, same_color = numbers[order], items[order], same_color[order]
        is_primary = items < n_primary
        uses = np.where(is_primary, items, items + (n_scan - n_primary))
        rows = np.zeros((n_rows, words), dtype=np.uint64)
        bits, word = np.uint64(1) << (numbers & 63).astype(np.uint64), numbers >> 6
        # Bits that are not set yet are added, because `bitwise_or.at` takes six times as long.
        np.add.at(rows.ravel(), uses * words + word, bits)
        alike = np.zeros(0, dtype=np.uint64)
        if n_classes:
            alike = same_color.astype(np.uint64)
            np.add.at(rows.ravel(), same_color * words + word, bits)
            rows[n_rows - 1] = 0
        asks = NOBODY
        if n_classes and n_options >= self.least_options_to_look:
            asks = find_asks(numbers, uses, alike, is_once[:n_primary])
        of_counted = numbers[~is_once[items]] if has_counts else numbers[:0]
        n_counted = np.bincount(of_counted, minlength=n_options)
        covered = np.bincount(numbers[is_primary], minlength=n_options) - n_counted
        if ruled_out:
            # The first use of such an option is the row of the options that it rules out, without itself.
            rows[first_ruled_out:-1] = [bits_at(options, words) for _, options in ruled_out]
            numbers = np.concatenate([[option for option, _ in ruled_out], numbers])
            order = np.argsort(numbers, kind="stable")
            uses = np.concatenate([np.arange(first_ruled_out, n_rows - 1), uses])[order]
            if n_classes:
                alike = np.concatenate([np.full(len(ruled_out), n_rows - 1, dtype=np.uint64), alike])[order]
        starts = np.zeros(n_options + 1, dtype=np.uint64)
        np.cumsum(np.bincount(numbers, minlength=n_options), out=starts[1:])
        tables = Tables(
            table=np.ascontiguousarray(rows[:n_scan].T).ravel(),
            rows=rows.ravel(),
            starts=starts,
            uses=uses.astype(np.uint64),
            sizes=covered.astype(np.uint64),
            same=np.arange(max(n_options, n_rows), dtype=np.uint64),
            shape=np.array([words, n_scan, n_rows], dtype=np.uint64),
            alike=alike,
            asks=asks,
        )
        root = bits_at(slice(n_options), words)
        if pivot is not None:
            root &= ~bits_at(list(pivot.superfluous), words)
        return BitsetPlan(
            tables=tables,
            n_open=sum(low > 0 for low, _ in model.bounds) if model.bounds else n_primary,
            n_levels=model.row_shape.length + 2,
            root=root,
            order=pivot.order if pivot else None,
            counted=_counted(model, starts[1:] - n_counted.astype(np.uint64), n_scan if has_counts else 0),
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
        """Make the first decisions of every branch until there are `at_least` shards.

        A prefix has the options chosen, including forced ones; a forced option is neither a decision nor
        a node. ~row before an option means that the options of the row with lower numbers are ruled out.
        ~n_rows means the same for all live options; after it, n_options means that no further option is
        chosen.
        """
        n_options = len(plan.tables.sizes)

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            tried = _decide(plan, prefix)
            return None if tried is None else (tried, sum(longer[-1] < n_options for longer in tried))

        # The limit most_tried ends this walk in plain Python in a narrow tree, such as that of a sudoku.
        return numbered(*grown(ROOT, below, at_least, by_levels=True, most_tried=2 * at_least))

    def submodel(self, model: Model, shard: Shard) -> Model | None:
        """The model in which the options of the prefix are given.

        None for a model with counted items, because its shards may also rule out options.
        """
        assert isinstance(model, ExactCover)
        if any(pair != (1, 1) for pair in model.bounds):
            return None
        return with_options_given(model, shard.prefix)

    def start(self, plan: BitsetPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the shard's prefix."""
        words, n_scan, stride = (int(number) for number in plan.tables.shape)
        levels, open_words = plan.n_levels, -(-n_scan // 64)
        state = _below(plan, shard.prefix)
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
            cursor.wide_choices[words : 2 * words] = state.live & _row(plan, plan.first)
        return cursor

    def advance(self, plan: BitsetPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is an option tried for an item that had two or more left."""
        search = list_solutions if is_loaded(list_solutions) else list_in_frame_0
        return Advance.of(search(plan.tables, cursor, out_of(room.rows), budget))

    def part_done(self, plan: BitsetPlan, cursor: Cursor) -> float:
        """See the contract: the part of the first options that are done, with half of the current one."""
        tried = _decide(plan, ())
        if tried is None:
            return 0.0
        words = int(plan.tables.shape[0])
        left, first, n_words = cursor.wide_choices, words, words
        if cursor.state[frame.STATE_FRAME] and cursor.heads[frame.HEAD_LENGTH + frame.HEAD_BASE] == 1:
            left, first, n_words = cursor.choices, frame.MAX_WIDTH, int(cursor.heads[frame.HEAD_LENGTH])
        n_left = sum(map(int.bit_count, left[first : first + n_words].tolist()))
        return 1 - (n_left + 0.5) / len(tried)


@cache
def _look_for_narrow_frames() -> None:
    """Load the kernel with narrow frames if a cache has it. Asking takes longer than a short search."""
    load(list_solutions, *_tiny_search())


def _tiny_search() -> tuple[Any, ...]:
    """The arguments of a search with narrow frames."""
    engine = CoverBitset()
    plan = engine.plan(TINY)
    out = out_of(unfilled((1, TINY.row_shape.length), np.uint8))
    return plan.tables, engine.start(plan, Shard(0, ())), out, 1


def _clashes(model: ExactCover, pivot: Pivot) -> int:
    """The sum, over the items of each option of the pivot, of the number of options of the item."""
    uses = all_uses(model)
    of_pivot = np.isin(uses.options, pivot.own)
    return int(np.bincount(uses.items)[uses.items[of_pivot]].sum())


def _counted(model: ExactCover, firsts: Words, n_scan: int) -> Counted:
    """Information on counted items. firsts: see `Counted`. n_scan: 0 if none is counted."""
    later, rooms = np.zeros(n_scan, dtype=np.uint64), np.ones(n_scan, dtype=np.uint64)
    if not n_scan:
        return Counted(firsts, np.zeros(0, dtype=np.uint64), rooms, later)
    low, high = np.array(model.bounds, dtype=np.uint64).T
    later[: len(low)] = np.where(low > ZERO, low - np.minimum(low, ONE), IDLE)
    rooms[: len(high)] = high
    return Counted(firsts, np.flatnonzero(low < high).astype(np.uint64), rooms, later)


def _empty(size: int) -> Words:
    return unfilled(size, np.uint64)


def _decide(plan: BitsetPlan, prefix: Prefix) -> list[Prefix] | None:
    """The prefixes after the next decision, one for each of its options; None if it is solved or dead."""
    tables, state = plan.tables, _below(plan, prefix)
    n_rows, counted = int(tables.shape[2]), state.counted
    if plan.first is not None and not prefix:
        return [(option,) for option in _numbers(state.live & _row(plan, plan.first))]
    while state.n_open:
        _look(plan, state)
        best, n_alive, _ = _scan(plan, state)
        if n_alive < state.n_open:
            return None
        row, n_ways = int(best & ROW_MASK), int(best >> COUNT_SHIFT)
        options = _numbers(state.live & _row(plan, row))[:n_ways]
        if n_ways > 1:
            rules_out = plan.has_counts and counted.rooms[row] > 1
            head = (*prefix, ~row) if rules_out else prefix
            return [(*head, option) for option in options]
        prefix = (*prefix, options[0])
        _choose(plan, state, options[0])
    more = _numbers(state.live)
    return [(*prefix, ~n_rows, option) for option in (len(tables.sizes), *more)] if more else None


def _scan(plan: BitsetPlan, state: _State) -> Any:
    """See `scan_wide`."""
    counts = _empty(int(plan.tables.shape[1]))
    return scan_wide(plan.tables, state.live, ZERO, counts, state.counted.later)


def _look(plan: BitsetPlan, state: _State) -> None:
    """Rule out the options that the search rules out before it makes a level from a state."""
    asks, words, same = plan.tables.asks, plan.tables.shape[0], plan.tables.same
    supported = _empty(int(plan.tables.shape[2]))
    while state.n_open >= asks.least_open[0]:
        best, n_alive, _ = _scan(plan, state)
        makes_level = n_alive >= state.n_open and best >> COUNT_SHIFT != ONE
        if not makes_level or not drop_unsupported(asks, state.live, ZERO, words, same, ZERO, supported):
            break


def _below(plan: BitsetPlan, prefix: Prefix) -> _State:
    """The state after the decisions of a prefix, see `CoverBitset.split`."""
    tables, counted = plan.tables, plan.counted
    later = _empty(frame.N_FRAMES * len(counted.later))
    later[: len(counted.later)] = counted.later
    counted = counted._replace(rooms=counted.rooms.copy(), later=later)
    state = _State(plan.n_open, plan.root.copy(), counted)
    words, _, n_rows = (int(number) for number in tables.shape)
    row = None
    for place, number in enumerate(prefix):
        if row is None and (place or plan.first is None):
            _look(plan, state)
        if number < 0:
            row = ~number
            continue
        if row is not None:
            before = bits_at(slice(number), words)
            state.live &= ~(before if row == n_rows else before & _row(plan, row))
            row = None
        if number < len(tables.sizes):
            _choose(plan, state, number)
    return state


def _choose(plan: BitsetPlan, state: _State, option: int) -> None:
    """Choose an option: remove it and the options that conflict with it, and count the items it covers."""
    tables, counted = plan.tables, state.counted
    words, end = int(tables.shape[0]), tables.starts[option + 1]
    behind = counted.firsts[option]
    choose_wide(tables, state.live, ZERO, ZERO, np.uint64(option), behind)
    state.n_open -= int(tables.sizes[option])
    if not plan.has_counts:
        return
    state.live &= ~bits_at([option], words)
    for row in tables.uses[behind:end].tolist():
        state.n_open -= int(counted.later[row] == 0)
        counted.later[row] = counted.later[row] - ONE if counted.later[row] else IDLE
        counted.rooms[row] -= ONE
        if not counted.rooms[row]:
            state.live &= ~_row(plan, row)


def _row(plan: BitsetPlan, row: int) -> Words:
    """The options of a row as bits."""
    words = int(plan.tables.shape[0])
    return plan.tables.rows[row * words : (row + 1) * words]


def _numbers(bits: Words) -> list[int]:
    numbers: list[int] = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little")).tolist()
    return numbers
