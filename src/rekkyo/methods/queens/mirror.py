"""Mirror: search one of each pair of mirror images, and count it twice.

No solution on more than one square is its own left-right image, so the solutions form pairs and it is enough
to find one of each pair.

* The queen of the first row left of the middle: its image has it right of the middle. One is searched.
* n odd and the queen in the middle of the first row: its image has it there too. But the middle of the
  second row is then attacked, so in that row the queen is left or right of the middle, and the same cut
  is made there.

The logic of the search is that of the bitmap; all that changes is which columns are open in the first two
rows. Left out: the other six images of a solution, which symmetry elimination uses.
Source: folklore; well known through J. Somers, "The N Queens Problem: a study in optimization" (2002).
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.methods.ladder import Found, Method
from rekkyo.methods.queens.bitmap import Fill, all_columns, fill_iteratively, fill_recursively
from rekkyo.methods.queens.symmetry import row_images


def search_recursively(n: int, found: Found) -> int:
    """Half of the solutions, each with weight 2, by recursion."""
    return _search(n, found, fill_recursively)


def search_iteratively(n: int, found: Found) -> int:
    """Half of the solutions, each with weight 2, in one loop."""
    return _search(n, found, fill_iteratively)


def _search(n: int, found: Found, fill: Fill) -> int:
    if n == 1:
        # The one board that is its own mirror image: it has no partner, and no second row to tell them by.
        return fill([all_columns(1)], lambda row: found(row, 1))
    left_half = all_columns(n // 2)
    everywhere = all_columns(n)
    nodes = fill([left_half] + [everywhere] * (n - 1), lambda row: found(row, 2))
    if n % 2:
        middle = 1 << n // 2
        nodes += fill([middle, left_half] + [everywhere] * (n - 2), lambda row: found(row, 2))
    return nodes


RECURSIVE = Method(
    name="mirror",
    form="recursive",
    title="Mirror",
    explanation=(
        "Keeps the first queen in the left half, since the mirror image of every solution is a solution too,"
        " and counts what it finds twice. When n is odd and the first queen is in the middle, the second"
        " queen is kept in the left half instead."
    ),
    search=search_recursively,
    symmetries=row_images,
    practical_up_to=14,
)
ITERATIVE = replace(RECURSIVE, form="iterative", search=search_iteratively)
