"""The loop over all levels: the states after each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.contract import Pause, no_pause
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.engines.frontier import kernel
from rekkyo.engines.frontier.absorb import FREE
from rekkyo.engines.frontier.apart import Parting, step_apart
from rekkyo.engines.frontier.front import NO_SUCCESSORS, Front, Part, joined
from rekkyo.engines.frontier.levels import Levels
from rekkyo.engines.frontier.plan import NO_BLOCKS, FrontierPlan, tiny_plan
from rekkyo.engines.frontier.together import MANY_STATES, step_together
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.memory import ALLOW_MORE, memory_bytes, size_in_words
from rekkyo.errors import EngineRefuses
from rekkyo.jit import load


def walk(
    plan: FrontierPlan[Any],
    most_bytes: int | None = None,
    *,
    with_successors: bool = False,
    counting: bool = True,
    pause: Pause = no_pause,
    crew: Crew = ALONE,
    begin: Front | None = None,
) -> Iterator[Front]:
    """The states after each level, beginning with those before the first. Raises EngineRefuses.

    most_bytes: the memory for the states of two levels, their counts and their table, and the successors of
    all levels; by default `memory_bytes`. counting: whether counts are needed; else they have no limbs.
    pause: called between levels and within long levels. crew: the workers for long levels. begin: the front
    to go on from.
    """
    n_words = plan.levels.n_words
    step: Any = kernel.step
    front = first_front(plan.levels, counting=counting) if begin is None else begin
    del begin  # its memory
    parting = Parting(plan.levels, plan.blocks, crew)
    most_bytes = memory_bytes(most_bytes)
    bytes_left = most_bytes
    yield front
    for number, arrays in enumerate(plan.arrays[front.level :], front.level):
        successors = NO_SUCCESSORS
        if with_successors:
            shape = (front.n_states, 1 + arrays.choices.shape[1])
            bytes_left -= 4 * shape[0] * shape[1]
            if bytes_left < 0:
                raise too_many_states(number, len(plan.arrays), most_bytes)
            successors = np.full(shape, FREE, dtype=np.uint32)
        blocks = NO_BLOCKS if with_successors else plan.blocks[number]
        # Two fronts, one of them while it grows with its copy, and up to 16 bytes of table for a state.
        most = max(1, min(bytes_left // (3 * 8 * (n_words + front.n_limbs) + 16), (1 << 32) - 2))
        if with_successors or front.n_states < MANY_STATES:
            before = joined(front)
            with wrapping():
                are_too_many, states, counts, nodes = step(*before, *arrays, blocks, most, successors)
            kept = successors if with_successors else None
            front = Front((Part(states, counts),), len(states), int(nodes), kept, number + 1)
        elif (parted := parting.parted(front)) is not None:
            front = parted
            del parted  # else it is kept for another level
            are_too_many, front = step_apart(front, arrays, blocks, most, pause, crew)
        else:
            are_too_many, front = step_together(front, arrays, blocks, most, pause, crew)
        if are_too_many:
            raise too_many_states(number, len(plan.arrays), most_bytes)
        yield front


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
        load(kernel.step, *joined(first_front(plan.levels)), *plan.arrays[0], NO_BLOCKS, 1, NO_SUCCESSORS)
        for plan in plans
    )


def too_many_states(level: int, n_levels: int, most_bytes: int) -> EngineRefuses:
    """The exception for a search that needs too much memory."""
    return EngineRefuses(
        f"merging equal states takes more than {size_in_words(most_bytes)} for this puzzle"
        f" (at level {level} of {n_levels}): too few of them are equal; choose an engine that lists,"
        f" {ALLOW_MORE}"
    )
