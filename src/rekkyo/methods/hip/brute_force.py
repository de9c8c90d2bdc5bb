"""Brute force: colour every cell in both ways, and look at a board only when it is complete.

That is 2^(n*n) boards: 65,536 for n = 4, and 33 million for n = 5 already. The blog's author saw that n = 6,
with 9 billion balanced boards, is out of reach this way. Left out: everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rekkyo.methods.hip.board import has_square, is_balanced, row_images, squares
from rekkyo.methods.ladder import Found, Method


def search_recursively(n: int, found: Found) -> int:
    """Colour the cells in order; the level of recursion is the cell."""
    board = [0] * (n * n)

    def color(cell: int) -> int:
        if cell == n * n:
            if is_solution(board, n):
                found(tuple(board), 1)
            return 0
        nodes = 0
        for value in (0, 1):
            board[cell] = value
            nodes += 1 + color(cell + 1)
        return nodes

    return color(0)


def search_iteratively(n: int, found: Found) -> int:
    """The same in one loop: the board itself is the stack, and -1 means that a cell has no colour yet."""
    board = [-1] * (n * n)
    cell = 0
    nodes = 0
    while cell >= 0:
        board[cell] += 1
        if board[cell] == 2:
            board[cell] = -1
            cell -= 1
            continue
        nodes += 1
        if cell < n * n - 1:
            cell += 1
        elif is_solution(board, n):
            found(tuple(board), 1)
    return nodes


def is_solution(board: Sequence[int], n: int) -> bool:
    """Whether the board is balanced and no square has one colour."""
    return is_balanced(board) and not any(has_square(board, corners) for corners in squares(n))


RECURSIVE = Method(
    name="brute-force",
    form="recursive",
    title="Brute force",
    explanation=(
        "Colours every cell in both ways and checks each of the 2^(n*n) boards once it is complete."
        " Nearly all of them had a square of one colour after two rows, and this method never notices."
    ),
    search=search_recursively,
    symmetries=row_images,
    practical_up_to=4,
)
ITERATIVE = replace(RECURSIVE, form="iterative", search=search_iteratively)
