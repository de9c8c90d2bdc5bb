"""Compiled random samples of the search for queens; see `rekkyo.engines.sampling.KernelSampler`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.contract import BUFFER_FULL
from rekkyo.engines.queens.bitmap.kernel import Cursor, list_solutions, one_row_down
from rekkyo.engines.sampling import draw_below
from rekkyo.jit import kernel


@kernel
def draw_boards(
    allowed: Words,
    wrap: Word | None,
    cursor: Cursor,
    n_random: int,
    budget: int,
    state: Words,
    out: NDArray[np.uint8],
    solutions: NDArray[np.float64],
    nodes: NDArray[np.float64],
) -> Any:
    """Draw the queens of the first n_random rows repeatedly, and search the other rows each time.

    allowed, wrap : as in `list_solutions`.   cursor : scratch.   For the others see `KernelSampler`.
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
