"""Count the solutions that a symmetry of the square leaves unchanged, for Burnside's lemma.

For a half turn or a quarter turn, queens are placed on all squares of an orbit at once. Rows are taken from
the centre outward, because queens near the centre attack most squares. Diagonals are words of 2n - 1 bits.
Shifted by the row, they are aligned with its columns:

    rising,  bit row + column                falling, bit column - row + n - 1
    row r is attacked at columns             row r is attacked at columns
        rising >> r                              falling >> (n - 1 - r)

Both long diagonals are blocked from the start: queens on a square of one and on its image would attack each
other, and for odd n the queen on the centre, which every such solution has, takes them. n <= 32, because
2n - 1 <= 64.
Both kernels take `stack`: uint64[STACK_ROWS, n + 1], scratch.
Counts fit in uint64, because the nodes bound them. Source: OEIS A032522, A033148.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.bits import ONE, TWO, ZERO, Word, Words, highest_index, lowest_index, popcount
from rekkyo.engines.contract import Tally
from rekkyo.jit import kernel
from rekkyo.model.queens import Square
from rekkyo.model.row import AtomPermutation

STACK_ROWS = 5


@kernel
def count_half_turn(n: Word, stack: Words) -> tuple[Word, Word]:
    """Returns (solutions unchanged by a half turn, orbits placed).

    The mirror image of a solution is another one, so the first queen stays in the west half and counts twice.
    """
    side = n >> ONE
    if side == ZERO:
        return ONE, ONE
    last = n - ONE
    every = (ONE << n) - ONE
    choices, columns, rising, falling = stack[0], stack[1], stack[2], stack[3]
    columns[0] = ONE << side if n & ONE else ZERO
    rising[0] = ONE << last
    falling[0] = ONE << last
    row = side - ONE
    choices[0] = ~(columns[0] | rising[0] >> row | falling[0] >> (last - row)) & ((ONE << side) - ONE)
    n_found = ZERO
    n_nodes = ZERO
    depth = ZERO
    while True:
        if choices[depth] == ZERO:
            if depth == ZERO:
                return TWO * n_found, n_nodes
            depth -= ONE
            continue
        if depth == side - ONE:
            n_found += popcount(choices[depth])
            n_nodes += popcount(choices[depth])
            choices[depth] = ZERO
            continue
        n_nodes += ONE
        column = lowest_index(choices[depth])
        choices[depth] &= choices[depth] - ONE
        row = side - ONE - depth
        up, down = row + column, column + last - row
        below = depth + ONE
        columns[below] = columns[depth] | ONE << column | ONE << (last - column)
        rising[below] = rising[depth] | ONE << up | ONE << (last + last - up)
        falling[below] = falling[depth] | ONE << down | ONE << (last + last - down)
        depth = below
        row -= ONE
        choices[depth] = ~(columns[depth] | rising[depth] >> row | falling[depth] >> (last - row)) & every


@kernel
def count_quarter_turn(n: Word, stack: Words) -> tuple[Word, Word]:
    """Returns (solutions unchanged by a quarter turn, orbits placed).

    The four squares of an orbit take the rows r, c, n - 1 - r, n - 1 - c, and the columns with the same
    numbers. So each orbit takes two of the pairs {i, n - 1 - i}, and for an odd number of pairs there is no
    solution.
    """
    side = n >> ONE
    if side & ONE:
        return ZERO, ZERO
    if side == ZERO:
        return ONE, ONE
    last = n - ONE
    north = (ONE << side) - ONE
    every = (ONE << n) - ONE
    n_orbits = side >> ONE
    choices, rows, lines, rising, falling = stack[0], stack[1], stack[2], stack[3], stack[4]
    lines[0] = ONE << side if n & ONE else ZERO
    rising[0] = ONE << last
    falling[0] = ONE << last
    rows[0] = side - ONE
    choices[0] = ~(lines[0] | rising[0] >> rows[0] | falling[0] >> (last - rows[0])) & every
    n_found = ZERO
    n_nodes = ZERO
    depth = ZERO
    while True:
        if choices[depth] == ZERO:
            if depth == ZERO:
                return n_found, n_nodes
            depth -= ONE
            continue
        n_nodes += ONE
        column = lowest_index(choices[depth])
        choices[depth] &= choices[depth] - ONE
        if depth + ONE == n_orbits:
            n_found += ONE
            continue
        row = rows[depth]
        up, down = row + column, column + last - row
        below = depth + ONE
        lines[below] = (
            lines[depth] | ONE << column | ONE << (last - column) | ONE << row | ONE << (last - row)
        )
        # A quarter turn takes the diagonal row + column = s to column - row = n - 1 - s and so on.
        both = ONE << up | ONE << (last + last - up)
        across = ONE << down | ONE << (last + last - down)
        rising[below] = rising[depth] | both | across
        falling[below] = falling[depth] | both | across
        depth = below
        row = highest_index(~lines[depth] & north)
        rows[depth] = row
        choices[depth] = ~(lines[depth] | rising[depth] >> row | falling[depth] >> (last - row)) & every


class Turn(Enum):
    """The kinds of symmetries of the square that are counted differently."""

    HALF = "half turn"
    QUARTER = "quarter turn"
    REFLECTION = "reflection"


MOVES: tuple[tuple[Turn, Callable[[int, int, int], Square]], ...] = (
    (Turn.HALF, lambda last, row, column: (last - row, last - column)),
    (Turn.QUARTER, lambda last, row, column: (column, last - row)),
    (Turn.QUARTER, lambda last, row, column: (last - column, row)),
    (Turn.REFLECTION, lambda last, row, column: (row, last - column)),
    (Turn.REFLECTION, lambda last, row, column: (last - row, column)),
    (Turn.REFLECTION, lambda last, row, column: (column, row)),
    (Turn.REFLECTION, lambda last, row, column: (last - column, last - row)),
)
"""The symmetries of the square without the identity: the image of (row, column), by the last row."""


def count_unchanged(n: int, symmetry: AtomPermutation) -> Tally | None:
    """The number of solutions of the plain n x n board that the symmetry leaves unchanged.

    None for the identity, which leaves all unchanged, and for a permutation that is not a symmetry of the
    square. Sources: OEIS A032522 (half turn), A033148 (quarter turn).
    """
    turn = recognise(n, symmetry)
    stack = unfilled((STACK_ROWS, n + 1), np.uint64)
    if turn is Turn.HALF:
        found, nodes = count_half_turn(np.uint64(n), stack)
    elif turn is Turn.QUARTER:
        found, nodes = count_quarter_turn(np.uint64(n), stack)
    elif turn is Turn.REFLECTION:
        # A reflection moves a queen that is not on the axis along its row, its column or a diagonal to
        # another queen, which it would attack. The axis is a row, a column, a diagonal, or between squares,
        # so at most one queen is on it. All queens can be on the axis only if n = 1, where the only
        # permutation is recognised as a half turn.
        return Tally(0, 0)
    else:
        return None
    return Tally(int(found), int(nodes))


def recognise(n: int, symmetry: AtomPermutation) -> Turn | None:
    """The kind of a permutation of the squares; None for the identity, and for one that is not a symmetry.

    On the 1 x 1 board all eight symmetries are the same permutation, which counts as a half turn.
    """
    squares = [(row, column) for row in range(n) for column in range(n)]
    for turn, move in MOVES:
        images = (move(n - 1, row, column) for row, column in squares)
        if symmetry == tuple(row * n + column for row, column in images):
            return turn
    return None
