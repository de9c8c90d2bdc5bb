"""Propagation of tables: a variable keeps only values that are in a possible row.

Algorithm: compact tables (Demeulenaere et al., Compact-Table, CP 2016). The set of live rows, which are still
possible, is a set of bits, and so are the rows with each value of each variable. When a domain changes, the
rows of the lost values are removed, or all rows but those of the kept values, whichever values are fewer. The
memory of a table is in the words of the state, so the trail restores it.

    args     | n | n_words | memory | v0 s0 f0 | v1 s1 f1 | …   variable, its supports, first value among them
    memory   | live rows : n_words | domain of v0 | domain of v1 | …     in `words`
    supports | rows with value f | rows with value f + 1 | …             n_words each, from place s on

If a table has at most 64 rows and few values, all its rows are read at every run, and nothing is remembered.
Without this, nonograms took 1.5 times as many instructions, Schur numbers twice as many.

    few rows | n | v0 w0 s0 | v1 w1 s1 | …     variable, its word, and the supports of the first bit there
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index, popcount
from rekkyo.engines.csp.propagating.state import (
    BASE,
    RECORD,
    SCRATCH,
    START,
    STOP,
    Int,
    Machine,
    Place,
    is_fixed,
    put,
    save,
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel

ARGS = 3
"""Numbers before the variables; each variable also has three."""


@inner_kernel
def propagate_rows(m: Machine, a: Place) -> bool:
    """Update the live rows, then remove values without a live row; False if no row is left."""
    code, words = m.code, m.words
    n, n_words, live = code[a], code[a + 1], code[a + 2]
    seen = live + n_words
    n_lost_rows = n_changed = np.int64(0)
    changed: Int = np.int64(-1)
    for i in range(n):
        at = a + ARGS + 3 * i
        v = code[at]
        if lost_values(m, v, seen):
            dropped = drop_rows(m, at, live, n_words, seen)
            if dropped < 0:
                return False
            n_lost_rows += dropped
            n_changed += 1
            changed = v
        seen += code[RECORD * v + STOP] - code[RECORD * v + START]
    if n_lost_rows == 0:
        return True
    seen = live + n_words
    for i in range(n):
        at = a + ARGS + 3 * i
        v = code[at]
        first = code[RECORD * v + START]
        n_domain = code[RECORD * v + STOP] - first
        # If only one variable changed, all its values still have a live row. So has a single value.
        if not (n_changed == 1 and v == changed) and not is_fixed(m, v):
            for k in range(n_domain):
                left = supported(m, at, live, n_words, k)
                if left != words[first + k]:
                    save(m, seen + k, left)
                    if not put(m, v, first + k, left):
                        return False
        seen += n_domain
    return True


@inner_kernel
def propagate_few_rows(m: Machine, a: Place) -> bool:
    """Remove values without a row of which all values are possible; False if there is no such row."""
    code, words, supports = m.code, m.words, m.supports
    first, stop = a + 1, a + 1 + 3 * code[a]
    live = ~ZERO
    for at in range(first, stop, 3):
        values, support = words[code[at + 1]], code[at + 2]
        with_values = ZERO
        while values != ZERO:
            with_values |= supports[support + np.int64(lowest_index(values))]
            values &= values - ONE
        live &= with_values
    if live == ZERO:
        return False
    for at in range(first, stop, 3):
        place, support = code[at + 1], code[at + 2]
        values = left = words[place]
        if values & (values - ONE) == ZERO:
            continue
        while values != ZERO:
            low = lowest_index(values)
            if supports[support + np.int64(low)] & live == ZERO:
                left &= ~(ONE << low)
            values &= values - ONE
        if left != words[place] and not put(m, code[at], place, left):
            return False
    return True


@inlined_inner_kernel
def lost_values(m: Machine, v: Int, seen: Place) -> bool:
    """Whether the domain of v differs from the copy that the table keeps at `seen`."""
    for place in range(m.code[RECORD * v + START], m.code[RECORD * v + STOP]):
        if m.words[place] != m.words[seen]:
            return True
        seen += 1
    return False


@inner_kernel
def drop_rows(m: Machine, at: Place, live: Place, n_words: Int, seen: Place) -> Int:
    """Remove the live rows with a lost value of a variable; 1 if any was removed, -1 if no row is left."""
    code, words, supports, scratch = m.code, m.words, m.supports, m.ints[SCRATCH]
    v, first_support, first_value = code[at], code[at + 1], code[at + 2]
    first = code[RECORD * v + START]
    n_domain = code[RECORD * v + STOP] - first
    n_lost, n_kept = ZERO, ZERO
    for k in range(n_domain):
        n_lost += popcount(words[seen + k] & ~words[first + k])
        n_kept += popcount(words[first + k])
    by_lost = n_lost < n_kept
    for w in range(n_words):
        words[scratch + w] = ZERO
    for k in range(n_domain):
        values = words[seen + k] & ~words[first + k] if by_lost else words[first + k]
        if words[seen + k] != words[first + k]:
            save(m, seen + k, words[first + k])
        offset = code[RECORD * v + BASE] + 64 * k - first_value
        while values != ZERO:
            row = first_support + (offset + np.int64(lowest_index(values))) * n_words
            values &= values - ONE
            for w in range(n_words):
                words[scratch + w] |= supports[row + w]
    is_left, is_dropped = False, np.int64(0)
    for w in range(n_words):
        word = words[live + w] & (~words[scratch + w] if by_lost else words[scratch + w])
        if word != words[live + w]:
            save(m, live + w, word)
            is_dropped = np.int64(1)
        is_left = is_left or word != ZERO
    return is_dropped if is_left else np.int64(-1)


@inner_kernel
def supported(m: Machine, at: Place, live: Place, n_words: Int, k: Int) -> Any:
    """The values in word k of a domain that have a live row."""
    code, words, supports = m.code, m.words, m.supports
    v, first_support, first_value = code[at], code[at + 1], code[at + 2]
    values = words[code[RECORD * v + START] + k]
    left = values
    offset = code[RECORD * v + BASE] + 64 * k - first_value
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
