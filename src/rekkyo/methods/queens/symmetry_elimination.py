"""Symmetry elimination (対称解除法): find one solution of each orbit, with the orbit's size as its weight.

An orbit has eight *readings*: start at any of the four corners, go along either of its two sides, and write
the board line by line. The solution whose own row is the least of the eight is kept. As far as possible, this
is decided before the search and not after it. Two cases, for n >= 2:

A queen in a corner. Only one corner can have one, because any two corners share a line. Only two readings
start with 0, the row itself and its transpose, which reads columns instead of rows. Let the second row's
queen be in column a and column 1's queen in row b: the readings continue with a and b, and the row is kept if
a < b (a = b would be two queens attacking each other along a diagonal). So column 1 is closed in all rows
above row a, and every board that is found has an orbit of 8.

No queen in a corner. Let b be the column of the first row's queen. Each reading starts with the distance of
an edge's queen from one end of that edge. So the row is least only if on all four edges the queen is at least
b away from both ends: the outer columns are closed in the first b and last b rows, and the last row is open
only in columns b ... n-1-b. What remains is ties, readings that also start with b. On the left edge and on
the right one, the first row's queen attacks one of the two squares at distance b along a diagonal, on the
bottom edge it attacks one along its column, and those are the squares that would lead to a mirrored reading.
So only the three rotations can tie, and they are compared when a board is complete. A board that equals its
own half or quarter turn has an orbit of 4 or 2.

The search is the fill of the bitmap. Source: known from the programs of K. Takahashi ("takaken"); the
argument, and the form in which columns are closed in advance, are written for this file. Left out: going back
when an outer column is empty after its last open row; it saves 1/8 of the nodes, 1/20 of the time (n = 12).
"""

from __future__ import annotations

from collections.abc import Iterator

from rekkyo.methods.ladder import both_forms
from rekkyo.methods.queens.bitmap import Cases, Mask, all_columns, searches
from rekkyo.methods.queens.symmetry import as_row, quarter_turn, row_images
from rekkyo.model.row import Row


def cases(n: int) -> Cases:
    """The boards of both cases; on a single square all readings are equal, and no column is closed."""
    if n == 1:
        yield [all_columns(1)], lambda _: 1
    for open_columns in _corner_cases(n):
        yield open_columns, lambda _: 8
    for open_columns in _edge_cases(n):
        yield open_columns, _orbit_size_if_least


def _corner_cases(n: int) -> Iterator[list[Mask]]:
    """The open columns of each row, once for each second queen below a queen in the corner."""
    corner = 1 << 0
    not_column_1 = all_columns(n) & ~(1 << 1)
    for a in range(2, n - 1):  # a = n-1 would leave column 1 no row below row a
        closed_rows = a - 2
        open_rows = n - a
        yield [corner, 1 << a] + [not_column_1] * closed_rows + [all_columns(n)] * open_rows


def _edge_cases(n: int) -> Iterator[list[Mask]]:
    """The open columns of each row, once for each first queen that is nearer to the left corner."""
    inner_columns = all_columns(n) & ~(1 << 0 | 1 << n - 1)
    for b in range(1, n // 2):  # for odd n, b in the middle would need all four edges' queens in the middle
        last_row = all_columns(n) & ~all_columns(b) & ~(all_columns(b) << n - b)
        narrow = [inner_columns] * (b - 1)
        wide = [all_columns(n)] * (n - 2 * b)
        yield [1 << b, *narrow, *wide, *narrow, last_row]


def _orbit_size_if_least(row: Row) -> int:
    """8, 4 or 2 if no rotation of the board has a lesser reading than the row itself; otherwise 0."""
    n = len(row)
    quarter = quarter_turn(enumerate(row), n)
    half = quarter_turn(quarter, n)
    three_quarters = quarter_turn(half, n)
    rotations = as_row(quarter), as_row(half), as_row(three_quarters)
    if min(rotations) < row:
        return 0
    if as_row(quarter) == row:
        return 2
    return 4 if as_row(half) == row else 8


METHODS = both_forms(
    name="symmetry-elimination",
    title="Symmetry elimination",
    explanation=(
        "Finds one solution of each orbit and counts it 2, 4 or 8 times. Columns are closed in advance where"
        " a queen would make one of the eight readings of the board less than the board itself; the few ties"
        " are settled by comparing rotations at the end."
    ),
    searches=searches(cases),
    symmetries=row_images,
    practical_up_to=15,
)
