"""Brute force: try every way to put one queen into each row, and look at a board only when it is complete.

There are n choices in each of n rows, so n^n boards, reached through n + n^2 + ... + n^n nodes: for n = 8
about 19 million, to find 92. Nothing is clever here, and that is its use: there is so little to get wrong
that every other method can be measured against it.

The only thing taken for granted is that no two queens share a row. Left out: everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rekkyo.methods.ladder import Found, both_forms
from rekkyo.methods.queens.symmetry import row_images


def search_recursively(n: int, found: Found) -> int:
    """Fill the rows from the top; the level of recursion is the row."""
    board = [0] * n

    def place(row: int) -> int:
        if row == n:
            if is_solution(board):
                found(tuple(board), 1)
            return 0
        nodes = 0
        for column in range(n):
            board[row] = column
            nodes += 1 + place(row + 1)
        return nodes

    return place(0)


def search_iteratively(n: int, found: Found) -> int:
    """The same in one loop: the board itself is the stack, and -1 means that a row has not begun."""
    board = [-1] * n
    row = 0
    nodes = 0
    while row >= 0:
        board[row] += 1
        if board[row] == n:
            board[row] = -1
            row -= 1
            continue
        nodes += 1
        if row < n - 1:
            row += 1
        elif is_solution(board):
            found(tuple(board), 1)
    return nodes


def is_solution(board: Sequence[int]) -> bool:
    """Whether no two queens share a column or a diagonal."""
    return all(
        column != other_column and abs(column - other_column) != other_row - row
        for (row, column), (other_row, other_column) in combinations(enumerate(board), 2)
    )


METHODS = both_forms(
    name="brute-force",
    title="Brute force",
    explanation=(
        "Puts a queen into every row in all n^n ways and checks each board once it is complete."
        " Nearly all of those boards were hopeless after two rows, and this method never notices."
    ),
    searches=(search_recursively, search_iteratively),
    symmetries=row_images,
    practical_up_to=8,
    transposed=True,
)
