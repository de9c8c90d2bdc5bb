"""Model: n queens on an n x n board, none attacking another.

A row has n positions, the rows of the board from the top; its value is the column of that row's queen,
from the left, both from 0. Squares may be blocked (no queen may stand there) or given (a queen must stand
there); on a toroidal board the diagonals go on at the opposite edge.
Source: OEIS A000170 (flat), A007705 (toroidal); Gent, Jefferson and Nightingale 2017 (completion).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from rekkyo.errors import BadModel
from rekkyo.model.checks import check_nested, check_type, check_whole, shown
from rekkyo.model.row import Layout, RowShape

Square: TypeAlias = tuple[int, int]
"""(board row, board column), both counted from 0 at the top left."""

MAX_N = 64


@dataclass(frozen=True, slots=True)
class Queens:
    """n queens on an n x n board.

    n: 1 … 64. blocked, given: squares inside the board, with no square in both.
    Given queens that attack each other are allowed: such a model has no solution.
    Raises BadModel.
    """

    n: int
    blocked: frozenset[Square] = frozenset()
    given: frozenset[Square] = frozenset()
    toroidal: bool = False

    def __post_init__(self) -> None:
        check_whole("queens: the board size", self.n, 1, MAX_N)
        check_type("queens: toroidal is True or False", self.toroidal, bool)
        for kind, squares in (("blocked", self.blocked), ("given", self.given)):
            rule = f"queens: a {kind} square is a pair of whole numbers (row, column), in a frozenset"
            check_nested(rule, squares, (frozenset, tuple, int), length=2)
            for row, column in sorted(squares):
                if not (0 <= row < self.n and 0 <= column < self.n):
                    raise BadModel(
                        f"queens: {kind} square {shown(row)},{shown(column)} is off the {self.n}x{self.n}"
                        f" board; rows and columns go from 0 to {self.n - 1}"
                    )
        both = sorted(self.blocked & self.given)
        if both:
            row, column = both[0]
            raise BadModel(f"queens: square {row},{column} is both blocked and given; keep one of the two")

    @property
    def row_shape(self) -> RowShape:
        """A row has n positions with n values."""
        return _square(self.n)

    @property
    def row_meaning(self) -> str:
        """Positions are rows of the board, and values are columns."""
        return "position: row of the board from the top; value: column of its queen from the left; from 0"


@cache
def _square(n: int) -> RowShape:
    return RowShape(n, n, Layout.BY_POSITION)
