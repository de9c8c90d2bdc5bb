"""Compiled step of the frontier search: from all states before a level to all states after it.

Algorithm: every choice of the level is applied to every state (`emit`); equal results are merged, and their
counts added (`absorb`). `levels.py` defines states. Source: the frontier (broken profile) method.
The two halves alternate, so that results are merged while they are in the cache. States of one word are
emitted and merged by separate functions: with those for several words, sets and colourings in grids took 1.5
to 1.8 times as long; with only the merging of several words for both, kings 1.1 and dominoes 1.2 times. Left
out on purpose: skipping levels that do not change a state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, LOW_HALF, Words
from rekkyo.engines.frontier.absorb import absorb, free_places
from rekkyo.engines.frontier.emit import emit_narrow, emit_wide, scratch_room
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.engines.limbs import Limbs
from rekkyo.jit import allocating_kernel

LEAST_ROOM = 1 << 10

TURN = 1 << 11
"""The results of one alternation, or as many as one state may have."""


@allocating_kernel
def step(
    states: Words,
    counts: Limbs,
    choices: Words,
    marks: Words,
    limits: Words,
    rules: RuleArrays | None,
    blocks: Words,
    most: int,
    successors: NDArray[np.uint32],
) -> Any:
    """One level; returns (are_too_many, states, counts, nodes).

    Branches on the dimensions of `states` are decided when the function is compiled.

    states : uint64[n] or uint64[n, n_words], all different.
    counts : uint64[n, n_limbs], the number of ways to reach each.
    choices, marks, limits, rules, blocks: see `emit`.
    most   : the most states; if there are too many, the other results are invalid.
    successors : uint32[n, 1 + n_choices], out: the number of the successor without a choice, and of the
        successor by each choice; entries without a successor stay FREE. Empty if they are not needed.
    """
    n_states, width = states.shape[0], 1 + choices.shape[1]
    n_words = 1 if states.ndim == 1 else states.shape[1]
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
