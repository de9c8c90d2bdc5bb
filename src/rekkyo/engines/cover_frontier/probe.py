"""A short look: does merging pay off for a model?

The first levels are walked until some choices have been tried. A search that lists in the same order would
meet each way to a state by itself, so the ways at a level are its nodes there; the states are those of
merging. Where the ways are many and the states few, listing is hopeless and merging is not. A listing engine
with a better order, or symmetry, meets fewer nodes; that is why the bar is high.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rekkyo.engines.cover_frontier.plan import FrontierPlan, make_plan, walk
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover

MOST_NODES = 1 << 18
"""Of the look: about 20 ms."""

MOST_BYTES = 1 << 26

MANY_WAYS = 1e8
"""Nodes of listing, some seconds of it, from which on merging is taken if it gets through during the look."""

MANY_WAYS_TO_A_STATE = 1e4
"""And if it does not get through: ways for each state."""


@lru_cache(maxsize=4)
def is_worth_merging(model: ExactCover) -> bool:
    """Whether merging is so much better than listing that it should be taken unasked."""
    return _is_worth_merging(make_plan(model))


def _is_worth_merging(plan: FrontierPlan) -> bool:
    nodes, ways, ways_to_a_state = 0, 0.0, 0.0
    weights = 2.0 ** (64 * np.arange(16))
    try:
        for front in walk(plan, MOST_BYTES):
            nodes += front.nodes
            here = float((front.counts.astype(np.float64) @ weights[: front.counts.shape[1]]).sum())
            ways += here
            ways_to_a_state = here / max(1, len(front.states))
            if nodes > MOST_NODES:
                return ways > MANY_WAYS and ways_to_a_state > MANY_WAYS_TO_A_STATE
    except EngineRefuses:
        return False
    return ways > MANY_WAYS
