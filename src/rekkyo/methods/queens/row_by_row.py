"""Brute force and backtracking: one queen after the other, checked when the board is full or when it is
placed.

*Brute force* tries every way to put one queen into each row, and checks a board only when it is complete.
There are n choices in each of n rows, so n^n boards, reached through n + n^2 + ... + n^n nodes: for n = 8
about 19 million, to find 92. It is so simple that every other method can be checked against it. The only rule
used before the check is that no two queens share a row.

*Backtracking* checks each queen against the earlier ones when it is placed, and goes back at the first
conflict, which excludes every board with both queens. For n = 8 the 19 million nodes become 2,056. The name
is D. H. Lehmer's; general form: Golomb and Baumert, "Backtrack programming", J. ACM 12 (1965).

Left out: stored attacks. Each check loops over all queens above the square; placement flags store attacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rekkyo.methods.ladder import Found, both_forms
from rekkyo.methods.queens.symmetry import row_images


def search_recursively(n: int, found: Found, *, checks_at_once: bool) -> int:
    """Fill the rows from the top; the level of recursion is the row."""
    board = [0] * n

    def place(row: int) -> int:
        if row == n:
            if checks_at_once or is_solution(board):
                found(tuple(board), 1)
            return 0
        nodes = 0
        for column in range(n):
            board[row] = column
            if not checks_at_once or is_safe(board, row):
                nodes += 1 + place(row + 1)
        return nodes

    return place(0)


def search_iteratively(n: int, found: Found, *, checks_at_once: bool) -> int:
    """As `search_recursively`, in one loop: the board itself is the stack, and -1 means no queen in a row."""
    board = [-1] * n
    row = 0
    nodes = 0
    while row >= 0:
        board[row] += 1
        if board[row] == n:
            board[row] = -1
            row -= 1
        elif not checks_at_once or is_safe(board, row):
            nodes += 1
            if row < n - 1:
                row += 1
            elif checks_at_once or is_solution(board):
                found(tuple(board), 1)
    return nodes


def is_safe(board: Sequence[int], row: int) -> bool:
    """Whether the queen of that row is attacked by none of the rows above."""
    column = board[row]
    return all(board[above] != column and abs(board[above] - column) != row - above for above in range(row))


def is_solution(board: Sequence[int]) -> bool:
    """Whether no two queens share a column or a diagonal."""
    return all(is_safe(board, row) for row in range(len(board)))


METHODS = (
    *both_forms(
        name="brute-force",
        title="Brute force",
        explanation=(
            "Puts a queen into every row in all n^n ways and checks each board once it is complete."
            " Of the boards of size 8, 92 % have a clash in the first four rows, but each is completed first."
        ),
        searches=(
            partial(search_recursively, checks_at_once=False),
            partial(search_iteratively, checks_at_once=False),
        ),
        symmetries=row_images,
        practical_up_to=8,
        transposed=True,
    ),
    *both_forms(
        name="backtracking",
        title="Backtracking",
        explanation=(
            "Checks each queen against those in the rows above as soon as it is placed, and moves it on at"
            " the first clash. One failed check spares all the boards that would have contained the clash."
        ),
        searches=(
            partial(search_recursively, checks_at_once=True),
            partial(search_iteratively, checks_at_once=True),
        ),
        symmetries=row_images,
        practical_up_to=12,
        transposed=True,
    ),
)
