"""Compiled search for colourings of any size: a counter on every forbidden pattern, unit propagation.

Algorithm: an *atom* is a cell with a colour, cell * K + colour; a forbidden set of K colours is K patterns of
atoms. Each pattern knows how many of its atoms are not there yet, and the exclusive or of their numbers: when
one is left, that number is the atom, and it is ruled out. A cell with one colour left gets it. Everything is
taken back along two trails: the cells that got a colour, and the atoms that were ruled out. Cells are decided
in a fixed order, and a plan for representatives leaves what cannot be least, as in `coloring-masks`.
Source: unit propagation with counters, as in the early solvers for satisfiability (D. Loveland, A. Sabharwal,
B. Selman, "DPLL: the core of modern satisfiability solvers", 2017, tells their story). Left out on purpose:
watched literals (patterns here are short) and learning.

    counters   | left, xor |  one pair for each pattern
    lists      | patterns of atom 0 | of atom 1 | …     starts[a] : starts[a + 1]
    queue      | cells that have a colour, in order |   HEAD: how many of them have been counted
    ruled_out  | atoms in order |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.colorings.kernel_least import NEXT, NOT_LEAST, NOTHING, still_least, take_back
from rekkyo.engines.contract import Status
from rekkyo.jit import kernel

DONE = int(Status.DONE)
OUT_OF_BUDGET = int(Status.OUT_OF_BUDGET)
BUFFER_FULL = int(Status.BUFFER_FULL)

DEPTH, END, TOP, HEAD, TAIL, N_RULED_OUT = 0, 1, 2, 3, 4, 5
"""Columns of `state`."""

LEVEL, REST, FRAME_TOP, FRAME_TAIL, FRAME_RULED_OUT = 0, 1, 2, 3, 4
"""Columns of `frames`."""

NO_COLOR = -1
LEFT, XOR = 0, 1


class Counters(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    counters  : int32[n_patterns, 2]. LEFT and XOR.
    possible  : uint8[n]. The colours that a cell can have, as bits.
    color     : int8[n]. The colour of each cell, or NO_COLOR.
    queue     : int32[n]. Cells in the order in which they got their colours.
    ruled_out : int32[n * K]. Atoms in the order in which they were ruled out.
    frames    : int64[n + 1, 5]. For each open decision its level, the colours still to try, and how long
                pool, queue and ruled_out were before it.
    colors    : uint8[n]. Colours by level, for the symmetry.
    state     : int64[6].
    """

    counters: NDArray[np.int32]
    possible: NDArray[np.uint8]
    color: NDArray[np.int8]
    queue: NDArray[np.int32]
    ruled_out: NDArray[np.int32]
    frames: NDArray[np.int64]
    colors: NDArray[np.uint8]
    state: NDArray[np.int64]


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop: see `coloring_masks.kernel`
    starts: NDArray[np.int64],
    lists: NDArray[np.int32],
    order: NDArray[np.int64],
    bounds: NDArray[np.int64] | None,
    n_colors: int,
    paths: NDArray[np.uint16] | None,
    nodes: Any,
    waiting: Any,
    cursor: Counters,
    out: NDArray[np.uint8],
    stabilizers: NDArray[np.uint32],
    budget: int,
) -> Any:
    """Search on from the cursor; returns (status, found, nodes). A node is a colour tried at a cell.

    starts, lists : int64[n * K + 1], int32[], in. The patterns of each atom.
    order         : int64[n], in. The cell of each level.
    bounds        : int64[K, 2], in. How many cells each colour has, at least and at most; or None.
    paths, nodes, waiting : see `kernel_least`; None for all three compiles symmetry out.
    out           : uint8[n_rows, n], out. n_rows >= 1.
    stabilizers   : uint32[n_rows], out, when `paths` is given.
    """
    counters, possible, color, queue, ruled_out, frames, colors, state = cursor
    n_cells = order.shape[0]
    depth = state[DEPTH]
    status = OUT_OF_BUDGET
    found = n_tried = 0
    while n_tried < budget:
        undo(starts, lists, counters, possible, color, queue, ruled_out, state, n_colors, frames[depth])
        rest = frames[depth, REST]
        if rest == 0:
            if depth == state[END]:
                status = DONE
                break
            depth -= 1
            continue
        n_tried += 1
        choice = 0
        while rest >> choice & 1 == 0:
            choice += 1
        frames[depth, REST] = rest & (rest - 1)
        level = frames[depth, LEVEL]
        cell = order[level]
        consistent = True
        for other in range(n_colors):
            if other != choice:
                consistent = consistent and rule_out(
                    cell * n_colors + other, possible, color, queue, ruled_out, state, n_colors
                )
        if not consistent or not propagate(
            starts, lists, bounds, counters, possible, color, queue, ruled_out, state, n_colors
        ):
            continue
        if paths is not None:
            take_back(waiting, state[TOP], frames[depth, FRAME_TOP])
            state[TOP] = frames[depth, FRAME_TOP]
        stabilizer = 1
        while level < n_cells and color[order[level]] != NO_COLOR:
            if paths is not None:
                colors[level] = color[order[level]]
                stabilizer = 1
                if waiting[level, NEXT] != NOTHING:
                    state[TOP], stabilizer = still_least(
                        level, colors, n_colors, paths, nodes, waiting, state[TOP]
                    )
                if stabilizer == NOT_LEAST:
                    break
            level += 1
        if stabilizer == NOT_LEAST:
            continue
        if level == n_cells:
            for index in range(n_cells):
                out[found, index] = color[index]
            if paths is not None:
                stabilizers[found] = stabilizer
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        depth += 1
        frames[depth, LEVEL], frames[depth, REST] = level, possible[order[level]]
        frames[depth, FRAME_TOP], frames[depth, FRAME_TAIL] = state[TOP], state[TAIL]
        frames[depth, FRAME_RULED_OUT] = state[N_RULED_OUT]
    state[DEPTH] = depth
    return status, found, n_tried


