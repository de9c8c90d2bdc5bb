"""Propagation of what is about graphs: one cycle, and cells that are connected.

One cycle: successors that are known make paths. The end of a path may not lead to its own beginning before
the path holds every node that has to be on the cycle. Connected: what cannot be reached from a cell that is
sure, over cells that are possible, is out.

    cycle    | n | first | subcircuit | v … |
    together | n | values | n_words | base | v … | first[0] … first[n] | neighbours … |
"""

from __future__ import annotations

import numpy as np

from rekkyo.engines.csp.propagating.sets import keep_only, kept_and_lost
from rekkyo.engines.csp.propagating.state import (
    Int,
    Program,
    State,
    assign,
    has,
    least_of,
    n_values,
    remove,
)
from rekkyo.jit import inner_kernel


@inner_kernel
def propagate_cycle(program: Program, state: State, a: Int) -> bool:
    """numbers[i]: whether node i has a known predecessor other than itself."""
    args, is_entered = program.args, state.numbers
    n, first, subcircuit = args[a], args[a + 1], args[a + 2]
    n_needed = np.int64(0)
    for i in range(n):
        is_entered[i] = 0
    for i in range(n):
        v = args[a + 3 + i]
        n_needed += subcircuit == 0 or not has(program, state, v, first + i)
        if n_values(program, state, v) == 1:
            after = least_of(program, state, v) - first
            if after != i:
                is_entered[after] = 1
    n_on_paths = np.int64(0)
    for i in range(n):
        if is_entered[i] == 0:
            end, length, n_held = walk(program, state, a, i)
            n_on_paths += length
            if length > 1 and n_held < n_needed and not remove(program, state, args[a + 3 + end], first + i):
                return False
    if n_on_paths == n:
        return True
    if n_on_paths > n:
        return False
    return bool(close_cycle(program, state, a, n - n_on_paths))


@inner_kernel
def walk(program: Program, state: State, a: Int, start: Int) -> tuple[Int, Int, Int]:
    """From a node along known successors: the last node, and how many nodes are on the way, and needed."""
    args = program.args
    first, subcircuit = args[a + 1], args[a + 2]
    node, length, n_held = np.int64(start), np.int64(1), np.int64(0)
    while True:
        v = args[a + 3 + node]
        n_held += subcircuit == 0 or not has(program, state, v, first + node)
        after = least_of(program, state, v) - first
        is_end = n_values(program, state, v) > 1 or after == node
        # Two nodes with one successor would lead on for ever.
        if is_end or after == start or length == args[a]:
            return node, length, n_held
        node = after
        length += 1


@inner_kernel
def close_cycle(program: Program, state: State, a: Int, n_on_cycles: Int) -> bool:
    """Some known successors make a cycle: it must be the only one, and the nodes beside it are on none."""
    args, is_entered = program.args, state.numbers
    n, first, subcircuit = args[a], args[a + 1], args[a + 2]
    for i in range(n):
        if is_entered[i] == 0:  # the nodes of a path are entered, except for the first
            node = np.int64(i)
            while True:
                is_entered[node] = 2
                v = args[a + 3 + node]
                after = least_of(program, state, v) - first
                if n_values(program, state, v) > 1 or is_entered[after] == 2:
                    break
                node = after
    on_cycle = np.int64(0)
    while on_cycle < n and is_entered[on_cycle] != 1:
        on_cycle += 1
    if on_cycle == n:
        return False
    length = np.int64(0)
    node = on_cycle
    while is_entered[node] == 1:
        is_entered[node] = 3
        node = least_of(program, state, args[a + 3 + node]) - first
        length += 1
    if length < n_on_cycles or (subcircuit == 0 and length < n):
        return False
    for i in range(n):
        if is_entered[i] != 3 and not assign(program, state, args[a + 3 + i], first + i):
            return False
    return True


@inner_kernel
def propagate_together(program: Program, state: State, a: Int) -> bool:
    """numbers: for each cell whether it is reached, then the cells that wait."""
    args, numbers = program.args, state.numbers
    n, values, n_words, base = args[a], args[a + 1], args[a + 2], args[a + 3]
    starts = a + 4 + n
    neighbours = starts + n + 1
    root = np.int64(-1)
    for i in range(n):
        sides = kept_and_lost(program, state, args[a + 4 + i], values, n_words, base)
        numbers[i] = 0 if sides & 1 else 1  # a cell that is out counts as reached
        if sides == 1:
            root = np.int64(i)
    if root < 0:
        return True
    numbers[root] = 1
    numbers[n] = root
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        cell = numbers[n + n_waiting]
        for at in range(args[starts + cell], args[starts + cell + 1]):
            other = args[neighbours + at]
            if numbers[other] == 0:
                numbers[other] = 1
                numbers[n + n_waiting] = other
                n_waiting += 1
    for i in range(n):
        if numbers[i] == 0 and not keep_only(program, state, args[a + 4 + i], values, n_words, base, False):
            return False
    return True
