"""The count of a plan: a walk over all levels, in slices if its states do not fit into the memory.

If there are too many states after a level, the front before it is cut into two slices by a hash of its
states. One after the other is walked to the end, or cut again, and their counts are added. States that both
slices lead to are walked twice. There are few of them where states know what is used up: with memory for a
sixth of the states, magic squares of order 4 take 1.1 times the nodes, Langford pairs and pentominoes 3. On
boards with local rules two slices soon lead to the same states, so that every cut doubles the work: dominoes
take 28 times the nodes, cycles more than 60. If that is to be expected, the count is refused.

The nodes do not depend on the workers. A cut into more slices at once, up to 16, took more nodes.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import ONE
from rekkyo.engines.checkpoints import NOWHERE, Checkpoint, Checkpoints
from rekkyo.engines.contract import Pause, Tally
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier.front import NO_BOUNDS, Front, Part, hashes_of, taken
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.saved import arrays_of, facts_of, front_of, numbers_of
from rekkyo.engines.frontier.walk import Walk, too_many_states
from rekkyo.errors import EngineRefuses

MOST_BYTES_AT_END = 1 << 28
"""The most bytes that are saved when a count is interrupted, within about a second."""

MOST_CUTS = 30
"""The most cuts of a front, of one of its slices, of a slice of that, and so on."""

FEW_TIMES, MANY_TIMES = 8, 64
"""Slices are refused if they took FEW_TIMES the least nodes, and are expected to take MANY_TIMES as many. The
least are those before the first cut and of the longest walk, fewer than those of a count that fits."""


def tally_of(
    plan: FrontierPlan[Any],
    most_bytes: int,
    pause: Pause,
    crew: Crew = ALONE,
    checkpoints: Checkpoints = NOWHERE,
) -> Tally:
    """The number of ways to the only state after the last level; a node is a choice made in a state.

    Raises EngineRefuses. A count goes on from the checkpoint of its last front before the first cut.
    """
    checkpoint = checkpoints.of(facts_of(plan))
    # A front takes a third of the memory (see `Walk`), or more if its counts have become longer at its level.
    walked, begin = checkpoint.read(3 * most_bytes // 8, partial(front_of, plan)) or (plan, None)
    n_nodes = 0 if begin is None else begin.nodes
    walking = Walk(walked, most_bytes, pause=pause, crew=crew, begin=begin, n_nodes=n_nodes)
    del begin  # its memory
    nodes = _nodes_to_last(walking, pause, checkpoint)
    walked, front = walking.plan, walking.front
    if walking.is_over:
        return Tally(front.ways, nodes)
    del walking
    slices = _Slice(front, 0).cut()
    del front
    return Tally(0, nodes) + _tally_of_slices(walked, slices, most_bytes, nodes, pause, crew)


def _nodes_to_last(walking: Walk, pause: Pause, checkpoint: Checkpoint) -> int:
    """Walk to the last front that fits into the memory; the nodes of all."""
    nodes, is_saved = walking.front.nodes, True

    def save() -> None:
        is_late = walking.plan.late is None
        checkpoint.write(numbers_of(walking.front, nodes, is_late=is_late), arrays_of(walking.front))

    try:
        pause()
        while not walking.is_over:
            nodes += walking.step(NO_BOUNDS).nodes
            is_saved = checkpoint.is_due(walking.front.n_bytes) or (walking.is_over and checkpoint.is_there)
            if is_saved:
                save()
            pause()
    except EngineRefuses:
        if not is_saved:
            save()
    except BaseException:
        if not is_saved and walking.front.n_bytes <= MOST_BYTES_AT_END:
            save()
        raise
    return nodes


class _Slice(NamedTuple):
    """Some of the states after a level. n_cuts: how often fronts were cut to make it."""

    front: Front
    n_cuts: int

    def cut(self) -> list[_Slice]:
        """Two slices, by a bit of a second hash of a state that no earlier cut used.

        Tables take places by the upper bits of the first hash, which must not be the same in a slice.
        """
        parts: list[list[Part]] = [[], []]
        for part in self.front.parts:
            mixed = hashes_of(hashes_of(part.states))
            mixed >>= np.uint64(63 - self.n_cuts)
            mixed &= ONE
            is_second = mixed.astype(bool)
            for some, chosen in zip(parts, (~is_second, is_second), strict=True):
                some.append(taken(part, np.flatnonzero(chosen)))
        return [_Slice(self.front.with_parts(some), self.n_cuts + 1) for some in parts]


def _tally_of_slices(
    plan: FrontierPlan[Any], todo: list[_Slice], most_bytes: int, nodes_before: int, pause: Pause, crew: Crew
) -> Tally:
    """The count of all slices. nodes_before: of the walk before the first cut. Raises EngineRefuses.

    plan: the one of the fronts that were cut.
    """
    ways, nodes, longest, done = 0, 0, 0, 0.0
    while todo:
        front, n_cuts = todo.pop()
        bytes_left = most_bytes - sum(each.front.n_bytes for each in todo)
        walking = Walk(plan, bytes_left, pause=pause, crew=crew, begin=front, n_nodes=nodes_before)
        del front  # its memory
        tried = _nodes_to_last(walking, pause, NOWHERE)
        front, is_over = walking.front, walking.is_over
        del walking
        nodes, longest = nodes + tried, max(longest, tried)
        if is_over:
            ways += front.ways
            done += 0.5**n_cuts
        elif n_cuts < MOST_CUTS:
            todo += _Slice(front, n_cuts).cut()
        else:
            raise too_many_states(front.level, plan.n_levels, most_bytes)
        least = nodes_before + longest
        if todo and FEW_TIMES * least < nodes > MANY_TIMES * least * done:
            raise too_many_states(front.level, plan.n_levels, most_bytes)
    return Tally(ways, nodes)
