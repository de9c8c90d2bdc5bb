"""Compiled propagation: every cell whose colour follows gets it, and a cell without any colour is noticed.

Cells are bits. Of a set that must not have one colour, and of which all cells but one have colour c, the last
one cannot have colour c. With the mask of the set's other cells at every cell, that is two operations for
each set through a newly coloured cell, without a branch, and the compiler does eight sets at a time:

    rest = mask & ~done        what is not coloured c yet
    rest & (rest - 1) == 0     at most one cell: it may not become c (an empty rest was noticed before)

Source: unit propagation, M. Davis, H. Putnam (1960). Left out on purpose: learning (with this order of the
cells there is little to learn: 1666 nodes on Hip 6x6, where learning solvers need 1300).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Words, lowest_index, popcount
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.jit import inlined_kernel, kernel

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Program(NamedTuple):
    """What the search reads. Cells are numbered by level: their place in the order of the search.

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
    todo            : uint64[K]. The cells that `propagate` is to give each colour.
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
def everything(n_cells: int) -> np.uint64:
    """A bit for every cell."""
    return ALL >> np.uint64(64 - n_cells)


@inlined_kernel
def propagate(  # noqa: PLR0912 - the loops over colours are short
    program: Program, cursor: Cursor, depth: int
) -> bool:
    """Colour the cells in `todo` and all that follow at a depth; False if some cell is left without a colour.

    When the answer is True, `todo` is all 0 afterwards.
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


@kernel
def keep_bounds(
    bounds: Words, free: np.uint64, colored: Words, banned: Words, depth: int, todo: Words
) -> int:
    """Ban a colour that is used up, and use one everywhere that has to be; IMPOSSIBLE, KEPT or CHANGED.

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
