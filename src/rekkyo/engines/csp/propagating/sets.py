"""Propagation of constraints on sets of values: all different, permutations, counting, clauses.

All different: when a variable has one value left, the value is removed from all others at once. In a
permutation every value is needed, too: a value that only one variable can have is assigned to it. Propagation
by Hall sets would rule out more, but it takes more time than it saves in puzzles of this size.

Args of a part:

    different   | n | excepted | n_words | base | v shift | v shift | …   all v + shift are different
    permutation | n | n_words | base | v … |
    chosen      | n | low | high | memory | v bit | …     low to high variables have this bit of their word
    counted     | n | times | values | n_words | base | v … |
    clause      | n | v value sign | v value sign | … |

A chosen part counts its variables when they have one value left, and waits only when it has to fix others.
Its memory is a word: the variables that have their bit, times 2 ** 32, plus those that can have it. Counting
all variables at every run took balanced designs 1.8 times as many instructions.

`excepted` and `values`: place of a set in `supports`, or -1 for none. The set has `n_words` words, and its
first bit is the value `base`.
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.csp.propagating.state import (
    ARGS,
    BASE,
    RECORD,
    SCRATCH,
    START,
    STOP,
    Int,
    Machine,
    Place,
    assign,
    at_least,
    at_most,
    greatest_of,
    is_fixed,
    least_of,
    n_values,
    put,
    remove,
    save,
    wake,
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel

DIFFERENT_ARGS, PERMUTATION_ARGS, CHOSEN_ARGS, COUNTED_ARGS = 4, 3, 4, 5
"""Numbers before the variables."""

HALF = np.uint64(32)
ONE_CHOSEN = np.uint64(1 << 32)
"""How the two numbers in the memory of a chosen part are read."""


@inner_kernel
def take_from_others(m: Machine, a: Place, v: Int, taken: Int) -> bool:
    """Remove the value of v plus its shift, `taken`, from all other variables; False if one has none left."""
    code = m.code
    excepted = code[a + 1]
    if excepted >= 0:
        bit = taken - code[a + 3]
        if m.supports[excepted + (bit >> 6)] >> np.uint64(bit & 63) & ONE != ZERO:
            return True
    at, stop = a + DIFFERENT_ARGS, a + DIFFERENT_ARGS + 2 * code[a]
    while at < stop:
        if code[at] != v and not remove(m, code[at], taken - code[at + 1]):
            return False
        at += 2
    return True


@inner_kernel
def propagate_permutation(m: Machine, a: Place) -> bool:
    """Assign to variables the values that no other can have; False if there are fewer values than variables.

    scratch: values that at least one variable can have, then values that at least two can have.
    """
    code, words = m.code, m.words
    n, n_words, base = code[a], code[a + 1], code[a + 2]
    once = m.ints[SCRATCH]
    twice = once + n_words
    for k in range(2 * n_words):
        words[once + k] = ZERO
    for at in range(a + PERMUTATION_ARGS, a + PERMUTATION_ARGS + n):
        record = RECORD * code[at]
        k = (code[record + BASE] - base) >> 6
        for place in range(code[record + START], code[record + STOP]):
            words[twice + k] |= words[once + k] & words[place]
            words[once + k] |= words[place]
            k += 1
    n_left = ZERO
    for k in range(n_words):
        n_left += popcount(words[once + k])
        words[once + k] &= ~words[twice + k]
    if np.int64(n_left) < n:
        return False
    for at in range(a + PERMUTATION_ARGS, a + PERMUTATION_ARGS + n):
        if n_values(m, code[at]) > 1 and not take_single(m, code[at], once, base):
            return False
    return True


@inner_kernel
def take_single(m: Machine, v: Int, singles: Place, base: Int) -> bool:
    """Assign to v its value that is among the singles, if there is one; False if there are two."""
    record = RECORD * v
    k = (m.code[record + BASE] - base) >> 6
    for place in range(m.code[record + START], m.code[record + STOP]):
        single = m.words[place] & m.words[singles + k]
        if single != ZERO:
            value = base + 64 * k + np.int64(lowest_index(single))
            return single & (single - ONE) == ZERO and assign(m, v, value)
        k += 1
    return True


@inlined_inner_kernel
def kept_and_lost(m: Machine, v: Int, values: Place, n_words: Int, base: Int) -> Int:
    """Bit 0: some value of v is in a set. Bit 1: some value of v is not in the set."""
    record = RECORD * v
    at = (m.code[record + BASE] - base) >> 6
    found = np.int64(0)
    for place in range(m.code[record + START], m.code[record + STOP]):
        word = m.words[place]
        inside = word & m.supports[values + at] if 0 <= at < n_words else ZERO
        found |= (inside != ZERO) | (inside != word) << 1
        at += 1
    return found


@inner_kernel
def keep_only(m: Machine, v: Int, values: Place, n_words: Int, base: Int, inside: bool) -> bool:
    """Keep only the values of v in a set, or, if not `inside`, those outside; False if there are none."""
    record = RECORD * v
    at = (m.code[record + BASE] - base) >> 6
    for place in range(m.code[record + START], m.code[record + STOP]):
        wanted = m.supports[values + at] if 0 <= at < n_words else ZERO
        word = m.words[place] & (wanted if inside else ~wanted)
        if word != m.words[place] and not put(m, v, place, word):
            return False
        at += 1
    return True


@inner_kernel
def propagate_counted(m: Machine, a: Place) -> bool:
    """Compare the bounds of the count with those of `times`, and decide all open variables if they meet."""
    code = m.code
    n, times, values, n_words, base = code[a], code[a + 1], code[a + 2], code[a + 3], code[a + 4]
    n_sure = n_possible = np.int64(0)
    for at in range(a + COUNTED_ARGS, a + COUNTED_ARGS + n):
        sides = kept_and_lost(m, code[at], values, n_words, base)
        n_sure += sides == 1
        n_possible += sides & 1
    if not (at_least(m, times, n_sure) and at_most(m, times, n_possible)):
        return False
    is_full = greatest_of(m, times) == n_sure
    is_needed = least_of(m, times) == n_possible
    if n_sure == n_possible or not (is_full or is_needed):
        return True
    for at in range(a + COUNTED_ARGS, a + COUNTED_ARGS + n):
        is_undecided = kept_and_lost(m, code[at], values, n_words, base) == 3
        if is_undecided and not keep_only(m, code[at], values, n_words, base, is_needed):
            return False
    return True


@inner_kernel
def count_one(m: Machine, p: Place, is_chosen: bool) -> bool:
    """Count one more variable of a part as chosen or as excluded; False if there are too many.

    The part waits from the moment when it has to fix all others.
    """
    code, words, a = m.code, m.words, p + ARGS
    memory = code[a + 3]
    save(m, memory, words[memory] + ONE_CHOSEN if is_chosen else words[memory] - ONE)
    n_sure, n_possible = np.int64(words[memory] >> HALF), np.int64(words[memory] & (ONE_CHOSEN - ONE))
    is_at_limit = n_sure == code[a + 2] if is_chosen else n_possible == code[a + 1]
    if is_at_limit and n_sure < n_possible:
        wake(m, p)
    return bool(n_sure <= code[a + 2] and n_possible >= code[a + 1])


@inner_kernel
def propagate_chosen(m: Machine, a: Place) -> bool:
    """If `high` variables are chosen, exclude all open ones; if all possible ones are needed, choose them."""
    code, words, low, high = m.code, m.words, m.code[a + 1], m.code[a + 2]
    counts = words[code[a + 3]]
    n_sure, n_possible = np.int64(counts >> HALF), np.int64(counts & (ONE_CHOSEN - ONE))
    if n_sure > high or n_possible < low:
        return False
    if n_sure < high and n_possible > low:
        return True
    at, stop = a + CHOSEN_ARGS, a + CHOSEN_ARGS + 2 * code[a]
    while at < stop:
        place, chosen = code[RECORD * code[at] + START], ONE << np.uint64(code[at + 1])
        rest = words[place] & ~chosen
        is_open = rest != ZERO and words[place] & chosen != ZERO
        if is_open and not put(m, code[at], place, rest if n_sure == high else chosen):
            return False
        at += 2
    return True


@inner_kernel
def propagate_clause(m: Machine, a: Place) -> bool:
    """If only one literal can still hold, make it true; False if none can."""
    code, words = m.code, m.words
    last: Int = np.int64(-1)
    at, stop = a + 1, a + 1 + 3 * code[a]
    while at < stop:
        word, bit = words[code[at + 1] >> 6], ONE << np.uint64(code[at + 1] & 63)
        is_only = word == bit and is_fixed(m, code[at])
        is_possible = word & bit != ZERO
        if is_only if code[at + 2] == 1 else not is_possible:
            return True
        if is_possible and not is_only:
            if last >= 0:
                return True
            last = at
        at += 3
    if last < 0:
        return False
    v, place = code[last], code[last + 1] >> 6
    if code[last + 2] == 1:
        return assign(m, v, code[RECORD * v + BASE] + code[last + 1] - 64 * code[RECORD * v + START])
    return put(m, v, place, words[place] & ~(ONE << np.uint64(code[last + 1] & 63)))
