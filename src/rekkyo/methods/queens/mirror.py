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

from rekkyo.methods.ladder import both_forms
from rekkyo.methods.queens.bitmap import Cases, all_columns, searches
from rekkyo.methods.queens.symmetry import row_images


def cases(n: int) -> Cases:
    """The boards that hold one of each pair; n = 1 has a board without a partner."""
    left_half, everywhere = all_columns(n // 2), all_columns(n)
    if n == 1:
        yield [everywhere], lambda _: 1
        return
    yield [left_half] + [everywhere] * (n - 1), lambda _: 2
    if n % 2:
        middle = 1 << n // 2
        yield [middle, left_half] + [everywhere] * (n - 2), lambda _: 2


METHODS = both_forms(
    name="mirror",
    title="Mirror",
    explanation=(
        "Keeps the first queen in the left half, since the mirror image of every solution is a solution too,"
        " and counts what it finds twice. When n is odd and the first queen is in the middle, the second"
        " queen is kept in the left half instead."
    ),
    searches=searches(cases),
    symmetries=row_images,
    practical_up_to=14,
)
