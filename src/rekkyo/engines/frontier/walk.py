"""The loop over all levels, in steps of one level or of several.

Left out on purpose: walks from both ends that meet in the middle. Measured before results were in order: in
two halves pentominoes 6x10, hexiamonds 6x6 and Langford pairs 11 take two thirds of the nodes at least.
Each level of dominoes takes the same time, so a board gains only if a half turn takes one half to the other:
independent sets of 24x24 took 0.43 of 0.89 s up to the middle row. A reflection that is exchanged after each
row gains as much. Where states hold patterns instead of values, all pairs of states would be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.engines.contract import Pause, no_pause
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier import apart, kernel
from rekkyo.engines.frontier.absorb import FREE
from rekkyo.engines.frontier.across import step_across
from rekkyo.engines.frontier.apart import Parting, step_apart
from rekkyo.engines.frontier.flat import arrays_at, blocks_at
from rekkyo.engines.frontier.front import (
    NO_BOUNDS,
    NO_SUCCESSORS,
    UNBOUNDED,
    Bounds,
    Front,
    Part,
    Passed,
    joined,
)
from rekkyo.engines.frontier.in_order import InOrder
from rekkyo.engines.frontier.levels import Levels
from rekkyo.engines.frontier.plan import FrontierPlan, tiny_plan
from rekkyo.engines.frontier.together import MANY_IF_SHARED, MANY_STATES, step_together
from rekkyo.engines.limbs import to_ints, wrapping
from rekkyo.engines.memory import ALLOW_MORE, memory_bytes, size_in_words
from rekkyo.errors import EngineRefuses, NeedsMemory
from rekkyo.jit import load

MOST_LEVELS = 1 << 8
"""The most levels that are walked at once."""

STEPS_WITHIN_BOUNDS = 8
"""Parts walk several levels only if these take less than such a part of the nodes within the bounds."""

MANY_IN_ORDER, NODES_TO_LOAD = 1 << 13, 1 << 20
"""A front of so many states is walked in order after so many nodes: to load the kernel takes 30 ms, and to
find the streams of a level 60 us."""

STATES_OF_SINGLE = 1 << 20
"""The states of a step of such a front in all its levels together, so that it does not grow unseen."""

FEW_STATES, FEW_NODES = 1 << 12, 1 << 15
"""A call of the kernel walks another level of a whole front from at most so many states, and after at most so
many nodes. With more, a call for each level costs little, and the search can be stopped between them."""


def walk(
    plan: FrontierPlan[Any], most_bytes: int | None = None, bounds: Bounds | None = None, **more: Any
) -> Iterator[Front]:
    """The states from which a walk begins, and those after each step. Raises EngineRefuses.

    bounds: of each step, see `Walk.step`. most_bytes, more: see `Walk`.
    """
    walking = Walk(plan, most_bytes, **more)
    del more  # the memory of the front to go on from
    yield walking.front
    while not walking.is_over:
        yield walking.step(bounds)


class Walk:
    """A walk over the levels of a plan.

    front: the states after the levels so far. plan: the one whose levels these are; another one once late
    exchanges are used.
    most_bytes: the memory for the states of two levels, their counts and their table, and the successors of
    all levels; by default `memory_bytes`. counting: whether counts are needed; else they have no limbs.
    pause: called within long levels. crew: the workers for long levels. begin: the front to go on from, of
    the levels of this plan. n_nodes: tried before that.
    """

    def __init__(
        self,
        plan: FrontierPlan[Any],
        most_bytes: int | None = None,
        *,
        with_successors: bool = False,
        counting: bool = True,
        pause: Pause = no_pause,
        crew: Crew = ALONE,
        begin: Front | None = None,
        n_nodes: int = 0,
    ) -> None:
        self.front = first_front(plan.levels, counting=counting) if begin is None else begin
        self._is_of_slice = self.front.is_slice
        self._pause, self._crew = pause, crew
        self._go_by(plan.without_exchanges() if with_successors else plan)
        self._many_states = MANY_STATES if crew.n_workers == 1 else min(MANY_STATES, MANY_IF_SHARED)
        self._most_bytes = self._bytes_left = memory_bytes(most_bytes)
        self._with_successors, self._n_nodes = with_successors, n_nodes
        self._growth = 1.0

    def _go_by(self, plan: FrontierPlan[Any]) -> None:
        self.plan = plan
        self._parting, self._in_order = Parting(plan, self._crew), InOrder(plan)
        self._one_by_one_stop = 0

    @property
    def is_over(self) -> bool:
        """Whether there is no further level."""
        return self.front.level == self.plan.n_levels

    def step(self, bounds: Bounds | None = None) -> Front:
        """Walk a level, and those after it while the front is short. Raises EngineRefuses.

        Not to be called when the walk is over. bounds: None for one level.
        """
        begin = self.front
        self._walk(self._up_to_late_exchanges(bounds))
        n_levels = self.front.level - begin.level
        self._growth = (self.front.n_states / max(1, begin.n_states)) ** (1 / n_levels)
        self._n_nodes += self.front.nodes
        late = self.plan.late
        if late is not None and self._n_nodes >= late.least_nodes and not self.is_over:
            self._use_late_exchanges(begin, late.nodes_again)
        return self.front

    def _use_late_exchanges(self, begin: Front, nodes_again: int) -> None:
        """Go on by the plan with late exchanges. begin: where this step began. nodes_again: of another order.

        Exchanges of many blocks leave so few states that the levels so far are walked again, or some levels
        of another order. If the states do not fit, the walk is where the step began. A slice stays in its
        order.
        """
        early, front, n_nodes = self.plan, self.front, self._n_nodes
        late = early.with_late_exchanges(self._pause)
        has_same_levels = late.levels is early.levels
        if self._is_of_slice and not has_same_levels:
            late = replace(early, late=None)
        self._go_by(late)
        if self._is_of_slice or (has_same_levels and not late.exchanges_many):
            return
        again = (front.level, UNBOUNDED) if has_same_levels else (late.n_levels, nodes_again)
        try:
            passed = self._walked_again(*again)
        except EngineRefuses:
            self._go_by(early)
            self.front, self._n_nodes = begin, n_nodes - front.nodes
            raise
        n_again = sum(passed.nodes)
        self._n_nodes += n_again
        self.front = self.front._replace(nodes=front.nodes + n_again, passed=passed)

    def _walked_again(self, stop: int, most_nodes: int) -> Passed:
        """Walk from the beginning up to a level, or until so many nodes are tried."""
        self.front = first_front(self.plan.levels, counting=self.front.n_limbs > 0)
        nodes: list[int] = []
        n_states: list[int] = []
        ways: list[int] = []
        while self.front.level < stop and sum(nodes) < most_nodes:
            self._pause()
            self._walk(None)
            nodes += self.front.levels.nodes
            n_states += self.front.levels.n_states
            ways += self.front.levels.ways
        return Passed(nodes, n_states, ways)

    def _up_to_late_exchanges(self, bounds: Bounds | None) -> Bounds | None:
        """Bounds that end where late exchanges begin, so that the nodes do not depend on where steps end."""
        late = self.plan.late
        if bounds is None or late is None:
            return bounds
        return bounds._replace(nodes=min(bounds.nodes, late.least_nodes - 1 - self._n_nodes))

    def _walk(self, bounds: Bounds | None) -> None:
        """Walk a level, and those after it while the front is short."""
        front = self.front
        successors = self._successors() if self._with_successors else NO_SUCCESSORS
        most = self._most(front.n_limbs)
        crossed = self._crossed(front, most)
        if crossed is not None:
            self.front = crossed
            return
        parted = self._parted(front)
        if parted is not None:
            front = parted
            del parted  # else it is kept for another level
            are_too_many, front = self._step_apart(front, most, bounds)
        elif self._with_successors or front.n_states < self._many_states:
            self._walk_short(most, successors, bounds)
            return
        else:
            flat, level = self.plan.flat, front.level
            arrays, blocks = arrays_at(flat, level), blocks_at(flat, level)
            are_too_many, front = step_together(front, arrays, blocks, most, self._pause, self._crew)
        if are_too_many:
            raise self._refusal()
        self.front = front

    def _crossed(self, front: Front, most: int) -> Front | None:
        """The states after a level with exchanges between levels that are walked in order; else None."""
        is_enough = front.n_states >= MANY_IN_ORDER and self._n_nodes >= NODES_TO_LOAD
        if self._with_successors or not is_enough or self._parting.are_apart(front):
            return None
        crossing = self._in_order.after(self._n_nodes).crossing(front.level)
        if crossing is None:
            return None
        return step_across(front, crossing, self._parting, most, self._pause, self._crew)

    def _parted(self, front: Front) -> Front | None:
        """A long front in parts, or a shorter one as a single part if it is walked in order; else None."""
        if self._with_successors:
            return None
        if front.n_states >= self._many_states:
            return self._parting.parted(front)
        is_enough = front.n_states >= MANY_IN_ORDER and self._n_nodes >= NODES_TO_LOAD
        if is_enough and self._in_order.after(self._n_nodes).begins_at(front.level):
            return front._replace(parts=(joined(front),))
        return None

    def _step_apart(self, front: Front, most: int, bounds: Bounds | None) -> tuple[bool, Front]:
        """Walk levels of a front in parts: as many as the parts and the bounds allow.

        If there are too many states or nodes after several levels, these levels are walked one by one.
        """
        read = (self._in_order.after(self._n_nodes), self._pause, self._crew)
        nodes = 0 if bounds is None else min(bounds.nodes, bounds.together) // STEPS_WITHIN_BOUNDS
        n_choices = len(self.plan.levels.levels[front.level].choices)
        is_single = len(front.parts) == 1
        of_step = STATES_OF_SINGLE if is_single else apart.STATES_OF_STEP
        most_of_level = min(nodes / max(1, n_choices), of_step)
        may_walk = _levels_within(most_of_level / max(1, front.n_states), self._growth)
        stop = min(self.plan.n_levels if is_single else self._parting.stop, front.level + may_walk)
        if self._one_by_one_stop <= front.level < stop - 1:
            # A part may grow faster than before.
            most_states = min(self._most(front.n_limbs + 1), apart.STATES_OF_STEP)
            within = Bounds(nodes=nodes, states=most_states)
            are_too_many, after = step_apart(front, stop, within, *read)
            if not are_too_many:
                return False, after
            self._one_by_one_stop = stop
        return step_apart(front, front.level + 1, Bounds(states=most), *read)

    def _most(self, n_limbs: int) -> int:
        """The most states with counts of so many limbs.

        Two fronts are held, one of them while it grows with its copy, and up to 16 bytes of table a state.
        """
        n_bytes = 3 * 8 * (self.plan.levels.n_words + n_limbs) + 16
        return max(1, min(self._bytes_left // n_bytes, (1 << 32) - 2))

    def _walk_short(self, most: int, successors: NDArray[np.uint32], bounds: Bounds | None) -> None:
        """Walk levels from a short front. Where there are too many states, those before are a front, too."""
        steps: Any = kernel.steps
        level, n_levels = self.front.level, self.plan.n_levels
        stop = level + 1 if bounds is None else min(level + MOST_LEVELS, n_levels)
        bounds = bounds or NO_BOUNDS
        read = (
            *joined(self.front),
            self.plan.flat,
            level,
            stop,
            most,
            tuple(bounds._replace(nodes=min(bounds.nodes, FEW_NODES), states=FEW_STATES)),
            successors,
        )
        with wrapping():
            are_too_many, states, counts, sizes, ways = steps(*read)
        if are_too_many and not len(sizes):
            raise self._refusal()
        nodes, n_states = sizes.T.tolist()
        passed = Passed(nodes, n_states, to_ints(ways))
        kept = successors if self._with_successors else None
        done = level + len(nodes)
        self.front = Front((Part(states, counts),), len(states), sum(nodes), kept, done, passed)

    def _successors(self) -> NDArray[np.uint32]:
        """The array for the successors of the next level. Raises EngineRefuses."""
        n_choices = len(self.plan.levels.levels[self.front.level].choices)
        shape = (self.front.n_states, 1 + n_choices)
        self._bytes_left -= 4 * shape[0] * shape[1]
        if self._bytes_left < 0:
            raise self._refusal()
        return np.full(shape, FREE, dtype=np.uint32)

    def _refusal(self) -> EngineRefuses:
        return too_many_states(self.front.level, self.plan.n_levels, self._most_bytes)


def _levels_within(n_times: float, growth: float) -> int:
    """The levels that take at most `n_times` as many nodes as the first, if each takes `growth` times more.

    Without the growth, two workers tried ten levels of Schur's problem within the nodes of three.
    """
    n_levels, each = 0, 1.0
    while n_levels < MOST_LEVELS and n_times >= each:
        n_levels, n_times, each = n_levels + 1, n_times - each, each * max(1.0, growth)
    return n_levels


def first_front(levels: Levels, *, counting: bool = True) -> Front:
    """The states before the first level: one, or none if there is no solution."""
    n_first, n_words = 0 if levels.is_hopeless else 1, levels.n_words
    states: Words = np.zeros(n_first if n_words == 1 else (n_first, n_words), dtype=np.uint64)
    counts: Words = np.ones((n_first, int(counting)), dtype=np.uint64)
    return Front((Part(states, counts),), n_first, 0, None, 0)


_loaded: set[bool] = set()
"""The kernels that `is_kept` has loaded in this process, with rules or without: a new check takes 1 ms."""


def is_kept(*, with_rules: bool) -> bool:
    """Whether a walk compiles nothing, for states of one word or several; loads cached kernels."""
    if with_rules not in _loaded and _is_kept(with_rules):
        _loaded.add(with_rules)
    return with_rules in _loaded


def _is_kept(with_rules: bool) -> bool:
    plans = (tiny_plan(n_words, with_rules=with_rules) for n_words in (1, 2))
    return all(
        load(
            kernel.steps,
            *joined(first_front(plan.levels)),
            plan.flat,
            0,
            1,
            1,
            tuple(NO_BOUNDS),
            NO_SUCCESSORS,
        )
        for plan in plans
    )


def too_many_states(level: int, n_levels: int, most_bytes: int) -> NeedsMemory:
    """The exception for a search that needs too much memory."""
    return NeedsMemory(
        f"merging equal states takes more than {size_in_words(most_bytes)} for this puzzle"
        f" (at level {level} of {n_levels}): too few of them are equal; choose an engine that lists,"
        f" {ALLOW_MORE}"
    )
