"""Shards of a sum figure, the common sum and the numbers in the first cells, and cursors below them."""

from __future__ import annotations

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Shard
from rekkyo.engines.prefixes import Grown, Prefix, shards_of
from rekkyo.engines.sums.lines.kernel import Cursor, list_solutions, narrowed
from rekkyo.engines.sums.lines.plan import MAX_SPAN, LinesPlan


def split(plan: LinesPlan, at_least: int) -> tuple[Shard, ...]:
    """A shard's prefix is the common sum and the values of the first cells.

    On the last level only some prefixes are made longer, those with most ways on first: hundreds of shards
    more than asked for cost more time than a small search itself. The last cell is left to the shards, which
    need a cell to work on.
    """

    def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
        if not prefixes or len(prefixes[0]) == len(plan.order):
            return None
        alive = {prefix: more for prefix in prefixes if (more := _ways_on(plan, prefix))}
        if not alive:
            return None
        n_missing, n_nodes = at_least - len(alive), 0
        for prefix in sorted(alive, key=lambda one: -len(alive[one])):
            if n_missing > 0:
                n_missing -= len(alive[prefix]) - 1
                n_nodes += len(alive[prefix])
            else:
                alive[prefix] = [prefix]
        return Grown([prefix for more in alive.values() for prefix in more], n_nodes)

    return shards_of([(common,) for common in plan.sums], at_least, grow)


def _ways_on(plan: LinesPlan, prefix: Prefix) -> list[Prefix]:
    """The prefix with the value of one more cell."""
    depth = len(prefix) - 1
    out = unfilled((MAX_SPAN + 1, len(plan.order)), np.uint8)
    _, n_found, _ = list_solutions(plan.program, start(plan, Shard(0, prefix)), depth, out, 1 << 62)
    return [(*prefix, value) for value in out[: int(n_found), plan.order[depth]].tolist()]


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
    cursor.choices[depth] = narrowed(plan.program, cursor, cursor.words[0], cursor.words[1], depth)
    return cursor
