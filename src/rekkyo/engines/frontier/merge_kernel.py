"""Compiled: walks a part of a front through the levels of `streams.py`, in order, by merging streams.

    one      3 . 5 . 8         results of one choice; `.` is a state that the choice does not fit
    other    . 4 5 7 .         results of another choice
    merged   3 4 5 7 8         the count of 5 is the sum of both

A part that fits the cache is sorted and then walked through several levels. Results of a thousand states are
made at a time, and they are merged without a branch, because the next stream is unpredictable. A result takes
8 to 10 ns for dominoes, Aztec diamonds and independent sets of a grid, 15 for those of kings, and 25 to 40 by
hashing (`absorb.py`).

Left out on purpose: a whole front in order, not in parts. Then workers read the results of each other, and
two were as slow as one.

A stream is a row of words:

    mask, value            its results are those of the states that have this value under this mask
    node_mask, node_value  the same for the states that are counted as nodes
    keep, fixed            the bits of a turned state that its result keeps, and those that the result has
    loses                  whether results that follow each other may be equal
    group                  groups follow each other; the streams of a group are merged
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words
from rekkyo.engines.frontier.absorb import wider
from rekkyo.engines.limbs import Limbs, sum_all
from rekkyo.jit import allocating_inner_kernel, allocating_kernel, inlined_inner_kernel, inner_kernel

MASK, VALUE, NODE_MASK, NODE_VALUE, KEEP, FIXED, LOSES, GROUP, N_COLUMNS = range(9)

AT_ONCE = 1 << 10
"""The number of states whose results are made at a time."""

END = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Greater than every turned result."""

NEVER = np.uint64(AT_ONCE + 1)
"""A place that no stream reaches, because none goes beyond END."""

DIGIT_BITS = 11
"""The bits by which states are sorted at a time."""


class StreamArrays(NamedTuple):
    """The streams of some levels.

    ends  : int64[n_levels + 1]. The end of the streams of each level; 0 at first.
    rows  : uint64[n_streams, N_COLUMNS].
    turns : uint64[n_levels]. Words are compared after they are rotated to the right by it.
    n_bits: of a turned state before the first level.
    """

    ends: NDArray[np.int64]
    rows: Words
    turns: Words
    n_bits: int


class _Some(NamedTuple):
    """Some results of two streams. words : uint64[2, AT_ONCE + 1]. numbers : the states of each, as many."""

    words: Words
    numbers: NDArray[np.uint32]


class _Source(NamedTuple):
    """A stream of some states. Of two that are merged, both or neither have a count, which END reads.

    states : uint64[n_states or more]. counts : uint64[n_states or more, n_limbs]. row : uint64[N_COLUMNS].
    """

    states: Words
    counts: Limbs
    n_states: int
    row: Words


@allocating_kernel
def steps_in_order(states: Words, counts: Limbs, streams: StreamArrays, most: int, most_nodes: int) -> Any:
    """Walk a part through levels; returns (are_too_many, states, counts, sizes, ways), see `kernel.steps`.

    It stops where counts have become longer, and after more than `most_nodes` nodes.

    states : uint64[n], all different. counts : uint64[n, n_limbs].
    """
    n_levels, n_limbs, nodes = streams.turns.shape[0], counts.shape[1], 0
    sizes = np.empty((n_levels, 2), dtype=np.int64)
    ways = np.zeros((n_levels, n_limbs + 2), dtype=np.uint64)
    some = _Some(np.empty((2, AT_ONCE + 1), dtype=np.uint64), np.zeros((2, AT_ONCE + 1), dtype=np.uint32))
    states, counts = _sorted(states, counts, streams.turns[0], streams.n_bits)
    level = 0
    while level < n_levels and nodes <= most_nodes and counts.shape[1] == n_limbs:
        rows = streams.rows[streams.ends[level] : streams.ends[level + 1]]
        has_overflowed, found, sums, tried = _step(states, counts, rows, streams.turns[level], some)
        if has_overflowed:
            counts = wider(counts)
            _, found, sums, tried = _step(states, counts, rows, streams.turns[level], some)
        if found.shape[0] > most:
            return True, states, counts, sizes[:level], ways[:level]
        states, counts = found, sums
        nodes += tried
        sizes[level, 0], sizes[level, 1] = tried, states.shape[0]
        sum_all(counts, ways[level])
        level += 1
    return False, states, counts, sizes[:level], ways[:level]


