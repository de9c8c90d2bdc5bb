"""Engine `cover-bitset`: lists the solutions of exact covers in which every item is covered once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ZERO, Words
from rekkyo.engines.contract import Advance, Room, Rows, Shard
from rekkyo.engines.covers.bitset import kernel_frame as frame
from rekkyo.engines.covers.bitset.kernel_frame import Cursor, Out, Tables
from rekkyo.engines.covers.bitset.kernel_search import list_in_frame_0, list_solutions
from rekkyo.engines.covers.bitset.kernel_step import COUNT_SHIFT, ROW_MASK, choose_wide, scan_wide
from rekkyo.engines.covers.pivot import Pivot, PivotSearch
from rekkyo.engines.covers.uses import all_uses, colors_of_items
from rekkyo.engines.prefixes import ROOT, Prefix, grown, numbered
from rekkyo.jit import is_loaded, load
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import with_options_given
from rekkyo.model.puzzle import Model

MAX_OPTIONS = 30_000
MAX_ROWS = 8192
"""With as many options as well a plan takes 60 MB, and a cursor at most as much again, mostly untouched."""

TINY = ExactCover(("a",), (), (((0, 0),),))
"""What is searched in order to compile."""

NO_ROWS = tuple(np.zeros((0, 0), dtype=dtype) for dtype in (np.uint8, np.uint16))


@dataclass(frozen=True, slots=True, eq=False)
class BitsetPlan:
    """The tables of a model, see `kernel_frame`.

    n_primary: items to be covered. n_levels: most decisions on one way down, and one more.
    root : uint64[words], the options live at first. order: how a search for representatives compares.
    """

    tables: Tables
    n_primary: int
    n_levels: int
    root: Words
    order: tuple[int, ...] | None


class CoverBitset(PivotSearch[BitsetPlan, Cursor]):
    """Branches on the item with the fewest options; options, and conflicts between them, as bit vectors."""

    name = "cover-bitset"
    plan_version = 2
    summary = "option bitsets, fewest options first; secondary items and colours"

    long_nodes = 1 << 24
    """Some ten seconds without narrow frames, which are compiled in ten seconds and halve the rest."""

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
        """Load the kernel with narrow frames where it is kept, or else compile the one without.

        A cover of one option will do: all models run the same code.
        """
        self.check(model)
        load(list_solutions, *self._tiny_search())
        self.begin(TINY, model)

    def compile_for_long(self, model: Model) -> None:
        """Compile the kernel with narrow frames, which searches from then on."""
        list_solutions(*self._tiny_search())

    def _tiny_search(self) -> tuple[Tables, Cursor, Out, int]:
        plan = self.plan(TINY)
        (shard,) = self.split(plan, 1)
        room = unfilled((1, TINY.row_shape.length), np.uint8)
        return plan.tables, self.start(plan, shard), _out(room), 1

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None = None) -> BitsetPlan:
        """The plan of a model that the engine accepts; with a pivot, for representatives."""
        n_primary, n_options = len(model.primary), len(model.options)
        words = max(1, -(-n_options // 64))
        n_scan = -(-n_primary // frame.LANE) * frame.LANE
        first_class = n_scan + len(model.secondary)
        classes = {pair: row for row, pair in enumerate(colors_of_items(model), first_class)}
        n_rows = first_class + len(classes) + 1

        numbers, items, colors = all_uses(model)
        sizes = np.bincount(numbers, minlength=n_options)
        uses = np.where(items < n_primary, items, items + (n_scan - n_primary))
        rows = np.zeros((n_rows, words), dtype=np.uint64)
        bits = np.uint64(1) << (numbers & 63).astype(np.uint64)
        np.bitwise_or.at(rows.ravel(), uses * words + (numbers >> 6), bits)
        alike = np.zeros(0, dtype=np.uint64)
        if classes:
            colored = np.flatnonzero(colors)
            alike = np.full(len(uses), n_rows - 1, dtype=np.uint64)
            pairs = zip(items[colored].tolist(), colors[colored].tolist(), strict=True)
            same_color = np.array([classes[pair] for pair in pairs])
            np.bitwise_or.at(rows.ravel(), same_color * words + (numbers[colored] >> 6), bits[colored])
            alike[colored] = same_color
        covered = np.bincount(numbers[items < n_primary], minlength=n_options)
        starts = np.zeros(n_options + 1, dtype=np.uint64)
        np.cumsum(sizes, out=starts[1:])
        tables = Tables(
            table=np.ascontiguousarray(rows[:n_scan].T).ravel(),
            rows=rows.ravel(),
            starts=starts,
            uses=uses.astype(np.uint64),
            sizes=covered.astype(np.uint64),
            same=np.arange(max(n_options, n_rows), dtype=np.uint64),
            shape=np.array([words, n_scan, n_rows], dtype=np.uint64),
            alike=alike,
        )
        live = np.ones(n_options, dtype=np.bool_)
        live[list(pivot.superfluous if pivot else ())] = False
        root = np.zeros(words, dtype=np.uint64)
        root.view(np.uint8)[: -(-n_options // 8)] = np.packbits(live, bitorder="little")
        return BitsetPlan(
            tables=tables,
            n_primary=n_primary,
            n_levels=model.row_shape.length + 2,
            root=root,
            order=pivot.order if pivot else None,
        )

    def split(self, plan: BitsetPlan, at_least: int) -> tuple[Shard, ...]:
        """Make the first decisions of every branch, as many as it takes to have `at_least` shards.

        Options that are forced on the way belong to the prefix; forcing is no decision and no node.
        """

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            tried = _decide(plan, prefix)
            return None if tried is None else (tried, len(tried))

        # A narrow tree, such as a sudoku's, is left whole rather than walked here in plain Python.
        return numbered(*grown(ROOT, below, at_least, by_levels=True, most_tried=2 * at_least))

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The options of the prefix are given."""
        assert isinstance(model, ExactCover)
        return with_options_given(model, shard.prefix)

    def start(self, plan: BitsetPlan, shard: Shard) -> Cursor:
        """A cursor below the options of the shard's prefix."""
        words, n_scan, stride = (int(number) for number in plan.tables.shape)
        levels = plan.n_levels
        cursor = Cursor(
            state=np.zeros(4, dtype=np.uint64),
            heights=np.zeros(levels, dtype=np.uint64),
            opens=np.zeros(levels, dtype=np.uint64),
            began=np.zeros(levels, dtype=np.uint64),
            chosen=_empty(levels),
            wide_live=_empty(levels * words),
            wide_choices=_empty(levels * words),
            live=_empty(levels * frame.MAX_WIDTH),
            choices=_empty(levels * frame.MAX_WIDTH),
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
            known=_empty(frame.N_FRAMES * frame.MAX_WIDTH),
        )
        cursor.heads[[frame.HEAD_WIDTH, frame.HEAD_SCAN, frame.HEAD_STRIDE]] = words, n_scan, n_scan
        cursor.state[frame.STATE_FRESH] = 1
        cursor.wide_choices[:words] = 0
        n_chosen = len(shard.prefix)
        cursor.chosen[:n_chosen] = shard.prefix
        cursor.heights[0] = n_chosen
        cursor.opens[0], cursor.wide_live[words : 2 * words] = _below(plan, shard.prefix)
        return cursor

    def advance(self, plan: BitsetPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is an option tried for an item that had two or more left."""
        search = list_solutions if is_loaded(list_solutions) else list_in_frame_0
        return Advance.of(search(plan.tables, cursor, _out(room.rows), budget))


def _out(rows: Rows) -> Out:
    """Where solutions go: kernels see rows of one byte and of two bytes a number, and one kind is empty."""
    return Out(*(rows if rows.dtype == none.dtype else none for none in NO_ROWS))


def _empty(size: int) -> Words:
    return unfilled(size, np.uint64)


def _decide(plan: BitsetPlan, prefix: Prefix) -> list[Prefix] | None:
    """The prefix made longer by each option of the next decision; None if there is none (solved or dead)."""
    tables = plan.tables
    words, n_scan = tables.shape[0], tables.shape[1]
    counts = _empty(int(n_scan))
    n_open, live = _below(plan, prefix)
    while n_open:
        best, n_alive, _ = scan_wide(words, tables.table, n_scan, live, ZERO, counts)
        if n_alive < n_open:
            return None
        row = int(best & ROW_MASK)
        options = _numbers(live & tables.rows[row * int(words) : (row + 1) * int(words)])
        if best >> COUNT_SHIFT > 1:
            return [(*prefix, option) for option in options]
        prefix = (*prefix, options[0])
        n_open -= int(tables.sizes[options[0]])
        _choose(plan, live, options[0])
    return None


def _below(plan: BitsetPlan, prefix: Prefix) -> tuple[int, Words]:
    """How many primary items are open below the options of the prefix, and which options are live."""
    live = plan.root.copy()
    n_open = plan.n_primary
    for option in prefix:
        n_open -= int(plan.tables.sizes[option])
        _choose(plan, live, option)
    return n_open, live


def _choose(plan: BitsetPlan, live: Words, option: int) -> None:
    """Take the option, and all that clash with it, out of the live ones."""
    choose_wide(plan.tables, live, ZERO, ZERO, np.uint64(option))


def _numbers(bits: Words) -> list[int]:
    numbers: list[int] = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little")).tolist()
    return numbers
