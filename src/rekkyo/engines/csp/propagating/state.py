"""Domains as words of bits, what a search reads and changes, and how one value is taken away.

All variables share one numbering of values, so that sets of two variables are compared word by word:

    bit i of word k of variable v : value base[v] + 64 * k + i       base[v] is a multiple of 64

    words | variable 0 | variable 1 | … | table 0 | table 1 | … | scratch | trail: place, old word | … |
            START        START            live rows, then the domains of its variables as it saw them last

Every change of a word goes through `put` or `save`, which keep the old one on the trail. A search takes back
by writing the trail back; a word only ever loses bits on the way down, so the trail never holds more entries
than there are bits at the root.

The program is one row of numbers. Variables come first, then lists of who is told what, then parts:

    code  | variable 0 : 8 | variable 1 : 8 | … | TAKING and WAKING lists | part 0 | part 1 | …
    list  | TAKING of v: part, shift | …      the value of v plus the shift is taken from others of the part
          | WAKING of v: part, events | …     the part waits to be propagated after one of these events
    part  | KIND | RING | WAITS | args …      see the propagators; a part is known by its place

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
"""A whole number in a kernel: Numba sees int64 in both."""

Place: TypeAlias = int | np.int64
"""Index of a number in `code` or `ints`, or of a word in `words`."""

# Counters: places in `ints`.
DEPTH, TRAIL, PHASE, HIDDEN_FROM, N_FOLLOWED, N_FIXED, N_SHOWN, N_HIDDEN = range(8)
"""TRAIL: place in `words` where the next entry goes. HIDDEN_FROM: the first decision of a hidden variable, or
-1. N_FOLLOWED: decisions of the prefix that were made. N_FIXED: variables with one value left that others
were not told of. N_SHOWN, N_HIDDEN: open variables, which come first in their lists."""
QUICK, SLOW = 8, 11
FIRST, LENGTH, ENTRIES = 0, 1, 2
"""Two rings of parts that wait: where each begins, how many wait, and the place of its entries."""
STEPS = 14
"""How often a part was run or told something: what a search costs."""
N_PARTS, SHOWN_AT, HIDDEN_AT, SCRATCH, NUMBERS, IN_ORDER = range(15, 21)
"""These do not change: the number of parts, places of the lists in `ints`, of scratch words in `words`, and
of numbers in `ints`; whether variables are decided in their order, and not the smallest domain first."""
FIXED_AT = 21

OPEN, DEAD = 0, 1
"""Phases: what waits is to be propagated, then comes a decision; or the search goes back to the last one."""

ANY, BOUNDS, FIXED = 1, 2, 4
"""Events: a variable lost a value; its least or greatest value may have gone; it has one value left."""

START, STOP, BASE, WEIGHT, TAKING, WAKING, WAKING_STOP = range(7)
RECORD = 8
"""Numbers of a variable v, from code[RECORD * v] on: its words, the value of its first bit, how much it is
preferred, and its two lists; the second begins where the first ends."""

KIND, RING, WAITS, ARGS = range(4)
"""Numbers of a part. RING: QUICK or SLOW. WAITS: place in `ints` that says whether the part waits; the next
one counts how often it failed."""

VARIABLE, VALUE, TRAIL_BEFORE, SHOWN_BEFORE, HIDDEN_BEFORE = range(5)
"""Columns of Cursor.frames."""


class Program(NamedTuple):
    """What propagation reads.

    code     : int64[]. See above.
    supports : uint64[]. Rows of tables and sets of values, see the propagators.
    """

    code: NDArray[np.int64]
    supports: Words


class Decided(NamedTuple):
    """How a solution is written down.

    shown  : int64[n_shown]. The variables that make a solution, in the order of the row.
    number : int64[]. number[0] is the least value of the solution minus 1; value x is number
             number[x - number[0]] in a row.
    """

    shown: NDArray[np.int64]
    number: NDArray[np.int64]


class State(NamedTuple):
    """What propagation changes.

    words : uint64[]. Domains, what tables remember, scratch, trail.
    ints  : int64[]. Counters, lists and rings.
    """

    words: Words
    ints: NDArray[np.int64]


class Machine(NamedTuple):
    """Program and state as kernels hand them on: four addresses.

    A tuple of the arrays takes ninety numbers to hand over, which was more than half of a search.
    """

    code: NDArray[np.int64]
    supports: Words
    words: Words
    ints: NDArray[np.int64]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place, except for `prefix`.

    frames : int64[n_variables + 1, 5]. For each decision the variable, the value, and before it the end of
             the trail and the numbers of open variables.
    prefix : int64[]. Decisions to begin with: variable, value, and 1 to give it or 0 to take it away.
    """

    state: State
    frames: NDArray[np.int64]
    prefix: NDArray[np.int64]


