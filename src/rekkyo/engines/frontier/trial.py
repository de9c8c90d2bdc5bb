"""A count by merging that is tried: level by level, with a look at each before the next is begun."""

from __future__ import annotations

from copy import copy
from math import inf
from typing import Any, NamedTuple

from rekkyo.engines.contract import Tally
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier.cost import moments_of_level
from rekkyo.engines.frontier.forecast import foreseen_nodes
from rekkyo.engines.frontier.front import Bounds, Front
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import Walk
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


class _Passed(NamedTuple):
    """As `Passed`, from the first level on."""

    nodes: list[int]
    n_states: list[int]
    ways: list[int]


class Trial:
    """The levels of a plan that were walked.

    tally: the count, after the last level; the plan keeps it, too. nodes: tried in total. ways: to the states
    of all levels without the beginning: the nodes of listing in the same order. needs: nodes of the next
    level, at most; no end once the states do not fit.
    """

    def __init__(self, plan: FrontierPlan[Any], most_bytes: int, crew: Crew = ALONE) -> None:
        self._plan = self._walked_plan = plan
        self.nodes = self.ways = 0
        self.needs = 0.0
        self._moments, self._n_timed = 0.0, 0
        self._passed = _Passed([], [], [])
        self.tally: Tally | None = None
        self._begin(None, most_bytes, crew)

    def going_on(self, most_bytes: int, crew: Crew) -> Trial:
        """Another trial, which begins after the last level of this one; in more memory, by other workers."""
        other = copy(self)
        other._passed = _Passed(*map(list, self._passed))
        other._begin(self._walk.front, most_bytes, crew)
        return other

    def _begin(self, front: Front | None, most_bytes: int, crew: Crew) -> None:
        self._most_bytes = most_bytes
        self._walk = Walk(self._walked_plan, most_bytes, crew=crew, begin=front, n_nodes=self.nodes)
        self._see(self._walk.front)

    def step(self, bounds: Bounds | None = None) -> bool:
        """Walk one level, if there is one and its states fit; and levels after it, as far as bounds allow."""
        if self.tally is not None or self.needs == inf:
            return False
        try:
            front = self._walk.step(None if bounds is None else bounds.after(self.nodes))
        except EngineRefuses:
            self.needs = inf
            return False
        if self._walk.plan is not self._walked_plan:
            self._go_by(self._walk.plan, is_again=len(front.levels.nodes) == front.level)
        for so_far, more in zip(self._passed, front.levels, strict=True):
            so_far.extend(more)
        self.nodes += front.nodes
        self.ways += sum(front.levels.ways)
        self._see(front)
        return True

    def _go_by(self, plan: FrontierPlan[Any], *, is_again: bool) -> None:
        """Go on by another plan. is_again: the levels so far were walked again, by this plan."""
        self._moments, self._n_timed = self.moments, len(self._passed.nodes)
        self._walked_plan = plan
        if is_again:
            self._n_timed, self._passed, self.ways = 0, _Passed([], [], []), 0

    @property
    def front(self) -> Front:
        """The states after the last level."""
        return self._walk.front

    @property
    def ways_to_a_state(self) -> float:
        """After the last level."""
        _, n_states, ways = self._passed
        return ratio(ways[-1], n_states[-1]) if ways else 1.0

    def before_last(self) -> tuple[int, float]:
        """The ways, and ways to a state, before the last level. Not to be called before a level is walked."""
        _, n_states, ways = self._passed
        return self.ways - ways[-1], ratio(ways[-2], n_states[-2]) if len(ways) > 1 else 1.0

    @property
    def moments(self) -> float:
        """About how long the levels so far took. Seldom asked, and as slow as walking short levels."""
        n_passed = len(self._passed.nodes)
        self._moments += sum(map(self._moments_of, range(self._n_timed, n_passed)))
        self._n_timed = n_passed
        return self._moments

    @property
    def moments_needed(self) -> float:
        """Of the next level, at most."""
        return self._moments_of_next(self.needs)

    @property
    def moments_likely(self) -> float:
        """Of the next level, if as many choices fit as in the latest ones."""
        return self._moments_of_next(self.likely_needs)

    def _moments_of_next(self, nodes: float) -> float:
        if not 0 < nodes < inf:
            return nodes
        return moments_of_level(self._walked_plan, self.front.level, self.front.n_states, nodes)

    def _moments_of(self, level: int) -> float:
        """Of a level that was walked."""
        nodes = self._passed.nodes[level]
        return moments_of_level(self._walked_plan, level, self._states_before(level), nodes)

    @property
    def likely_needs(self) -> float:
        """The nodes of the next level if as many choices fit as in the latest ones; in packings 1 to 10 %."""
        n_levels = len(self._passed.nodes)
        shares = map(self._share, range(max(0, n_levels - LATEST), n_levels))
        return self.needs * min(1.0, MARGIN * max(shares, default=1.0))

    def _share(self, level: int) -> float:
        """The share of the choices in all states of a level that fit."""
        return self._passed.nodes[level] / max(1.0, self._states_before(level) * self._n_choices(level))

    def _states_before(self, level: int) -> int:
        return self._passed.n_states[level - 1] if level else 1

    def _n_choices(self, level: int) -> int:
        return len(self._walked_plan.levels.levels[level].choices)

    @property
    def nodes_foreseen(self) -> float:
        """Of all levels; see `forecast`. No end once the states do not fit."""
        return inf if self.needs == inf else foreseen_nodes(self._passed.nodes, self._walked_plan.n_levels)

    @property
    def moments_foreseen(self) -> float:
        """Of all levels."""
        nodes = self.nodes_foreseen
        return inf if nodes == inf else nodes * self.moments / max(1, self.nodes)

    def _see(self, front: Front) -> None:
        if self._walk.is_over:
            self.needs, self.tally = 0.0, Tally(front.ways, self.nodes)
            self._plan.keep(self.tally, self._most_bytes)
        else:
            self.needs = front.n_states * self._n_choices(front.level)
