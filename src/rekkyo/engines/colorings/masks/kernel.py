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
from rekkyo.engines.contract import Status
from rekkyo.jit import kernel

DONE = int(Status.DONE)
OUT_OF_BUDGET = int(Status.OUT_OF_BUDGET)
BUFFER_FULL = int(Status.BUFFER_FULL)


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop, for the reason below
    program: Program, cursor: Cursor, out: NDArray[np.uint8], stabilizers: NDArray[np.uint32], budget: int
) -> Any:
    """Search on from the cursor; returns (status, found, nodes). A node is a colour tried at a cell.

    out         : uint8[n_rows, n], out. n_rows >= 1.
    stabilizers : uint32[n_rows], out, under symmetry. The order of the stabilizer of each row.
    """
    order, least = program.order, program.least
    colored, banned, free, rest, levels, tops, colors, row, todo, waiting, state = cursor
    n_cells, n_colors = row.shape[0], todo.shape[0]
    all_cells = everything(n_cells)
    has_symmetry = least.paths.shape[0] > 0
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
        level = levels[depth]
        cell = ONE << np.uint64(level)
        if has_symmetry:
            take_back(waiting, state, tops[depth])
        colors[level] = color
        row[order[level]] = color
        # Before propagation: most branches that symmetry ends are ended here.
        stabilizer = stabilizer_at(level, colors, least, waiting, state) if has_symmetry else 1
        if stabilizer == NOT_LEAST:
            continue
        below = depth
        left = ZERO
        # For the last free cell all that is not banned is possible, and nothing can follow.
        if free[depth] != cell:
            below = depth + 1
            for other in range(n_colors):
                colored[below, other], banned[below, other] = colored[depth, other], banned[depth, other]
                todo[other] = ZERO
            todo[color] = cell
            if not propagate(program, cursor, below):
                continue
            left = all_cells
            for other in range(n_colors):
                left &= ~colored[below, other]
        level += 1
        while level < n_cells:
            cell = ONE << np.uint64(level)
            if left & cell != ZERO:
                break
            for other in range(n_colors):
                if colored[below, other] & cell != ZERO:
                    colors[level] = other
                    row[order[level]] = other
            stabilizer = stabilizer_at(level, colors, least, waiting, state) if has_symmetry else 1
            if stabilizer == NOT_LEAST:
                break
            level += 1
        if stabilizer == NOT_LEAST:
            continue
        if level == n_cells:
            for index in range(n_cells):
                out[found, index] = row[index]
            if has_symmetry:
                stabilizers[found] = stabilizer
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        depth = below
        free[depth], levels[depth], tops[depth] = left, level, state[TOP]
        possible = ZERO
        for other in range(n_colors):
            if banned[depth, other] & cell == ZERO:
                possible |= ONE << np.uint64(other)
        rest[depth] = possible
    state[DEPTH] = depth
    return status, found, n_tried
