"""Compiled search for colourings of at most 64 cells: bit masks, unit propagation, cells in a fixed order.

Algorithm: in the order of the plan, the next cell that has no colour yet gets one after the other of those
that are possible; what follows is propagated (see `kernel_propagate`). When one free cell is left, every
colour that is possible for it is a solution: that doubles the speed where solutions are dense. A plan for
representatives also asks, at each cell on the way, whether the colouring can still be the least one of its
orbit (see `rekkyo.engines.colorings.kernel_least`).
Source: backtracking with unit propagation, M. Davis, G. Logemann, D. Loveland (1962), on bit masks.
Left out on purpose: choosing the cell anew at every node; patterns of several colours, and boards of more
than 64 cells (`coloring-counters` has both).

Cells are renumbered in the order of the plan, so that bit i of every word is the cell of *level* i. A frame
is a decision that is open:

    depth              0          1          2
    level        | cell 0   | cell 3   | cell 9   |  the cells between had their colours forced
    rest         | colours still to try, as bits  |
    colored      | a word for each colour, before the decision
    banned       | likewise
    free         | the cells without a colour
    top          | entries of the symmetry lists, to be taken back
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.colorings.kernel_least import DEPTH, END, NOT_LEAST, TOP, stabilizer_at, take_back
from rekkyo.engines.colorings.masks.kernel_propagate import Cursor, Program, everything, propagate
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_kernel, kernel


@kernel
def list_solutions(
    program: Program, cursor: Cursor, out: NDArray[np.uint8], stabilizers: NDArray[np.uint32], budget: int
) -> Any:
    """Search on from the cursor; returns (status, found, nodes). A node is a colour tried at a cell.

    out         : uint8[n_rows, n], out. n_rows >= 1.
    stabilizers : uint32[n_rows], out, under symmetry. The order of the stabilizer of each row.
    """
    rest, row, state = cursor.rest, cursor.row, cursor.state
    depth = state[DEPTH]
    status = OUT_OF_BUDGET
    found = n_tried = 0
    while n_tried < budget:
        if rest[depth] == ZERO:
            if depth == state[END]:
                status = DONE
                break
            depth -= 1
            continue
        n_tried += 1
        color = lowest_index(rest[depth])
        rest[depth] &= rest[depth] - ONE
        level = cursor.level[depth]
        take_back(cursor.waiting, state, cursor.top[depth])
        # Before propagation: most branches that symmetry ends are ended here.
        stabilizer = give_color(program, cursor, level, color)
        if stabilizer == NOT_LEAST:
            continue
        is_possible, below, left = decide(program, cursor, depth, color)
        if not is_possible:
            continue
        level, stabilizer = first_open(program, cursor, below, left, level + 1, stabilizer)
        if stabilizer == NOT_LEAST:
            continue
        if level == row.shape[0]:
            for cell in range(level):
                out[found, cell] = row[cell]
            stabilizers[found] = stabilizer
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        depth = below
        cursor.free[depth], cursor.level[depth], cursor.top[depth] = left, level, state[TOP]
        rest[depth] = possible_colors(cursor, depth, level)
    state[DEPTH] = depth
    return status, found, n_tried


@inlined_kernel
def give_color(program: Program, cursor: Cursor, level: int, color: np.uint64) -> int:
    """Note the colour of a level for symmetry and rows; what `stabilizer_at` says."""
    cursor.colors[level] = color
    cursor.row[program.order[level]] = color
    if program.least.paths.shape[0] == 0:
        return 1
    return stabilizer_at(level, cursor.colors, program.least, cursor.waiting, cursor.state)


@inlined_kernel
def decide(program: Program, cursor: Cursor, depth: int, color: np.uint64) -> Any:
    """Give the cell of a decision a colour: (whether it can have it, depth of what follows, cells left open).

    For the last open cell all that is not banned is possible, and nothing can follow.
    """
    colored, banned, todo = cursor.colored, cursor.banned, cursor.todo
    cell = ONE << np.uint64(cursor.level[depth])
    if cursor.free[depth] == cell:
        return True, depth, ZERO
    below = depth + 1
    for other in range(todo.shape[0]):
        colored[below, other], banned[below, other] = colored[depth, other], banned[depth, other]
        todo[other] = ZERO
    todo[color] = cell
    if not propagate(program, cursor, below):
        return False, below, ZERO
    left = everything(program.order.shape[0])
    for other in range(todo.shape[0]):
        left &= ~colored[below, other]
    return True, below, left


@inlined_kernel
def first_open(
    program: Program, cursor: Cursor, depth: int, left: np.uint64, level: int, stabilizer: int
) -> Any:
    """The first level from one on whose cell is left open, and what `give_color` says of those before it."""
    while level < program.order.shape[0]:
        cell = ONE << np.uint64(level)
        if left & cell != ZERO:
            break
        color = ZERO
        for other in range(cursor.todo.shape[0]):
            if cursor.colored[depth, other] & cell != ZERO:
                color = np.uint64(other)
        stabilizer = give_color(program, cursor, level, color)
        if stabilizer == NOT_LEAST:
            break
        level += 1
    return level, stabilizer


@inlined_kernel
def possible_colors(cursor: Cursor, depth: int, level: int) -> np.uint64:
    """The colours that the cell of a level can have, as bits."""
    possible = ZERO
    for color in range(cursor.todo.shape[0]):
        if cursor.banned[depth, color] >> np.uint64(level) & ONE == ZERO:
            possible |= ONE << np.uint64(color)
    return possible
