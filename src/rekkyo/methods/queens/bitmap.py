"""Bitmap: the attacks on a row as three bit masks, and all its free squares in one expression.

Bit c is column c. For the current row, `columns` has the taken columns, `to_right` the squares attacked along
diagonals down to the right, `to_left` those down to the left. For the next row the first mask is unchanged
and the other two are shifted by one bit. The free squares are in none of the three masks, and `free & -free`
selects them one by one without visiting any other square.
Source: M. Richards, "Backtracking algorithms in MCPL using bit patterns and recursion" (1997).

The fill below takes, for each row, the *open* columns. Here every column is open; mirror and symmetry
elimination close some, so that only some images of a solution are found: their *cases* are a few boards to
fill, with the weight of each solution.
Left out: any use of symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from rekkyo.methods.ladder import Found, Search, both_forms
from rekkyo.methods.queens.symmetry import row_images
from rekkyo.model.row import Row

Mask: TypeAlias = int
"""A set of columns: bit c is column c."""

Fill: TypeAlias = Callable[[Sequence[Mask], Callable[[Row], None]], int]
"""Fills a board whose rows have these open columns, calls back with each solution, returns the nodes."""

Weigh: TypeAlias = Callable[[Row], int]
"""The number of solutions that a solution represents; 0 if another one represents it."""

Cases: TypeAlias = Iterable[tuple[Sequence[Mask], Weigh]]
"""The boards to fill, each as the open columns of its rows, and the weights of their solutions."""


def cases(n: int) -> Cases:
    """One board: all columns are open in all rows."""
    yield [all_columns(n)] * n, lambda _: 1


def searches(cases: Callable[[int], Cases]) -> tuple[Search, Search]:
    """The recursive and the iterative search of the cases of each size."""
    return partial(_search, cases, fill_recursively), partial(_search, cases, fill_iteratively)


def _search(cases: Callable[[int], Cases], fill: Fill, n: int, found: Found) -> int:
    def report(weigh: Weigh, row: Row) -> None:
        weight = weigh(row)
        if weight:
            found(row, weight)

    return sum(fill(open_columns, partial(report, weigh)) for open_columns, weigh in cases(n))


def fill_recursively(open_columns: Sequence[Mask], solved: Callable[[Row], None]) -> int:
    """Fill the rows from the top; the masks are arguments, so nothing must be undone."""
    n = len(open_columns)
    board = [0] * n

    def place(row: int, columns: Mask, to_right: Mask, to_left: Mask) -> int:
        if row == n:
            solved(tuple(board))
            return 0
        nodes = 0
        free = open_columns[row] & ~(columns | to_right | to_left)
        while free:
            queen = free & -free
            free ^= queen
            board[row] = column_of(queen)
            nodes += 1 + place(row + 1, columns | queen, (to_right | queen) << 1, (to_left | queen) >> 1)
        return nodes

    return place(0, 0, 0, 0)


def fill_iteratively(open_columns: Sequence[Mask], solved: Callable[[Row], None]) -> int:
    """As `fill_recursively`, in one loop, with a stack of masks by row; `free` has the untried squares."""
    n = len(open_columns)
    board = [0] * n
    columns, to_right, to_left = [0] * n, [0] * n, [0] * n
    free = [open_columns[0]] + [0] * (n - 1)
    row = 0
    nodes = 0
    while row >= 0:
        if not free[row]:
            row -= 1
            continue
        queen = free[row] & -free[row]
        free[row] ^= queen
        board[row] = column_of(queen)
        nodes += 1
        if row == n - 1:
            solved(tuple(board))
            continue
        below = row + 1
        columns[below] = columns[row] | queen
        to_right[below] = (to_right[row] | queen) << 1
        to_left[below] = (to_left[row] | queen) >> 1
        free[below] = open_columns[below] & ~(columns[below] | to_right[below] | to_left[below])
        row = below
    return nodes


def all_columns(n: int) -> Mask:
    """The mask of the columns 0 ... n - 1."""
    return (1 << n) - 1


def column_of(queen: Mask) -> int:
    """The column of a mask with one bit."""
    return queen.bit_length() - 1


METHODS = both_forms(
    name="bitmap",
    title="Bitmap",
    explanation=(
        "Packs the taken columns and the two directions of diagonals into three bit masks that shift by one"
        " from row to row. The free squares of a row come out of one expression, and attacked squares cost"
        " nothing at all."
    ),
    searches=searches(cases),
    symmetries=row_images,
    practical_up_to=14,
)
