"""Domains as words of bits, what a search reads and changes, and how one value is taken away.

All variables share one numbering of values, so that sets of two variables are compared word by word:

    bit i of word k of variable v : value base[v] + 64 * k + i       base[v] is a multiple of 64

    words | variable 0 | variable 1 | … | table 0 | table 1 | …
            start[0]     start[1]         live rows, then the domains of its variables as it saw them last

Every change of a word goes through `put`, which keeps the old one on the trail. A search takes back by
writing the trail back; a word only ever loses bits on the way down, so the trail never holds more entries
than there are bits at the root.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, highest_index, lowest_index, popcount
from rekkyo.jit import inlined_inner_kernel, inner_kernel

Int: TypeAlias = int | np.int64
"""A whole number in a kernel: Numba sees int64 in both."""

# Places in State.counters.
DEPTH, TRAIL, PHASE, HIDDEN_FROM = 0, 1, 2, 3
QUEUE = 4
"""Of each of the two queues: where it begins, and how many wait in it."""
N_FIXED = 8
"""How many variables were fixed and are still to be taken from those that differ from them."""
N_COUNTERS = 9

OPEN, DEAD = 0, 1
"""Phases: what waits is to be propagated, then comes a decision; or the search goes back to the last one."""

ANY, BOUNDS, FIXED, TAKEN = 0, 1, 2, 3
"""When a variable wakes a part: whenever it loses a value; when its least or greatest value may have gone;
when it has one value left. TAKEN: then its value is taken from the other variables of the part at once."""

# Columns of Program.variables, Program.parts and Cursor.frames.
START, BASE, WEIGHT, WAKING = 0, 1, 2, 3
KIND, RING, ARGS = 0, 1, 2
VARIABLE, VALUE, TRAIL_BEFORE = 0, 1, 2

WAITS, FAILURES = 2, 3
"""Rows of State.queue: which parts wait, and how often each had no solution."""


class Program(NamedTuple):
    """What propagation reads.

    variables : int64[n_variables + 1, 4]. Columns START, BASE, WEIGHT and WAKING: the domain of v is words
                [START of v, START of v + 1); BASE is the value of its first bit; variables of small domain
                and large weight are decided first; changes of v wake woken[WAKING of v : WAKING of v + 1].
    parts     : int64[n_parts, 3]. Columns KIND, RING and ARGS: what a part is, the queue in which it waits,
                and where its numbers begin.
    args      : int64[]. The numbers of parts, see the propagators.
    supports  : uint64[]. Rows of tables and sets of values, see the propagators.
    woken     : int64[n, 2]. A part, and ANY, BOUNDS, FIXED or TAKEN.

    Five arrays, not thirteen: what a function is handed is a good part of the time to compile it.
    """

    variables: NDArray[np.int64]
    parts: NDArray[np.int64]
    args: NDArray[np.int64]
    supports: Words
    woken: NDArray[np.int64]


class Decided(NamedTuple):
    """What is decided, and how it is written down.

    shown  : int64[n_shown]. The variables that make a solution, in the order of the row.
    hidden : int64[n_hidden]. All others.
    number : int64[]. number[0] is the least value of the solution minus 1; value x is number
             number[x - number[0]] in a row.
    """

    shown: NDArray[np.int64]
    hidden: NDArray[np.int64]
    number: NDArray[np.int64]


class State(NamedTuple):
    """What propagation changes.

    words    : uint64[n_words]. Domains, then what tables remember.
    trail    : uint64[n_bits, 2]. Words that were changed, in order: where they are, and what they were.
    queue    : int64[4, n_parts]. Two rings of parts that wait, quick ones and slow ones; and for each part
               whether it waits, and how often it failed.
    fixed    : int64[n_variables]. Variables that have one value left, which is to be taken from others.
    scratch  : uint64[], numbers: int64[]. For one propagator at a time.
    counters : int64[N_COUNTERS]. See above. HIDDEN_FROM is the first decision of a hidden variable, or -1.
    """

    words: Words
    trail: Words
    queue: NDArray[np.int64]
    fixed: NDArray[np.int64]
    scratch: Words
    numbers: NDArray[np.int64]
    counters: NDArray[np.int64]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    frames : int64[n_variables + 1, 3]. For each decision the variable, the value, and how long the trail was
             before it.
    """

    state: State
    frames: NDArray[np.int64]


@inner_kernel
def save(state: State, place: Int, word: Word) -> None:
    """Write a word that wakes nothing, and keep the old one."""
    top = state.counters[TRAIL]
    state.trail[top, 0] = np.uint64(place)
    state.trail[top, 1] = state.words[place]
    state.counters[TRAIL] = top + 1
    state.words[place] = word


