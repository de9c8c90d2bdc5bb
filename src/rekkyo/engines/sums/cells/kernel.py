"""Compiled search for sum figures that uses lines only: no bits, no algebra, no fixed order.

Algorithm: backtracking. The next cell is the first open cell of the line with the fewest open cells. If that
line's sum is known and the cell is its last, one number is looked up; otherwise the numbers are tried in
order, within bounds from the least and greatest numbers of the figure. The common sum is unknown until the
first line with it is complete. Every line of a cell is checked when the cell is filled. A level of the
search:

    cell[level]   at[level] … end[level] - 1 : indices of the untried numbers

This is the second way for sum figures, for recounts, and the only one for numbers that are far apart. Left
out on purpose: the techniques that make `sum-lines` fast.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.bisecting import first_at_least
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_inner_kernel, inlined_kernel, inner_kernel, kernel

LEVEL, FIRST, COMMON_LEVEL, COMMON = 0, 1, 2, 3
NEVER = np.int64(-1)


class Figure(NamedTuple):
    """The model as arrays for the kernel.

    numbers       : int64[n_numbers], increasing.
    least         : int64[n_cells + 1]. least[k] is the sum of the k least numbers; greatest likewise.
    line_start    : int64[n_lines + 1]. Line l has the cells line_cells[line_start[l] …].
    line_sum      : int64[n_lines]. Given sums. has_sum: uint8[n_lines], 0 for the common sum.
    cell_start    : int64[n_cells + 1]. Cell c is on the lines cell_lines[cell_start[c] … ].
    orders        : int64[n_orders, 2]. Cells, the lesser first.
    """

    numbers: NDArray[np.int64]
    least: NDArray[np.int64]
    greatest: NDArray[np.int64]
    line_start: NDArray[np.int64]
    line_cells: NDArray[np.int64]
    line_sum: NDArray[np.int64]
    has_sum: NDArray[np.uint8]
    cell_start: NDArray[np.int64]
    cell_lines: NDArray[np.int64]
    orders: NDArray[np.int64]


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    cell, at, end : int64[n_cells]. The levels, see above.
    value         : int64[n_cells]. Index of the number in each cell, NEVER for an open cell.
    used          : uint8[n_numbers]. 1 for numbers that are in a cell.
    n_open, total : int64[n_lines]. Open cells of each line, and the sum of the others.
    state         : int64[4]. Current level; first level that this shard decides; level that fixed the common
                    sum, or NEVER; the common sum.
    """

    cell: NDArray[np.int64]
    at: NDArray[np.int64]
    end: NDArray[np.int64]
    value: NDArray[np.int64]
    used: NDArray[np.uint8]
    n_open: NDArray[np.int64]
    total: NDArray[np.int64]
    state: NDArray[np.int64]


