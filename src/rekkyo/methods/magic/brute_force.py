"""Brute force: put the numbers 1 to n^2 into the cells in every order, and check full squares only.

There are (n^2)! of them: 362,880 for n = 3, which takes a second, and 20,922,789,888,000 for n = 4, which
would take years. The only rule used before the check is that every number is used once.
"""

from __future__ import annotations

from math import factorial

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Found, Method
from rekkyo.methods.magic.squares import as_row, is_magic


def search(n: int, found: Found) -> int:
    """Fill the cells from the top left; the level of recursion is the cell."""
    square = [0] * (n * n)
    free = [True] * (n * n + 1)

    def fill(cell: int) -> int:
        if cell == n * n:
            if is_magic(square, n):
                found(as_row(square), 1)
            return 0
        nodes = 0
        for number in range(1, n * n + 1):
            if free[number]:
                square[cell] = number
                free[number] = False
                nodes += 1 + fill(cell + 1)
                free[number] = True
        return nodes

    return fill(0)


METHOD = Method(
    name="brute-force",
    title="Brute force",
    explanation=(
        "Puts 1 to n^2 into the cells in all (n^2)! orders and checks each full square."
        " It finishes for n = 3 and never for n = 4."
    ),
    search=search,
    symmetries=row_images,
    practical_up_to=3,
    search_space=lambda n: {"space": factorial(n * n)},
)
