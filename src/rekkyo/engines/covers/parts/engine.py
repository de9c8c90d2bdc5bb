"""Engine `cover-parts`: lists the solutions of exact covers in which every option has one primary item.

A *part* is a primary item with its options. Parts are interchangeable if their options are the same except
for the primary item. For example, two of ten labelled pieces may have the same shape. The search tries their
options in one order only (the earlier part takes the earlier place) and writes every solution in all orders.
So an option must conflict with the same option of an interchangeable part: a solution with both would be in
one order only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from math import factorial

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ZERO, Word, Words, bits_at
from rekkyo.engines.contract import Advance, Room, Shard
from rekkyo.engines.covers.parts.kernel_frame import DEAD, MAX_PARTS, PART_MASK, Cursor, Frame, Tables, settle
from rekkyo.engines.covers.parts.kernel_search import list_solutions
from rekkyo.engines.covers.pivot import Pivot, PivotSearch
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.out import out_of
from rekkyo.engines.prefixes import Prefix, numbered
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import Model

MAX_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class PartsPlan:
    """The tables of a model, see `kernel_frame`.

    A *slot* is the number of an option in the search; each part has the slots of its own words.

    root : uint64[words], the slots that are live at first. order: the order of options in which a search for
           representatives compares rows; None in other searches.
    """

    tables: Tables
    root: Words
    order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Decision:
    """The part with the fewest live slots, those slots, the open parts as bits, and all live slots."""

    part: int
    slots: list[int]
    open_parts: int
    live: Words


class CoverParts(PivotSearch[PartsPlan, Cursor]):
    """Chooses one option of each part so that every two agree; removes options that some part rules out."""

    name = "cover-parts"
    plan_version = 1
    summary = "one option of each part, pairs tabulated, arc consistency; for packings with gaps"
    smallest = ExactCover(("a",), (), (((0, 0),),))

    def limits(self, model: ExactCover) -> str | None:
        """Reject covers with bounds, with several primary items in an option, or that are too large."""
        if not model.is_once:
            return "takes every primary item exactly once"
        n_parts = len(model.primary)
        if n_parts > MAX_PARTS:
            return f"takes at most {MAX_PARTS} primary items; this model has {n_parts}"
        if np.count_nonzero(np.frombuffer(model.uses, np.intc)[::2] < n_parts) > len(model.options):
            return "takes options with one primary item only"
        if memory_bytes(model) > MAX_BYTES:
            return f"tabulates all pairs of options; {len(model.options)} options are too many"
        return None

    def pays_off(self, model: Model) -> bool:
        """True if two options share an item on average, such as large pieces in a narrow frame.

        Two placements of the ten digits share two segments on average. At half blocks, this search takes a
        minute, and `cover-bitset` did not end. Two options share half an item in Costas arrays and less for
        small pieces with gaps; both take 1.1 to 10 times as long here.
        """
        assert isinstance(model, ExactCover)
        uses = all_uses(model)
        return (
            int((np.bincount(uses.items[uses.items >= len(model.primary)]) ** 2).sum())
            >= len(model.options) ** 2
        )

    def pivoted_plan(self, model: ExactCover, pivot: Pivot | None) -> PartsPlan:
        """The matrix of agreeing options, and the slots without superfluous options of the pivot."""
        n_parts, n_options = len(model.primary), len(model.options)
        numbers: list[list[int]] = [[] for _ in range(n_parts)]
        for number, option in enumerate(model.options):
            numbers[min(item for item, _ in option)].append(number)
        rests = [
            [tuple(sorted(use for use in model.options[number] if use[0] != part)) for number in own]
            for part, own in enumerate(numbers)
        ]
        # The pivot must not be exchanged, because it does not have all options of its interchangeable parts.
        classes = [alike for alike in twin_classes(rests) if pivot is None or pivot.item not in alike]

        n_words = [max(1, -(-len(own) // 64)) for own in numbers]
        firsts = np.concatenate([[0], np.cumsum(n_words)]).astype(np.uint64)
        words = int(firsts[-1])
        slots = [
            64 * int(firsts[part]) + place for part, own in enumerate(numbers) for place in range(len(own))
        ]
        options = np.full(64 * words, n_options, dtype=np.uint64)
        options[slots] = [number for own in numbers for number in own]
        root = bits_at(slots, words)
        matrix = _matrix(model, options, slots, firsts, root)
        for alike in classes:
            _order_choices(matrix, firsts, alike)
        narrow = max(1, _most_words_later(matrix, firsts))
        images = np.array(exchanges(n_parts, classes), dtype=np.uint64)
        tables = Tables(
            matrix=matrix.ravel(),
            firsts=firsts,
            options=options,
            owners=np.repeat(np.arange(n_parts, dtype=np.uint64), n_words),
            same=np.arange(64 * words, dtype=np.uint64),
            images=images.ravel(),
            shape=np.array([n_parts, words, narrow, n_options, len(images)], dtype=np.uint64),
        )
        if pivot is None:
            return PartsPlan(tables, root)
        gone = np.flatnonzero(np.isin(options, np.array(pivot.superfluous, dtype=np.uint64)))
        return PartsPlan(tables, root & ~bits_at(gone, words), pivot.order)

    def nodes_of_moment(self, plan: PartsPlan) -> int:
        """See the contract. Arc consistency takes 60 to 80 ns for each word and node."""
        return max(1, self.moment_nodes // (1 + int(plan.tables.shape[1]) // 2))

    def split(self, plan: PartsPlan, at_least: int) -> tuple[Shard, ...]:
        """Make the first decisions of every branch until there are enough choices, and divide those.

        The prefix of a shard is the slots chosen, and then the range of its choices for the next part.
        """
        prefixes: list[Prefix] = [()]
        n_nodes = 0
        while True:
            decisions = {prefix: decision for prefix in prefixes if (decision := _decide(plan, prefix))}
            n_choices = sum(len(decision.slots) for decision in decisions.values())
            are_last = all(decision.open_parts.bit_count() == 1 for decision in decisions.values())
            if n_choices >= at_least or are_last:
                break
            n_nodes += n_choices
            prefixes = [(*prefix, slot) for prefix, decision in decisions.items() for slot in decision.slots]
        size = max(1, n_choices // at_least)
        ends = [
            (*prefix, first, first + size)
            for prefix, decision in decisions.items()
            for first in range(0, len(decision.slots), size)
        ]
        return numbered(ends or [(0, 0)], n_nodes)

    def start(self, plan: PartsPlan, shard: Shard) -> Cursor:
        """A cursor on the shard's choices, below the slots of its prefix."""
        tables = plan.tables
        n_parts, words, narrow = (int(number) for number in tables.shape[:3])
        *prefix, first, stop = shard.prefix
        levels = n_parts - len(prefix) + 1
        frames = min(levels, words.bit_length())
        cursor = Cursor(
            state=np.array([0, 0, len(prefix), 0], dtype=np.uint64),
            chosen=np.array([*prefix, *[0] * levels], dtype=np.uint64),
            opens=np.zeros(levels, dtype=np.uint64),
            parts=np.zeros(levels, dtype=np.uint64),
            frames=np.zeros(levels, dtype=np.uint64),
            live=_empty(levels * words),
            choices=np.zeros(levels * words, dtype=np.uint64),
            matrices=_empty(frames * 64 * narrow * narrow),
            firsts=_empty(frames * (n_parts + 1)),
            origins=_empty(frames * 64 * narrow),
            kept=_empty(3 * words),
            masks=_empty(6 * words),
        )
        decision = _decide(plan, tuple(prefix))
        if decision is not None:
            cursor.live[:words] = decision.live
            cursor.opens[0] = decision.open_parts
            cursor.parts[0] = decision.part
            cursor.choices[:words] = bits_at(decision.slots[first:stop], words)
        return cursor

    def advance(self, plan: PartsPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is an option tried."""
        return Advance.of(list_solutions(plan.tables, cursor, out_of(room.rows), budget))


def _matrix(model: ExactCover, options: Words, slots: Sequence[int], firsts: Words, root: Words) -> Words:
    """uint64[n_slots, words]. Bit t of row s: slots s and t are in different parts and agree."""
    users: dict[tuple[int, int], list[int]] = {}
    n_primary = len(model.primary)
    for slot in slots:
        for item, color in model.options[int(options[slot])]:
            if item >= n_primary:
                for key in {(item, 0), (item, color)}:
                    users.setdefault(key, []).append(slot)
    words = len(root)
    rows = {key: bits_at(own, words) for key, own in users.items()}
    matrix = np.zeros((64 * words, words), dtype=np.uint64)
    owners = np.repeat(np.arange(n_primary), np.diff(firsts).astype(np.int64))
    for slot in slots:
        clash = np.zeros(words, dtype=np.uint64)
        for item, color in model.options[int(options[slot])]:
            if item >= n_primary:
                clash |= rows[item, 0] & ~rows[item, color] if color else rows[item, 0]
        matrix[slot] = root & ~clash
        part = owners[slot // 64]
        matrix[slot, int(firsts[part]) : int(firsts[part + 1])] = 0
    return matrix


def _order_choices(matrix: Words, firsts: Words, alike: Sequence[int]) -> None:
    """Let slots of interchangeable parts agree only if the earlier part has the earlier place."""
    for pair in combinations(alike, 2):
        here, there = (slice(int(firsts[part]), int(firsts[part + 1])) for part in pair)
        n_slots = 64 * (here.stop - here.start)
        all_pairs = np.ones((n_slots, n_slots), dtype=np.uint8)
        later, earlier = np.triu(all_pairs, 1), np.tril(all_pairs, -1)
        for one, other, places in ((here, there, later), (there, here, earlier)):
            bits = np.packbits(places, axis=1, bitorder="little").view("<u8")
            matrix[64 * one.start : 64 * one.stop, other] &= bits


def _most_words_later(matrix: Words, firsts: Words) -> int:
    """The most words of a frame other than 0: its live slots all agree with one slot."""
    counts = np.add.reduceat(np.bitwise_count(matrix), firsts[:-1].astype(np.int64), axis=1, dtype=np.int64)
    return int((-(-counts // 64)).sum(axis=1).max(initial=0))


def _empty(size: int) -> Words:
    return unfilled(max(1, size), np.uint64)


def _decide(plan: PartsPlan, prefix: Prefix) -> _Decision | None:
    """The next decision below the slots of the prefix; None if there is no solution."""
    tables = plan.tables
    n_parts, words = int(tables.shape[0]), int(tables.shape[1])
    matrix = tables.matrix.reshape(-1, words)
    live, open_parts = plan.root.copy(), (1 << n_parts) - 1
    best = _settle(plan, live, open_parts)
    for slot in prefix:
        live &= matrix[slot]
        open_parts &= ~(1 << int(tables.owners[slot // 64]))
        best = _settle(plan, live, open_parts) if best != DEAD else best
    if best == DEAD:
        return None
    part = int(best & PART_MASK)
    first, stop = (64 * int(tables.firsts[index]) for index in (part, part + 1))
    flags = np.unpackbits(live.astype("<u8").view(np.uint8), bitorder="little")
    return _Decision(part, (first + np.flatnonzero(flags[first:stop])).tolist(), open_parts, live)


def _settle(plan: PartsPlan, live: Words, open_parts: int) -> Word:
    tables = plan.tables
    frame = Frame(tables.matrix, tables.firsts, tables.same, ZERO, ZERO, ZERO, tables.shape[1])
    best, _, _ = settle(frame, live, ZERO, np.uint64(open_parts))
    return np.uint64(best)


def memory_bytes(model: ExactCover) -> int:
    """A bound on the memory of plan and cursor, for options with one primary item each."""
    n_parts, items = len(model.primary), all_uses(model).items
    sizes = np.bincount(items[items < n_parts], minlength=n_parts)
    n_words = int(np.maximum(1, -(-sizes // 64)).sum())
    return 8 * 64 * n_words * n_words * (1 + n_parts)


MAX_IMAGES = 5040
"""Ways to exchange parts, at most. Classes that would make the table larger are not used."""


def twin_classes(parts: Sequence[Sequence[Option]]) -> list[list[int]]:
    """The classes of two or more interchangeable parts, each in the order of the parts.

    parts: for every part its options, without the primary item.
    """
    classes: dict[tuple[Option, ...], list[int]] = {}
    for part, options in enumerate(parts):
        classes.setdefault(tuple(options), []).append(part)
    chosen, n_images = [], 1
    for alike in classes.values():
        clash = all(any(color == 0 for _, color in option) for option in parts[alike[0]])
        if clash and len(alike) > 1 and n_images * factorial(min(len(alike), 20)) <= MAX_IMAGES:
            chosen.append(alike)
            n_images *= factorial(len(alike))
    return chosen


def exchanges(n_parts: int, classes: Sequence[Sequence[int]]) -> list[list[int]]:
    """All ways to exchange the parts within the classes. The first one is the identity."""
    images = []
    for orders in product(*map(permutations, classes)):
        target_of = dict(zip(chain(*classes), chain(*orders), strict=True))
        images.append([target_of.get(part, part) for part in range(n_parts)])
    return images
