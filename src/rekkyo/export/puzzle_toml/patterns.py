"""Makes all places of a pattern that a file draws once.

where         everywhere: moved over the whole board.  here: only where it is drawn
orientations  all: also turned and turned over.  rotations: also turned.  one: as it is drawn
stretch       none: as it is drawn.  evenly: all distances 1, 2, 3, ... times as large.
              freely: its rows and columns are any rows and columns of the board, in the same order, so that
              `==` over `==` means the corners of every rectangle along rows and columns
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import TypeAlias

from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.lattices import SQUARE
from rekkyo.model.lattices.lattice import applied

Marks: TypeAlias = dict[Square, str]
"""The mark on each square of a pattern."""

Extent: TypeAlias = tuple[int, int]
"""Rows and columns of a board."""

SAME = "="
WHERE = ("everywhere", "here")
ORIENTATIONS = ("one", "all", "rotations")
STRETCHES = ("none", "evenly", "freely")


def images(marks: Marks, orientations: str) -> list[Marks]:
    """The different images of a pattern, row by row. If it is not turned, it stays where it is drawn."""
    if orientations == "one":
        return [marks]
    matrices = SQUARE.rotations if orientations == "rotations" else SQUARE.point_group
    found: dict[tuple[tuple[Square, str], ...], None] = {}
    for matrix in matrices:
        moved = {applied(matrix, square): mark for square, mark in marks.items()}
        top, left = (min(square[axis] for square in moved) for axis in (0, 1))
        image = {(row - top, column - left): mark for (row, column), mark in moved.items()}
        found.setdefault(tuple(sorted(image.items())))
    return list(map(dict, found))


def number_of_places(marks: Marks, extent: Extent, where: str, stretch: str) -> int:
    """The number of places that `places` yields."""
    if where == "here":
        return 1
    used = [sorted({square[axis] for square in marks}) for axis in (0, 1)]
    if stretch == "freely":
        return comb(extent[0], len(used[0])) * comb(extent[1], len(used[1]))
    return sum(
        max(0, rows - factor * (used[0][-1] - used[0][0]))
        * max(0, columns - factor * (used[1][-1] - used[1][0]))
        for rows, columns in (extent,)
        for factor in _factors(used, extent, stretch)
    )


def places(marks: Marks, extent: Extent, where: str, stretch: str) -> Iterator[Marks]:
    """The pattern in each of its places within the extent, of which the board may have only a part."""
    if where == "here":
        yield marks
        return
    used = [sorted({square[axis] for square in marks}) for axis in (0, 1)]
    if stretch == "freely":
        for rows, columns in product(
            combinations(range(extent[0]), len(used[0])), combinations(range(extent[1]), len(used[1]))
        ):
            row_of, column_of = (
                dict(zip(old, new, strict=True)) for old, new in zip(used, (rows, columns), strict=True)
            )
            yield {(row_of[row], column_of[column]): mark for (row, column), mark in marks.items()}
        return
    top, left = used[0][0], used[1][0]
    height, width = (axis[-1] - axis[0] for axis in used)
    for factor in _factors(used, extent, stretch):
        scaled = [
            (factor * (row - top), factor * (column - left), mark) for (row, column), mark in marks.items()
        ]
        for down, across in product(range(extent[0] - factor * height), range(extent[1] - factor * width)):
            yield {(row + down, column + across): mark for row, column, mark in scaled}


def _factors(used: list[list[int]], extent: Extent, stretch: str) -> range:
    largest = [
        (n - 1) // (axis[-1] - axis[0]) for axis, n in zip(used, extent, strict=True) if axis[-1] > axis[0]
    ]
    if stretch == "none" or not largest:
        return range(1, 2)
    return range(1, min(largest) + 1)
