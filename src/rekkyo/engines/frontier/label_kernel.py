"""Compiled labels of joints: which of them are connected, in rows of fields that are compared at once.

Labels form a partition, numbered by the first joint of each label, so that equal partitions are equal states.
Source: the frontier method (Knuth, TAOCP 4A, 7.1.4, exercise 225; Sekine, Imai and Tani, "Computing the Tutte
polynomial of a graph of moderate size", 1995); fields of a word at once: Lamport, "Multiple byte processing
with full-word instructions" (1975).

A level lists its joins one after the other. Each begins with

    head     width of a label, word and bit of `closed` (word NOT_TOGETHER if the joints need not hang
             together), n rows, n endings, n choices, joints for each choice, 1 if links form no cycle
    rows     for each row of labels its word and shift, and bit 0 of each label

    row      label | label | ... | label    the lowest first; a joint is  number of its row << 6 | shift

While a level is followed, the rows are in scratch:

    labels   row 0 | row 1 | ... | MAX_ROWS: row 0, renumbered | row 1, renumbered | ...
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index
from rekkyo.jit import inlined_inner_kernel, inner_kernel

MAX_ROWS = 1 << 8
"""The most rows of labels of one join."""

N_LABELS = 2 * MAX_ROWS
N_HEAD, N_OF_ROW = 8, 3
NO_JOINT = NOT_TOGETHER = -1
ROW_SHIFT, SHIFT_MASK = 6, 63
"""The parts of a joint."""

Numbers: TypeAlias = NDArray[np.int64]
"""Joins or loops of a level."""


@inlined_inner_kernel
def label_mask(joins: Numbers, place: int) -> Word:
    """The bits of a label, which are the greatest label, too."""
    return (ONE << np.uint64(joins[place])) - ONE


@inlined_inner_kernel
def label_of(labels: Words, joint: int, mask: Word) -> Any:
    """The label of a joint."""
    return labels[joint >> ROW_SHIFT] >> np.uint64(joint & SHIFT_MASK) & mask


@inner_kernel
def read_labels(joins: Numbers, place: int, state: Words, labels: Words) -> None:
    """Read the rows of a state."""
    mask = label_mask(joins, place)
    for row in range(joins[place + 3]):
        at = place + N_HEAD + N_OF_ROW * row
        labels[row] = state[joins[at]] >> np.uint64(joins[at + 1]) & np.uint64(joins[at + 2]) * mask
        labels[MAX_ROWS + row] = ZERO


@inlined_inner_kernel
def with_label(joins: Numbers, place: int, row: int, labels: Words, label: Word) -> Word:
    """Bit 0 of each field of a row that holds the label."""
    lowest = np.uint64(joins[place + N_HEAD + N_OF_ROW * row + 2])
    return lowest & ~_not_empty(labels[row] ^ label * lowest, lowest, np.uint64(joins[place]))


@inner_kernel
def rename(joins: Numbers, place: int, labels: Words, label: Word, target: Word) -> None:
    """Replace one label by another."""
    for row in range(joins[place + 3]):
        labels[row] ^= with_label(joins, place, row, labels, label) * (label ^ target)


@inner_kernel
def connect(joins: Numbers, place: int, first: int, end: int, labels: Words) -> None:
    """Give one label to all joints listed from `first` to `end`."""
    mask = label_mask(joins, place)
    target = mask  # in use only if all joints have different labels, and then no joint needs a new one
    for touched in range(first, end):
        label = label_of(labels, joins[touched], mask)
        if label != ZERO and label < target:
            target = label
    for touched in range(first, end):
        label = label_of(labels, joins[touched], mask)
        if label == ZERO:
            labels[joins[touched] >> ROW_SHIFT] |= target << np.uint64(joins[touched] & SHIFT_MASK)
        elif label != target:
            rename(joins, place, labels, label, target)


@inner_kernel
def link(joins: Numbers, place: int, one: int, other: int, labels: Words) -> bool:
    """Link two joints; False if they are connected."""
    mask = label_mask(joins, place)
    of_one, of_other = label_of(labels, one, mask), label_of(labels, other, mask)
    if of_one == ZERO and of_other == ZERO:
        of_other = mask  # two joints have no label, so not all labels are in use
        while not is_free(joins, place, labels, of_other):
            of_other -= ONE
        labels[other >> ROW_SHIFT] |= of_other << np.uint64(other & SHIFT_MASK)
    if of_other == ZERO:
        labels[other >> ROW_SHIFT] |= of_one << np.uint64(other & SHIFT_MASK)
    elif of_one == ZERO:
        labels[one >> ROW_SHIFT] |= of_other << np.uint64(one & SHIFT_MASK)
    elif of_one == of_other:
        return False
    else:
        rename(joins, place, labels, of_one, of_other)
    return True


@inner_kernel
def is_free(joins: Numbers, place: int, labels: Words, label: Word) -> bool:
    """Whether no joint has a label."""
    found = ZERO
    for row in range(joins[place + 3]):
        found |= with_label(joins, place, row, labels, label)
    return bool(found == ZERO)


@inner_kernel
def is_alone(joins: Numbers, place: int, labels: Words, label: Word) -> bool:
    """Whether at most one joint has a label."""
    is_found = False
    for row in range(joins[place + 3]):
        same = with_label(joins, place, row, labels, label)
        if same & (same - ONE) != ZERO or (is_found and same != ZERO):
            return False
        is_found = is_found or same != ZERO
    return True


@inner_kernel
def renumber(joins: Numbers, place: int, labels: Words) -> None:
    """Number the labels 1, 2, ... in order of appearance, and add them to the renumbered ones.

    Where joints need not hang together, one that is connected with no other one has no label.
    """
    mask, width, n_rows = label_mask(joins, place), np.uint64(joins[place]), joins[place + 3]
    number = ZERO
    for row in range(n_rows):
        lowest = np.uint64(joins[place + N_HEAD + N_OF_ROW * row + 2])
        while labels[row] != ZERO:
            label = labels[row] >> lowest_index(_not_empty(labels[row], lowest, width)) & mask
            new = ZERO
            if joins[place + 1] != NOT_TOGETHER or not is_alone(joins, place, labels, label):
                number += ONE
                new = number
            for other in range(row, n_rows):
                same = with_label(joins, place, other, labels, label)
                labels[MAX_ROWS + other] |= same * new
                labels[other] ^= same * label


@inner_kernel
def write_labels(joins: Numbers, place: int, labels: Words, state: Words) -> None:
    """Store the renumbered labels in a state."""
    mask = label_mask(joins, place)
    for row in range(joins[place + 3]):
        at = place + N_HEAD + N_OF_ROW * row
        word, shift = joins[at], np.uint64(joins[at + 1])
        others = state[word] & ~(np.uint64(joins[at + 2]) * mask << shift)
        state[word] = others | labels[MAX_ROWS + row] << shift


@inlined_inner_kernel
def _not_empty(fields: Word, lowest: Word, width: Word) -> Word:
    """Bit 0 of each field that is not 0. lowest: bit 0 of all fields."""
    highest = lowest << (width - ONE)
    below = highest - lowest  # all bits of each field but its highest: a sum with them reaches that one
    return (((fields & below) + below | fields) & highest) >> (width - ONE)
