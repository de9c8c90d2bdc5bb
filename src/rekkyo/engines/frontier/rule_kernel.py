"""Compiled rules of a level: bits that move, machines, labels of connected components, and mates of paths.

Algorithm: a machine looks up its next state. A hop moves the bit of a forbidden pattern to the bit of its
remaining part. Joins change labels, see `label_kernel`, loops mates, see `loop_kernel`, and ways the
vertices that are reached from others, see `way_kernel`.

    joins    head and rows: see `label_kernel`
             for each ending its joint; word, shift and mask of a machine's number; as bits the numbers with
             which the joint ends
             for each choice the joints that it touches, NO_JOINT behind them
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.frontier.label_kernel import (
    N_HEAD,
    N_OF_ROW,
    NO_JOINT,
    NOT_TOGETHER,
    ROW_SHIFT,
    SHIFT_MASK,
    Numbers,
    connect,
    label_mask,
    label_of,
    link,
    read_labels,
    renumber,
    with_label,
    write_labels,
)
from rekkyo.engines.frontier.levels import DEAD
from rekkyo.engines.frontier.loop_kernel import follow_loop
from rekkyo.engines.frontier.way_kernel import follow_ways
from rekkyo.jit import inlined_inner_kernel, inner_kernel

SHUT = np.uint16(DEAD)
N_OF_ENDING = 5


class RuleArrays(NamedTuple):
    """The rules of one level.

    hop_ends : int64[1 + n_choices]. Choice c has the hops from hop_ends[c] on, up to hop_ends[c + 1].
    hops     : uint64[n_hops, 4]. Word and mask of the source, word and mask of the target.
    machines : uint64[n_machines, 5]. Word, shift, mask, beginning of its table, number of its states.
    table    : uint16[n]. The next state for each choice and state; DEAD rejects the choice.
    joins    : int64[n], see above.
    loops    : int64[n], see `loop_kernel`.
    ways     : int64[n], see `way_kernel`.
    """

    hop_ends: NDArray[np.int64]
    hops: Words
    machines: Words
    table: NDArray[np.uint16]
    joins: Numbers
    loops: Numbers
    ways: Numbers


@inlined_inner_kernel
def follow(rules: RuleArrays, choice: int, before: Words, after: Words, labels: Words) -> bool:
    """Apply the rules of a level to a choice; False if they reject it.

    before, after : uint64[n_words], the state before and after the choice so far; after: in/out.
    labels        : uint64[N_LABELS], scratch.
    """
    hop_ends, hops, machines, table, joins, loops, ways = rules
    for machine in range(machines.shape[0]):
        word, shift, mask = machines[machine, 0], machines[machine, 1], machines[machine, 2]
        state = before[word] >> shift & mask
        place = machines[machine, 3] + np.uint64(choice) * machines[machine, 4] + state
        reached = table[place]
        if reached == SHUT:
            return False
        after[word] = (after[word] & ~(mask << shift)) | np.uint64(reached) << shift
    for hop in range(hop_ends[choice], hop_ends[choice + 1]):
        if before[hops[hop, 0]] & hops[hop, 1] != ZERO:
            after[hops[hop, 2]] |= hops[hop, 3]
    place = 0
    while place < joins.shape[0]:
        place = _join(joins, place, choice, after, labels)
        if place < 0:
            return False
    place = 0
    while place < loops.shape[0]:
        place = follow_loop(loops, place, choice, after)
        if place < 0:
            return False
    place = 0
    while place < ways.shape[0]:
        place = follow_ways(ways, place, choice, after)
        if place < 0:
            return False
    return True


@inner_kernel
def _join(joins: Numbers, place: int, choice: int, after: Words, labels: Words) -> int:
    """Join the joints of a choice; returns the beginning of the next join, or -1 if the choice is
    rejected.
    """
    closed_word, closed = joins[place + 1], ONE << np.uint64(joins[place + 2])
    endings = place + N_HEAD + N_OF_ROW * joins[place + 3]
    all_touched = endings + N_OF_ENDING * joins[place + 4]
    n_choices, most_touched = joins[place + 5], joins[place + 6]
    first = all_touched + choice * most_touched
    end = first
    while end < first + most_touched and joins[end] != NO_JOINT:
        end += 1
    changes = end > first
    if changes and closed_word != NOT_TOGETHER and after[closed_word] & closed != ZERO:
        return -1
    for ending in range(endings, all_touched, N_OF_ENDING):
        if not changes and _ends(joins, ending, after):
            row = place + N_HEAD + N_OF_ROW * (joins[ending] >> ROW_SHIFT)
            shift = np.uint64(joins[row + 1] + (joins[ending] & SHIFT_MASK))
            changes = after[joins[row]] >> shift & label_mask(joins, place) != ZERO
    if changes and not _relabel(joins, place, first, end, after, labels):
        return -1
    return int(all_touched + n_choices * most_touched)


@inner_kernel
def _relabel(joins: Numbers, place: int, first: int, end: int, after: Words, labels: Words) -> bool:
    """Join or link the joints from `first` to `end`, and end joints; returns whether that is possible."""
    mask, n_rows = label_mask(joins, place), joins[place + 3]
    endings = place + N_HEAD + N_OF_ROW * n_rows
    read_labels(joins, place, after, labels)
    if joins[place + 7] == 0:
        connect(joins, place, first, end, labels)
    else:
        for touched in range(first, end, 2):
            if not link(joins, place, joins[touched], joins[touched + 1], labels):
                return False
    for ending in range(endings, endings + N_OF_ENDING * joins[place + 4], N_OF_ENDING):
        label = label_of(labels, joins[ending], mask)
        if label != ZERO and _ends(joins, ending, after):
            labels[joins[ending] >> ROW_SHIFT] &= ~(mask << np.uint64(joins[ending] & SHIFT_MASK))
            same, others = ZERO, ZERO
            for row in range(n_rows):
                same |= with_label(joins, place, row, labels, label)
                others |= labels[row]
            if joins[place + 1] == NOT_TOGETHER:
                continue
            if same == ZERO and others != ZERO:
                return False
            if others == ZERO:
                after[joins[place + 1]] |= ONE << np.uint64(joins[place + 2])
    renumber(joins, place, labels)
    write_labels(joins, place, labels, after)
    return True


@inner_kernel
def _ends(joins: Numbers, ending: int, after: Words) -> bool:
    """Whether a joint ends, by the state of its machine."""
    number = np.int64(after[joins[ending + 1]] >> np.uint64(joins[ending + 2])) & joins[ending + 3]
    return bool(joins[ending + 4] >> number & 1)