@allocating_kernel
def merge_equal(states: Words, counts: Limbs, turn: Word, n_bits: int) -> Any:
    """Put states in order and add the counts of equal ones; returns (states, counts).

    states : uint64[n]. counts : uint64[n, n_limbs]. n_bits: of a turned state.
    """
    some = _Some(np.empty((2, AT_ONCE + 1), dtype=np.uint64), np.zeros((2, AT_ONCE + 1), dtype=np.uint32))
    states, counts = _sorted(states, counts, turn, n_bits)
    one = _Source(states, counts, states.shape[0], _unchanged())
    found, sums = np.empty_like(states), np.empty_like(counts)
    n_found, _, has_overflowed = _condense(one, turn, some, found, sums, 0)
    if has_overflowed:
        one = _Source(states, wider(counts), states.shape[0], _unchanged())
        sums = np.empty_like(one.counts)
        n_found, _, _ = _condense(one, turn, some, found, sums, 0)
    return found[:n_found], sums[:n_found]


@allocating_inner_kernel
def _sorted(states: Words, counts: Limbs, turn: Word, n_bits: int) -> Any:
    """The same states and counts in order, by one digit after the other; those given if they are in order."""
    if _are_in_order(states, turn):
        return states, counts
    n_states, last = states.shape[0], np.uint64((1 << DIGIT_BITS) - 1)
    starts = np.empty(1 << DIGIT_BITS, dtype=np.int64)
    words, others = np.empty(n_states, dtype=np.uint64), np.empty(n_states, dtype=np.uint64)
    numbers, other_numbers = np.empty(n_states, dtype=np.uint32), np.empty(n_states, dtype=np.uint32)
    for index in range(n_states):
        words[index], numbers[index] = _turned(states[index], turn), index
    for shift in range(0, n_bits, DIGIT_BITS):
        for digit in range(starts.shape[0]):
            starts[digit] = 0
        for index in range(n_states):
            starts[words[index] >> np.uint64(shift) & last] += 1
        n_before = 0
        for digit in range(starts.shape[0]):
            starts[digit], n_before = n_before, n_before + starts[digit]
        for index in range(n_states):
            digit = words[index] >> np.uint64(shift) & last
            others[starts[digit]], other_numbers[starts[digit]] = words[index], numbers[index]
            starts[digit] += 1
        words, others, numbers, other_numbers = others, words, other_numbers, numbers
    sums = np.empty_like(counts)
    for index in range(n_states):
        words[index] = states[numbers[index]]
        for limb in range(counts.shape[1]):
            sums[index, limb] = counts[numbers[index], limb]
    return words, sums


@inner_kernel
def _are_in_order(states: Words, turn: Word) -> bool:
    for index in range(1, states.shape[0]):
        if _turned(states[index - 1], turn) > _turned(states[index], turn):
            return False
    return True


