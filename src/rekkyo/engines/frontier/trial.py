"""A count by merging that is tried: level by level, with a look at each before the next is begun."""

from __future__ import annotations

from copy import copy
from math import inf
from typing import Any

from rekkyo.engines.contract import Tally
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier.forecast import foreseen_nodes
from rekkyo.engines.frontier.front import Front
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses

LATEST = 4
"""The levels whose share of choices that fit is expected of the next one."""

MARGIN = 1.5
"""A level may have this many times as many nodes as the latest ones let expect."""


def ratio(ways: int, n_states: int) -> float:
    """Ways for each state; no end where that is beyond all floats."""
    try:
        return ways / max(1, n_states)
    except OverflowError:
        return inf


class Trial:
    """The levels of a plan that were walked.

    tally: the count, after the last level; the plan keeps it, too. nodes: tried in total. ways: to the states
    of all levels without the beginning: the nodes of listing in the same order. ways_to_a_state: after the
    last level. needs: nodes of the next level, at most; no end once the states do not fit.
    """

    def __init__(self, plan: FrontierPlan[Any], most_bytes: int, crew: Crew = ALONE) -> None:
        self._plan = plan
        self.nodes = self.ways = 0
        self.ways_to_a_state, self.needs = 1.0, 0.0
        self._sizes: list[int] = []
        self._shares: list[float] = []
        self.tally: Tally | None = None
        self._front: Front | None = None
        self._begin(most_bytes, crew)

    def going_on(self, most_bytes: int, crew: Crew) -> Trial:
        """Another trial, which begins after the last level of this one; in more memory, by other workers."""
        other = copy(self)
        other._sizes, other._shares = self._sizes.copy(), self._shares.copy()
        other._begin(most_bytes, crew)
        return other

    def _begin(self, most_bytes: int, crew: Crew) -> None:
        self._most_bytes = most_bytes
        self._fronts = walk(self._plan, most_bytes, crew=crew, begin=self._front)
        self._see(next(self._fronts))

    def step(self) -> bool:
        """Walk one level, if there is one and its states fit."""
        if self.tally is not None or self.needs == inf:
            return False
        try:
            front = next(self._fronts)
        except EngineRefuses:
            self.needs = inf
            return False
        ways = front.ways
        self._sizes.append(front.nodes)
        self._shares.append(front.nodes / max(1.0, self.needs))
        self.nodes += front.nodes
        self.ways += ways
        self.ways_to_a_state = ratio(ways, front.n_states)
        self._see(front)
        return True

    @property
    def likely_needs(self) -> float:
        """The nodes of the next level if as many choices fit as in the latest ones; in packings 1 to 10 %."""
        return self.needs * min(1.0, MARGIN * max(self._shares[-LATEST:], default=1.0))

    @property
    def foreseen_nodes(self) -> float:
        """The nodes of all levels; see `forecast`."""
        return foreseen_nodes(self._sizes, len(self._plan.arrays))

    def _see(self, front: Front) -> None:
        self._front = front
        if front.level == len(self._plan.arrays):
            self.needs, self.tally = 0.0, Tally(front.ways, self.nodes)
            self._plan.keep(self.tally, self._most_bytes)
        else:
            self.needs = front.n_states * len(self._plan.levels.levels[front.level].choices)
