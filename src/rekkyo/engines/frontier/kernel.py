"""Compiled step of the frontier search: from all states before a level to all states after it.

Algorithm: every state is tried with every choice of the level (`emit`); equal results are merged, and their
counts added (`absorb`). What a state is, `levels.py` says. Source: the frontier (broken profile) method.
The two halves take turns, so that results are merged while they are in the cache. States of one word have
functions of their own: with those for several words, sets and colourings in grids took 1.5 to 1.8 times as
long; with only `absorb_wide` for both, kings 1.1 and dominoes 1.2 times. Left out on purpose: jumping over
levels that a state passes unchanged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, LOW_HALF, Words
from rekkyo.engines.frontier.absorb import absorb_narrow, absorb_wide, free_places
from rekkyo.engines.frontier.emit import emit_narrow, emit_wide, scratch_room
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.engines.limbs import Limbs
from rekkyo.jit import allocating_kernel

LEAST_ROOM = 1 << 10

TURN = 1 << 11
"""Results between two turns, or as many as one state may have."""


@allocating_kernel
def step_narrow(
    states: Words,
    counts: Limbs,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    most: int,
    successors: NDArray[np.uint32] | None,
) -> Any:
    """One level, states of one word; returns (are_too_many, states, counts, nodes).

    states : uint64[n], all different. counts : uint64[n, n_limbs], in how many ways each is reached.
    choices, marks, limits, rules, blocks: see `emit_narrow`.
    most   : so many states are let in; where they are too many, what is returned is of no use.
    successors : None, or uint32[n, 1 + n_choices], out: the number of the state that leaving it as it is, and
        each choice, lead to; what is FREE stays so.
    """
    n_states, width = states.shape[0], 1 + choices.shape[1]
    n_together = max(1, min(n_states, TURN // width))
    made = np.empty(n_together * width, dtype=np.uint64)
    origins, ends = np.empty(n_together * width, dtype=np.uint64), np.empty(1, dtype=np.int64)
    scratch = np.empty(scratch_room(blocks, 1), dtype=np.uint64)
    room = min(max(n_states, min(n_together * width, LEAST_ROOM)), most)
    found = np.empty(room, dtype=np.uint64)
    sums = np.empty((room, counts.shape[1]), dtype=np.uint64)
    places = free_places(room)
    n_found, nodes = 0, 0
    for first in range(0, n_states, n_together):
        stop = min(first + n_together, n_states)
        nodes += emit_narrow(
            states, first, stop, choices, marks, limits, rules, blocks, made, origins, ends, scratch
        )
        places, found, sums, n_found = absorb_narrow(
            made, origins, 0, ends[0], counts, places, found, sums, n_found, most
        )
        if n_found > most:
            break
        if successors is not None:
            for entry in range(ends[0]):
                successors[origins[entry] >> HALF, origins[entry] & LOW_HALF] = np.uint32(made[entry])
    return n_found > most, found[:n_found], sums[:n_found], nodes


@allocating_kernel
def step_wide(
    states: Words,
    counts: Limbs,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    most: int,
    successors: NDArray[np.uint32] | None,
) -> Any:
    """As `step_narrow`, for states of several words: uint64[n, n_words]."""
    (n_states, n_words), width = states.shape, 1 + choices.shape[1]
    n_together = max(1, min(n_states, TURN // width))
    made = np.empty((n_together * width, n_words), dtype=np.uint64)
    origins, ends = np.empty(n_together * width, dtype=np.uint64), np.empty(1, dtype=np.int64)
    scratch = np.empty(scratch_room(blocks, n_words), dtype=np.uint64)
    room = min(max(n_states, min(n_together * width, LEAST_ROOM)), most)
    found = np.empty((room, n_words), dtype=np.uint64)
    sums = np.empty((room, counts.shape[1]), dtype=np.uint64)
    places = free_places(room)
    n_found, nodes = 0, 0
    for first in range(0, n_states, n_together):
        stop = min(first + n_together, n_states)
        nodes += emit_wide(
            states, first, stop, choices, marks, limits, rules, blocks, made, origins, ends, scratch
        )
        places, found, sums, n_found = absorb_wide(
            made, origins, 0, ends[0], counts, places, found, sums, n_found, most
        )
        if n_found > most:
            break
        if successors is not None:
            for entry in range(ends[0]):
                successors[origins[entry] >> HALF, origins[entry] & LOW_HALF] = np.uint32(made[entry, 0])
    return n_found > most, found[:n_found], sums[:n_found], nodes
