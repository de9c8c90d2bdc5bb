"""Propagation of tables: only values that some row still supports stay possible.

Algorithm: compact tables (Demeulenaere et al., Compact-Table, CP 2016). The rows that are still possible are
bits; for each value of each variable the rows that have it are bits, too. When a domain changes, the rows of
the lost values go, or only those of the kept values stay, whichever are fewer values. What a table remembers
lies among the words and is taken back with them.

    args     | n | n_words | memory | v0 s0 f0 | v1 s1 f1 | …   variable, its supports, first value among them
    memory   | live rows : n_words | domain of v0 | domain of v1 | …     in `words`
    supports | rows with value f | rows with value f + 1 | …             n_words each, from s on
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.csp.propagating.state import BASE, START, Int, Program, State, put, save
from rekkyo.jit import inlined_inner_kernel, inner_kernel

ARGS = 3
"""Numbers before those of the variables; each variable has as many."""


@inner_kernel
def propagate_rows(program: Program, state: State, a: Int) -> bool:
    """Update the live rows, then take away values without one; False if no row is left."""
    args, words = program.args, state.words
    n, n_words, live = args[a], args[a + 1], args[a + 2]
    seen = live + n_words
    is_changed = False
    for i in range(n):
        at = a + ARGS + 3 * i
        v = args[at]
        n_domain = program.variables[v + 1, START] - program.variables[v, START]
        if lost_values(program, state, v, seen):
            is_changed = True
            if not keep_rows(program, state, at, live, n_words, seen):
                return False
        seen += n_domain
    if not is_changed:
        return True
    seen = live + n_words
    for i in range(n):
        at = a + ARGS + 3 * i
        v = args[at]
        first = program.variables[v, START]
        for k in range(program.variables[v + 1, START] - first):
            left = supported(program, state, at, live, n_words, k)
            if left != words[first + k] and not put(program, state, v, first + k, left):
                return False
            if left != words[seen + k]:
                save(state, seen + k, left)
        seen += program.variables[v + 1, START] - first
    return True


@inlined_inner_kernel
def lost_values(program: Program, state: State, v: Int, seen: Int) -> bool:
    """Whether the domain of v is not the one that the table saw last."""
    first = program.variables[v, START]
    for k in range(program.variables[v + 1, START] - first):
        if state.words[first + k] != state.words[seen + k]:
            return True
    return False


@inner_kernel
def keep_rows(program: Program, state: State, at: Int, live: Int, n_words: Int, seen: Int) -> bool:
    """Drop the rows that have a lost value of a variable; False if none is left."""
    words, supports, scratch = state.words, program.supports, state.scratch
    v, first_support, first_value = program.args[at], program.args[at + 1], program.args[at + 2]
    first = program.variables[v, START]
    n_domain = program.variables[v + 1, START] - first
    n_lost, n_kept = ZERO, ZERO
    for k in range(n_domain):
        n_lost += popcount(words[seen + k] & ~words[first + k])
        n_kept += popcount(words[first + k])
    by_lost = n_lost < n_kept
    for w in range(n_words):
        scratch[w] = ZERO
    for k in range(n_domain):
        values = words[first + k]
        if by_lost:
            values = words[seen + k] & ~words[first + k]
        offset = program.variables[v, BASE] + 64 * k - first_value
        while values != ZERO:
            row = first_support + (offset + np.int64(lowest_index(values))) * n_words
            values &= values - ONE
            for w in range(n_words):
                scratch[w] |= supports[row + w]
    is_left = False
    for w in range(n_words):
        word = words[live + w] & (~scratch[w] if by_lost else scratch[w])
        if word != words[live + w]:
            save(state, live + w, word)
        is_left = is_left or word != ZERO
    return is_left


@inner_kernel
def supported(program: Program, state: State, at: Int, live: Int, n_words: Int, k: Int) -> Any:
    """The values in word k of a domain that have a live row."""
    words, supports = state.words, program.supports
    v, first_support, first_value = program.args[at], program.args[at + 1], program.args[at + 2]
    values = words[program.variables[v, START] + k]
    left = values
    offset = program.variables[v, BASE] + 64 * k - first_value
    while values != ZERO:
        low = lowest_index(values)
        row = first_support + (offset + np.int64(low)) * n_words
        values &= values - ONE
        w = np.int64(0)
        while w < n_words and words[live + w] & supports[row + w] == ZERO:
            w += 1
        if w == n_words:
            left &= ~(ONE << low)
    return left
