"""Compiled search for colourings of any size: a counter on every forbidden pattern, unit propagation.

Algorithm: an *atom* is a cell with a colour, cell * K + colour; a forbidden set of K colours is K patterns of
atoms. Each pattern has the number of its atoms that are not assigned, and the exclusive or of their numbers:
when one is left, that number is the atom, and it is excluded. A cell with one colour left gets it. Undoing
uses two trails: the cells that got a colour, and the excluded atoms. Cells are decided in a fixed order, and
a plan for representatives leaves branches that cannot be least, as in `coloring-masks`.
Source: unit propagation with counters, as in the early solvers for satisfiability (D. Loveland, A. Sabharwal,
B. Selman, "DPLL: the core of modern satisfiability solvers", 2017). Left out on purpose: watched literals
(patterns here are short) and learning.

    counters   | left, xor |  one pair for each pattern
    lists      | patterns of atom 0 | of atom 1 | …     starts[a] : starts[a + 1]
    queue      | cells that have a colour, in order |   HEAD: how many of them have been counted
    ruled_out  | atoms in order |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.colorings.least import DEPTH, END, NOT_LEAST, TOP, Least, stabilizer_at, take_back
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_inner_kernel, inlined_kernel, inner_kernel, kernel

HEAD, TAIL, N_RULED_OUT = 3, 4, 5
"""Further places in `state`."""

LEVEL, FRAME_TOP, FRAME_TAIL, FRAME_RULED_OUT = 0, 1, 2, 3
"""Columns of `frames`."""

NO_COLOR = -1
LEFT, XOR = 0, 1


class Program(NamedTuple):
    """The read-only arrays of the search.

    starts : int64[n * K + 1]. The patterns of atom a are lists[starts[a] : starts[a + 1]].
    lists  : int32[].
    bounds : int64[K, 2]. How many cells each colour has, at least and at most; [0, 2] for no bounds.
    order  : int64[n]. The cell of each level.
    least  : the symmetry that the search follows.
    """

    starts: NDArray[np.int64]
    lists: NDArray[np.int32]
    bounds: NDArray[np.int64]
    order: NDArray[np.int64]
    least: Least


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    counters  : int32[n_patterns, 2]. LEFT and XOR.
    possible  : uint8[n]. The colours that a cell can have, as bits.
    color     : int8[n]. The colour of each cell, or NO_COLOR.
    queue     : int32[n]. Cells in the order in which they got their colours.
    ruled_out : int32[n * K]. Atoms in the order in which they were excluded.
    rest      : int64[n + 1]. For each open decision the untried colours.
    frames    : int64[n + 1, 4]. For each open decision its level, and the lengths of waiting, queue and
                ruled_out before it.
    colors    : uint8[n]. Colours by level, for the symmetry.
    waiting, state : see `SearchCursor`.
    """

    counters: NDArray[np.int32]
    possible: NDArray[np.uint8]
    color: NDArray[np.int8]
    queue: NDArray[np.int32]
    ruled_out: NDArray[np.int32]
    rest: NDArray[np.int64]
    frames: NDArray[np.int64]
    colors: NDArray[np.uint8]
    waiting: NDArray[np.int32]
    state: NDArray[np.int64]


