"""Parts of a front that stay apart for some levels, so that each is walked alone.

Some bits of a state are not changed by the next levels: in a board that is filled cell by cell, those of the
cells that come later. States that differ in such bits cannot become equal meanwhile. So the front is parted
by their hash, and no result of a part belongs to another one:

    bits changed by levels 200 ... 218     1 1 1 1 1 1 1 1 1 1 1 1 . . . . . . . .
    bits that part the front               . . . . . . . . . . . . 1 1 1 1 1 1 1 1

Then workers share nothing, and the table of a part fits the cache, which is faster for one worker, too. After
these levels the front is parted anew: 11 times in the 399 levels of dominoes of 20x20. Seconds of one worker
and of two, with levels that are not parted (`together.py`) and with those that are: Aztec diamond 12 6.3, 6.0
and 2.3, 1.5; dominoes 1.0, 1.2 and 1.0, 0.7; sum-free sets of 48 numbers 0.8, 0.9 and 0.7, 0.6. Of mates and
labels the sorts stay (`stays.py`): Hamiltonian cycles of 14x14 1.35, 1.36 and 1.5, 0.94; spanning trees of
8x8 4.1, 4.0 and 3.7, 2.0.

Levels that exchange colours leave these up to a permutation, which is enough to part a front by them. Left
out on purpose: levels that exchange most bits otherwise. Those are shared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from rekkyo.engines.contract import Pause, no_pause
from rekkyo.engines.crew import Crew
from rekkyo.engines.frontier import kernel, merge_kernel, split_kernel
from rekkyo.engines.frontier.flat import blocks_at
from rekkyo.engines.frontier.front import (
    NO_SUCCESSORS,
    Bounds,
    Front,
    Part,
    Passed,
    concatenated,
    joined,
)
from rekkyo.engines.frontier.in_order import Hashed, Segment
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.split_kernel import Facts
from rekkyo.engines.frontier.stays import NOTHING, Change, Kept, change_of, sorts
from rekkyo.engines.frontier.streams import EVERY_BIT
from rekkyo.engines.limbs import to_int, to_ints, wrapping

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

LEAST_LEVELS = 2
"""The fewest levels that parts must stay apart. Parting takes as long as a level or less."""

MOST_GROWN = 4
"""A front that has grown so many times is parted anew."""

LEAST_BITS = 8
"""The fewest bits that part a front; with fewer, its parts are too unequal."""

STATES_OF_PART, PARTS = 1 << 14, 64
MOST_STATES_OF_PART, MOST_PARTS = 1 << 17, 255
PARTS_OF_WORKER, STATES_OF_WORKER = 4, 1 << 12
"""The table of a part with STATES_OF_PART states fits the second-level cache. A front has PARTS of these at
most: with 110 instead of 64, dominoes of 24x24 took 1.03 of the time. But a part has MOST_STATES_OF_PART at
most, because a kernel walks a level of a part without a pause; sum-free sets of 66 numbers, with 24 million
states, take 0.94 of the time so. Several workers have several parts each, so that they end a level at about
the same time."""

STATES_OF_STRETCH = 1 << 16
"""The states that a call of the kernel splits, so that all workers have some."""

STATES_OF_STEP = 1 << 24
"""The states of a step in all its levels together, which take about a second. Checkpoints are between steps.