@allocating_inner_kernel
def _step(states: Words, counts: Limbs, rows: Words, turn: Word, some: _Some) -> Any:
    """One level; returns (whether a sum has overflowed, states, counts, nodes)."""
    n_states, n_limbs = states.shape[0], counts.shape[1]
    n_found, nodes, has_overflowed = 0, 0, False
    found = np.empty(n_states * rows.shape[0], dtype=np.uint64)
    sums = np.empty((n_states * rows.shape[0], n_limbs), dtype=np.uint64)
    row = 0
    while row < rows.shape[0]:
        stop = row + 1
        while stop < rows.shape[0] and rows[stop, GROUP] == rows[row, GROUP]:
            stop += 1
        left = _Source(states, counts, n_states, rows[row])
        if stop == row + 1:
            n_found, tried, has_more = _append(left, turn, some, found, sums, n_found)
        else:
            left, tried, has_more = _without_equal(left, turn, some)
        nodes += tried
        has_overflowed |= has_more
        for other in range(row + 1, stop):
            right, tried, has_more = _without_equal(
                _Source(states, counts, n_states, rows[other]), turn, some
            )
            nodes += tried
            has_overflowed |= has_more
            if other == stop - 1:
                n_found, tried, has_more = _merge(left, right, turn, some, found, sums, n_found)
            else:
                room = max(1, left.n_states + right.n_states)  # the first count is read
                both = np.empty(room, dtype=np.uint64)
                both_counts = np.empty((room, n_limbs), dtype=np.uint64)
                n_both, tried, has_more = _merge(left, right, turn, some, both, both_counts, 0)
                left = _Source(both, both_counts, n_both, _unchanged())
            nodes += tried
            has_overflowed |= has_more
        row = stop
    return has_overflowed, found[:n_found], sums[:n_found], nodes


@allocating_inner_kernel
def _without_equal(one: _Source, turn: Word, some: _Some) -> Any:
    """A stream whose results are all different; returns (source, nodes, whether a sum has overflowed)."""
    if one.row[LOSES] == ZERO:
        return one, 0, False
    words, counts = np.empty(one.n_states, dtype=np.uint64), np.empty_like(one.counts)
    n_words, nodes, has_more = _condense(one, turn, some, words, counts, 0)
    return _Source(words, counts, n_words, _unchanged()), nodes, has_more


@allocating_inner_kernel
def _unchanged() -> Words:
    """The stream of states that are results already, and no nodes."""
    row = np.zeros(N_COLUMNS, dtype=np.uint64)
    row[NODE_VALUE], row[KEEP] = ONE, END
    return row


@inner_kernel
def _append(
    one: _Source, turn: Word, some: _Some, found: Words, sums: Limbs, n_before: int
) -> tuple[int, int, bool]:
    """Write the results of a stream behind others; returns (n_found, nodes, whether a sum has overflowed)."""
    if one.row[LOSES] != ZERO:
        return _condense(one, turn, some, found, sums, n_before)
    words, numbers, counts = some.words[0], some.numbers[0], one.counts
    n_found, n_limbs, back, nodes = np.uint64(n_before), counts.shape[1], np.uint64(64) - turn, 0
    for first in range(0, one.n_states, AT_ONCE):
        n_words, tried = _make(one, first, turn, words, numbers)
        for place in range(n_words):
            found[n_found + place] = _turned(words[place], back)
            for limb in range(n_limbs):
                sums[n_found + place, limb] = counts[numbers[place], limb]
        n_found += n_words
        nodes += tried
    return int(np.int64(n_found)), nodes, False


@inner_kernel
def _condense(
    one: _Source, turn: Word, some: _Some, found: Words, sums: Limbs, n_before: int
) -> tuple[int, int, bool]:
    """As `_append`, for equal results that follow each other."""
    words, numbers, counts = some.words[0], some.numbers[0], one.counts
    n_found, n_limbs, back = np.uint64(n_before), np.uint64(counts.shape[1]), np.uint64(64) - turn
    nodes, carried, last = 0, ZERO, END
    for first in range(0, one.n_states, AT_ONCE):
        n_words, tried = _make(one, first, turn, words, numbers)
        for place in range(n_words):
            word, number = words[place], numbers[place]
            is_new = np.uint64(word != last)
            n_found += is_new
            slot, last, carry, limb = n_found - ONE, word, ZERO, ZERO
            found[slot] = _turned(word, back)
            while limb < n_limbs:
                addend = counts[number, limb]
                partial = (sums[slot, limb] & is_new - ONE) + addend
                total = partial + carry
                sums[slot, limb] = total
                carry = np.uint64(partial < addend) | np.uint64(total < partial)
                limb += ONE
            carried |= carry
        nodes += tried
    return int(np.int64(n_found)), nodes, bool(carried != ZERO)


