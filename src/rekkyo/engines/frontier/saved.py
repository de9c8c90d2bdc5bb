"""The front of a count as the content of a checkpoint, and back.

    numbers   levels done, nodes so far, states, limbs of a count, 1 if late exchanges are used
    words     all states, then all counts

Content of an untrusted source can make a count wrong. It must not make a kernel read or write outside of its
arrays, so fields that are used as indices are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words
from rekkyo.engines.checkpoints import Saved
from rekkyo.engines.frontier.flat import arrays_at
from rekkyo.engines.frontier.front import Front, Part
from rekkyo.engines.frontier.levels import WORD
from rekkyo.engines.frontier.loop_kernel import N_HEAD, N_OF_BOUND, N_OF_JOINT, NO_EDGE
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.rule_kernel import RuleArrays
from rekkyo.engines.limbs import to_int, with_limbs

PIECE = 1 << 16
"""The number of counts that are copied at once."""


def facts_of(plan: FrontierPlan[Any]) -> object:
    """The facts that determine all fronts of a plan."""
    return plan.levels.n_words, plan.levels.is_hopeless, plan.arrays, plan.blocks


def numbers_of(front: Front, nodes: int, *, is_late: bool) -> tuple[int, ...]:
    """The numbers of a front. nodes: of all levels so far. is_late: whether late exchanges are used."""
    return front.level, nodes, front.n_states, front.n_limbs, int(is_late)


def arrays_of(front: Front) -> Iterator[Words]:
    """The words of a front."""
    for part in front.parts:
        yield part.states
    for part in front.parts:
        for first in range(0, len(part.counts), PIECE):
            yield with_limbs(part.counts[first : first + PIECE], front.n_limbs)


def front_of(plan: FrontierPlan[Any], saved: Saved) -> tuple[FrontierPlan[Any], Front]:
    """The front of a checkpoint, and the plan of its levels. Raises ValueError.

    plan: the one without late exchanges. The nodes of the front are those of all levels so far.
    """
    level, nodes, n_states, n_limbs, is_late = saved.numbers
    if is_late > 1:
        raise ValueError("it is late or not")
    if is_late:
        plan = plan.with_late_exchanges()
    n_words = plan.levels.n_words
    # In one level a count is multiplied by less than 2^64.
    if level > plan.n_levels or not 1 <= n_limbs <= 1 + level:
        raise ValueError("its level is not in the plan")
    if n_states * (n_words + n_limbs) != len(saved.words):
        raise ValueError("its size does not fit the plan")
    states = saved.words[: n_states * n_words].reshape(n_states, n_words)
    if not _can_occur(plan, level, states):
        raise ValueError("its states do not fit the plan")
    counts = saved.words[n_states * n_words :].reshape(n_states, n_limbs)
    part = Part(states[:, 0] if n_words == 1 else states, counts)
    return plan, Front((part,), n_states, nodes, None, level)


def _can_occur(plan: FrontierPlan[Any], level: int, states: Words) -> bool:
    """Whether no bit is set that the level before drops, and no field is too large for a table.

    states: uint64[n, n_words].
    """
    unchecked = to_int(np.bitwise_or.reduce(states, axis=0))
    kept = to_int(arrays_at(plan.flat, level - 1).marks[3]) if level else 0
    if unchecked & ~kept:
        return False
    for arrays in plan.arrays[level:]:
        for word, shift, flipped, is_allowed in _indices(arrays.rules) if unchecked else ():
            mask = len(is_allowed) - 1
            field = mask << (WORD * word + shift)
            if field & unchecked and not is_allowed[(states[:, word] >> shift & mask) ^ flipped].all():
                return False
            unchecked &= ~field  # from now on the number is one of the rules'
        unchecked &= to_int(arrays.marks[3])
    return True


def _indices(rules: RuleArrays | None) -> Iterator[tuple[int, int, int, NDArray[np.bool_]]]:
    """Word and shift of each field that is used as an index, the bits that are flipped first, and the allowed
    indices.
    """
    if rules is None:
        return
    for word, shift, mask, _, n_states in rules.machines.tolist():
        yield word, shift, 0, np.arange(mask + 1) < n_states
    loops = rules.loops.tolist()
    place = 0
    while place < len(loops):
        width, _, _, n_joints, n_bounds, n_choices = loops[place : place + N_HEAD]
        fields = place + N_HEAD
        place = fields + N_OF_JOINT * n_joints
        living = [joint for joint in range(n_joints) if loops[fields + N_OF_JOINT * joint] != NO_EDGE]
        is_mate = np.isin(np.arange(1 << width), [*living, (1 << width) - 1])
        for joint in living:
            yield loops[fields + N_OF_JOINT * joint], loops[fields + N_OF_JOINT * joint + 1], joint, is_mate
        place += N_OF_BOUND * n_bounds + 2 * n_choices