A part that is walked through several levels stays in the cache, and the workers wait for each other less
often. Seconds of one worker and of two without it and with it: Aztec diamond 12 1.35, 0.85 and 1.18, 0.77;
dominoes of 22x22 1.36, 1.04 and 1.32, 0.99; Hamiltonian cycles of 14x14 1.98, 1.32 and 1.81, 1.24.
"""


NODES_AT_ONCE = 1 << 20
"""A call of the kernel walks a part through all levels of a step, unless that takes longer, some 30 ms."""


class Parting:
    """Parts the fronts of a walk. crew: who will walk the parts.

    stop: the parts made last stay apart at all levels before the first of these. n_states: which they had.
    """

    def __init__(self, plan: FrontierPlan[Any], crew: Crew) -> None:
        self._plan, self._levels, self._crew = plan, plan.levels, crew
        self._changes: dict[int, Change] = {}
        self.stop = self.n_states = 0
        self._shared_stop = 0
        """Fronts before this level are too unequal."""

    def are_apart(self, front: Front) -> bool:
        """Whether the parts of a front stay apart at its next level."""
        return front.level < self.stop and len(front.parts) > 1

    def parted(self, front: Front) -> Front | None:
        """The front in parts that stay apart at its next level; None where it is better shared."""
        are_apart = self.are_apart(front)
        if are_apart and front.n_states <= MOST_GROWN * self.n_states:
            return front
        anew = self._anew(front)
        if anew is None and are_apart:
            return front
        if anew is None:
            self.stop = 0  # shared levels make parts of their own
        return anew

    def anew(self, front: Front) -> Front:
        """The front in parts for its next levels, or by all bits if too few of them stay."""
        if not front.n_states:
            return front
        parted = self._anew(front)
        if parted is None:
            self.stop = 0
        return (
            parted or self.by(front, Kept(EVERY_BIT, frozenset())) or front._replace(parts=(joined(front),))
        )

    def _anew(self, front: Front) -> Front | None:
        """The front parted by other bits than before; None if there are too few."""
        if front.level < self._shared_stop:
            return None
        stop, kept = self._span(front)
        if stop < min(front.level + LEAST_LEVELS, len(self._levels.levels)):
            return None
        parted = self.by(front, kept)
        if parted is None:
            self._shared_stop = stop
        else:
            self.stop, self.n_states = stop, front.n_states
        return parted

    def _span(self, front: Front) -> tuple[int, Kept]:
        """The first level that would leave too few bits, and what varies and stays until then."""
        levels = self._levels.levels
        varied, left = NOTHING, Kept(-1, sorts(levels[front.level]))
        for number in range(front.level, len(levels)):
            left = left.after(self._change(number))
            if number == front.level and left.bits:
                left = left._replace(bits=left.bits & _varied(front))
            if left.n_bits < LEAST_BITS:
                return number, varied
            varied = left
        return len(levels), varied

    def _change(self, number: int) -> Change:
        """What a level changes, which is asked several times."""
        if number not in self._changes:
            self._changes[number] = change_of(self._levels, number, blocks_at(self._plan.flat, number))
        return self._changes[number]

    def by(self, front: Front, kept: Kept) -> Front | None:
        """The front parted by the hash of what is kept; None if it is the same in most states."""
        n_workers = min(self._crew.n_workers, front.n_states // STATES_OF_WORKER)
        least = PARTS_OF_WORKER * n_workers if n_workers > 1 else 1
        wanted = min(PARTS, front.n_states // STATES_OF_PART)
        n_parts = min(MOST_PARTS, max(least, wanted, front.n_states // MOST_STATES_OF_PART))
        facts = kept.facts(self._levels.n_words)
        split = self.each(
            lambda stretch: _split(stretch, facts, n_parts), list(front.stretches(STATES_OF_STRETCH))
        )
        sizes = [sum(len(pieces[number].states) for pieces in split) for number in range(n_parts)]
        if 2 * max(sizes) > front.n_states and n_parts > 2:
            return None
        pieces = [some for size, some in zip(sizes, zip(*split, strict=True), strict=True) if size]
        return front._replace(parts=tuple(self.each(concatenated, pieces)))

    def each(self, do: Callable[[ItemT], ResultT], items: Sequence[ItemT]) -> list[ResultT]:
        """The results for all items, in their order, by all workers."""
        n_workers = self._crew.n_workers
        shares = [items[worker::n_workers] for worker in range(min(n_workers, len(items)))]
        done = self._crew([partial(_map, do, share) for share in shares])
        return [done[place % n_workers][place // n_workers] for place in range(len(items))]


def _map(do: Callable[[ItemT], ResultT], items: Sequence[ItemT]) -> list[ResultT]:
    return [do(item) for item in items]


def _split(stretch: Part, facts: Facts, n_parts: int) -> list[Part]:
    """The piece of a stretch for each part."""
    read = Part(stretch.states.reshape(len(stretch.states), -1), stretch.counts)
    ends, numbers = np.empty(n_parts, dtype=np.int64), np.empty(len(read.states), dtype=np.uint8)
    states, counts = np.empty_like(read.states), np.empty_like(read.counts)
    split: Any = split_kernel.split
    with wrapping():
        split(*read, facts, ends, numbers, states, counts)
    states = states.reshape(stretch.states.shape)
    return [Part(states[first:stop], counts[first:stop]) for first, stop in pairwise([0, *ends.tolist()])]


def _varied(front: Front) -> int:
    """The bits that are set in some states and not in others."""
    some = [np.bitwise_or.reduce(part.states, axis=0) for part in front.parts if len(part.states)]
    every = [np.bitwise_and.reduce(part.states, axis=0) for part in front.parts if len(part.states)]
    return to_int(np.atleast_1d(np.bitwise_or.reduce(some, axis=0) ^ np.bitwise_and.reduce(every, axis=0)))


def step_apart(
    front: Front, stop: int, bounds: Bounds, levels: Hashed, pause: Pause, crew: Crew
) -> tuple[bool, Front]:
    """Whether levels before `stop` are beyond the bounds, and the states before `stop`.

    If so, they are those of the front given. bounds: the most nodes in total, and states after a level.
    """
    return _Step(front, stop, bounds, levels).by(crew, pause)


class _Step:
    """Some levels of a front in parts. The longest parts come first, so that all workers end at once."""

    def __init__(self, front: Front, stop: int, bounds: Bounds, levels: Hashed) -> None:
        self._front, self._levels, self._bounds = front, levels, bounds
        self._stop, self._segments = stop, list(levels.segments(front.level, stop))
        sizes = [len(part.states) for part in front.parts]
        self._left = deque(sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True))
        self._parts: list[Part] = list(front.parts)
        self._sizes, self._nodes = [0] * len(front.parts), [0] * len(front.parts)
        self._passed = [Passed((), (), ())] * len(front.parts)

    def by(self, crew: Crew, pause: Pause) -> tuple[bool, Front]:
        """Have the crew do it. The caller is its first worker, and pauses between parts."""
        pauses = [pause, *[no_pause] * (min(crew.n_workers, len(self._parts)) - 1)]
        crew([partial(self._work, each) for each in pauses])
        if self._are_beyond():
            return True, self._front
        # Of each level, over all parts.
        passed = Passed(
            *(tuple(map(sum, zip(*each, strict=True))) for each in zip(*self._passed, strict=True))
        )
        if max(passed.n_states) > self._bounds.states:
            return True, self._front
        n_found, nodes = passed.n_states[-1], sum(self._nodes)
        return False, Front(tuple(self._parts), n_found, nodes, None, self._stop, passed)

    def _work(self, pause: Pause) -> None:
        """Do one part after the other. A failure, or what is beyond the bounds, ends all workers.

        A part may have as many states as are left by those that are done. So whether there are too many after
        a single level does not depend on the workers.
        """
        try:
            with wrapping():
                while not self._are_beyond() and (number := self._next()) is not None:
                    pause()
                    left = self._bounds.states - sum(self._sizes)
                    after = self._after(self._parts[number], max(1, left))
                    if after is None:
                        self._sizes[number] = self._bounds.states + 1
                    else:
                        self._parts[number], self._passed[number] = after
                        self._sizes[number] = len(self._parts[number].states)
                        self._nodes[number] = sum(self._passed[number].nodes)
        finally:
            self._left.clear()

    def _are_beyond(self) -> bool:
        return sum(self._sizes) > self._bounds.states or sum(self._nodes) > self._bounds.nodes

    def _after(self, part: Part, most: int) -> tuple[Part, Passed] | None:
        """The states that follow from a part; None if there are more than `most` after a level.

        None also if counts become longer by two limbs, or if all parts take more nodes than they may take.
        """
        nodes: list[int] = []
        n_states: list[int] = []
        ways: list[int] = []
        most_limbs, segments = part.counts.shape[1] + 1, self._segments
        while segments:
            left = self._bounds.nodes - sum(self._nodes) - sum(nodes)
            if left < 0:
                return None
            segment = segments[0]
            are_too_many, *after, sizes, sums = self._walked(part, segment, most, min(NODES_AT_ONCE, left))
            part = Part(*after)
            if are_too_many or part.counts.shape[1] > most_limbs:
                return None
            nodes += sizes[:, 0].tolist()
            n_states += sizes[:, 1].tolist()
            ways += to_ints(sums)
            level = segment.first + len(sizes)
            is_done = level == segment.stop
            segments = segments[1:] if is_done else list(self._levels.segments(level, self._stop))
        return part, Passed(nodes, n_states, ways)

    def _walked(self, part: Part, segment: Segment, most: int, nodes: int) -> Any:
        """The results of a kernel for a part, which may end before the segment does."""
        if segment.streams is not None:
            in_order: Any = merge_kernel.steps_in_order
            return in_order(*part, segment.streams, most, nodes)
        steps: Any = kernel.steps
        within = tuple(Bounds(nodes=nodes))
        return steps(*part, self._levels.flat, segment.first, segment.stop, most, within, NO_SUCCESSORS)

    def _next(self) -> int | None:
        """The number of a part that no worker has begun; None at the end."""
        try:
            return self._left.popleft()
        except IndexError:
            return None