@kernel
def list_solutions(
    program: Program, cursor: Cursor, out: NDArray[np.uint8], stabilizers: NDArray[np.uint32], budget: int
) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is a colour tried at a
    cell.

    out         : uint8[n_rows, n], out. n_rows >= 1.
    stabilizers : uint32[n_rows], out, under symmetry. The order of the stabilizer of each row.
    """
    order, state, frames = program.order, cursor.state, cursor.frames
    depth = state[DEPTH]
    status = OUT_OF_BUDGET
    found = n_tried = 0
    while n_tried < budget:
        undo(program, cursor, depth)
        if cursor.rest[depth] == 0:
            if depth == state[END]:
                status = DONE
                break
            depth -= 1
            continue
        n_tried += 1
        if not (try_color(cursor, order[frames[depth, LEVEL]], depth) and propagate(program, cursor)):
            continue
        level, stabilizer = first_open(program, cursor, depth)
        if stabilizer == NOT_LEAST:
            continue
        if level == order.shape[0]:
            for cell in range(level):
                out[found, cell] = cursor.color[cell]
            stabilizers[found] = stabilizer
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        depth += 1
        cursor.rest[depth] = cursor.possible[order[level]]
        frames[depth, LEVEL], frames[depth, FRAME_TOP] = level, state[TOP]
        frames[depth, FRAME_TAIL], frames[depth, FRAME_RULED_OUT] = state[TAIL], state[N_RULED_OUT]
    state[DEPTH] = depth
    return status, found, n_tried


@inlined_inner_kernel
def try_color(cursor: Cursor, cell: int, depth: int) -> bool:
    """Exclude all colours of a cell except the next one to try; False if it has none left."""
    rest = cursor.rest[depth]
    choice = 0
    while rest >> choice & 1 == 0:
        choice += 1
    cursor.rest[depth] = rest & (rest - 1)
    n_colors = number_of_colors(cursor)
    consistent = True
    for other in range(n_colors):
        if other != choice:
            consistent = consistent and rule_out(cursor, cell * n_colors + other)
    return consistent


@inlined_inner_kernel
def first_open(program: Program, cursor: Cursor, depth: int) -> Any:
    """The first level, from that of a decision on, whose cell has no colour; and the result of
    `stabilizer_at`.
    """
    order, least, color = program.order, program.least, cursor.color
    has_symmetry = least.paths.shape[0] > 0
    level = cursor.frames[depth, LEVEL]
    if has_symmetry:
        take_back(cursor.waiting, cursor.state, cursor.frames[depth, FRAME_TOP])
    stabilizer = 1
    while level < order.shape[0] and color[order[level]] != NO_COLOR:
        if has_symmetry:
            cursor.colors[level] = color[order[level]]
            stabilizer = stabilizer_at(level, cursor.colors, least, cursor.waiting, cursor.state)
            if stabilizer == NOT_LEAST:
                break
        level += 1
    return level, stabilizer


@inlined_inner_kernel
def number_of_colors(cursor: Cursor) -> int:
    """The number of colours."""
    return int(cursor.ruled_out.shape[0] // cursor.color.shape[0])


@inlined_kernel
def propagate(program: Program, cursor: Cursor) -> bool:
    """Propagate the cells of the queue from HEAD on, with consequences; False if a cell has no colour
    left.
    """
    starts, lists = program.starts, program.lists
    counters, queue, state = cursor.counters, cursor.queue, cursor.state
    n_colors = number_of_colors(cursor)
    while True:
        while state[HEAD] < state[TAIL]:
            cell = queue[state[HEAD]]
            state[HEAD] += 1
            atom = cell * n_colors + cursor.color[cell]
            consistent = True
            # To the end of the list even after a contradiction: `undo` takes back whole lists.
            for index in range(starts[atom], starts[atom + 1]):
                pattern = lists[index]
                counters[pattern, LEFT] -= 1
                counters[pattern, XOR] ^= atom
                if counters[pattern, LEFT] == 1 and not rule_out(cursor, counters[pattern, XOR]):
                    consistent = False
            if not consistent:
                return False
        if program.bounds.shape[0] == 0:
            return True
        if not keep_bounds(program.bounds, cursor):
            return False
        if state[HEAD] == state[TAIL]:
            return True


@kernel
def rule_out(cursor: Cursor, atom: int) -> bool:
    """Exclude a colour of a cell; if one colour is left, the cell gets it. False if none is left."""
    possible, color, state = cursor.possible, cursor.color, cursor.state
    n_colors = number_of_colors(cursor)
    cell = atom // n_colors
    bit = 1 << (atom - cell * n_colors)
    before = int(possible[cell])
    if before & bit == 0:
        return True
    after = before ^ bit
    possible[cell] = after
    cursor.ruled_out[state[N_RULED_OUT]] = atom
    state[N_RULED_OUT] += 1
    if after == 0:
        return False
    if after & (after - 1) == 0 and color[cell] == NO_COLOR:
        single = 0
        while after >> single != 1:
            single += 1
        color[cell] = single
        cursor.queue[state[TAIL]] = cell
        state[TAIL] += 1
    return True


@inner_kernel
def keep_bounds(bounds: NDArray[np.int64], cursor: Cursor) -> bool:
    """Exclude a colour at its upper bound, and all others if one is needed everywhere; False for a
    contradiction.
    """
    possible, color, state = cursor.possible, cursor.color, cursor.state
    n_cells, n_colors = color.shape[0], number_of_colors(cursor)
    for one in range(n_colors):
        n_colored = n_possible = 0
        for cell in range(n_cells):
            if color[cell] == one:
                n_colored += 1
            elif color[cell] == NO_COLOR and possible[cell] >> one & 1:
                n_possible += 1
        low, high = bounds[one, 0], bounds[one, 1]
        if n_colored > high or n_colored + n_possible < low:
            return False
        if n_possible == 0 or (n_colored < high and n_colored + n_possible > low):
            continue
        for cell in range(n_cells):
            if color[cell] == NO_COLOR and possible[cell] >> one & 1:
                for other in range(n_colors):
                    is_out = (other == one) == (n_colored == high)
                    if is_out and not rule_out(cursor, cell * n_colors + other):
                        return False
        # Newly coloured cells change the counts of every colour.
        if state[HEAD] < state[TAIL]:
            return True
    return True


@inlined_inner_kernel
def undo(program: Program, cursor: Cursor, depth: int) -> None:
    """Undo the decision of a depth."""
    starts, lists = program.starts, program.lists
    counters, color, state = cursor.counters, cursor.color, cursor.state
    n_colors = number_of_colors(cursor)
    while state[TAIL] > cursor.frames[depth, FRAME_TAIL]:
        state[TAIL] -= 1
        cell = cursor.queue[state[TAIL]]
        if state[TAIL] < state[HEAD]:
            atom = cell * n_colors + color[cell]
            for index in range(starts[atom], starts[atom + 1]):
                counters[lists[index], LEFT] += 1
                counters[lists[index], XOR] ^= atom
        color[cell] = NO_COLOR
    state[HEAD] = state[TAIL]
    while state[N_RULED_OUT] > cursor.frames[depth, FRAME_RULED_OUT]:
        state[N_RULED_OUT] -= 1
        atom = cursor.ruled_out[state[N_RULED_OUT]]
        cursor.possible[atom // n_colors] |= 1 << (atom % n_colors)
