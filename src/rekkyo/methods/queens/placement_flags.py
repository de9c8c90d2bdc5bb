"""Placement flags: store which columns and diagonals are taken, so that a check is three look-ups.

The squares of a diagonal share one number: row + column along one direction, column - row along the other.
There is a flag for each column and each of the 2n - 1 diagonals of either direction. Placing a queen sets
three flags, and removing it clears them. The tree is that of backtracking.
Source: N. Wirth, "Algorithms + Data Structures = Programs" (1976), section 3.5.
Left out: testing all columns of a row at once, which bit masks do.
"""

from __future__ import annotations

from rekkyo.methods.ladder import Found, both_forms
from rekkyo.methods.queens.symmetry import row_images


class Flags:
    """The taken columns and diagonals."""

    def __init__(self, n: int) -> None:
        self.column = [False] * n
        self.rising = [False] * (2 * n - 1)
        self.falling = [False] * (2 * n - 1)
        self.first_falling = 1 - n

    def is_free(self, row: int, column: int) -> bool:
        """Whether no queen attacks the square."""
        return not (
            self.column[column]
            or self.rising[row + column]
            or self.falling[column - row - self.first_falling]
        )

    def set(self, row: int, column: int, taken: bool) -> None:
        """Put a queen on the square, or remove it."""
        self.column[column] = taken
        self.rising[row + column] = taken
        self.falling[column - row - self.first_falling] = taken


def search_recursively(n: int, found: Found) -> int:
    """Fill the rows from the top; flags are set before each recursive call and cleared after it."""
    board = [0] * n
    flags = Flags(n)

    def place(row: int) -> int:
        if row == n:
            found(tuple(board), 1)
            return 0
        nodes = 0
        for column in range(n):
            if flags.is_free(row, column):
                board[row] = column
                flags.set(row, column, taken=True)
                nodes += 1 + place(row + 1)
                flags.set(row, column, taken=False)
        return nodes

    return place(0)


def search_iteratively(n: int, found: Found) -> int:
    """As `search_recursively`, in one loop: the board itself is the stack, and -1 means no queen in a row.

    Each iteration moves the queen of one row to the next free column, or off the board.
    """
    board = [-1] * n
    flags = Flags(n)
    row = 0
    nodes = 0
    while row >= 0:
        if board[row] >= 0:
            flags.set(row, board[row], taken=False)
        board[row] = next((column for column in range(board[row] + 1, n) if flags.is_free(row, column)), -1)
        if board[row] < 0:
            row -= 1
            continue
        flags.set(row, board[row], taken=True)
        nodes += 1
        if row < n - 1:
            row += 1
        else:
            found(tuple(board), 1)
    return nodes


METHODS = both_forms(
    name="placement-flags",
    title="Placement flags",
    explanation=(
        "Keeps a flag for every column and every diagonal, set while a queen is on it."
        " Whether a square is attacked is then three look-ups instead of a walk over all earlier queens;"
        " the tree is that of backtracking."
    ),
    searches=(search_recursively, search_iteratively),
    symmetries=row_images,
    practical_up_to=14,
    transposed=True,
)
