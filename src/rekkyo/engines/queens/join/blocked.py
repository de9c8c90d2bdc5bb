"""`queens-join` for boards with blocked squares or given queens: the plan, the shards, and the counting."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import poison, unfilled
from rekkyo.bits import Word, Words
from rekkyo.engines.contract import Pause, Shard, Tally
from rekkyo.engines.queens.bitmap.engine import allowed_columns
from rekkyo.engines.queens.join.kernel_blocked import (
    count_columns,
    find_halves,
    join_halves,
    sort_halves,
)
from rekkyo.engines.queens.join.kernel_join import KEPT_ROOM
from rekkyo.engines.queens.join.kernel_symmetric import MOVES
from rekkyo.engines.queens.join.plan import SLACK
from rekkyo.engines.queens.join.room import make_join_scratch
from rekkyo.model.queens import Queens

MAX_BLOCKED_N = 16
"""The half boards of n = 16 take 80 MB in each thread; those of n = 17 would take five times as much."""

N_SPREAD = 2
"""Number of columns by which shards differ: each shard fixes which of them have a queen in the upper half."""

PART_HALVES = 1 << 16
"""Halves that one call of the kernel finds. They are counted while they are in the cache."""

MOST_SPARE = 32
_spare: list[Words] = []
"""Arrays for parts, 16 MB at most, that are used again. New ones took a fifth of the time for n = 14."""

NO_HALVES = np.zeros(1, dtype=np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class BlockedPlan:
    """allowed : uint64[n]. Bit c of word r: a queen may stand in column c of row r."""

    model: Queens
    allowed: Words


def make_blocked_plan(model: Queens) -> BlockedPlan:
    """The plan of a board with blocked squares or given queens."""
    return BlockedPlan(model, np.array(allowed_columns(model), dtype=np.uint64))


def split_blocked(plan: BlockedPlan) -> tuple[Shard, ...]:
    """Shards by the first N_SPREAD columns. The prefix has a bit for each with a queen in the upper half."""
    return tuple(Shard(index, (index,)) for index in range(1 << min(N_SPREAD, plan.model.n)))


def count_blocked(plan: BlockedPlan, shard: Shard, pause: Pause) -> Tally:
    """The solutions of a shard. Nodes are queens placed, and pairs of halves compared."""
    n = plan.model.n
    middle, n_known, taken_above = n // 2, min(N_SPREAD, n), shard.prefix[0]
    among = (1 << n_known) - 1
    lists: list[tuple[NDArray[np.uint32], Words]] = []
    n_nodes, most = 0, []
    for first, stop, needed in ((0, middle, taken_above), (middle, n, among & ~taken_above)):
        if first == stop:  # the upper half of a board of one row is empty
            lists.append((NO_HALVES, np.full(1 << (n - n_known), needed == 0, dtype=np.uint64)))
            continue
        where = np.array((first, stop, middle, among, needed), dtype=np.uint64)
        counts = np.zeros(1 << (n - n_known), dtype=np.uint64)
        parts, nodes = _halves(plan.allowed, where, np.uint64(n_known), counts, pause)
        n_halves = int(counts.sum())
        n_nodes += nodes + n_halves
        ends = np.cumsum(counts) - counts
        keys = unfilled(n_halves, np.uint32)
        for part, n_found in parts:
            sort_halves(part[:n_found], np.uint64(n_known), ends, keys)
            if len(_spare) < MOST_SPARE:
                poison(part)
                _spare.append(part)
            pause()
        lists.append((keys, ends))
        most.append(int(counts.max()))
    (upper, upper_ends), (lower, lower_ends) = lists
    room = max(most) + SLACK
    left, right = unfilled(room, np.uint64), unfilled(KEPT_ROOM * room, np.uint64)
    scratch = make_join_scratch(max(most))
    n_bits = np.uint64(2 * (n - 1))
    found, compared = join_halves(upper, upper_ends, lower, lower_ends, left, right, n_bits, scratch)
    return Tally(int(found), n_nodes + int(compared))


def _halves(
    allowed: Words, where: Words, n_known: Word, counts: Words, pause: Pause
) -> tuple[list[tuple[Words, int]], int]:
    """All halves, and the nodes above their last rows. Adds the halves to `counts` by columns.

    The halves are in parts: arrays, and the number of halves in each.
    """
    stack = np.zeros(4 * (len(allowed) + 1), dtype=np.uint64)
    parts: list[tuple[Words, int]] = []
    n_nodes, is_more = 0, True
    while is_more:
        part = _spare_part()
        found, nodes, is_more = find_halves(allowed, where, stack, part)
        parts.append((part, int(found)))
        count_columns(part[: int(found)], n_known, counts)
        n_nodes += int(nodes)
        pause()
    return parts, n_nodes


def _spare_part() -> Words:
    """An array for a part. Other threads may take the last one at any moment."""
    with suppress(IndexError):
        return _spare.pop()
    return unfilled(PART_HALVES, np.uint64)


def is_blocked_alike(model: Queens) -> bool:
    """Whether a rotation or reflection preserves both the blocked squares and the given queens.

    False for a board with neither.
    """
    squares, last = (model.blocked, model.given), model.n - 1
    return any(squares) and any(
        all({move(last, row, column) for row, column in some} == some for some in squares)
        for _, move in MOVES
    )
