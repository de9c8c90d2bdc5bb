"""Compiled search for queens, row by row, with attacked columns as bits.

Algorithm: in each row, the columns that are allowed and attacked neither straight nor along a diagonal are
the set bits of one word. Taking the lowest bit first lists the solutions in lexicographic order. From one row
to the next the diagonal attacks are shifted by one bit; on a torus they are rotated.
Source: M. Richards, "Backtracking algorithms in MCPL using bit patterns and recursion" (1997).
Left out on purpose: any use of symmetry (the engine `queens-join` has it), and a second kernel that only
counts (it took 0.98 to 1.01 times as long as listing into a block that is not used).

One word per row, for n = 8 (bit c: column c):

    bit   63 …  8 | 7 6 5 4 3 2 1 0
          unused  | columns of the board

On a flat board, bits of `falling` may be set beyond the columns of the board. They have no effect.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, lowest_index
from rekkyo.engines.contract import BUFFER_FULL, DONE, OUT_OF_BUDGET
from rekkyo.jit import inlined_inner_kernel, kernel


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    free    : uint64[n]. Columns still to be tried in each row, up to the current one.
    taken   : uint64[n]. Columns attacked straight from above, per row.
    falling : uint64[n]. Columns attacked along diagonals that go one column right per row.
    rising  : uint64[n]. Columns attacked along diagonals that go one column left per row.
    columns : uint8[n].  Columns of the queens in the rows above the current one.
    rows    : uint64[2]. The current row, and the first row that this shard decides.
    """

    free: Words
    taken: Words
    falling: Words
    rising: Words
    columns: NDArray[np.uint8]
    rows: Words


@kernel
def list_solutions(
    allowed: Words, wrap: Word | None, cursor: Cursor, out: NDArray[np.uint8], budget: int
) -> Any:
    """Continue the search from the cursor; returns (status, found, nodes).

    allowed : uint64[n], in. Bit c of word r: a queen may stand in column c of row r.
    wrap    : None on a flat board; on a torus the word with the n low bits set. Numba compiles one version
              for each: with the wrap as data, the flat board took 20 % longer.
    out     : uint8[n_rows, n], out. Column of the queen in each row of the board; n_rows >= 1.

    The words of the current row are in registers and are stored only before the next row: so the search takes
    0.85 times as long as the same loop in C with every row in memory (n = 14 to 16, medians), instead of 1.0
    times.
    """
    free, taken, falling, rising, columns, rows = cursor
    row, first = rows[0], rows[1]
    last = np.uint64(allowed.shape[0] - 1)
    choices, straight, right, left = free[row], taken[row], falling[row], rising[row]
    status = OUT_OF_BUDGET
    found = 0
    nodes = 0
    while nodes < budget:
        if choices == ZERO:
            if row == first:
                status = DONE
                break
            row -= ONE
            choices, straight, right, left = free[row], taken[row], falling[row], rising[row]
            continue
        queen = choices & ~(choices - ONE)
        choices ^= queen
        nodes += 1
        columns[row] = lowest_index(queen)
        if row == last:
            for place in range(columns.shape[0]):
                out[found, place] = columns[place]
            found += 1
            if found == out.shape[0]:
                status = BUFFER_FULL
                break
            continue
        straight_below = straight | queen
        right_below, left_below = one_row_down(wrap, last, right | queen, left | queen)
        free_below = allowed[row + ONE] & ~(straight_below | right_below | left_below)
        if free_below != ZERO:
            free[row], taken[row], falling[row], rising[row] = choices, straight, right, left
            row += ONE
            choices, straight, right, left = free_below, straight_below, right_below, left_below
    free[row], taken[row], falling[row], rising[row] = choices, straight, right, left
    rows[0] = row
    return status, found, nodes


@inlined_inner_kernel
def one_row_down(wrap: Word | None, last: Word, right: Word, left: Word) -> Any:
    """The columns of the next row that are attacked along diagonals to the right, and to the left."""
    right_below = right << ONE
    left_below = left >> ONE
    if wrap is not None:
        right_below = (right_below & wrap) | (right >> last)
        left_below |= (left & ONE) << last
    return right_below, left_below
