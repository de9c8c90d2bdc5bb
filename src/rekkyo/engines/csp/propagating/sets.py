"""Propagation of what is about sets of values: all different, counting, entries of arrays, inverses, clauses.

All different: a value that is taken goes from all other variables. When as many variables are open as values
are left for them, a value that only one variable can have is its value; when fewer are left, there is no
solution. Hall's theorem would rule out more, at a price that puzzles of this size do not pay back.

Args of a part:

    different | n | n_words | base | excepted | v … |     excepted: where its words are in supports, or -1
    counted   | n | times | values | n_words | base | v … |     values: where its words are in supports
    entry     | n | index | result | first | v … |
    inverses  | n | m | first | f … | g … |
    clause    | n | v value sign | v value sign | … |
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.csp.propagating.state import (
    ARGS,
    BASE,
    START,
    TAKEN,
    WAKING,
    Int,
    Program,
    State,
    assign,
    at_least,
    at_most,
    greatest_of,
    has,
    least_of,
    n_values,
    put,
    remove,
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel


@inner_kernel
def propagate_different(program: Program, state: State, a: Int) -> bool:  # noqa: PLR0912 - loops over words
    """See above. The words of all variables lie over `n_words` words from `base` on."""
    args, words, scratch = program.args, state.words, state.scratch
    n, n_words, base, excepted = args[a], args[a + 1], args[a + 2], args[a + 3]
    taken, once, twice = 0, n_words, 2 * n_words
    is_changed = True
    while is_changed:
        is_changed = False
        for k in range(3 * n_words):
            scratch[k] = ZERO
        n_open = 0
        for i in range(n):
            v = args[a + 4 + i]
            shift = (program.variables[v, BASE] - base) >> 6
            is_fixed = n_values(program, state, v) == 1
            n_open += not is_fixed
            for k in range(program.variables[v + 1, START] - program.variables[v, START]):
                word = words[program.variables[v, START] + k]
                if is_fixed:
                    if excepted >= 0:
                        word &= ~program.supports[excepted + shift + k]
                    if scratch[taken + shift + k] & word != ZERO:
                        return False
                    scratch[taken + shift + k] |= word
        for i in range(n):
            v = args[a + 4 + i]
            if n_values(program, state, v) == 1:
                continue
            shift = (program.variables[v, BASE] - base) >> 6
            for k in range(program.variables[v + 1, START] - program.variables[v, START]):
                place = program.variables[v, START] + k
                word = words[place] & ~scratch[taken + shift + k]
                if word != words[place] and not put(program, state, v, place, word):
                    return False
                scratch[twice + shift + k] |= scratch[once + shift + k] & word
                scratch[once + shift + k] |= word
            is_changed = is_changed or n_values(program, state, v) == 1
        if not is_changed and excepted < 0 and n_open > 0:
            n_left = ZERO
            for k in range(n_words):
                n_left += popcount(scratch[once + k])
            if np.int64(n_left) < n_open:
                return False
            if np.int64(n_left) == n_open:
                singles = fix_singles(program, state, a)
                if singles < 0:
                    return False
                is_changed = bool(singles > 0)
    return True


@inner_kernel
def take_from_others(program: Program, state: State, v: Int) -> Int:
    """Take the value of a variable from all that differ from it; -1, or a part that has no solution then."""
    args, woken = program.args, program.woken
    value = least_of(program, state, v)
    for at in range(program.variables[v, WAKING], program.variables[v + 1, WAKING]):
        if woken[at, 1] != TAKEN:
            continue
        p = woken[at, 0]
        a = program.parts[p, ARGS]
        excepted = args[a + 3]
        if excepted >= 0:
            bit = value - args[a + 2]
            if program.supports[excepted + (bit >> 6)] >> np.uint64(bit & 63) & ONE != ZERO:
                continue
        for i in range(a + 4, a + 4 + args[a]):
            if args[i] != v and not remove(program, state, args[i], value):
                return np.int64(p)
    return np.int64(-1)


@inner_kernel
def fix_singles(program: Program, state: State, a: Int) -> Int:
    """Give variables the values that no other can have, all of which are needed; how many, -1 if none can."""
    args, words, scratch = program.args, state.words, state.scratch
    n, n_words, base = args[a], args[a + 1], args[a + 2]
    n_found = np.int64(0)
    for i in range(n):
        v = args[a + 4 + i]
        if n_values(program, state, v) == 1:
            continue
        shift = (program.variables[v, BASE] - base) >> 6
        for k in range(program.variables[v + 1, START] - program.variables[v, START]):
            single = (
                words[program.variables[v, START] + k]
                & scratch[n_words + shift + k]
                & ~scratch[2 * n_words + shift + k]
            )
            if single != ZERO:
                if single & (single - ONE) != ZERO:
                    return np.int64(-1)
                value = program.variables[v, BASE] + 64 * k + np.int64(lowest_index(single))
                if not assign(program, state, v, value):
                    return np.int64(-1)
                n_found += 1
                break
    return n_found


@inlined_inner_kernel
def kept_and_lost(program: Program, state: State, v: Int, values: Int, n_words: Int, base: Int) -> Int:
    """Which of the values of v are among those of a set: bit 0, some are; bit 1, some are not."""
    found = np.int64(0)
    for k in range(program.variables[v + 1, START] - program.variables[v, START]):
        word = state.words[program.variables[v, START] + k]
        at = ((program.variables[v, BASE] - base) >> 6) + k
        inside = word & program.supports[values + at] if 0 <= at < n_words else ZERO
        found |= (inside != ZERO) | (inside != word) << 1
    return found


@inner_kernel
def keep_only(
    program: Program, state: State, v: Int, values: Int, n_words: Int, base: Int, inside: bool
) -> bool:
    """Leave to v the values of a set, or those outside; False if there are none."""
    for k in range(program.variables[v + 1, START] - program.variables[v, START]):
        place = program.variables[v, START] + k
        at = ((program.variables[v, BASE] - base) >> 6) + k
        wanted = program.supports[values + at] if 0 <= at < n_words else ZERO
        word = state.words[place] & (wanted if inside else ~wanted)
        if word != state.words[place] and not put(program, state, v, place, word):
            return False
    return True


@inner_kernel
def propagate_counted(program: Program, state: State, a: Int) -> bool:
    """As many variables as `times` says have one of the values."""
    args = program.args
    n, times, values, n_words, base = args[a], args[a + 1], args[a + 2], args[a + 3], args[a + 4]
    n_sure = n_possible = np.int64(0)
    for i in range(n):
        sides = kept_and_lost(program, state, args[a + 5 + i], values, n_words, base)
        n_sure += sides == 1
        n_possible += sides & 1
    if not (at_least(program, state, times, n_sure) and at_most(program, state, times, n_possible)):
        return False
    is_full = greatest_of(program, state, times) == n_sure
    is_needed = least_of(program, state, times) == n_possible
    if n_sure == n_possible or not (is_full or is_needed):
        return True
    for i in range(n):
        v = args[a + 5 + i]
        if kept_and_lost(program, state, v, values, n_words, base) == 3 and not keep_only(
            program, state, v, values, n_words, base, is_needed
        ):
            return False
    return True


@inner_kernel
def propagate_entry(program: Program, state: State, a: Int) -> bool:  # noqa: PLR0912 - three short loops
    """array[index - first] = result."""
    args = program.args
    n, index, result, first = args[a], args[a + 1], args[a + 2], args[a + 3]
    for i in range(n):
        if has(program, state, index, first + i):
            meets = False
            for value in range(least_of(program, state, result), greatest_of(program, state, result) + 1):
                if has(program, state, result, value) and has(program, state, args[a + 4 + i], value):
                    meets = True
                    break
            if not meets and not remove(program, state, index, first + i):
                return False
    for value in range(least_of(program, state, result), greatest_of(program, state, result) + 1):
        if has(program, state, result, value):
            is_there = False
            for i in range(n):
                if has(program, state, index, first + i) and has(program, state, args[a + 4 + i], value):
                    is_there = True
                    break
            if not is_there and not remove(program, state, result, value):
                return False
    if n_values(program, state, index) > 1:
        return True
    v = args[a + 4 + least_of(program, state, index) - first]
    for value in range(least_of(program, state, v), greatest_of(program, state, v) + 1):
        if not has(program, state, result, value) and not remove(program, state, v, value):
            return False
    return True


@inner_kernel
def propagate_inverses(program: Program, state: State, a: Int) -> bool:
    """f[i] = j is possible just when g[j] = i is."""
    args = program.args
    n, m, first = args[a], args[a + 1], args[a + 2]
    for i in range(n):
        for j in range(m):
            f, g = args[a + 3 + i], args[a + 3 + n + j]
            forward, back = has(program, state, f, first + j), has(program, state, g, first + i)
            if forward and not back and not remove(program, state, f, first + j):
                return False
            if back and not forward and not remove(program, state, g, first + i):
                return False
    return True


@inner_kernel
def propagate_clause(program: Program, state: State, a: Int) -> bool:
    """If one literal is left that may hold, it does."""
    args = program.args
    n = args[a]
    last: Int = np.int64(-1)
    for i in range(n):
        at = a + 1 + 3 * i
        v, value, sign = args[at], args[at + 1], args[at + 2]
        possible = has(program, state, v, value)
        is_fixed = n_values(program, state, v) == 1
        if (sign == 1 and possible and is_fixed) or (sign == 0 and not possible):
            return True
        if not (sign == 1 and not possible) and not (sign == 0 and is_fixed):
            if last >= 0:
                return True
            last = at
    if last < 0:
        return False
    if args[last + 2] == 1:
        return bool(assign(program, state, args[last], args[last + 1]))
    return bool(remove(program, state, args[last], args[last + 1]))