@kernel
def propagate(
    starts: NDArray[np.int64],
    lists: NDArray[np.int32],
    bounds: NDArray[np.int64] | None,
    counters: NDArray[np.int32],
    possible: NDArray[np.uint8],
    color: NDArray[np.int8],
    queue: NDArray[np.int32],
    ruled_out: NDArray[np.int32],
    state: NDArray[np.int64],
    n_colors: int,
) -> bool:
    """Count the cells of the queue from HEAD on, and all that follow; False if a cell has no colour left."""
    while True:
        while state[HEAD] < state[TAIL]:
            cell = queue[state[HEAD]]
            state[HEAD] += 1
            atom = cell * n_colors + color[cell]
            consistent = True
            # To the end of the list even after a contradiction: `undo` takes back whole lists.
            for index in range(starts[atom], starts[atom + 1]):
                pattern = lists[index]
                counters[pattern, LEFT] -= 1
                counters[pattern, XOR] ^= atom
                if counters[pattern, LEFT] == 1 and not rule_out(
                    counters[pattern, XOR], possible, color, queue, ruled_out, state, n_colors
                ):
                    consistent = False
            if not consistent:
                return False
        if bounds is None:
            return True
        if not keep_bounds(bounds, possible, color, queue, ruled_out, state, n_colors):
            return False
        if state[HEAD] == state[TAIL]:
            return True


@kernel
def rule_out(
    atom: int,
    possible: NDArray[np.uint8],
    color: NDArray[np.int8],
    queue: NDArray[np.int32],
    ruled_out: NDArray[np.int32],
    state: NDArray[np.int64],
    n_colors: int,
) -> bool:
    """A cell does not get a colour; when one is left, it gets that. False when none is left."""
    cell = atom // n_colors
    bit = 1 << (atom - cell * n_colors)
    before = int(possible[cell])
    if before & bit == 0:
        return True
    after = before ^ bit
    possible[cell] = after
    ruled_out[state[N_RULED_OUT]] = atom
    state[N_RULED_OUT] += 1
    if after == 0:
        return False
    if after & (after - 1) == 0 and color[cell] == NO_COLOR:
        single = 0
        while after >> single != 1:
            single += 1
        color[cell] = single
        queue[state[TAIL]] = cell
        state[TAIL] += 1
    return True


@kernel
def keep_bounds(
    bounds: NDArray[np.int64],
    possible: NDArray[np.uint8],
    color: NDArray[np.int8],
    queue: NDArray[np.int32],
    ruled_out: NDArray[np.int32],
    state: NDArray[np.int64],
    n_colors: int,
) -> bool:
    """Rule out a colour that is used up, and all others where one is needed; False if that cannot be."""
    n_cells = color.shape[0]
    for one in range(n_colors):
        n_colored = n_possible = 0
        for cell in range(n_cells):
            if color[cell] == one:
                n_colored += 1
            elif color[cell] == NO_COLOR and possible[cell] >> one & 1:
                n_possible += 1
        low, high = bounds[one]
        if n_colored > high or n_colored + n_possible < low:
            return False
        if n_possible == 0 or (n_colored < high and n_colored + n_possible > low):
            continue
        for cell in range(n_cells):
            if color[cell] == NO_COLOR and possible[cell] >> one & 1:
                for other in range(n_colors):
                    if (other == one) == (n_colored == high) and not rule_out(
                        cell * n_colors + other, possible, color, queue, ruled_out, state, n_colors
                    ):
                        return False
        # What has got its colour changes the numbers of every colour.
        if state[HEAD] < state[TAIL]:
            return True
    return True


@kernel
def undo(
    starts: NDArray[np.int64],
    lists: NDArray[np.int32],
    counters: NDArray[np.int32],
    possible: NDArray[np.uint8],
    color: NDArray[np.int8],
    queue: NDArray[np.int32],
    ruled_out: NDArray[np.int32],
    state: NDArray[np.int64],
    n_colors: int,
    frame: NDArray[np.int64],
) -> None:
    """Back to what was before the decision of a frame."""
    while state[TAIL] > frame[FRAME_TAIL]:
        state[TAIL] -= 1
        cell = queue[state[TAIL]]
        if state[TAIL] < state[HEAD]:
            atom = cell * n_colors + color[cell]
            for index in range(starts[atom], starts[atom + 1]):
                counters[lists[index], LEFT] += 1
                counters[lists[index], XOR] ^= atom
        color[cell] = NO_COLOR
    state[HEAD] = state[TAIL]
    while state[N_RULED_OUT] > frame[FRAME_RULED_OUT]:
        state[N_RULED_OUT] -= 1
        atom = ruled_out[state[N_RULED_OUT]]
        possible[atom // n_colors] |= 1 << (atom % n_colors)
