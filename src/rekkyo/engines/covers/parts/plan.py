"""From an exact cover to a matrix of agreeing options, and to shards: the options chosen first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import ZERO
from rekkyo.engines.contract import Shard
from rekkyo.engines.covers.parts.kernel_settle import DEAD, PART_MASK, settle
from rekkyo.engines.covers.parts.kernel_state import Cursor, Frame, Tables
from rekkyo.engines.covers.parts.twins import exchanges, twin_classes
from rekkyo.engines.covers.pivot import Pivot
from rekkyo.engines.prefixes import Prefix, numbered
from rekkyo.model.exact_cover import ExactCover, Option

Bits = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class PartsPlan:
    """The tables of a model, see `kernel_state`.

    root : uint64[words], the slots that are live at first. order: how a search for representatives compares.
    """

    tables: Tables
    root: Bits
    order: tuple[int, ...] | None = None


def make_plan(model: ExactCover, pivot: Pivot | None = None) -> PartsPlan:
    """The plan of a model in which every option has one primary item; with a pivot, for representatives."""
    n_parts, n_options = len(model.primary), len(model.options)
    numbers: list[list[int]] = [[] for _ in range(n_parts)]
    for number, option in enumerate(model.options):
        numbers[min(item for item, _ in option)].append(number)
    rests = [
        [_without_part(model.options[number], part) for number in numbers[part]] for part in range(n_parts)
    ]
    # What is chosen for the pivot must not be exchanged: its options are no longer those of its twin.
    classes = [alike for alike in twin_classes(rests) if pivot is None or pivot.item not in alike]

    n_words = [max(1, -(-len(own) // 64)) for own in numbers]
    firsts = np.concatenate([[0], np.cumsum(n_words)]).astype(np.uint64)
    words = int(firsts[-1])
    slots = [64 * int(firsts[part]) + place for part, own in enumerate(numbers) for place in range(len(own))]
    options = np.full(64 * words, n_options, dtype=np.uint64)
    options[slots] = [number for own in numbers for number in own]
    root = _bits(slots, words)
    matrix = _matrix(model, options, slots, firsts, root)
    for alike in classes:
        _order(matrix, firsts, alike)
    narrow = max(1, _narrow(matrix, n_words, firsts))
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
    return PartsPlan(tables, root & ~_bits(gone.tolist(), words), pivot.order)


def _without_part(option: Option, part: int) -> Option:
    return tuple(sorted(use for use in option if use[0] != part))


def _bits(slots: Sequence[int], words: int) -> Bits:
    flags = np.zeros(64 * words, dtype=np.uint8)
    flags[list(slots)] = 1
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def _matrix(model: ExactCover, options: Bits, slots: Sequence[int], firsts: Bits, root: Bits) -> Bits:
    """Which slots agree: uint64[n_slots, words]."""
    users: dict[tuple[int, int], list[int]] = {}
    n_primary = len(model.primary)
    for slot in slots:
        for item, color in model.options[int(options[slot])]:
            if item >= n_primary:
                users.setdefault((item, 0), []).append(slot)
                if color:
                    users.setdefault((item, color), []).append(slot)
    words = len(root)
    rows = {key: _bits(own, words) for key, own in users.items()}
    nobody = np.zeros(words, dtype=np.uint64)
    matrix = np.zeros((64 * words, words), dtype=np.uint64)
    owners = np.repeat(np.arange(n_primary), np.diff(firsts).astype(np.int64))
    for slot in slots:
        clash = nobody.copy()
        for item, color in model.options[int(options[slot])]:
            if item >= n_primary:
                clash |= rows[item, 0] & ~rows[item, color] if color else rows[item, 0]
        matrix[slot] = root & ~clash
        part = owners[slot // 64]
        matrix[slot, int(firsts[part]) : int(firsts[part + 1])] = 0
    return matrix


def _order(matrix: Bits, firsts: Bits, alike: Sequence[int]) -> None:
    """Let slots of twins agree only when the earlier part has the earlier place."""
    for index, one in enumerate(alike):
        for other in alike[index + 1 :]:
            here, there = (slice(int(firsts[part]), int(firsts[part + 1])) for part in (one, other))
            n_slots = 64 * (here.stop - here.start)
            later = np.packbits(
                np.triu(np.ones((n_slots, n_slots), dtype=np.uint8), 1), axis=1, bitorder="little"
            )
            earlier = np.packbits(
                np.tril(np.ones((n_slots, n_slots), dtype=np.uint8), -1), axis=1, bitorder="little"
            )
            matrix[64 * here.start : 64 * here.stop, there] &= later.view("<u8")
            matrix[64 * there.start : 64 * there.stop, here] &= earlier.view("<u8")


def _narrow(matrix: Bits, n_words: Sequence[int], firsts: Bits) -> int:
    """The most words that the live slots of a frame other than 0 need: no more than agree with one slot."""
    counts = np.add.reduceat(np.bitwise_count(matrix), firsts[:-1].astype(np.int64), axis=1, dtype=np.int64)
    return int((-(-counts // 64)).sum(axis=1).max(initial=0))


def start(plan: PartsPlan, shard: Shard) -> Cursor:
    """A cursor on the shard's choices, below the slots that it has chosen."""
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
        cursor.choices[:words] = _bits(decision.slots[first:stop], words)
    return cursor


def _empty(size: int) -> Bits:
    return unfilled(max(1, size), np.uint64)


def split(plan: PartsPlan, at_least: int) -> tuple[Shard, ...]:
    """Make the first decisions of every branch until they leave enough choices, and share those out.

    A shard's prefix: the slots chosen, then which of the choices for the next part are its own, from and to.
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


@dataclass(frozen=True, slots=True, eq=False)
class _Decision:
    """The part with the fewest live slots, those slots, and the state that they are chosen in."""

    part: int
    slots: list[int]
    open_parts: int
    live: Bits


def _decide(plan: PartsPlan, prefix: Prefix) -> _Decision | None:
    """What is decided next below the slots of the prefix; None when there is no solution there."""
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


def _settle(plan: PartsPlan, live: Bits, open_parts: int) -> np.uint64:
    tables = plan.tables
    frame = Frame(tables.matrix, tables.firsts, tables.same, ZERO, ZERO, ZERO, tables.shape[1])
    best, _, _ = settle(frame, live, ZERO, np.uint64(open_parts))
    return np.uint64(best)


def memory_bytes(model: ExactCover) -> int:
    """What plan and cursor take at most, worked out before any of it is asked for."""
    n_words = sum(max(1, -(-n // 64)) for n in _part_sizes(model))
    return 8 * 64 * n_words * n_words * (1 + len(model.primary))


def _part_sizes(model: ExactCover) -> list[int]:
    sizes = [0] * len(model.primary)
    for option in model.options:
        sizes[min(item for item, _ in option)] += 1
    return sizes