@kernel
def list_solutions(figure: Figure, cursor: Cursor, last: int, out: NDArray[Any], budget: int) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes). A node is a number put into a
    cell.

    last : the level that completes a row: that of the last cell, or less to list prefixes.
    out  : uint[n_rows, n_cells], out. Value of each cell that has one; n_rows >= 1.
    """
    cell, at, end, value, state = cursor.cell, cursor.at, cursor.end, cursor.value, cursor.state
    status = OUT_OF_BUDGET
    found = 0
    nodes = 0
    level = state[LEVEL]
    while nodes < budget:
        if at[level] >= end[level]:
            if level == state[FIRST]:
                status = DONE
                break
            level -= 1
            take_back(figure, cursor, level)
            continue
        index = at[level]
        at[level] += 1
        if cursor.used[index] != 0:
            continue
        nodes += 1
        here = cell[level]
        put(figure, cursor, level, index)
        fits = lines_fit(figure, cursor, here) and orders_fit(figure.orders, value, here)
        if fits and level < last:
            level += 1
            choose(figure, cursor, level)
            continue
        if fits:
            for place in range(value.shape[0]):
                out[found, place] = value[place]
            found += 1
        take_back(figure, cursor, level)
        if fits and found == out.shape[0]:
            status = BUFFER_FULL
            break
    state[LEVEL] = level
    return status, found, nodes


@inlined_kernel
def put(figure: Figure, cursor: Cursor, level: int, index: int) -> None:
    """Put a number into the cell of a level; the first complete line without a sum fixes the common sum."""
    here, n_open, total, state = cursor.cell[level], cursor.n_open, cursor.total, cursor.state
    cursor.value[here] = index
    cursor.used[index] = 1
    for number in range(figure.cell_start[here], figure.cell_start[here + 1]):
        line = figure.cell_lines[number]
        n_open[line] -= 1
        total[line] += figure.numbers[index]
        if n_open[line] == 0 and figure.has_sum[line] == 0 and state[COMMON_LEVEL] == NEVER:
            state[COMMON_LEVEL] = level
            state[COMMON] = total[line]


@inlined_inner_kernel
def take_back(figure: Figure, cursor: Cursor, level: int) -> None:
    """Undo `put`."""
    here = cursor.cell[level]
    index = cursor.value[here]
    cursor.value[here] = NEVER
    cursor.used[index] = 0
    for number in range(figure.cell_start[here], figure.cell_start[here + 1]):
        line = figure.cell_lines[number]
        cursor.n_open[line] += 1
        cursor.total[line] -= figure.numbers[index]
    if cursor.state[COMMON_LEVEL] == level:
        cursor.state[COMMON_LEVEL] = NEVER


@inlined_inner_kernel
def lines_fit(figure: Figure, cursor: Cursor, here: int) -> bool:
    """Whether the lines of a cell can still get their sums."""
    for number in range(figure.cell_start[here], figure.cell_start[here + 1]):
        line = figure.cell_lines[number]
        if knows_sum(figure, cursor, line):
            missing, n_open = missing_of(figure, cursor, line), cursor.n_open[line]
            if missing < figure.least[n_open] or missing > figure.greatest[n_open]:
                return False
    return True


@inlined_inner_kernel
def knows_sum(figure: Figure, cursor: Cursor, line: np.int64) -> bool:
    """Whether the sum of a line is given, or is the common sum and that is fixed."""
    return bool(figure.has_sum[line] != 0 or cursor.state[COMMON_LEVEL] != NEVER)


@inlined_inner_kernel
def missing_of(figure: Figure, cursor: Cursor, line: np.int64) -> int:
    """The sum that the open cells of a line must have."""
    whole = figure.line_sum[line] if figure.has_sum[line] != 0 else cursor.state[COMMON]
    return int(whole - cursor.total[line])


@inner_kernel
def orders_fit(orders: NDArray[np.int64], value: NDArray[np.int64], here: int) -> bool:
    """Whether no order between a cell and another filled cell is violated."""
    for number in range(orders.shape[0]):
        less, greater = orders[number, 0], orders[number, 1]
        if (less == here and value[greater] != NEVER and value[greater] < value[here]) or (
            greater == here and value[less] != NEVER and value[less] > value[here]
        ):
            return False
    return True


@inlined_kernel
def choose(figure: Figure, cursor: Cursor, level: int) -> None:
    """Choose the cell of a level and the numbers to try there."""
    numbers, value, n_open = figure.numbers, cursor.value, cursor.n_open
    best, best_open = NEVER, np.int64(1) << 40
    for line in range(n_open.shape[0]):
        if 0 < n_open[line] < best_open:
            best, best_open = np.int64(line), n_open[line]
    cursor.at[level], cursor.end[level] = 0, numbers.shape[0]
    if best == NEVER:  # cells without a line
        here = 0
        while value[here] != NEVER:
            here += 1
        cursor.cell[level] = here
        return
    number = figure.line_start[best]
    while value[figure.line_cells[number]] != NEVER:
        number += 1
    cursor.cell[level] = figure.line_cells[number]
    if knows_sum(figure, cursor, best):
        missing, others = missing_of(figure, cursor, best), best_open - 1
        cursor.at[level] = first_at_least(numbers, missing - figure.greatest[others])
        cursor.end[level] = first_at_least(numbers, missing - figure.least[others] + 1)
