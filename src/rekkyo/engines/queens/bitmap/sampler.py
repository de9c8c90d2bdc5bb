"""The sampler of engine `queens-bitmap`, and its compiled search; see `rekkyo.engines.sampling`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.queens.bitmap.plan import BitmapPlan
from rekkyo.engines.sampling import NO_LIMIT, Draws, Sampler, draw_below
from rekkyo.jit import allocating_kernel


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
        n = self._plan.model.n
        solutions, nodes = np.zeros(n_draws), np.zeros(n_draws)
        n_made, tried = draw_boards(
            self._plan.allowed,
            np.uint64((1 << n) - 1),
            self._plan.wrap is not None,
            level,
            np.uint64(seed),
            NO_LIMIT if budget is None else budget,
            solutions,
            nodes,
        )
        return Draws(solutions[:n_made], nodes[:n_made], int(tried))


@allocating_kernel
def draw_boards(
    allowed: NDArray[np.uint64],
    board: np.uint64,
    is_torus: bool,
    n_random: int,
    seed: np.uint64,
    budget: int,
    solutions: NDArray[np.float64],
    nodes: NDArray[np.float64],
) -> Any:
    """Make draws until the arrays are full or the budget is spent; returns (draws made, nodes tried).

    allowed          : uint64[n], in. As in `kernel.list_solutions`.
    board            : the n low bits.
    n_random         : rows whose queens are drawn, 0 … n - 1; all others are searched through.
    solutions, nodes : float64[n_draws], out. What each draw stands for.
    """
    n = allowed.shape[0]
    last = np.uint64(n - 1)
    state = np.empty(1, dtype=np.uint64)
    state[0] = seed
    free = np.zeros(n, dtype=np.uint64)
    straight = np.zeros(n, dtype=np.uint64)
    falling = np.zeros(n, dtype=np.uint64)
    rising = np.zeros(n, dtype=np.uint64)
    tried = 0
    for draw in range(solutions.shape[0]):
        weight, n_nodes = 1.0, 0.0
        n_found, n_below = 0, 0
        row = 0
        free[0] = allowed[0]
        while True:
            if free[row] == ZERO:
                if row <= n_random:
                    break
                row -= 1
                continue
            if row < n_random:
                n_choices = popcount(free[row])
                weight *= np.float64(n_choices)
                n_nodes += weight
                tried += 1
                for _ in range(draw_below(state, n_choices)):
                    free[row] &= free[row] - ONE
            else:
                n_below += 1
                if tried + n_below > budget:
                    return draw, tried + n_below
            queen = ONE << lowest_index(free[row])
            free[row] ^= queen
            if row == n - 1:
                n_found += 1
                continue
            right, left = falling[row] | queen, rising[row] | queen
            row += 1
            straight[row] = straight[row - 1] | queen
            falling[row] = right << ONE & board
            rising[row] = left >> ONE
            if is_torus:
                falling[row] |= right >> last
                rising[row] |= (left & ONE) << last
            free[row] = allowed[row] & ~(straight[row] | falling[row] | rising[row])
        solutions[draw] = weight * np.float64(n_found)
        nodes[draw] = n_nodes + weight * np.float64(n_below)
        tried += n_below
    return solutions.shape[0], tried