@inlined_inner_kernel
def save(m: Machine, place: Place, word: Word) -> None:
    """Write a word that wakes nothing, and keep the old one."""
    top = m.ints[TRAIL]
    m.words[top] = np.uint64(place)
    m.words[top + 1] = m.words[place]
    m.ints[TRAIL] = top + 2
    m.words[place] = word


@inner_kernel
def put(m: Machine, v: Int, place: Place, word: Word) -> bool:
    """Write a word of the domain of v, which loses values by that; False if it has none left."""
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
    # Below the least or above the greatest of what is left in this word; of several words none is asked.
    if lost > word or (lost & ((word & (~word + ONE)) - ONE)) != ZERO or word == ZERO:
        events |= BOUNDS
    at, stop = code[RECORD * v + WAKING], code[RECORD * v + WAKING_STOP]
    while at < stop:
        p = code[at]
        if code[at + 1] & events != 0 and ints[code[p + WAITS]] == 0:
            ints[code[p + WAITS]] = 1
            ring = code[p + RING]
            end = ints[ring + FIRST] + ints[ring + LENGTH]
            if end >= ints[N_PARTS]:
                end -= ints[N_PARTS]
            ints[ints[ring + ENTRIES] + end] = p
            ints[ring + LENGTH] += 1
        at += 2
    return True


@inner_kernel
def next_waiting(m: Machine) -> Place:
    """Take a part off the rings, a quick one if there is one."""
    ints = m.ints
    ring = QUICK if ints[QUICK + LENGTH] > 0 else SLOW
    first = ints[ring + FIRST]
    ints[ring + FIRST] = first + 1 if first + 1 < ints[N_PARTS] else 0
    ints[ring + LENGTH] -= 1
    return np.int64(ints[ints[ring + ENTRIES] + first])


@inner_kernel
def forget_waiting(m: Machine) -> None:
    """Empty the rings, and the list of fixed variables."""
    m.ints[N_FIXED] = 0
    while m.ints[QUICK + LENGTH] + m.ints[SLOW + LENGTH] > 0:
        m.ints[m.code[next_waiting(m) + WAITS]] = 0


@inlined_inner_kernel
def n_values(m: Machine, v: Int) -> Int:
    """How many values are possible."""
    size = ZERO
    for place in range(m.code[RECORD * v + START], m.code[RECORD * v + STOP]):
        size += popcount(m.words[place])
    return np.int64(size)


@inlined_inner_kernel
def is_fixed(m: Machine, v: Int) -> bool:
    """Whether one value is possible."""
    return n_values(m, v) == 1


@inlined_inner_kernel
def least_of(m: Machine, v: Int) -> Int:
    """The least value that is possible."""
    start = m.code[RECORD * v + START]
    place = start
    while m.words[place] == ZERO:
        place += 1
    bit = 64 * (place - start) + np.int64(lowest_index(m.words[place]))
    return np.int64(m.code[RECORD * v + BASE] + bit)


@inner_kernel
def greatest_of(m: Machine, v: Int) -> Int:
    """The greatest value that is possible."""
    start, place = m.code[RECORD * v + START], m.code[RECORD * v + STOP] - 1
    while m.words[place] == ZERO:
        place -= 1
    bit = 64 * (place - start) + np.int64(highest_index(m.words[place]))
    return np.int64(m.code[RECORD * v + BASE] + bit)


@inlined_inner_kernel
def has(m: Machine, v: Int, value: Int) -> bool:
    """Whether a value is possible."""
    bit = value - m.code[RECORD * v + BASE]
    place = m.code[RECORD * v + START] + (bit >> 6)
    if bit < 0 or place >= m.code[RECORD * v + STOP]:
        return False
    return bool(m.words[place] >> np.uint64(bit & 63) & ONE != ZERO)


@inner_kernel
def remove(m: Machine, v: Int, value: Int) -> bool:
    """Take a value away; False if none is left."""
    if not has(m, v, value):
        return True
    bit = value - m.code[RECORD * v + BASE]
    place = m.code[RECORD * v + START] + (bit >> 6)
    return put(m, v, place, m.words[place] & ~(ONE << np.uint64(bit & 63)))


@inner_kernel
def assign(m: Machine, v: Int, value: Int) -> bool:
    """Take all other values away; False if this one is not possible."""
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
    """Take away all values below one; False if none is left."""
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
    """Take away all values above one; False if none is left."""
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
    """Write the trail back down to a height."""
    at = m.ints[TRAIL]
    while at > top:
        at -= 2
        m.words[np.int64(m.words[at])] = m.words[at + 1]
    m.ints[TRAIL] = top