@inner_kernel
def _merge(
    left: _Source, right: _Source, turn: Word, some: _Some, found: Words, sums: Limbs, n_before: int
) -> tuple[int, int, bool]:
    """Write the results of two streams behind others; returns (n_found, nodes, whether a sum has overflowed).

    Numbers of places are unsigned: Numba looks whether others are negative, which took a fifth of the time.
    """
    words, others = some.words[0], some.words[1]
    numbers, other_numbers = some.numbers[0], some.numbers[1]
    counts, other_counts, first, other_first = left.counts, right.counts, 0, 0
    place, n_words, other_place, n_others = ZERO, ZERO, ZERO, ZERO
    n_found, n_limbs, back = np.uint64(n_before), np.uint64(sums.shape[1]), np.uint64(64) - turn
    nodes, carried = 0, ZERO
    while True:
        while place == n_words and first < left.n_states:
            n_words, tried = _make(left, first, turn, words, numbers)
            first, place, nodes = first + AT_ONCE, ZERO, nodes + tried
        while other_place == n_others and other_first < right.n_states:
            n_others, tried = _make(right, other_first, turn, others, other_numbers)
            other_first, other_place, nodes = other_first + AT_ONCE, ZERO, nodes + tried
        if place == n_words and other_place == n_others:
            return int(np.int64(n_found)), nodes, bool(carried != ZERO)
        # A stream that has ended stays at END; where one goes on with results, more have to be made.
        if place == n_words:
            place, n_words, words[0], numbers[0] = ZERO, ZERO, END, 0
        if other_place == n_others:
            other_place, n_others, others[0], other_numbers[0] = ZERO, ZERO, END, 0
        stop = n_words if first < left.n_states else NEVER
        other_stop = n_others if other_first < right.n_states else NEVER
        while place < stop and other_place < other_stop:
            word, other_word = words[place], others[other_place]
            least = min(word, other_word)
            if least == END:
                break
            is_left, is_right = np.uint64(word == least), np.uint64(other_word == least)
            number, other_number = numbers[place], other_numbers[other_place]
            found[n_found] = _turned(least, back)
            carry, limb = ZERO, ZERO
            while limb < n_limbs:
                addend = other_counts[other_number, limb] & ZERO - is_right
                partial = (counts[number, limb] & ZERO - is_left) + addend
                total = partial + carry
                sums[n_found, limb] = total
                carry = np.uint64(partial < addend) | np.uint64(total < partial)
                limb += ONE
            carried |= carry
            n_found += ONE
            place += is_left
            other_place += is_right


@inner_kernel
def _make(
    source: _Source, first: int, turn: Word, words: Words, numbers: NDArray[np.uint32]
) -> tuple[Word, int]:
    """Make the results of some states from `first` on; returns (results, nodes).

    END follows the results, as if it were that of the first state: the count of END is read, but not added.
    """
    states, row, stop = source.states, source.row, min(first + AT_ONCE, source.n_states)
    mask, value, keep, fixed = row[MASK], row[VALUE], row[KEEP], row[FIXED]
    n_words, nodes = ZERO, 0
    for index in range(first, stop):
        state = states[index]
        words[n_words] = _turned(state, turn) & keep | fixed
        numbers[n_words] = index
        n_words += np.uint64(state & mask == value)
    words[n_words], numbers[n_words] = END, 0
    if row[NODE_MASK] == mask and row[NODE_VALUE] == value:
        return n_words, int(np.int64(n_words))
    if row[NODE_VALUE] & ~row[NODE_MASK] == ZERO:  # else no state has this value
        for index in range(first, stop):
            nodes += states[index] & row[NODE_MASK] == row[NODE_VALUE]
    return n_words, nodes


@inlined_inner_kernel
def _turned(word: Word, turn: Word) -> Word:
    """A word rotated to the right, by 0 to 64."""
    rotated: Word = word >> (turn & np.uint64(63)) | word << (np.uint64(64) - turn & np.uint64(63))
    return rotated
