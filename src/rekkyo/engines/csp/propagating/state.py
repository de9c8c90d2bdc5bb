"""Domains as words of bits, the data that a search reads and changes, and the removal of values.

All variables share one numbering of values, so that the domains of two variables are compared word by word:

    bit i of word k of variable v : value base[v] + 64 * k + i       all base[v] are congruent modulo 64

    words | variable 0 | variable 1 | … | table 0 | table 1 | … | scratch | trail: place, old word | … |
            START        START            live rows, then the domains of its variables as it saw them last

Every change of a word goes through `put` or `save`, which push the old word on the trail. To undo decisions,
the search restores words from the trail. Words of domains and tables only lose bits between a decision and
its undoing, so they never need more entries on the trail than they have bits at the root. The encoding of
other parts counts their additional entries.

The program is one row of numbers: the variables, then two lists for each variable, then the parts:

    code  | variable 0 : 8 | variable 1 : 8 | … | TAKING and WAKING lists | part 0 | part 1 | …
    list  | TAKING of v: part, number | …     parts that run at once when v has one value left: the number is
                                              a shift, a value of a clause or choice, or a node of a cycle
          | WAKING of v: part, events | …     the part waits to be propagated after one of these events
    part  | KIND | RING | WAITS | args …      see the propagators; a part is identified by its place

    ints  | counters | fixed variables | open shown | open hidden | waits, failures of part 0 | … |
          | quick ring | slow ring | numbers of one propagator at a time |
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, highest_index, lowest_index, popcount
from rekkyo.jit import inlined_inner_kernel, inner_kernel

Int: TypeAlias = int | np.int64
"""An integer in a kernel: Numba takes both as int64."""

Place: TypeAlias = int | np.int64
"""Index of a number in `code` or `ints`, or of a word in `words`."""

# Counters: places in `ints`.
DEPTH, TRAIL, PHASE, HIDDEN_FROM, N_FOLLOWED, N_FIXED, N_SHOWN, N_HIDDEN = range(8)
"""TRAIL: place in `words` of the next entry. HIDDEN_FROM: depth of the first decision of a hidden variable,
or -1. N_FOLLOWED: decisions of the prefix that were made. N_FIXED: variables with one value left whose TAKING
list is still to be run. N_SHOWN, N_HIDDEN: open variables, which are the first in their lists."""
QUICK, SLOW = 8, 11
FIRST, LENGTH, ENTRIES = 0, 1, 2
"""Two rings of parts that wait: the index of the first entry, the number of entries, and their place."""
STEPS = 14
"""Number of runs of parts, a measure of the cost of a search."""
N_PARTS, SHOWN_AT, HIDDEN_AT, SCRATCH, NUMBERS, IN_ORDER, FALLING = range(15, 22)
"""These do not change: the number of parts, the places of the lists in `ints`, of scratch words in `words`,
and of scratch numbers in `ints`; whether the next variable is chosen without regard to its domain; whether a
decision gives it its greatest value instead of the least one."""
FIXED_AT = 22

OPEN, DEAD = 0, 1
"""Phases. OPEN: waiting parts are propagated, then a decision is made. DEAD: the last decision is undone."""

ANY, BOUNDS, FIXED = 1, 2, 4
"""Events: a variable lost a value; its least or greatest value may have changed; it has one value left."""

START, STOP, BASE, WEIGHT, TAKING, WAKING, WAKING_STOP = range(7)
RECORD = 8
"""Numbers of a variable v, from code[RECORD * v] on: its words, the value of its first bit, its weight (a
greater one is preferred), and its two lists; the second begins where the first ends."""

KIND, RING, WAITS, ARGS = range(4)
"""Numbers of a part. RING: QUICK or SLOW. WAITS: place in `ints` that says whether the part waits; the next
place counts its failures."""

VARIABLE, VALUE, TRAIL_BEFORE, SHOWN_BEFORE, HIDDEN_BEFORE = range(5)
"""Columns of Cursor.frames."""

TOTAL, N_DIVES, NODES_LEFT, EXPECTED, WAYS = range(5)
"""Numbers of `Dive.sums`. Of all dives: the sum of their estimates of the nodes, how many dives there were,
and how many nodes may still be tried. Of the dive so far: its estimate, and the product of its numbers of
choices, which estimates the nodes at its depth."""


class Program(NamedTuple):
    """The data that propagation reads.

    code     : int64[]. See above.
    supports : uint64[]. Rows of tables and sets of values; see the propagators.
    """

    code: NDArray[np.int64]
    supports: Words


class Decided(NamedTuple):
    """How a solution is written as a row.

    shown  : int64[n_shown]. The variables that make a solution, in the order of the row.
    values : int64[]. All values of a solution; see `number_of`.
    """

    shown: NDArray[np.int64]
    values: NDArray[np.int64]


class State(NamedTuple):
    """The data that propagation changes.

    words : uint64[]. Domains, memory of the parts, scratch, trail.
    ints  : int64[]. Counters, lists and rings.
    """

    words: Words
    ints: NDArray[np.int64]


class Dive(NamedTuple):
    """Random dives instead of a search, for an estimate of its nodes; empty arrays in a search.

    random : uint64[1], in/out. The state of the random numbers.
    sums   : float64[5], in/out. See above; 0 before the first dive, except WAYS, which is 1, and NODES_LEFT.
    """

    random: Words
    sums: NDArray[np.float64]


class Machine(NamedTuple):
    """Program and state as kernels pass them to each other: four addresses.

    Passing a tuple of the arrays takes ninety numbers, which was more than half of the time of a search.
    """

    code: NDArray[np.int64]
    supports: Words
    words: Words
    ints: NDArray[np.int64]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place, except for `prefix`.

    frames : int64[n_variables + 1, 5]. For each decision the variable, the value, and the end of the trail
             and the numbers of open variables before the decision.
    prefix : int64[]. Decisions to begin with: variable, value, and 1 to assign it or 0 to remove it.
    """

    state: State
    frames: NDArray[np.int64]
    prefix: NDArray[np.int64]