@inner_kernel
def put(program: Program, state: State, v: Int, place: Int, word: Word) -> bool:
    """Write a word of the domain of v, which loses values by that; False if it has none left."""
    lost = state.words[place] & ~word
    save(state, place, word)
    size = n_values(program, state, v)
    if size == 0:
        return False
    woken, counters = program.woken, state.counters
    if size == 1:
        state.fixed[counters[N_FIXED]] = v
        counters[N_FIXED] += 1
    # Below the least or above the greatest of what is left in this word; of several words none is asked.
    is_bound = lost > word or (lost & ((word & (~word + ONE)) - ONE)) != ZERO or word == ZERO
    n_parts = program.parts.shape[0]
    for at in range(program.variables[v, WAKING], program.variables[v + 1, WAKING]):
        p, when = woken[at, 0], woken[at, 1]
        is_woken = when == ANY or (when == BOUNDS and is_bound) or (when == FIXED and size == 1)
        if is_woken and state.queue[WAITS, p] == 0:
            state.queue[WAITS, p] = 1
            ring = program.parts[p, RING]
            end = counters[QUEUE + 2 * ring] + counters[QUEUE + 2 * ring + 1]
            if end >= n_parts:
                end -= n_parts
            state.queue[ring, end] = p
            counters[QUEUE + 2 * ring + 1] += 1
    return True


@inlined_inner_kernel
def n_values(program: Program, state: State, v: Int) -> Int:
    """How many values are possible."""
    size = ZERO
    for place in range(program.variables[v, START], program.variables[v + 1, START]):
        size += popcount(state.words[place])
    return np.int64(size)


@inner_kernel
def least_of(program: Program, state: State, v: Int) -> Int:
    """The least value that is possible."""
    place = program.variables[v, START]
    while state.words[place] == ZERO:
        place += 1
    return np.int64(
        program.variables[v, BASE]
        + 64 * (place - program.variables[v, START])
        + np.int64(lowest_index(state.words[place]))
    )


@inner_kernel
def greatest_of(program: Program, state: State, v: Int) -> Int:
    """The greatest value that is possible."""
    place = program.variables[v + 1, START] - 1
    while state.words[place] == ZERO:
        place -= 1
    return np.int64(
        program.variables[v, BASE]
        + 64 * (place - program.variables[v, START])
        + np.int64(highest_index(state.words[place]))
    )


@inner_kernel
def has(program: Program, state: State, v: Int, value: Int) -> bool:
    """Whether a value is possible."""
    bit = value - program.variables[v, BASE]
    if bit < 0 or bit >= 64 * (program.variables[v + 1, START] - program.variables[v, START]):
        return False
    return bool(state.words[program.variables[v, START] + (bit >> 6)] >> np.uint64(bit & 63) & ONE != ZERO)


@inner_kernel
def remove(program: Program, state: State, v: Int, value: Int) -> bool:
    """Take a value away; False if none is left."""
    if not has(program, state, v, value):
        return True
    bit = value - program.variables[v, BASE]
    place = program.variables[v, START] + (bit >> 6)
    return bool(put(program, state, v, place, state.words[place] & ~(ONE << np.uint64(bit & 63))))


@inner_kernel
def assign(program: Program, state: State, v: Int, value: Int) -> bool:
    """Take all other values away; False if this one is not possible."""
    if not has(program, state, v, value):
        return False
    bit = value - program.variables[v, BASE]
    home = program.variables[v, START] + (bit >> 6)
    for place in range(program.variables[v, START], program.variables[v + 1, START]):
        word = ONE << np.uint64(bit & 63) if place == home else ZERO
        if state.words[place] != word and not put(program, state, v, place, word):
            return False
    return True


@inner_kernel
def at_least(program: Program, state: State, v: Int, value: Int) -> bool:
    """Take away all values below one; False if none is left."""
    bit = value - program.variables[v, BASE]
    if bit <= 0:
        return True
    for place in range(program.variables[v, START], program.variables[v + 1, START]):
        first = 64 * (place - program.variables[v, START])
        word = state.words[place]
        if bit >= first + 64:
            word = ZERO
        elif bit > first:
            word = word >> np.uint64(bit - first) << np.uint64(bit - first)
        if word != state.words[place] and not put(program, state, v, place, word):
            return False
    return True


@inner_kernel
def at_most(program: Program, state: State, v: Int, value: Int) -> bool:
    """Take away all values above one; False if none is left."""
    bit = value - program.variables[v, BASE]
    for place in range(program.variables[v, START], program.variables[v + 1, START]):
        first = 64 * (place - program.variables[v, START])
        word = state.words[place]
        if bit < first:
            word = ZERO
        elif bit < first + 63:
            word &= (ONE << np.uint64(bit - first + 1)) - ONE
        if word != state.words[place] and not put(program, state, v, place, word):
            return False
    return True


@inlined_inner_kernel
def take_back(state: State, top: Int) -> None:
    """Write the trail back down to a height."""
    at = state.counters[TRAIL]
    while at > top:
        at -= 1
        state.words[np.int64(state.trail[at, 0])] = state.trail[at, 1]
    state.counters[TRAIL] = at
