"""Engine `cover-frontier`: counts exact covers of any kind by merging equal subproblems, without listing.

A short look decides whether merging pays off. It walks the first levels until some choices have been tried.
Often these are all levels, and the look has counted. A search that lists in the same order would meet each
way to a state separately, so the number of ways at a level is that of its nodes there. If there are many more
ways than states, listing takes too long and merging does not. A listing engine with a better order, or with
symmetry, meets fewer nodes, so the ratio that is required is high.

A look begins with a glance. If the kernels are not loaded, the glance is in plain Python and takes some
milliseconds, because compiling them takes some seconds if no cache has them, and a first count of a puzzle
that is not merged should not wait for them. A glance is enough for a short count, and for pieces that are all
different, because a state then says which of them are used.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import NamedTuple

from rekkyo.engines.covers.counting import CoverCounter, Folded
from rekkyo.engines.covers.frontier.levels import levels_of
from rekkyo.engines.covers.frontier.plan import make_plan, plan_by_levels
from rekkyo.engines.covers.masks.order import find_labels
from rekkyo.engines.frontier.engine import FrontierEngine
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.kernel import steps
from rekkyo.engines.frontier.levels import Level, Levels
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.trial import Trial, ratio
from rekkyo.jit import is_loaded
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

GLANCE_NODES = 1 << 13
"""The nodes of a glance: about 10 ms in plain Python, one with kernels."""

FEW_WAYS_TO_A_STATE = 1.5
"""The ratio after a glance at different pieces below which nothing more is tried. Pentominoes in boxes of all
kinds, hexiamonds, Langford pairs, Soma and sudoku have 1.00 to 1.25, but pentominoes on 3x20 2.6; there the
look must continue."""

MOST_NODES = 1 << 18
"""The most nodes of a look: about 20 ms."""

MOST_NEEDED = 1 << 20
"""The most choices in all states of a level of a look. A level of Conway's 5x5x5 puzzle with more took 100
ms."""

MOST_BYTES = 1 << 26
"""The most memory of a look."""

SOME_WAYS = 1e6
"""The nodes of listing, a tenth of a second, from which on merging is chosen if it finishes during the look:
then it takes no longer than that. Domino tilings, Aztec diamonds, Latin squares and pentominoes of any
number break even between 1e5 and 1e6, for unique too."""

MANY_WAYS = 1e8
MANY_WAYS_TO_A_STATE = 1e4
"""The ways, and ways to a state, from which on merging is chosen if it does not finish during the look."""


class Verdict(NamedTuple):
    """The result of a look at a model.

    is_worth_merging: whether merging is so much better than listing that it is chosen without a request.
    knows_total: whether the look came to the end, by kernels.
    """

    is_worth_merging: bool
    knows_total: bool


def verdict_of(model: ExactCover) -> Verdict:
    """Look at a model."""
    return _look(model)[0]


def trial_of(model: ExactCover) -> Trial | None:
    """The trial of the look at a model, which a race can continue; None if there was only a glance."""
    return _look(model)[1]


@lru_cache(maxsize=1)
def _look(model: ExactCover) -> tuple[Verdict, Trial | None]:
    if not _is_compiled(levels_of(model)):
        glance = glance_at(levels_of(model))
        if glance.is_through or _stays_apart(model, glance):
            return Verdict(glance.is_through and glance.ways >= SOME_WAYS, knows_total=False), None
        trial = Trial(_plan(model), MOST_BYTES)
        return verdict_after(trial), trial
    trial = Trial(_plan(model), MOST_BYTES)
    apart = _stays_apart(model, look_at(trial))
    return Verdict(False, False) if apart else verdict_after(trial), trial


forget_look = _look.cache_clear
"""Frees the trial after the question, because its states take up to MOST_BYTES."""


@lru_cache(maxsize=1)
def _plan(model: ExactCover) -> FrontierPlan[ExactCover]:
    """The plan of a model, kept from the look to the count."""
    return plan_by_levels(model, levels_of(model))


@lru_cache(maxsize=4)
def stays_apart(model: ExactCover) -> bool:
    """Whether a glance shows that few states will be equal: merging, or a diagram, would be hopeless."""
    levels = levels_of(model)
    glance = look_at(Trial(_plan(model), MOST_BYTES)) if _is_compiled(levels) else glance_at(levels)
    return _stays_apart(model, glance)


def _is_compiled(levels: Levels) -> bool:
    """Whether the kernels of these levels are loaded."""
    return is_loaded(steps, 1 if levels.n_words == 1 else 2)


class Glance(NamedTuple):
    """The result of a glance: the ways of all levels, and those to a state after the last whole level."""

    is_through: bool
    ways: int
    ways_to_a_state: float


def look_at(trial: Trial) -> Glance:
    """The result after GLANCE_NODES nodes."""
    while trial.nodes <= GLANCE_NODES and trial.step(Bounds(nodes=GLANCE_NODES)):
        pass
    if trial.nodes > GLANCE_NODES:
        return Glance(False, *trial.before_last())
    return Glance(trial.tally is not None, trial.ways, trial.ways_to_a_state)


def verdict_after(trial: Trial) -> Verdict:
    """Go on, up to MOST_NODES nodes. Merging is worth it if there are many ways and few states."""
    while trial.tally is None and trial.nodes <= MOST_NODES and trial.needs <= MOST_NEEDED:
        trial.step(Bounds(MOST_NODES, MOST_NEEDED))
    if trial.tally is not None:
        return Verdict(trial.ways >= SOME_WAYS, knows_total=True)
    fits = trial.needs < inf
    is_worth = fits and trial.ways >= MANY_WAYS and trial.ways_to_a_state > MANY_WAYS_TO_A_STATE
    return Verdict(is_worth, knows_total=False)


def glance_at(levels: Levels) -> Glance:
    """Walk the first levels in plain Python, as the kernels do, but for what can be exchanged.

    Each result counts as a node here, because it takes the time; kernels count the choices that do not clash.
    """
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
        ways_to_a_state = ratio(here, len(front))
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
    return bool(labels) and all(model.bounds_of(label)[1] == 1 for label in labels)


class CoverFrontier(FrontierEngine[ExactCover], CoverCounter[FrontierPlan[ExactCover]]):
    """Item by item, all states at once; see `levels.py`."""

    name = "cover-frontier"
    plan_version = 12
    summary = "counts by merging equal states, item by item; for counts too large to list"
    max_options = 1 << 18

    def pays_off(self, model: Model) -> bool:
        """Whether a short look shows far more ways to a state than states."""
        return isinstance(model, ExactCover) and verdict_of(model).is_worth_merging

    def pays_off_for_total(self, model: Model) -> bool:
        """Whether a look by kernels has counted."""
        return isinstance(model, ExactCover) and verdict_of(model).knows_total

    def make_plan(self, model: ExactCover) -> FrontierPlan[ExactCover]:
        """The levels as arrays."""
        return _plan(model)

    def folded_plan(self, quotient: Folded) -> FrontierPlan[ExactCover]:
        """The levels of the folded model."""
        return make_plan(quotient.model, weights=quotient.weights)

    def plan_facts(self, plan: FrontierPlan[ExactCover]) -> object:
        """The arrays, which say all that the levels do."""
        return tuple(arrays[:3] for arrays in plan.arrays), plan.blocks