@inlined_inner_kernel
def save(m: Machine, place: Place, word: Word) -> None:
    """Write a word without waking any part, and push the old word on the trail."""
    top = m.ints[TRAIL]
    m.words[top] = np.uint64(place)
    m.words[top + 1] = m.words[place]
    m.ints[TRAIL] = top + 2
    m.words[place] = word


@inlined_inner_kernel
def wake(m: Machine, p: Place) -> None:
    """Put a part on its ring, unless it waits already."""
    code, ints = m.code, m.ints
    if ints[code[p + WAITS]] == 0:
        ints[code[p + WAITS]] = 1
        ring = code[p + RING]
        end = ints[ring + FIRST] + ints[ring + LENGTH]
        if end >= ints[N_PARTS]:
            end -= ints[N_PARTS]
        ints[ints[ring + ENTRIES] + end] = p
        ints[ring + LENGTH] += 1


@inner_kernel
def put(m: Machine, v: Int, place: Place, word: Word) -> bool:
    """Write a word of the domain of v, which removes values, and wake its parts; False if v has none left."""
    code, ints = m.code, m.ints
    lost = m.words[place] & ~word
    save(m, place, word)
    size = n_values(m, v)
    if size == 0:
        return False
    events = np.int64(ANY)
    if size == 1:
        ints[FIXED_AT + ints[N_FIXED]] = v
        ints[N_FIXED] += 1
        events |= FIXED
    # A value above the greatest or below the least that is left in this word was removed. Other words of the
    # domain are not read, so BOUNDS may be set although neither bound changed.
    if lost > word or (lost & ((word & (~word + ONE)) - ONE)) != ZERO or word == ZERO:
        events |= BOUNDS
    at, stop = code[RECORD * v + WAKING], code[RECORD * v + WAKING_STOP]
    while at < stop:
        if code[at + 1] & events != 0:
            wake(m, code[at])
        at += 2
    return True


@inner_kernel
def next_waiting(m: Machine) -> Place:
    """Take the next part from the quick ring, or from the slow one if the quick ring is empty."""
    ints = m.ints
    ring = QUICK if ints[QUICK + LENGTH] > 0 else SLOW
    first = ints[ring + FIRST]
    ints[ring + FIRST] = first + 1 if first + 1 < ints[N_PARTS] else 0
    ints[ring + LENGTH] -= 1
    return np.int64(ints[ints[ring + ENTRIES] + first])


