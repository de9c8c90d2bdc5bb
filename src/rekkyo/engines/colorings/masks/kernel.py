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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, lowest_index
from rekkyo.engines.colorings.kernel_least import NEXT, NOT_LEAST, NOTHING, still_least, take_back
from rekkyo.engines.colorings.masks.kernel_propagate import propagate
from rekkyo.engines.contract import Status
from rekkyo.jit import kernel

DONE = int(Status.DONE)
OUT_OF_BUDGET = int(Status.OUT_OF_BUDGET)
BUFFER_FULL = int(Status.BUFFER_FULL)

DEPTH, END, TOP = 0, 1, 2


class Masks(NamedTuple):
    """The sets; read-only. See `propagate`. everything: uint64[1]. order: int64[n], the cells by level."""

    starts: NDArray[np.uint64]
    masks: NDArray[np.uint64]
    everything: NDArray[np.uint64]
    order: NDArray[np.int64]


class Frames(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    colored, banned : uint64[n + 1, K]. See the picture above.
    free, rest      : uint64[n + 1].
    level, top      : int64[n + 1].
    colors          : uint8[n]. By level, valid up to the cell of the current frame.
    row             : uint8[n]. The same by cell.
    todo            : uint64[K]. Scratch.
    state           : int64[3]. DEPTH: the current frame, END: the one at which the shard ends, TOP: entries
                      of the symmetry lists.
    """

    colored: NDArray[np.uint64]
    banned: NDArray[np.uint64]
    free: NDArray[np.uint64]
    rest: NDArray[np.uint64]
    level: NDArray[np.int64]
    top: NDArray[np.int64]
    colors: NDArray[np.uint8]
    row: NDArray[np.uint8]
    todo: NDArray[np.uint64]
    state: NDArray[np.int64]


@kernel
def list_solutions(  # noqa: PLR0912, PLR0915 - one loop, for the reason below
    starts: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    everything: NDArray[np.uint64],
    order: NDArray[np.int64],
    bounds: NDArray[np.uint64] | None,
    paths: NDArray[np.uint16] | None,
    nodes: Any,
    waiting: Any,
    frames: Frames,
    out: NDArray[np.uint8],
    stabilizers: NDArray[np.uint32],
    budget: int,
) -> Any:
    """Search on from the frames; returns (status, found, nodes). A node is a colour tried at a cell.

    starts, masks, everything, order : as in `Masks`.
    bounds      : see `propagate`; None compiles it out.
    paths, nodes : as in `Least`; waiting: a cursor's own lists; or None for all three.
    out         : uint8[n_rows, n], out. n_rows >= 1.
    stabilizers : uint32[n_rows], out, when `paths` is given. The order of the stabilizer of each row.

    Everything but the propagation and the symmetry is one loop: as a function of its own, with the twenty
    arrays that it needs, trying a colour took ten times as long.
    """
    colored, banned, free, rest, levels, tops, colors, row, todo, state = frames
    n_cells, n_colors = row.shape[0], todo.shape[0]
    all_cells = everything[0]
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
        if paths is not None and state[TOP] != tops[depth]:
            take_back(waiting, state[TOP], tops[depth])
            state[TOP] = tops[depth]
        colors[level] = color
        row[order[level]] = color
        # Before propagation: most branches that symmetry ends are ended here.
        stabilizer = 1
        if paths is not None and waiting[level, NEXT] != NOTHING:
            state[TOP], stabilizer = still_least(level, colors, n_colors, paths, nodes, waiting, state[TOP])
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
            if not propagate(starts, masks, bounds, all_cells, colored, banned, below, todo):
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
            stabilizer = 1
            if paths is not None and waiting[level, NEXT] != NOTHING:
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
                out[found, index] = row[index]
            if paths is not None:
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
