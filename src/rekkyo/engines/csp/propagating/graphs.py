"""Propagation of what is about graphs: one cycle, and cells that are connected.

One cycle: known successors make paths, each of which is known at both of its ends. A successor that becomes
known joins two of them; the end of the new path may not lead to its own beginning before the path holds all
nodes. Connected: what cannot be reached from a cell that is sure, over cells that are possible, is out.

Args of a part:

    cycle    | n | first | subcircuit | memory | v … |
    memory   | start of the path that ends here : n | its end | its length |      in `words`
    together | n | values | n_words | base | v … | first[0] … first[n] | neighbours … |
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.sets import keep_only, kept_and_lost
from rekkyo.engines.csp.propagating.state import (
    NUMBERS,
    Int,
    Machine,
    Place,
    assign,
    least_of,
    remove,
    save,
)
from rekkyo.jit import inner_kernel

ARGS = 4
"""Numbers before those of the variables, in both."""


@inner_kernel
def join_paths(m: Machine, a: Place, node: Int) -> bool:
    """The successor of a node is known; False if that closes a cycle that is not the only one."""
    code, words = m.code, m.words
    n, first, subcircuit, start_of = code[a], code[a + 1], code[a + 2], code[a + 3]
    end_of, length_of = start_of + n, start_of + 2 * n
    after = least_of(m, code[a + ARGS + node]) - first
    start = np.int64(words[start_of + node])
    if after == node:
        return bool(subcircuit == 1 or n == 1)
    if after == start:
        return leave_out_others(m, a, start) if subcircuit == 1 else np.int64(words[length_of + start]) == n
    end = np.int64(words[end_of + after])
    length = words[length_of + start] + words[length_of + after]
    save(m, start_of + end, np.uint64(start))
    save(m, end_of + start, np.uint64(end))
    save(m, length_of + start, length)
    if subcircuit == 1 or np.int64(length) == n:
        return True
    return remove(m, code[a + ARGS + end], first + start)


@inner_kernel
def leave_out_others(m: Machine, a: Place, start: Int) -> bool:
    """The path from a node is the cycle: all others are their own successors. numbers: what is on it."""
    code, is_on_cycle = m.code, m.ints[NUMBERS]
    n, first = code[a], code[a + 1]
    for i in range(n):
        m.ints[is_on_cycle + i] = 0
    node = start
    while m.ints[is_on_cycle + node] == 0:
        m.ints[is_on_cycle + node] = 1
        node = least_of(m, code[a + ARGS + node]) - first
    for i in range(n):
        if m.ints[is_on_cycle + i] == 0 and not assign(m, code[a + ARGS + i], first + i):
            return False
    return True


@inner_kernel
def propagate_together(m: Machine, a: Place) -> bool:
    """numbers: for each cell whether it is reached, then the cells that wait."""
    code, ints, reached = m.code, m.ints, m.ints[NUMBERS]
    n, values, n_words, base = code[a], code[a + 1], code[a + 2], code[a + 3]
    starts = a + ARGS + n
    neighbours = starts + n + 1
    waiting = reached + n
    root = np.int64(-1)
    for i in range(n):
        sides = kept_and_lost(m, code[a + ARGS + i], values, n_words, base)
        ints[reached + i] = 0 if sides & 1 else 1  # a cell that is out counts as reached
        if sides == 1:
            root = np.int64(i)
    if root < 0:
        return True
    ints[reached + root] = 1
    ints[waiting] = root
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        cell = ints[waiting + n_waiting]
        for at in range(code[starts + cell], code[starts + cell + 1]):
            other = code[neighbours + at]
            if ints[reached + other] == 0:
                ints[reached + other] = 1
                ints[waiting + n_waiting] = other
                n_waiting += 1
    for i in range(n):
        is_out = ints[reached + i] == 0
        if is_out and not keep_only(m, code[a + ARGS + i], values, n_words, base, False):
            return False
    return True
