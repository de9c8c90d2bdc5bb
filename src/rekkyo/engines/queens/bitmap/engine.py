"""Engine `queens-bitmap`: lists the solutions of any queens model in lexicographic order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from rekkyo.bits import Word, Words
from rekkyo.engines.contract import WHOLE, Advance, ListingEngine, Room, Shard
from rekkyo.engines.prefixes import Grown, Prefix, shards_of
from rekkyo.engines.queens.bitmap.kernel import Cursor, list_solutions
from rekkyo.engines.queens.bitmap.kernel_sample import draw_boards
from rekkyo.engines.sampling import KernelSampler
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens, Square


@dataclass(frozen=True, slots=True, eq=False)
class BitmapPlan:
    """allowed : uint64[n]. Bit c of word r: a queen may stand in column c of row r.

    Blocked squares and squares that a given queen attacks are never allowed; a row with a given queen allows
    only that one. wrap: None on a flat board, the word with the n low bits set on a torus.
    """

    model: Queens
    allowed: Words
    wrap: Word | None


TINY = Queens(1), Queens(1, toroidal=True)
"""Boards that are searched in order to compile the kernels."""


class QueensBitmap(ListingEngine[BitmapPlan, Cursor]):
    """Row by row with bit masks, also with blocked squares, given queens or on a torus."""

    model_type = Queens
    model_words = "queens models"
    name = "queens-bitmap"
    plan_version = 1
    summary = "row by row with bit masks, lists in lexicographic order"
    moment_nodes = 1 << 18

    def compile(self, model: Model) -> None:
        """Compile the flat or the toroidal version."""
        self.begin(TINY[isinstance(model, Queens) and model.toroidal], model)

    def make_plan(self, model: Queens) -> BitmapPlan:
        """The plan of a queens model."""
        wrap = np.uint64((1 << model.n) - 1) if model.toroidal else None
        return BitmapPlan(model, np.array(allowed_columns(model), dtype=np.uint64), wrap)

    def split(self, plan: BitmapPlan, at_least: int) -> tuple[Shard, ...]:
        """Fix the queens of the first rows. The number of rows is the least that gives `at_least` shards."""

        def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
            if len(prefixes[0]) == plan.model.n - 1:  # the kernel needs one row to decide
                return None
            longer: list[Prefix] = []
            for prefix in prefixes:
                free = int(self.start(plan, Shard(0, prefix)).free[len(prefix)])
                longer += [(*prefix, column) for column in range(plan.model.n) if free >> column & 1]
            return (longer, len(longer)) if longer else None

        return shards_of([()], at_least, grow)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The model in which the queens of the prefix are given."""
        assert isinstance(model, Queens)
        return replace(model, given=model.given | frozenset(enumerate(shard.prefix)))

    def start(self, plan: BitmapPlan, shard: Shard) -> Cursor:
        """A cursor below the queens of the shard's prefix."""
        n, row = plan.model.n, len(shard.prefix)
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

    def advance(self, plan: BitmapPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node is a queen placed."""
        return Advance.of(list_solutions(plan.allowed, plan.wrap, cursor, room.rows, budget))

    def sampler(self, plan: BitmapPlan) -> KernelSampler:
        """A sampler that draws the queens of the first rows."""

        def draws(*how: Any) -> Any:
            return draw_boards(plan.allowed, plan.wrap, self.start(plan, WHOLE), *how)

        return KernelSampler(plan.model.n, 1, draws)


def allowed_columns(model: Queens) -> list[int]:
    """For each row the columns where a queen may stand, as bits; all 0 if there is clearly no solution."""
    n = model.n
    allowed = [(1 << n) - 1] * n
    if model.blocked or model.given:
        allowed = [
            sum(1 << column for column in range(n) if _may_stand(model, (row, column))) for row in range(n)
        ]
    return [0] * n if _is_hopeless(model, allowed) else allowed


def _bit(plan: BitmapPlan, column: int) -> Word:
    """The bit of a column that may be outside of the board: wrapped around on a torus, else 0."""
    if plan.model.toroidal:
        column %= plan.model.n
    return np.uint64(1 << column if 0 <= column < plan.model.n else 0)


def _is_hopeless(model: Queens, allowed: list[int]) -> bool:
    """Whether given queens attack each other, or a row or column has no allowed square."""
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
    # On a torus diagonals have the period n. On a flat board all distances are less than 2n.
    period = model.n if model.toroidal else 2 * model.n
    return 0 in (down, across, (down - across) % period, (down + across) % period)
