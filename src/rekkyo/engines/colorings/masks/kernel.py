"""Compiled search for colourings of at most 64 cells: bit masks, unit propagation, cells in a fixed order.

Algorithm: in the order of the plan, the possible colours of the next cell without a colour are tried, with
propagation. When one free cell is left, every colour that is possible for it is a solution: that doubles the
speed if solutions are dense. A plan for representatives also checks, at each cell, whether the colouring can
still be the least one of its orbit (see `rekkyo.engines.colorings.least`).
Source: backtracking with unit propagation, M. Davis, G. Logemann, D. Loveland (1962), on bit masks.
Left out on purpose: a dynamic order of cells; patterns of several colours, and boards of more than 64 cells
(`coloring-counters` has both).

Cells are renumbered in the order of the plan, so that bit i of every word is the cell of *level* i. A frame
is an open decision:

    depth              0          1          2
    level        | cell 0   | cell 3   | cell 9   |  the cells between had their colours forced
    rest         | colours still to try, as bits  |
    colored      | a word for each colour, before the decision
    banned       | likewise
    free         | the cells without a colour
    top          | entries of the symmetry lists, to be taken back

Propagation: every cell whose colour follows gets it, and a cell without any possible colour is detected. If
all cells except one of a set that must not have one colour have colour c, the last one cannot have colour c.
With the mask of the set's other cells at every cell, that takes two operations for each set through a newly
coloured cell, without a branch, and the compiler processes eight sets at a time:

    rest = mask & ~done        what is not coloured c yet
    rest & (rest - 1) == 0     at most one cell: it may not become c (an empty rest was noticed before)

Source: unit propagation, M. Davis, H. Putnam (1960). Left out on purpose: learning (with this order of the
cells there is little to learn: 1666 nodes on Hip 6x6, where learning solvers need 1300).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.colorings.least import DEPTH, END, NOT_LEAST, TOP, Least, stabilizer_at, take_back
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_inner_kernel, inlined_kernel, inner_kernel, kernel

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Program(NamedTuple):
    """The read-only arrays of the search. Cells are numbered by level: their place in the order of the
    search.

    starts : uint64[n * K + 1]. masks[starts[v * K + c] : starts[v * K + c + 1]] are the sets through cell v
             that must not have colour c, as masks of their other cells.
    masks  : uint64[n_masks].
    bounds : uint64[K, 2]. How many cells each colour has, at least and at most; [0, 2] for no bounds.
    order  : int64[n]. The cell of each level.
    least  : the symmetry that the search follows.
    """

    starts: Words
    masks: Words
    bounds: Words
    order: NDArray[np.int64]
    least: Least


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place. See the picture in `kernel`.

    colored, banned : uint64[n + 1, K]. By depth: the cells of each colour, and those that cannot have it;
                      cells of another colour are banned as well.
    free, rest      : uint64[n + 1].
    level, top      : int64[n + 1].
    colors          : uint8[n]. By level, valid up to the cell of the current frame.
    row             : uint8[n]. The same by cell.
    todo            : uint64[K]. The cells to which `propagate` will give each colour.
    waiting, state  : see `SearchCursor`.
    """

    colored: Words
    banned: Words
    free: Words
    rest: Words
    level: NDArray[np.int64]
    top: NDArray[np.int64]
    colors: NDArray[np.uint8]
    row: NDArray[np.uint8]
    todo: Words
    waiting: NDArray[np.int32]
    state: NDArray[np.int64]


@kernel
def everything(n_cells: int) -> Word:
    """A bit for every cell."""
    return ALL >> np.uint64(64 - n_cells)


