"""Propagates links between variables: whether two are equal, entries of arrays, and inverse functions.

The arguments of each part:

    same     | one | other | truth | at |                    one = other if and only if truth = at
    entry    | n | index | result | first | v … |            array[index - first] = result
    inverses | n | m | first | memory | f … | g … |          f[i] = j if and only if g[j] = i
    memory   | domain of f[0] | … | domain of g[0] | … |     words, as of the last run of the part
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.csp.propagating.state import (
    BASE,
    RECORD,
    START,
    STOP,
    Int,
    Machine,
    Place,
    assign,
    has,
    is_fixed,
    least_of,
    put,
    remove,
    save,
)
from rekkyo.jit import inlined_inner_kernel, inner_kernel

ARGS = 4
"""Numbers before the variables, in entries and inverses."""


@inner_kernel
def propagate_same(m: Machine, a: Place) -> bool:
    """Make two variables equal or different once the truth is known, or remove a truth that is impossible."""
    one, other, truth, at = m.code[a], m.code[a + 1], m.code[a + 2], m.code[a + 3]
    if not is_fixed(m, truth):
        if not meet(m, one, other):
            return remove(m, truth, at)
        return not (is_fixed(m, one) and is_fixed(m, other)) or assign(m, truth, at)
    if has(m, truth, at):
        return keep_common(m, one, other) and keep_common(m, other, one)
    if is_fixed(m, one):
        return remove(m, other, least_of(m, one))
    return not is_fixed(m, other) or remove(m, one, least_of(m, other))


@inner_kernel
def keep_common(m: Machine, v: Int, other: Int) -> bool:
    """Remove the values of v that another variable does not have; False if none is left."""
    start = m.code[RECORD * v + START]
    for place in range(start, m.code[RECORD * v + STOP]):
        word = m.words[place] & word_at(m, other, m.code[RECORD * v + BASE] + 64 * (place - start))
        if word != m.words[place] and not put(m, v, place, word):
            return False
    return True


@inner_kernel
def propagate_entry(m: Machine, a: Place) -> bool:
    """Remove indices whose entry cannot be the result, and results that no entry can have.

    If the index is known, the entry loses the values that the result does not have.
    """
    code = m.code
    n, index, result, first = code[a], code[a + 1], code[a + 2], code[a + 3]
    for i in range(n):
        is_out = has(m, index, first + i) and not meet(m, result, code[a + ARGS + i])
        if is_out and not remove(m, index, first + i):
            return False
    start = code[RECORD * result + START]
    for place in range(start, code[RECORD * result + STOP]):
        base = code[RECORD * result + BASE] + 64 * (place - start)
        found = ZERO
        for i in range(n):
            if has(m, index, first + i):
                found |= word_at(m, code[a + ARGS + i], base)
        word = m.words[place] & found
        if word != m.words[place] and not put(m, result, place, word):
            return False
    if not is_fixed(m, index):
        return True
    return keep_common(m, code[a + ARGS + least_of(m, index) - first], result)


@inlined_inner_kernel
def word_at(m: Machine, v: Int, base: Int) -> Any:
    """The word of the domain of v that begins with the value `base`; 0 if the domain has none."""
    place = m.code[RECORD * v + START] + ((base - m.code[RECORD * v + BASE]) >> 6)
    is_there = m.code[RECORD * v + START] <= place < m.code[RECORD * v + STOP]
    return m.words[place] if is_there else ZERO


@inlined_inner_kernel
def meet(m: Machine, v: Int, other: Int) -> bool:
    """Whether two variables have a value in common."""
    start = m.code[RECORD * v + START]
    for place in range(start, m.code[RECORD * v + STOP]):
        if m.words[place] & word_at(m, other, m.code[RECORD * v + BASE] + 64 * (place - start)) != ZERO:
            return True
    return False


@inner_kernel
def propagate_inverses(m: Machine, a: Place) -> bool:
    """Remove from each side the counterparts of the values that the other side lost since the last run."""
    code = m.code
    n, n_others, first, seen = code[a], code[a + 1], code[a + 2], code[a + 3]
    for at in range(a + ARGS, a + ARGS + n + n_others):
        is_forward = at < a + ARGS + n
        own = first + at - a - ARGS - (0 if is_forward else n)
        others = a + ARGS + (n if is_forward else 0) - first
        record = RECORD * code[at]
        value = code[record + BASE]
        for place in range(code[record + START], code[record + STOP]):
            lost = m.words[seen] & ~m.words[place]
            if lost != ZERO:
                save(m, seen, m.words[place])
            while lost != ZERO:
                if not remove(m, code[others + value + np.int64(lowest_index(lost))], own):
                    return False
                lost &= lost - ONE
            seen += 1
            value += 64
    return True
