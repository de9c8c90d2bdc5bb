"""Brute force: colour every cell in both ways, and look at a board only when it is complete.

That is 2^(n*n) boards: 65,536 for n = 4, and 33 million for n = 5 already. The blog's author saw that n = 6,
with 9 billion balanced boards, is out of reach this way. Left out: everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.methods.grid import row_images
from rekkyo.methods.hip.board import has_square, is_balanced, squares
from rekkyo.methods.ladder import Found, Method


def search(n: int, found: Found) -> int:
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


def is_solution(board: Sequence[int], n: int) -> bool:
    """Whether the board is balanced and no square has one colour."""
    return is_balanced(board) and not any(has_square(board, corners) for corners in squares(n))


METHOD = Method(
    name="brute-force",
    form="recursive",
    title="Brute force",
    explanation=(
        "Colours every cell in both ways and checks each of the 2^(n*n) boards once it is complete."
        " Nearly all of them had a square of one colour after two rows, and this method never notices."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=4,
)
