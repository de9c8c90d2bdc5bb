"""Engine `cover-frontier`: counts exact covers of any kind by merging equal subproblems, without listing.

Whether merging pays off, a short look says. The first levels are walked until some choices have been tried. A
search that lists in the same order would meet each way to a state by itself, so the ways at a level are its
nodes there; the states are those of merging. Where the ways are many and the states few, listing is hopeless
and merging is not. A listing engine with a better order, or symmetry, meets fewer nodes; that is why the bar
is high.

First comes a glance. Where the kernels are not loaded it is in plain Python, some milliseconds long: they
take some seconds to compile where no cache has them, and a first count of a puzzle that is not merged anyway
should not wait for them. A glance settles what is over at once, and pieces that are all different: there the
states know which of them are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from rekkyo.engines.covers.counting import CoverCounter
from rekkyo.engines.covers.frontier.levels import Weights, make_levels
from rekkyo.engines.covers.frontier.plan import make_plan, plan_by_levels
from rekkyo.engines.covers.masks.order import find_labels
from rekkyo.engines.frontier.engine import FrontierEngine
from rekkyo.engines.frontier.kernel import step_narrow, step_wide
from rekkyo.engines.frontier.levels import Level, Levels
from rekkyo.engines.frontier.plan import FrontierPlan, plan_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.jit import is_loaded
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

GLANCE_NODES = 1 << 13
"""Of the glance: about 10 ms in plain Python, one with kernels."""

GLANCE_BYTES = 1 << 23
"""With kernels; enough for as many states as nodes."""

FEW_WAYS_TO_A_STATE = 1.5
"""After a glance at different pieces. Pentominoes in boxes of all kinds, hexiamonds, Langford pairs, Soma and
sudoku have 1.00 to 1.25, but pentominoes on 3x20 2.6; there the look has to go on."""

MOST_NODES = 1 << 18
"""Of the look: about 20 ms."""

MOST_BYTES = 1 << 26
SOME_WAYS = 1e6
"""Nodes of listing, a tenth of a second of it, from which on merging is taken if it gets through during the
look: then it takes no longer than that. Domino tilings, Aztec diamonds, Latin squares and pentominoes of any
number break even between 1e5 and 1e6, for unique too."""

MANY_WAYS = 1e8
MANY_WAYS_TO_A_STATE = 1e4
"""From which on it is taken if it does not get through."""


@lru_cache(maxsize=4)
def is_worth_merging(model: ExactCover) -> bool:
    """Whether merging is so much better than listing that it should be taken unasked."""
    glance = _glance_at(model)
    if glance.is_through:
        return glance.ways > SOME_WAYS
    return not _stays_apart(model, glance) and _is_worth_merging(_plan(model))


@lru_cache(maxsize=1)
def _plan(model: ExactCover) -> FrontierPlan[ExactCover]:
    """The plan of a model, kept from the look to the count."""
    return plan_by_levels(model, _levels(model))


@lru_cache(maxsize=1)
def _levels(model: ExactCover) -> Levels:
    """The levels of a model, kept from the glance to the plan."""
    return make_levels(model)


@lru_cache(maxsize=4)
def stays_apart(model: ExactCover) -> bool:
    """Whether a glance shows that few states will be equal: merging, or a diagram, would be hopeless."""
    return _stays_apart(model, _glance_at(model))


class Glance(NamedTuple):
    """What a glance saw: the ways of all levels, and the ways for each state after the last whole level."""

    is_through: bool
    ways: int
    ways_to_a_state: float


def _glance_at(model: ExactCover) -> Glance:
    """The same glance, by kernels if they are loaded."""
    levels = _levels(model)
    step = step_narrow if levels.n_words == 1 else step_wide
    return glance_by_kernels(levels) if is_loaded(step) else glance_at(levels)


def glance_by_kernels(levels: Levels) -> Glance:
    """Walk the first levels, without what can be exchanged."""
    ways, ways_to_a_state = 0, 1.0
    try:
        for nodes, ways_here, ways_to_a_state_here in _walked(plan_of(None, levels), GLANCE_BYTES):
            if nodes > GLANCE_NODES:
                return Glance(False, ways, ways_to_a_state)
            ways, ways_to_a_state = ways_here, ways_to_a_state_here
    except EngineRefuses:
        return Glance(False, ways, ways_to_a_state)
    return Glance(True, ways, ways_to_a_state)


def _walked(plan: FrontierPlan[Any], most_bytes: int) -> Iterator[tuple[int, int, float]]:
    """After each level the nodes and the ways of all levels so far, and the ways for each state there."""
    nodes, ways = 0, 0
    for front in islice(walk(plan, most_bytes), 1, None):
        nodes += front.nodes
        ways += (here := front.ways)
        yield nodes, ways, here / max(1, front.n_states)


def glance_at(levels: Levels) -> Glance:
    """Walk the first levels in plain Python, as the kernels do, but for what can be exchanged."""
    front = {} if levels.is_hopeless else {0: 1}
    nodes, ways, ways_to_a_state = 0, 0, 1.0
    for level in levels.levels:
        after: dict[int, int] = {}
        for state, count in front.items():
            results = _results(level, state | level.opening)
            nodes += len(results)
            if nodes > GLANCE_NODES:
                return Glance(False, ways, ways_to_a_state)
            for result in results:
                after[result] = after.get(result, 0) + count
        front = after
        here = sum(front.values())
        ways += here
        ways_to_a_state = here / max(1, len(front))
    return Glance(True, ways, ways_to_a_state)


def _results(level: Level, state: int) -> list[int]:
    """The states that the choices of a level lead to."""
    is_covered = state & level.covered
    results = [state] if is_covered or not level.covered else []
    if not is_covered:
        results += [(state | c.take) + c.plus for c in level.choices if not state & c.clash]
    return [
        result & level.keep
        for result in results
        if result & level.required == level.required
        and all(
            limit.least <= (result >> limit.shift) & ((1 << limit.width) - 1) <= limit.most
            for limit in level.limits
        )
    ]


def _stays_apart(model: ExactCover, glance: Glance) -> bool:
    """Every option names a piece, each used once at most, and no exchange makes up for that."""
    if glance.is_through or glance.ways_to_a_state >= FEW_WAYS_TO_A_STATE or model.exchanges:
        return False
    labels = find_labels(model)
    n_primary = len(model.primary)
    is_used_once = all(label >= n_primary or model.bounds_of(label)[1] == 1 for label in labels)
    return bool(labels) and is_used_once


def _is_worth_merging(plan: FrontierPlan[ExactCover]) -> bool:
    ways = 0  # without the one to the beginning
    try:
        for nodes, ways, ways_to_a_state in _walked(plan, MOST_BYTES):
            if nodes > MOST_NODES:
                return ways >= MANY_WAYS and ways_to_a_state > MANY_WAYS_TO_A_STATE
    except EngineRefuses:
        return False
    return ways >= SOME_WAYS


class CoverFrontier(FrontierEngine[ExactCover], CoverCounter[FrontierPlan[ExactCover]]):
    """Item by item, all states at once; see `levels.py`."""

    name = "cover-frontier"
    plan_version = 1
    summary = "counts by merging equal states, item by item; for counts too large to list"
    max_options = 1 << 18

    def pays_off(self, model: Model) -> bool:
        """When a short look shows that far more ways lead to a state than there are states."""
        return isinstance(model, ExactCover) and is_worth_merging(model)

    def weighted_plan(self, model: ExactCover, weights: Weights) -> FrontierPlan[ExactCover]:
        """The levels as arrays."""
        return make_plan(model, weights=weights) if weights else _plan(model)

    def plan_facts(self, plan: FrontierPlan[ExactCover]) -> object:
        """The arrays, which say all that the levels do."""
        return tuple(arrays[:3] for arrays in plan.arrays), plan.blocks
