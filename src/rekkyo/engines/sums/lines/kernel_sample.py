"""Compiled random samples of the search for sum figures; see `rekkyo.engines.sampling.KernelSampler`.

For magic squares of order 6 (36 cells) a standard error of 1 % takes 7 to 10 s when 20 to 22 cells are drawn,
28 s with 24 and 213 s with 30: deep draws nearly always end without a solution. Drawing 18 or fewer also
costs more, because then the nodes below one draw are correlated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, lowest_index, popcount
from rekkyo.engines.contract import BUFFER_FULL
from rekkyo.engines.sampling import draw_below
from rekkyo.engines.sums.lines.kernel import TOP, Cursor, Program, list_solutions, narrowed
from rekkyo.jit import kernel


@kernel
def draw_figures(
    program: Program,
    right_sides: NDArray[np.int64],
    sums: NDArray[np.int64],
    cursor: Cursor,
    n_random: int,
    budget: int,
    state: Words,
    out: NDArray[np.uint8],
    solutions: NDArray[np.float64],
    nodes: NDArray[np.float64],
) -> Any:
    """Repeatedly draw the common sum and the numbers of the first n_random cells.

    right_sides : int64[n_checks, 2], in. See `plan.LinesPlan`.   sums : int64[n_sums], in.
    cursor      : in, at the beginning of the search; then scratch. For the rest see `KernelSampler`.
    """
    distance, rest, words, depths = cursor.distance, cursor.rest, cursor.words, cursor.depths
    all_numbers, all_mirrored = words[0], words[1]
    last = out.shape[1] - 1
    tried = 0
    for draw in range(solutions.shape[0]):
        common = sums[draw_below(state, np.uint64(sums.shape[0]))]
        for check in range(rest.shape[0]):
            rest[check] = right_sides[check, 0] + common * right_sides[check, 1]
        free, mirrored = all_numbers, all_mirrored
        weight = np.float64(sums.shape[0])
        n_nodes = 0.0
        depth = 0
        choices = narrowed(program, cursor, free, mirrored, depth)
        while depth < n_random and choices != ZERO:
            n_choices = popcount(choices)
            weight *= np.float64(n_choices)
            n_nodes += weight
            tried += 1
            for _ in range(draw_below(state, n_choices)):
                choices &= choices - ONE
            number = lowest_index(choices)
            distance[depth] = np.int64(number)
            free ^= ONE << number
            mirrored ^= ONE << (TOP - number)
            depth += 1
            choices = narrowed(program, cursor, free, mirrored, depth)
        n_found, n_below = 0, 0
        if depth == n_random:
            words[0], words[1] = free, mirrored
            depths[0], depths[1] = depth, depth
            cursor.choices[depth] = choices
            left = budget - tried
            status = BUFFER_FULL
            while status == BUFFER_FULL and n_below <= left:
                status, found, n_more = list_solutions(program, cursor, last, out, left + 1 - n_below)
                n_found += found
                n_below += n_more
            if n_below > left:
                return draw, tried + n_below
        solutions[draw] = weight * np.float64(n_found)
        nodes[draw] = n_nodes + weight * np.float64(n_below)
        tried += n_below
    return solutions.shape[0], tried
