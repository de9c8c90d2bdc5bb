"""Mirror: search for one of each pair of mirror images, and count it twice.

No solution for n > 1 is its own left-right image, so it is enough to find one of each pair: the one whose
first queen is left of the middle. For odd n the first queen may be in the middle, and then it is there in
both images. It attacks the middle of the second row, so the second queen is kept left of the middle instead.

The search is that of the bitmap with other open columns in the first two rows.
Left out on purpose: the other six images of a solution, which symmetry elimination uses.
Source: folklore; well known through J. Somers, "The N Queens Problem: a study in optimization" (2002).
"""

from __future__ import annotations

from rekkyo.methods.ladder import both_forms
from rekkyo.methods.queens.bitmap import Cases, all_columns, searches
from rekkyo.methods.queens.symmetry import row_images


def cases(n: int) -> Cases:
    """The boards with one solution of each pair. For n = 1 the only solution is its own image."""
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
