"""Designs as incidence matrices: a row for each point, a column for each block of a solution, in their order.

The place of a block depends on the other blocks. So heat maps and the gallery, where each block has one place
for all solutions, show the items of the cover instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.picture import Blocks
from rekkyo.model.row import Layout, RowShape
from rekkyo.render.svg.markup import CELL, drawn_path, grid, moved, rectangle, square, words
from rekkyo.render.svg.painting import Markup

NAME_SIZE = 11.0
NAME_WIDTH = 20.0
MAX_BLOCKS = 1024
"""The most columns of a matrix."""


def incidence(design: Blocks, shape: RowShape, row: Sequence[int]) -> tuple[Markup, float, float] | None:
    """The matrix of a row, its width and height; None if it has no block, or too many."""
    if shape.layout is Layout.BY_OPTION:
        blocks = [design.possible[option] for option in shape.atoms(row)]
    else:
        blocks = [points for points, times in zip(design.possible, row, strict=True) for _ in range(times)]
    if not 0 < len(blocks) <= MAX_BLOCKS:
        return None
    width, height = len(blocks) * CELL, design.n_points * CELL
    filled = "".join(square(k * CELL, point * CELL) for k, block in enumerate(blocks) for point in block)
    names = (
        words(str(point + 1), (NAME_WIDTH / 2 - 3, (point + 0.5) * CELL), NAME_SIZE, "rk-faint")
        for point in range(design.n_points)
    )
    matrix = drawn_path(rectangle(0, 0, width, height), "rk-board") + drawn_path(filled, "rk-ink")
    matrix += drawn_path(grid(design.n_points, len(blocks)), "rk-grid")
    return "".join(names) + moved(matrix, NAME_WIDTH, 0), NAME_WIDTH + width, height
