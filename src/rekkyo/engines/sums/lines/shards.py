"""Shards of a sum figure, the common sum and the numbers in the first cells, and cursors below them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from rekkyo.engines.contract import Shard
from rekkyo.engines.sums.lines.kernel import Cursor, list_solutions, narrowed
from rekkyo.engines.sums.lines.plan import MAX_SPAN, LinesPlan

Prefix: TypeAlias = tuple[int, ...]
"""The common sum, and the values of the first cells."""


def split(plan: LinesPlan, at_least: int) -> tuple[Shard, ...]:
    """The common sum and the values in the first cells, as many cells as it takes to have enough shards.

    On the last level only some prefixes are made longer, those with most ways on first: hundreds of shards
    more than asked for cost more time than a small search itself. The last cell is left to the shards, which
    need a cell to work on.
    """
    prefixes: list[Prefix] = [(common,) for common in plan.sums]
    n_nodes = 0
    for length in range(1, len(plan.order)):
        if len(prefixes) >= at_least:
            break
        alive = [(prefix, more) for prefix, more in _ways_on(plan, prefixes, length) if more]
        if not alive:
            break
        n_missing = at_least - len(alive)
        longer = dict(alive)
        for prefix, more in sorted(alive, key=lambda one: -len(one[1])):
            if n_missing > 0:
                n_missing -= len(more) - 1
                n_nodes += len(more)
            else:
                longer[prefix] = [prefix]
        prefixes = [prefix for more in longer.values() for prefix in more]
    return tuple(Shard(i, prefix, 0 if i else n_nodes) for i, prefix in enumerate(prefixes))


def _ways_on(plan: LinesPlan, prefixes: list[Prefix], length: int) -> Iterator[tuple[Prefix, list[Prefix]]]:
    """Each prefix with those that hold one cell more, `length` in all."""
    out = np.zeros((MAX_SPAN + 1, len(plan.order)), dtype=np.uint8)
    for prefix in prefixes:
        cursor = start(plan, Shard(0, prefix))
        _, n_found, _ = list_solutions(plan.program, cursor, length - 1, out, 1 << 62)
        values = out[: int(n_found), plan.order[length - 1]]
        yield prefix, [(*prefix, value) for value in values.tolist()]


def start(plan: LinesPlan, shard: Shard) -> Cursor:
    """A cursor below the prefix: the common sum, and the values of the first cells."""
    common, *values = shard.prefix
    n_cells, depth = len(plan.order), len(values)
    free = plan.all_numbers
    cursor = Cursor(
        choices=np.zeros(n_cells, dtype=np.uint64),
        distance=np.zeros(n_cells, dtype=np.int64),
        words=np.zeros(2, dtype=np.uint64),
        depths=np.array([depth, depth], dtype=np.int64),
        rest=plan.right_sides[:, 0] + plan.right_sides[:, 1] * common,
    )
    for at, value in enumerate(values):
        cursor.distance[at] = plan.distances[value]
        free ^= 1 << plan.distances[value]
    cursor.words[:] = free, int(f"{free:064b}"[::-1], 2)
    cursor.choices[depth] = narrowed(
        cursor.words[0], cursor.words[1], depth, cursor.distance, cursor.rest, *plan.program[:8]
    )
    return cursor
