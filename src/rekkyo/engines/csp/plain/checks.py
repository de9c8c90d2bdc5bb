"""Checks of single constraints by their definition, for the variables that have values.

A variable has a value, `value[v]`, if `rank[v] <= depth`; a check reads no other values. It may return True
although no solution is left, but returns False only if none is. It is exact when all variables have values.

    walk      | n | low | width | nodes | v … |  then steps[nodes + node * width + value - low]
    different | n | n_excepted | excepted … | v … |
    linear    | n | relation | constant | low … | high … | c … | v … |      low, high: of each term
    bounded   | n | n_values | times | low | high | value … | v … |    times: a variable, or -1
    element   | n | index | result | first | v … |
    inverse   | n | m | first | f … | g … |
    lex       | n | strict | lesser … | greater … |
    product   | n | result | v … |
    circuit   | n | first | subcircuit | v … |
    connected | n | n_edges | n_values | value … | v … | one other … |
    clause    | n | v value sign … |
    areas     | n | n_edges | n_sizes | value low high … | v … | one other … |
    acyclic   | n | n_links | directed | v value one other … |    n: of vertices

Reified constraints, and those that must not hold, are checked only when all their variables have values.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.jit import inner_kernel

WALK, DIFFERENT, LINEAR, BOUNDED, ELEMENT, INVERSE = range(6)
LEX, PRODUCT, CIRCUIT, CONNECTED, CLAUSE, AREAS = range(6, 12)
ACYCLIC = 12
"""Kinds of checks."""

EQUAL, NOT_EQUAL, AT_MOST = 0, 1, 2

Int: TypeAlias = int | np.int64
"""An integer in a kernel: Numba takes both as int64."""


class Values(NamedTuple):
    """The data that a check reads.

    args  : int64[]. See above. steps : int32[]. Next nodes, -1 for none.
    rank  : int64[n_variables]. The depth at which a variable gets its value.
    value : int64[n_variables]. marks : int64[]. Scratch space for one check at a time.
    """

    args: NDArray[np.int64]
    steps: NDArray[np.int32]
    rank: NDArray[np.int64]
    value: NDArray[np.int64]
    marks: NDArray[np.int64]


@inner_kernel
def may_hold(at: Values, kind: Int, a: Int, depth: Int) -> bool:  # noqa: PLR0911 - one line for each kind
    """Whether a constraint may still hold."""
    if kind == WALK:
        return bool(walks(at, a, depth))
    if kind == DIFFERENT:
        return bool(differs(at, a, depth))
    if kind == LINEAR:
        return bool(adds_up(at, a, depth))
    if kind == BOUNDED:
        return bool(is_bounded(at, a, depth))
    if kind == CLAUSE:
        return bool(some_literal(at, a, depth))
    if kind == INVERSE:
        return bool(points_back(at, a, depth))
    if kind == LEX:
        return bool(is_less(at, a, depth))
    if kind in (ELEMENT, PRODUCT):
        return bool(is_entry(at, a, depth) if kind == ELEMENT else multiplies(at, a, depth))
    if kind == AREAS:
        return bool(has_sizes(at, a, depth))
    if kind == ACYCLIC:
        return bool(has_no_cycle(at, a, depth))
    return bool(is_circuit(at, a, depth) if kind == CIRCUIT else is_connected(at, a, depth))


@inner_kernel
def walks(at: Values, a: Int, depth: Int) -> bool:
    """Whether the values up to the first open variable lead along existing steps from node 0."""
    args = at.args
    n, low, width, nodes = args[a], args[a + 1], args[a + 2], args[a + 3]
    node = np.int64(0)
    for i in range(n):
        v = args[a + 4 + i]
        if at.rank[v] > depth:
            return True
        step = at.value[v] - low
        if step < 0 or step >= width:
            return False
        node = np.int64(at.steps[nodes + node * width + step])
        if node < 0:
            return False
    return True


@inner_kernel
def differs(at: Values, a: Int, depth: Int) -> bool:
    """Whether no two values are equal, except for excepted ones."""
    args = at.args
    n, n_excepted = args[a], args[a + 1]
    first = a + 2 + n_excepted
    for i in range(n):
        for j in range(i):
            one, other = args[first + i], args[first + j]
            if at.rank[one] <= depth and at.rank[other] <= depth and at.value[one] == at.value[other]:
                is_excepted = False
                for k in range(n_excepted):
                    is_excepted = is_excepted or args[a + 2 + k] == at.value[one]
                if not is_excepted:
                    return False
    return True


@inner_kernel
def adds_up(at: Values, a: Int, depth: Int) -> bool:
    """Whether the sum can have the relation to the constant; an open term is between its bounds."""
    args = at.args
    n, relation, constant = args[a], args[a + 1], args[a + 2]
    low = high = np.int64(0)
    for i in range(n):
        v = args[a + 3 + 3 * n + i]
        if at.rank[v] <= depth:
            low += args[a + 3 + 2 * n + i] * at.value[v]
            high += args[a + 3 + 2 * n + i] * at.value[v]
        else:
            low += args[a + 3 + i]
            high += args[a + 3 + n + i]
    if relation == NOT_EQUAL:
        return bool(low != high or low != constant)
    return bool(low <= constant and (relation == AT_MOST or high >= constant))


@inner_kernel
def is_bounded(at: Values, a: Int, depth: Int) -> bool:
    """Whether the number of variables with one of the values can be `times`, or between the bounds."""
    args = at.args
    n, n_values, times = args[a], args[a + 1], args[a + 2]
    low, high = args[a + 3], args[a + 4]
    if times >= 0:
        if at.rank[times] > depth:
            return True
        low = high = at.value[times]
    sure = n_open = np.int64(0)
    for i in range(n):
        v = args[a + 5 + n_values + i]
        if at.rank[v] > depth:
            n_open += 1
        else:
            for k in range(n_values):
                sure += at.value[v] == args[a + 5 + k]
    return bool(sure <= high and sure + n_open >= low)


@inner_kernel
def is_entry(at: Values, a: Int, depth: Int) -> bool:
    """Whether the entry at the index equals the result."""
    args = at.args
    n, index, result, first = args[a], args[a + 1], args[a + 2], args[a + 3]
    if at.rank[index] > depth:
        return True
    place = at.value[index] - first
    if place < 0 or place >= n:
        return False
    v = args[a + 4 + place]
    is_open = at.rank[v] > depth or at.rank[result] > depth
    return bool(is_open or at.value[v] == at.value[result])


@inner_kernel
def points_back(at: Values, a: Int, depth: Int) -> bool:
    """Whether g[j] = i or is open for each known f[i] = j, and the same with f and g exchanged."""
    args = at.args
    n, m, first = args[a], args[a + 1], args[a + 2]
    for side in range(2):
        ones, others = (a + 3, a + 3 + n) if side == 0 else (a + 3 + n, a + 3)
        n_ones, n_others = (n, m) if side == 0 else (m, n)
        for i in range(n_ones):
            v = args[ones + i]
            if at.rank[v] <= depth:
                j = at.value[v] - first
                if j < 0 or j >= n_others:
                    return False
                w = args[others + j]
                if at.rank[w] <= depth and at.value[w] - first != i:
                    return False
    return True


@inner_kernel
def is_less(at: Values, a: Int, depth: Int) -> bool:
    """Whether the first word can be less, from the letters before the first open one."""
    args = at.args
    n = args[a]
    for i in range(n):
        one, other = args[a + 2 + i], args[a + 2 + n + i]
        if at.rank[one] > depth or at.rank[other] > depth:
            return True
        if at.value[one] != at.value[other]:
            return bool(at.value[one] < at.value[other])
    return bool(args[a + 1] == 0)


@inner_kernel
def multiplies(at: Values, a: Int, depth: Int) -> bool:
    """Whether the product of the factors is the result; True while one of them is open.

    No value is beyond 2^31, and without a factor 0 the absolute value of a partial product does not decrease.
    """
    args = at.args
    n, result = args[a], args[a + 1]
    if at.rank[result] > depth:
        return True
    product = np.int64(1)
    is_zero = False
    for i in range(n):
        v = args[a + 2 + i]
        if at.rank[v] > depth:
            return True
        is_zero = is_zero or at.value[v] == 0
    if is_zero:
        return bool(at.value[result] == 0)
    for i in range(n):
        product *= at.value[args[a + 2 + i]]
        if abs(product) > 1 << 31:
            return False
    return bool(product == at.value[result])


@inner_kernel
def is_circuit(at: Values, a: Int, depth: Int) -> bool:
    """Whether the known successors are different and close no cycle too early.

    marks: 1 for a node that is a known successor.
    """
    args, marks = at.args, at.marks
    n, first, subcircuit = args[a], args[a + 1], args[a + 2]
    n_on_cycle = n_known = np.int64(0)
    for i in range(n):
        marks[i] = 0
    for i in range(n):
        v = args[a + 3 + i]
        if at.rank[v] <= depth:
            after = at.value[v] - first
            if after < 0 or after >= n or marks[after] == 1:
                return False
            marks[after] = 1
            n_known += 1
            n_on_cycle += subcircuit == 0 or after != i
    if subcircuit == 1 and n_known < n:
        return True
    for i in range(n):
        length, node = np.int64(0), np.int64(i)
        while at.rank[args[a + 3 + node]] <= depth:
            node = at.value[args[a + 3 + node]] - first
            length += 1
            if node == i:
                is_whole = length == n_on_cycle if n_known == n else length == n
                is_outside = subcircuit == 1 and length == 1
                if not (is_whole or is_outside):
                    return False
                break
            if length > n:
                break
    return True


@inner_kernel
def is_connected(at: Values, a: Int, depth: Int) -> bool:
    """Whether the cells with the values are connected; True while a cell is open.

    marks: 1 for a cell that has one of the values, 2 if it is also reached from the start, else 0.
    """
    args, marks = at.args, at.marks
    n, n_edges, n_values = args[a], args[a + 1], args[a + 2]
    first, edges = a + 3 + n_values, a + 3 + n_values + n
    start = np.int64(-1)
    for i in range(n):
        v = args[first + i]
        if at.rank[v] > depth:
            return True
        marks[i] = 0
        for k in range(n_values):
            if at.value[v] == args[a + 3 + k]:
                marks[i] = 1
                start = np.int64(i)
    if start >= 0:
        marks[start] = 2
    is_growing = True
    while is_growing:
        is_growing = False
        for e in range(n_edges):
            one, other = args[edges + 2 * e], args[edges + 2 * e + 1]
            if marks[one] + marks[other] == 3 and marks[one] * marks[other] == 2:
                marks[one] = marks[other] = 2
                is_growing = True
    is_whole = True
    for i in range(n):
        is_whole = is_whole and marks[i] != 1
    return is_whole


@inner_kernel
def has_sizes(at: Values, a: Int, depth: Int) -> bool:
    """Whether no area of known cells is too large, and none is too small without an open neighbour.

    marks: the first cell of the area of each cell; -1 for an open cell.
    """
    args, marks = at.args, at.marks
    n, n_edges, n_sizes = args[a], args[a + 1], args[a + 2]
    first, edges = a + 3 + 3 * n_sizes, a + 3 + 3 * n_sizes + n
    for i in range(n):
        marks[i] = i if at.rank[args[first + i]] <= depth else -1
    is_growing = True
    while is_growing:
        is_growing = False
        for e in range(n_edges):
            one, other = args[edges + 2 * e], args[edges + 2 * e + 1]
            is_known = marks[one] >= 0 and marks[other] >= 0 and marks[one] != marks[other]
            if is_known and at.value[args[first + one]] == at.value[args[first + other]]:
                marks[one] = marks[other] = min(marks[one], marks[other])
                is_growing = True
    for i in range(n):
        if marks[i] != i:
            continue
        size, is_open = np.int64(0), False
        for j in range(n):
            size += marks[j] == i
        for e in range(n_edges):
            one, other = marks[args[edges + 2 * e]], marks[args[edges + 2 * e + 1]]
            is_open = is_open or (min(one, other) < 0 and max(one, other) == i)
        for k in range(n_sizes):
            size_at = a + 3 + 3 * k
            is_small = size < args[size_at + 1] and not is_open
            if at.value[args[first + i]] == args[size_at] and (is_small or size > args[size_at + 2]):
                return False
    return True


@inner_kernel
def has_no_cycle(at: Values, a: Int, depth: Int) -> bool:
    """Whether no cycle of known links is closed.

    marks: directed: the links of a longest way to each vertex; else another vertex of its tree, or itself.
    """
    args, marks = at.args, at.marks
    n, directed = args[a], args[a + 2]
    links, end = a + 3, a + 3 + 4 * args[a + 1]
    for vertex in range(n):
        marks[vertex] = 0 if directed else vertex
    is_growing = True
    while is_growing:
        is_growing = False
        for link in range(links, end, 4):
            if at.rank[args[link]] > depth or at.value[args[link]] != args[link + 1]:
                continue
            one, other = args[link + 2], args[link + 3]
            if directed:
                if marks[other] <= marks[one]:
                    marks[other] = marks[one] + 1
                    is_growing = True
                if marks[other] >= n:
                    return False
            else:
                while marks[one] != one:
                    one = marks[one]
                while marks[other] != other:
                    other = marks[other]
                if one == other:
                    return False
                marks[one] = other
    return True


@inner_kernel
def some_literal(at: Values, a: Int, depth: Int) -> bool:
    """Whether a literal holds or is open."""
    args = at.args
    for i in range(args[a]):
        v, value, sign = args[a + 1 + 3 * i], args[a + 2 + 3 * i], args[a + 3 + 3 * i]
        if at.rank[v] > depth or (at.value[v] == value) == (sign == 1):
            return True
    return False