@inner_kernel
def forget_waiting(m: Machine) -> None:
    """Empty the rings and the list of fixed variables."""
    m.ints[N_FIXED] = 0
    while m.ints[QUICK + LENGTH] + m.ints[SLOW + LENGTH] > 0:
        m.ints[m.code[next_waiting(m) + WAITS]] = 0


@inlined_inner_kernel
def n_values(m: Machine, v: Int) -> Int:
    """The number of values in the domain of v."""
    size = ZERO
    for place in range(m.code[RECORD * v + START], m.code[RECORD * v + STOP]):
        size += popcount(m.words[place])
    return np.int64(size)


@inlined_inner_kernel
def is_fixed(m: Machine, v: Int) -> bool:
    """Whether the domain of v has one value."""
    return n_values(m, v) == 1


@inlined_inner_kernel
def least_of(m: Machine, v: Int) -> Int:
    """The least value in the domain of v."""
    start = m.code[RECORD * v + START]
    place = start
    while m.words[place] == ZERO:
        place += 1
    bit = 64 * (place - start) + np.int64(lowest_index(m.words[place]))
    return np.int64(m.code[RECORD * v + BASE] + bit)


@inner_kernel
def greatest_of(m: Machine, v: Int) -> Int:
    """The greatest value in the domain of v."""
    start, place = m.code[RECORD * v + START], m.code[RECORD * v + STOP] - 1
    while m.words[place] == ZERO:
        place -= 1
    bit = 64 * (place - start) + np.int64(highest_index(m.words[place]))
    return np.int64(m.code[RECORD * v + BASE] + bit)


@inlined_inner_kernel
def has(m: Machine, v: Int, value: Int) -> bool:
    """Whether a value is in the domain of v."""
    bit = value - m.code[RECORD * v + BASE]
    place = m.code[RECORD * v + START] + (bit >> 6)
    if bit < 0 or place >= m.code[RECORD * v + STOP]:
        return False
    return bool(m.words[place] >> np.uint64(bit & 63) & ONE != ZERO)


@inner_kernel
def remove(m: Machine, v: Int, value: Int) -> bool:
    """Remove a value; False if none is left."""
    if not has(m, v, value):
        return True
    bit = value - m.code[RECORD * v + BASE]
    place = m.code[RECORD * v + START] + (bit >> 6)
    return put(m, v, place, m.words[place] & ~(ONE << np.uint64(bit & 63)))


@inner_kernel
def assign(m: Machine, v: Int, value: Int) -> bool:
    """Remove all other values; False if this one is not possible."""
    if not has(m, v, value):
        return False
    bit = value - m.code[RECORD * v + BASE]
    home = m.code[RECORD * v + START] + (bit >> 6)
    for place in range(m.code[RECORD * v + START], m.code[RECORD * v + STOP]):
        word = ONE << np.uint64(bit & 63) if place == home else ZERO
        if m.words[place] != word and not put(m, v, place, word):
            return False
    return True


@inner_kernel
def at_least(m: Machine, v: Int, value: Int) -> bool:
    """Remove all values below the given one; False if none is left."""
    bit = value - m.code[RECORD * v + BASE]
    if bit <= 0:
        return True
    start = m.code[RECORD * v + START]
    for place in range(start, m.code[RECORD * v + STOP]):
        first = 64 * (place - start)
        word = m.words[place]
        if bit >= first + 64:
            word = ZERO
        elif bit > first:
            word = word >> np.uint64(bit - first) << np.uint64(bit - first)
        if word != m.words[place] and not put(m, v, place, word):
            return False
    return True


@inner_kernel
def at_most(m: Machine, v: Int, value: Int) -> bool:
    """Remove all values above the given one; False if none is left."""
    bit = value - m.code[RECORD * v + BASE]
    start = m.code[RECORD * v + START]
    for place in range(start, m.code[RECORD * v + STOP]):
        first = 64 * (place - start)
        word = m.words[place]
        if bit < first:
            word = ZERO
        elif bit < first + 63:
            word &= (ONE << np.uint64(bit - first + 1)) - ONE
        if word != m.words[place] and not put(m, v, place, word):
            return False
    return True


@inlined_inner_kernel
def take_back(m: Machine, top: Place) -> None:
    """Restore the words of all entries of the trail from `top` on."""
    at = m.ints[TRAIL]
    while at > top:
        at -= 2
        m.words[np.int64(m.words[at])] = m.words[at + 1]
    m.ints[TRAIL] = top
