"""Compiled random samples of the search for sum figures; see `rekkyo.engines.sampling`.

For magic squares of order 6 (36 cells) a standard error of 1 % takes 7 to 10 s when 20 to 22 cells are drawn,
28 s with 24 and 213 s with 30: deep draws nearly always end without a solution. Drawing 18 or fewer costs
more again, because then the nodes below one draw resemble each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.sampling import draw_below
from rekkyo.engines.sums.lines.kernel import TOP, Program, narrowed
from rekkyo.jit import allocating_kernel, kernel


@allocating_kernel
def draw_figures(
    program: Program,
    right_sides: NDArray[np.int64],
    first_sum: int,
    n_sums: int,
    all_numbers: np.uint64,
    n_random: int,
    seed: np.uint64,
    budget: int,
    solutions: NDArray[np.float64],
    nodes: NDArray[np.float64],
) -> Any:
    """Make draws until the arrays are full or the budget is spent; returns (draws made, nodes tried).

    right_sides      : int64[n_checks, 2], in. See `plan.LinesPlan`; the common sum is drawn as well.
    n_random         : cells whose numbers are drawn, 0 … n - 1; all others are searched through.
    solutions, nodes : float64[n_draws], out. What each draw stands for.
    """
    domain = program.domain
    state = np.empty(1, dtype=np.uint64)
    state[0] = seed
    distance = np.zeros(domain.shape[0], dtype=np.int64)
    all_choices = np.zeros(domain.shape[0], dtype=np.uint64)
    rest = np.zeros(right_sides.shape[0], dtype=np.int64)
    all_mirrored = ZERO
    for bit in range(np.uint64(64)):
        all_mirrored |= (all_numbers >> bit & ONE) << (TOP - bit)
    tried = 0
    for draw in range(solutions.shape[0]):
        common = first_sum + np.int64(draw_below(state, np.uint64(n_sums)))
        for check in range(rest.shape[0]):
            rest[check] = right_sides[check, 0] + common * right_sides[check, 1]
        free, mirrored = all_numbers, all_mirrored
        weight = np.float64(n_sums)
        n_nodes = 0.0
        for depth in range(n_random):
            choices = narrowed(
                free,
                mirrored,
                depth,
                distance,
                rest,
                domain,
                program.check_start,
                program.checks,
                program.terms,
                program.less_start,
                program.less,
                program.greater_start,
                program.greater,
            )
            n_choices = popcount(choices)
            weight *= np.float64(n_choices)
            if n_choices == ZERO:
                break
            n_nodes += weight
            tried += 1
            for _ in range(draw_below(state, n_choices)):
                choices &= choices - ONE
            number = lowest_index(choices)
            distance[depth] = np.int64(number)
            free ^= ONE << number
            mirrored ^= ONE << (TOP - number)
        n_found, n_below = 0, 0
        if weight > 0.0:
            left = budget - tried
            n_found, n_below = _search(program, rest, free, mirrored, n_random, left, distance, all_choices)
            if n_below > left:
                return draw, tried + n_below
        solutions[draw] = weight * np.float64(n_found)
        nodes[draw] = n_nodes + weight * np.float64(n_below)
        tried += n_below
    return solutions.shape[0], tried


@kernel
def _search(
    program: Program,
    rest: NDArray[np.int64],
    free: np.uint64,
    mirrored: np.uint64,
    first: int,
    budget: int,
    distance: NDArray[np.int64],
    all_choices: NDArray[np.uint64],
) -> Any:
    """Count what lies below the first cells: (solutions, nodes); gives up when there are more than `budget`.

    distance    : int64[n], in/out. What the first cells hold.
    all_choices : uint64[n], scratch.
    """
    domain, check_start, checks, terms, less_start, less, greater_start, greater, _, _ = program
    last = domain.shape[0] - 1
    n_found = 0
    n_nodes = 0
    depth = first
    is_new = True
    choices = ZERO
    while n_nodes <= budget:
        if is_new:
            is_new = False
            choices = narrowed(
                free,
                mirrored,
                depth,
                distance,
                rest,
                domain,
                check_start,
                checks,
                terms,
                less_start,
                less,
                greater_start,
                greater,
            )
        if choices == ZERO:
            if depth == first:
                break
            depth -= 1
            back = np.uint64(distance[depth])
            free |= ONE << back
            mirrored |= ONE << (TOP - back)
            choices = all_choices[depth]
            continue
        number = lowest_index(choices)
        choices &= choices - ONE
        n_nodes += 1
        if depth == last:
            n_found += 1
            continue
        all_choices[depth] = choices
        distance[depth] = np.int64(number)
        free ^= ONE << number
        mirrored ^= ONE << (TOP - number)
        depth += 1
        is_new = True
    return n_found, n_nodes
