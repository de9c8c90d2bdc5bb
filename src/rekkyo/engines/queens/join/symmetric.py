"""Solutions that a symmetry of the square leaves unchanged, for Burnside's lemma."""

from __future__ import annotations

from enum import Enum

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Tally
from rekkyo.engines.queens.join.kernel_symmetric import STACK_ROWS, count_half_turn, count_quarter_turn
from rekkyo.model.row import AtomPermutation


class Turn(Enum):
    """What the 8 symmetries of the square do, as far as counting goes."""

    HALF = "half turn"
    QUARTER = "quarter turn"
    REFLECTION = "reflection"
    NONE = "identity"


def count_unchanged(n: int, symmetry: AtomPermutation) -> Tally | None:
    """How many solutions of the plain n x n board the symmetry leaves unchanged.

    None for the identity (that is the total) and for a permutation that is no symmetry of the square.
    Sources: OEIS A032522 (half turn), A033148 (quarter turn).
    """
    turn = recognise(n, symmetry)
    stack = unfilled((STACK_ROWS, n + 1), np.uint64)
    if turn is Turn.HALF:
        found, nodes = count_half_turn(np.uint64(n), stack)
    elif turn is Turn.QUARTER:
        found, nodes = count_quarter_turn(np.uint64(n), stack)
    elif turn is Turn.REFLECTION:
        # A reflection moves some queen along its row, its column or a diagonal onto another queen, unless
        # every queen stands on the axis, which is a row, a column or a diagonal itself: so n = 1, and there
        # the only permutation is met as a half turn already.
        return Tally(0, 0)
    else:
        return None
    return Tally(int(found), int(nodes))


def recognise(n: int, symmetry: AtomPermutation) -> Turn | None:
    """Which kind of symmetry the atom permutation is, by the images of all squares; None if it is none.

    On the 1 x 1 board all eight are the same permutation, and it counts as a half turn.
    """
    last = n - 1
    squares = [(row, column) for row in range(n) for column in range(n)]
    kinds = (
        (Turn.HALF, [(last - row, last - column) for row, column in squares]),
        (Turn.QUARTER, [(column, last - row) for row, column in squares]),
        (Turn.QUARTER, [(last - column, row) for row, column in squares]),
        (Turn.REFLECTION, [(row, last - column) for row, column in squares]),
        (Turn.REFLECTION, [(last - row, column) for row, column in squares]),
        (Turn.REFLECTION, [(column, row) for row, column in squares]),
        (Turn.REFLECTION, [(last - column, last - row) for row, column in squares]),
        (Turn.NONE, squares),
    )
    for turn, images in kinds:
        if symmetry == tuple(row * n + column for row, column in images):
            return turn
    return None
