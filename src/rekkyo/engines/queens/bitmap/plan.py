"""From a queens model to one word of allowed columns per row, and to shards: the queens of the first rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Shard
from rekkyo.engines.prefixes import Grown, Prefix, shards_of
from rekkyo.engines.queens.bitmap.kernel import Cursor
from rekkyo.model.queens import Queens, Square


@dataclass(frozen=True, slots=True, eq=False)
class BitmapPlan:
    """allowed : uint64[n]. Bit c of word r: a queen may stand in column c of row r.

    Blocked squares and squares that a given queen attacks are never allowed; a row with a given queen allows
    only that one. wrap: None on a flat board, the word with the n low bits set on a torus.
    """

    model: Queens
    allowed: NDArray[np.uint64]
    wrap: np.uint64 | None


def make_plan(model: Queens) -> BitmapPlan:
    """The plan of a queens model."""
    n = model.n
    allowed = [
        sum(1 << column for column in range(n) if _may_stand(model, (row, column))) for row in range(n)
    ]
    if _is_hopeless(model, allowed):
        allowed = [0] * n
    wrap = np.uint64((1 << n) - 1) if model.toroidal else None
    return BitmapPlan(model, np.array(allowed, dtype=np.uint64), wrap)


def split(plan: BitmapPlan, at_least: int) -> tuple[Shard, ...]:
    """Fix the queens of the first rows, as many rows as it takes to have `at_least` shards."""

    def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
        if len(prefixes[0]) == plan.model.n - 1:  # the kernel needs a row to work on
            return None
        longer = [(*prefix, column) for prefix in prefixes for column in _next_columns(plan, prefix)]
        return Grown(longer, len(longer)) if longer else None

    return shards_of([()], at_least, grow)


def start(plan: BitmapPlan, shard: Shard) -> Cursor:
    """A cursor below the queens of the shard's prefix."""
    n = plan.model.n
    row = len(shard.prefix)
    cursor = Cursor(
        free=np.zeros(n, dtype=np.uint64),
        taken=np.zeros(n, dtype=np.uint64),
        falling=np.zeros(n, dtype=np.uint64),
        rising=np.zeros(n, dtype=np.uint64),
        columns=np.zeros(n, dtype=np.uint8),
        rows=np.array([row, row], dtype=np.uint64),
    )
    cursor.columns[:row] = shard.prefix
    for queen_row, column in enumerate(shard.prefix):
        distance = row - queen_row
        cursor.taken[row] |= np.uint64(1 << column)
        cursor.falling[row] |= _bit(plan, column + distance)
        cursor.rising[row] |= _bit(plan, column - distance)
    attacked = cursor.taken[row] | cursor.falling[row] | cursor.rising[row]
    cursor.free[row] = plan.allowed[row] & ~attacked
    return cursor


def _bit(plan: BitmapPlan, column: int) -> np.uint64:
    """The bit of a column, which may lie beside the board: wrapped on a torus, else none."""
    n = plan.model.n
    if plan.model.toroidal:
        column %= n
    return np.uint64(1 << column if 0 <= column < n else 0)


def _next_columns(plan: BitmapPlan, prefix: Prefix) -> list[int]:
    free = int(start(plan, Shard(0, prefix)).free[len(prefix)])
    return [column for column in range(plan.model.n) if free >> column & 1]


def _is_hopeless(model: Queens, allowed: list[int]) -> bool:
    """Whether given queens attack each other, or a row or column has no square left: no search needed."""
    if any(_attacks(model, one, other) for one, other in combinations(model.given, 2)):
        return True
    columns = 0
    for row_bits in allowed:
        columns |= row_bits
    return 0 in allowed or columns != (1 << model.n) - 1


def _may_stand(model: Queens, square: Square) -> bool:
    if square in model.blocked:
        return False
    return square in model.given or not any(_attacks(model, queen, square) for queen in model.given)


def _attacks(model: Queens, queen: Square, square: Square) -> bool:
    down, across = square[0] - queen[0], square[1] - queen[1]
    if model.toroidal:
        n = model.n
        return down == 0 or across == 0 or (down - across) % n == 0 or (down + across) % n == 0
    return down == 0 or across == 0 or abs(down) == abs(across)
