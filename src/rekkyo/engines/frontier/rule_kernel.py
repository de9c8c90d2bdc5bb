"""Compiled rules of a level: bits that move, machines, and labels of connected components.

Algorithm: a hop moves the bit of a forbidden pattern to the bit of its remaining part. A machine looks up its
next state. Labels form a partition, numbered by the first joint of each label, so that equal partitions are
equal states.
Source: the frontier method (Knuth, TAOCP 4A,
7.1.4, exercise 225; Sekine, Imai and Tani, "Computing the Tutte polynomial of a graph of moderate size",
1995).

    joins    one after the other:    width of a label, word and bit of `closed`,
                                     n joints, n endings, n choices, most joints that a choice touches
                                     for each joint word and shift of its label
                                     for each ending its joint; word, shift and mask of a machine's number;
                                     as bits the numbers with which the joint ends
                                     for each choice the joints that it touches, NO_JOINT behind them
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.frontier.levels import DEAD
from rekkyo.jit import inlined_inner_kernel, inner_kernel

SHUT = np.uint16(DEAD)
MAX_JOINTS = 1 << 10
"""The most labels of one join at one level."""

N_LABELS = 2 * MAX_JOINTS + 2
N_HEAD, N_OF_JOINT, N_OF_ENDING = 7, 2, 5
NO_JOINT = -1


class RuleArrays(NamedTuple):
    """The rules of one level.

    hop_ends : int64[1 + n_choices]. Choice c has the hops from hop_ends[c] on, up to hop_ends[c + 1].
    hops     : uint64[n_hops, 4]. Word and mask of the source, word and mask of the target.
    machines : uint64[n_machines, 5]. Word, shift, mask, beginning of its table, number of its states.
    table    : uint16[n]. The next state for each choice and state; DEAD rejects the choice.
    joins    : int64[n], see above.
    """

    hop_ends: NDArray[np.int64]
    hops: Words
    machines: Words
    table: NDArray[np.uint16]
    joins: NDArray[np.int64]


@inlined_inner_kernel
def follow(rules: RuleArrays, choice: int, before: Words, after: Words, labels: Words) -> bool:
    """Apply the rules of a level to a choice; False if they reject it.

    before, after : uint64[n_words], the state before and after the choice so far; after: in/out.
    labels        : uint64[N_LABELS], scratch.
    """
    hop_ends, hops, machines, table, joins = rules
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
    return True


@inner_kernel
def _join(joins: NDArray[np.int64], place: int, choice: int, after: Words, labels: Words) -> int:
    """Join the joints of a choice; returns the beginning of the next join, or -1 if the choice is
    rejected.
    """
    mask = (ONE << np.uint64(joins[place])) - ONE
    closed_word, closed = joins[place + 1], ONE << np.uint64(joins[place + 2])
    fields = place + N_HEAD
    endings = fields + N_OF_JOINT * joins[place + 3]
    all_touched = endings + N_OF_ENDING * joins[place + 4]
    n_choices, most_touched = joins[place + 5], joins[place + 6]
    first = all_touched + choice * most_touched
    end = first
    while end < first + most_touched and joins[end] != NO_JOINT:
        end += 1
    changes = end > first
    if changes and after[closed_word] & closed != ZERO:
        return -1
    for ending in range(endings, all_touched, N_OF_ENDING):
        if not changes and _ends(joins, ending, after):
            field = fields + N_OF_JOINT * joins[ending]
            changes = after[joins[field]] >> np.uint64(joins[field + 1]) & mask != ZERO
    if changes and not _relabel(joins, place, first, end, after, labels):
        return -1
    return int(all_touched + n_choices * most_touched)


@inner_kernel
def _relabel(joins: NDArray[np.int64], place: int, first: int, end: int, after: Words, labels: Words) -> bool:
    """Join the joints listed from `first` to `end`, and end joints; returns whether that is possible."""
    mask = (ONE << np.uint64(joins[place])) - ONE
    n_joints = joins[place + 3]
    fields = place + N_HEAD
    endings = fields + N_OF_JOINT * n_joints
    for joint in range(n_joints):
        field = fields + N_OF_JOINT * joint
        labels[joint] = after[joins[field]] >> np.uint64(joins[field + 1]) & mask
    target = np.uint64(n_joints + 1)  # no label is greater than the number of joints
    for touched in range(first, end):
        label = labels[joins[touched]]
        if label != ZERO and label < target:
            target = label
    for touched in range(first, end):
        label = labels[joins[touched]]
        if label not in (ZERO, target):
            _rename(labels, n_joints, label, target)
        labels[joins[touched]] = target
    for ending in range(endings, endings + N_OF_ENDING * joins[place + 4], N_OF_ENDING):
        label = labels[joins[ending]]
        if label != ZERO and _ends(joins, ending, after):
            labels[joins[ending]] = ZERO
            left = _left_behind(labels, n_joints, label)
            if left == OTHERS_LEFT:
                return False
            if left == NOTHING_LEFT:
                after[joins[place + 1]] |= ONE << np.uint64(joins[place + 2])
    _write_labels(joins, place, after, labels)
    return True


SAME_LEFT, OTHERS_LEFT, NOTHING_LEFT = 0, 1, 2


@inner_kernel
def _ends(joins: NDArray[np.int64], ending: int, after: Words) -> bool:
    """Whether a joint ends, by the state of its machine."""
    number = np.int64(after[joins[ending + 1]] >> np.uint64(joins[ending + 2])) & joins[ending + 3]
    return bool(joins[ending + 4] >> number & 1)


@inner_kernel
def _left_behind(labels: Words, n_joints: int, label: np.uint64) -> int:
    """The remaining joints when a joint with a label has ended: some of that label, only others, or none."""
    left = NOTHING_LEFT
    for joint in range(n_joints):
        if labels[joint] == label:
            return SAME_LEFT
        if labels[joint] != ZERO:
            left = OTHERS_LEFT
    return left


@inner_kernel
def _rename(labels: Words, n_joints: int, label: np.uint64, target: np.uint64) -> None:
    for joint in range(n_joints):
        if labels[joint] == label:
            labels[joint] = target


@inner_kernel
def _write_labels(joins: NDArray[np.int64], place: int, after: Words, labels: Words) -> None:
    """Number the labels 1, 2, ... in order of appearance, and store them; the upper half of `labels` has the
    numbers.
    """
    mask = (ONE << np.uint64(joins[place])) - ONE
    n_joints = joins[place + 3]
    for label in range(n_joints + 2):
        labels[MAX_JOINTS + label] = ZERO
    n_labels = ZERO
    for joint in range(n_joints):
        number = ZERO
        if labels[joint] != ZERO:
            at = MAX_JOINTS + np.int64(labels[joint])
            if labels[at] == ZERO:
                n_labels += ONE
                labels[at] = n_labels
            number = labels[at]
        field = place + N_HEAD + N_OF_JOINT * joint
        word, shift = joins[field], np.uint64(joins[field + 1])
        change = (after[word] >> shift & mask) ^ number
        if change != ZERO:
            after[word] ^= change << shift
