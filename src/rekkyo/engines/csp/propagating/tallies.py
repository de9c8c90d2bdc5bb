"""Propagation of the counts of many values among the same variables, in one pass over the variables.

For each value the result is that of `propagate_counted`. But with one such part for each value, every change
of a variable would wake all of them: the magic sequence of 100 numbers took 17 times as long.

Args of a part:

    tallied | n | n_values | n_words | base | v … | value times | value times | …
    numbers | least count of each value from base on | greatest count of each value |
    scratch | values with a full count : n_words | values that all variables get that can have them : n_words
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.csp.propagating.state import (
    BASE,
    NUMBERS,
    RECORD,
    SCRATCH,
    START,
    STOP,
    Int,
    Machine,
    Place,
    at_least,
    at_most,
    greatest_of,
    is_fixed,
    least_of,
    put,
)
from rekkyo.jit import inner_kernel

TALLIED_ARGS = 4
"""Numbers before the variables."""


@inner_kernel
def propagate_tallied(m: Machine, a: Place) -> bool:
    """See above; False if a value cannot have its count."""
    code, words, ints = m.code, m.words, m.ints
    n, n_values, n_words, base = code[a], code[a + 1], code[a + 2], code[a + 3]
    sure, enough = ints[NUMBERS], ints[SCRATCH]
    possible, needed = sure + 64 * n_words, enough + n_words
    tally(m, a)
    for k in range(2 * n_words):
        words[enough + k] = ZERO
    is_open = False
    first = a + TALLIED_ARGS + n
    for at in range(first, first + 2 * n_values, 2):
        number, times = code[at] - base, code[at + 1]
        n_sure, n_possible = ints[sure + number], ints[possible + number]
        if not (at_least(m, times, n_sure) and at_most(m, times, n_possible)):
            return False
        if n_sure < n_possible:
            bit = ONE << np.uint64(number & 63)
            if greatest_of(m, times) == n_sure:
                words[enough + (number >> 6)] |= bit
                is_open = True
            elif least_of(m, times) == n_possible:
                words[needed + (number >> 6)] |= bit
                is_open = True
    if is_open:
        for at in range(a + TALLIED_ARGS, first):
            if not is_fixed(m, code[at]) and not keep_wanted(m, code[at], base, enough, needed):
                return False
    return True


@inner_kernel
def tally(m: Machine, a: Place) -> None:
    """Compute the least and the greatest count of each value."""
    code, words, ints = m.code, m.words, m.ints
    n, n_words, base = code[a], code[a + 2], code[a + 3]
    sure = ints[NUMBERS]
    possible = sure + 64 * n_words
    for number in range(2 * 64 * n_words):
        ints[sure + number] = 0
    for at in range(a + TALLIED_ARGS, a + TALLIED_ARGS + n):
        v = code[at]
        is_sure = is_fixed(m, v)
        number = code[RECORD * v + BASE] - base
        for place in range(code[RECORD * v + START], code[RECORD * v + STOP]):
            word = words[place]
            while word != ZERO:
                value = number + np.int64(lowest_index(word))
                ints[possible + value] += 1
                ints[sure + value] += is_sure
                word &= word - ONE
            number += 64


@inner_kernel
def keep_wanted(m: Machine, v: Int, base: Int, enough: Place, needed: Place) -> bool:
    """Remove values with a full count; if a needed value is possible, keep only needed values."""
    code, words = m.code, m.words
    start, stop = code[RECORD * v + START], code[RECORD * v + STOP]
    k = (code[RECORD * v + BASE] - base) >> 6
    is_needed = False
    for place in range(start, stop):
        is_needed = is_needed or words[place] & words[needed + k + place - start] != ZERO
    for place in range(start, stop):
        wanted = words[needed + k + place - start] if is_needed else ~words[enough + k + place - start]
        word = words[place] & wanted
        if word != words[place] and not put(m, v, place, word):
            return False
    return True
