"""The sampler of engine `queens-bitmap`, and its compiled search; see `rekkyo.engines.sampling`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.contract import Shard
from rekkyo.engines.queens.bitmap.kernel import BUFFER_FULL, Cursor, list_solutions, one_row_down
from rekkyo.engines.queens.bitmap.plan import BitmapPlan, start
from rekkyo.engines.sampling import NO_LIMIT, Draws, Sampler, draw_below
from rekkyo.jit import kernel

OUT_ROWS = 256


class BoardSampler(Sampler):
    """A level is a number of rows whose queens are drawn."""

    def __init__(self, plan: BitmapPlan) -> None:
        self._plan = plan

    @property
    def levels(self) -> Sequence[int]:
        """All rows but one, down to none."""
        return range(self._plan.model.n - 1, -1, -1)

    def is_whole(self, level: int) -> bool:
        """Without a row."""
        return level == 0

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        """See the contract."""
        plan = self._plan
        solutions, nodes = np.zeros(n_draws), np.zeros(n_draws)
        n_made, tried = draw_boards(
            plan.allowed,
            plan.wrap,
            level,
            NO_LIMIT if budget is None else budget,
            np.array([seed], dtype=np.uint64),
            start(plan, Shard(0, ())),
            unfilled((OUT_ROWS, plan.model.n), np.uint8),
            solutions,
            nodes,
        )
        return Draws(solutions[:n_made], nodes[:n_made], int(tried))


@kernel
def draw_boards(
    allowed: NDArray[np.uint64],
    wrap: np.uint64 | None,
    n_random: int,
    budget: int,
    state: NDArray[np.uint64],
    cursor: Cursor,
    out: NDArray[np.uint8],
    solutions: NDArray[np.float64],
    nodes: NDArray[np.float64],
) -> Any:
    """Make draws until the arrays are full or the budget is spent; returns (draws made, nodes tried).

    allowed, wrap    : as in `list_solutions`.
    n_random         : rows whose queens are drawn, 0 … n - 1; all others are searched through.
    state            : uint64[1], in and out. See `draw_below`.
    cursor, out      : scratch, a block of rows.
    solutions, nodes : float64[n_draws], out. What each draw stands for.
    """
    last = np.uint64(allowed.shape[0] - 1)
    tried = 0
    for draw in range(solutions.shape[0]):
        weight, n_nodes = 1.0, 0.0
        free, straight, right, left = allowed[0], ZERO, ZERO, ZERO
        row = 0
        while row < n_random and free != ZERO:
            n_choices = popcount(free)
            weight *= np.float64(n_choices)
            n_nodes += weight
            tried += 1
            for _ in range(draw_below(state, n_choices)):
                free &= free - ONE
            queen = ONE << lowest_index(free)
            straight |= queen
            right, left = one_row_down(wrap, last, right | queen, left | queen)
            row += 1
            free = allowed[row] & ~(straight | right | left)
        n_found, n_below = 0, 0
        if row == n_random:
            cursor.free[row], cursor.taken[row] = free, straight
            cursor.falling[row], cursor.rising[row] = right, left
            cursor.rows[0], cursor.rows[1] = row, row
            most = budget - tried
            status = BUFFER_FULL
            while status == BUFFER_FULL and n_below <= most:
                status, found, n_more = list_solutions(allowed, wrap, cursor, out, most + 1 - n_below)
                n_found += found
                n_below += n_more
            if n_below > most:
                return draw, tried + n_below
        solutions[draw] = weight * np.float64(n_found)
        nodes[draw] = n_nodes + weight * np.float64(n_below)
        tried += n_below
    return solutions.shape[0], tried
