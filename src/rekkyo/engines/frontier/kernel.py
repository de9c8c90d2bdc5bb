"""Compiled steps of the frontier search: from all states before a level to all states after it.

Algorithm: every choice of the level is applied to every state (`emit`); equal results are merged, and their
counts added (`absorb`). `levels.py` defines states. Source: the frontier (broken profile) method.
The two halves alternate, so that results are merged while they are in the cache. States of one word are
emitted and merged by separate functions: with those for several words, sets and colourings in grids took 1.5
to 1.8 times as long; with only the merging of several words for both, kings 1.1 and dominoes 1.2 times. Left
out on purpose: skipping levels that do not change a state.

One call walks many levels, as far as the bounds allow. With a call for each, dominoes of 3x20 (59 levels, 125
nodes) took 1.0 ms instead of 0.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, LOW_HALF, Words
from rekkyo.engines.frontier.absorb import absorb, free_places
from rekkyo.engines.frontier.emit import emit_narrow, emit_wide, scratch_room
from rekkyo.engines.frontier.flat import (
    BLOCK_WIDTH,
    BLOCKS,
    LIMITS,
    N_MARKS,
    NUMBERS,
    FlatArrays,
    rules_in_kernel,
)
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.engines.limbs import Limbs, sum_all
from rekkyo.jit import allocating_inner_kernel, allocating_kernel, inner_kernel

LEAST_ROOM = 1 << 10

TURN = 1 << 11
"""The results of one alternation, or as many as one state may have."""


@allocating_kernel
def steps(
    states: Words,
    counts: Limbs,
    flat: FlatArrays,
    first: int,
    stop: int,
    most: int,
    bounds: tuple[int, int, int, int],
    successors: NDArray[np.uint32],
) -> Any:
    """Walk the level `first` and those after it; returns (are_too_many, states, counts, sizes, ways).

    states : uint64[n] or uint64[n, n_words], all different; out: those after the last level that was walked.
    counts : uint64[n, n_limbs], the number of ways to reach each.
    flat   : all levels.
    stop, bounds: it stops before the level `stop`, before a level that is beyond bounds, see `_goes_on`, and
        where counts have become longer.
    most   : the most states. A level with more is not walked.
    successors : see `_step`; empty if there are several levels.
    sizes  : int64[n_levels, 2], nodes and states of each level that was walked.
    ways   : uint64[n_levels, n_limbs + 2], the sum of the counts after each.
    """
    n_limbs, level, nodes = counts.shape[1], first, 0
    sizes = np.empty((stop - first, 2), dtype=np.int64)
    ways = np.zeros((stop - first, n_limbs + 2), dtype=np.uint64)
    are_too_many = False
    while level == first or _goes_on(flat.heads, level, stop, states.shape[0], nodes, bounds):
        head, end = flat.heads[level], flat.heads[level + 1]
        are_too_many, after, sums, tried = _step(
            states,
            counts,
            flat.numbers[head[NUMBERS] : end[NUMBERS]],
            flat.limits[head[LIMITS] : end[LIMITS]],
            flat.rules,
            flat.blocks[head[BLOCKS] : end[BLOCKS]],
            head,
            end,
            most,
            successors,
        )
        if are_too_many:
            break
        states, counts = after, sums
        nodes += tried
        sizes[level - first, 0], sizes[level - first, 1] = tried, states.shape[0]
        sum_all(counts, ways[level - first])
        level += 1
        if counts.shape[1] > n_limbs:
            break
    return are_too_many, states, counts, sizes[: level - first], ways[: level - first]


@inner_kernel
def _goes_on(
    heads: NDArray[np.int64],
    level: int,
    stop: int,
    n_states: int,
    nodes: int,
    bounds: tuple[int, int, int, int],
) -> bool:
    """Whether a call walks another level. bounds: see `front.Bounds`."""
    if level == stop:
        return False
    needs = n_states * ((heads[level + 1, NUMBERS] - heads[level, NUMBERS] - N_MARKS) // 3)
    most_nodes, most_needs, most_together, most_states = bounds
    return bool(
        nodes <= most_nodes
        and needs <= most_needs
        and nodes + needs <= most_together
        and n_states <= most_states
    )


@allocating_inner_kernel
def _step(
    states: Words,
    counts: Limbs,
    numbers: Words,
    limits: Words,
    all_rules: RuleArrays | None,
    block_numbers: Words,
    head: NDArray[np.int64],
    end: NDArray[np.int64],
    most: int,
    successors: NDArray[np.uint32],
) -> Any:
    """One level; returns (are_too_many, states, counts, nodes).

    Branches on the dimensions of `states` are decided when the function is compiled.

    states : uint64[n] or uint64[n, n_words], all different.
    counts : uint64[n, n_limbs], the number of ways to reach each.
    numbers, limits, block_numbers: those of the level, see `flat.py`. all_rules: of all levels.
    head, end : the heads of the level and of the next one.
    most   : the most states; if there are too many, the other results are invalid.
    successors : uint32[n, 1 + n_choices], out: the number of the successor without a choice, and of the
        successor by each choice; entries without a successor stay FREE. Empty if they are not needed.
    """
    n_states, n_choices = states.shape[0], (numbers.shape[0] - N_MARKS) // 3
    width, end_of_choices = 1 + n_choices, numbers.shape[0] - N_MARKS
    if states.ndim == 1:
        n_words = 1
        choices = numbers[:end_of_choices].reshape((3, n_choices))
        marks = numbers[end_of_choices:].reshape((N_MARKS, 1))
    else:
        n_words = states.shape[1]
        choices = numbers[:end_of_choices].reshape((3, n_choices, n_words))
        marks = numbers[end_of_choices:]
    rules = None if all_rules is None else rules_in_kernel(all_rules, head, end)
    blocks = block_numbers.reshape((block_numbers.shape[0] // head[BLOCK_WIDTH], head[BLOCK_WIDTH]))
    n_together = max(1, min(n_states, TURN // width))
    room = min(max(n_states, min(n_together * width, LEAST_ROOM)), most)
    if states.ndim == 1:
        made = np.empty(n_together * width, dtype=np.uint64)
        found = np.empty(room, dtype=np.uint64)
    else:
        made = np.empty((n_together * width, n_words), dtype=np.uint64)
        found = np.empty((room, n_words), dtype=np.uint64)
    origins, ends = np.empty(n_together * width, dtype=np.uint64), np.empty(1, dtype=np.int64)
    scratch = np.empty(scratch_room(blocks, n_words), dtype=np.uint64)
    sums = np.empty((room, counts.shape[1]), dtype=np.uint64)
    places = free_places(room)
    n_found, nodes = 0, 0
    for first in range(0, n_states, n_together):
        stop = min(first + n_together, n_states)
        if states.ndim == 1:
            nodes += emit_narrow(
                states, first, stop, choices, marks, limits, rules, blocks, made, origins, ends, scratch
            )
        else:
            nodes += emit_wide(
                states, first, stop, choices, marks, limits, rules, blocks, made, origins, ends, scratch
            )
        places, found, sums, n_found = absorb(
            made, origins, 0, ends[0], counts, places, found, sums, n_found, most
        )
        if n_found > most:
            break
        if successors.shape[0] > 0:
            for entry in range(ends[0]):
                number = made[entry] if states.ndim == 1 else made[entry, 0]
                successors[origins[entry] >> HALF, origins[entry] & LOW_HALF] = np.uint32(number)
    return n_found > most, found[:n_found], sums[:n_found], nodes