@inlined_kernel
def propagate(  # noqa: PLR0912 - the loops over colours are short
    program: Program, cursor: Cursor, depth: int
) -> bool:
    """Colour the cells in `todo` and all consequences at a depth; False if some cell has no possible colour.

    If the result is True, `todo` is all 0 afterwards.
    """
    starts, masks = program.starts, program.masks
    colored, banned, todo = cursor.colored, cursor.banned, cursor.todo
    n_colors = todo.shape[0]
    while True:
        for color in range(n_colors):
            while todo[color] != ZERO:
                cell = todo[color] & ~(todo[color] - ONE)
                todo[color] ^= cell
                if banned[depth, color] & cell != ZERO:
                    return False
                if colored[depth, color] & cell != ZERO:
                    continue
                colored[depth, color] |= cell
                for other in range(n_colors):
                    if other != color:
                        banned[depth, other] |= cell
                done = colored[depth, color]
                place = lowest_index(cell) * np.uint64(n_colors) + np.uint64(color)
                last_ones = ZERO
                for index in range(starts[place], starts[place + ONE]):
                    rest = masks[index] & ~done
                    if rest & (rest - ONE) == ZERO:
                        last_ones |= rest
                banned[depth, color] |= last_ones
        free = everything(program.order.shape[0])
        once = twice = ZERO
        for color in range(n_colors):
            free &= ~colored[depth, color]
            possible = ~banned[depth, color]
            twice |= once & possible
            once |= possible
        if free & ~once != ZERO:
            return False
        single = free & ~twice
        if single != ZERO:
            for color in range(n_colors):
                todo[color] = single & ~banned[depth, color]
            continue
        if program.bounds.shape[0] == 0:
            return True
        change = keep_bounds(program.bounds, free, colored, banned, depth, todo)
        if change != CHANGED:
            return change == KEPT


IMPOSSIBLE, KEPT, CHANGED = 0, 1, 2


@inner_kernel
def keep_bounds(bounds: Words, free: Word, colored: Words, banned: Words, depth: int, todo: Words) -> int:
    """Ban a colour at its upper bound, and use one everywhere if needed; returns IMPOSSIBLE, KEPT or CHANGED.

    free : the cells without a colour. The other arguments as in `propagate`; todo is filled.
    """
    answer = KEPT
    for color in range(todo.shape[0]):
        n_colored = popcount(colored[depth, color])
        possible = free & ~banned[depth, color]
        n_possible = popcount(possible)
        low, high = bounds[color, 0], bounds[color, 1]
        if n_colored > high or n_colored + n_possible < low:
            return IMPOSSIBLE
        if possible == ZERO:
            continue
        if n_colored == high:
            banned[depth, color] |= possible
            answer = CHANGED
        elif n_colored + n_possible == low:
            todo[color] |= possible
            answer = CHANGED
    return answer


@kernel
def list_solutions(
    program: Program, cursor: Cursor, out: NDArray[np.uint8], stabilizers: NDArray[np.uint32], budget: int
) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is a colour tried at a
    cell.

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
        # Before propagation, because most branches that symmetry ends are ended here.
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


@inlined_inner_kernel
def give_color(program: Program, cursor: Cursor, level: int, color: Word) -> int:
    """Store the colour of a level for symmetry and rows; returns the result of `stabilizer_at`."""
    cursor.colors[level] = color
    cursor.row[program.order[level]] = color
    if program.least.paths.shape[0] == 0:
        return 1
    return stabilizer_at(level, cursor.colors, program.least, cursor.waiting, cursor.state)


@inlined_inner_kernel
def decide(program: Program, cursor: Cursor, depth: int, color: Word) -> Any:
    """Give the cell of a decision a colour; returns (whether that is possible, next depth, open cells).

    For the last open cell all colours that are not banned are possible, without propagation.
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


@inlined_inner_kernel
def first_open(program: Program, cursor: Cursor, depth: int, left: Word, level: int, stabilizer: int) -> Any:
    """The first level, from `level` on, whose cell is open; and the result of `give_color` for those before
    it.
    """
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


@inlined_inner_kernel
def possible_colors(cursor: Cursor, depth: int, level: int) -> Word:
    """The colours that the cell of a level can have, as bits."""
    possible = ZERO
    for color in range(cursor.todo.shape[0]):
        if cursor.banned[depth, color] >> np.uint64(level) & ONE == ZERO:
            possible |= ONE << np.uint64(color)
    return possible
