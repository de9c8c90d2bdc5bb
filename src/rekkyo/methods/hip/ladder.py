"""The ladder for Hip: three techniques, each recursive.

    brute force      looks only at complete boards
    cell by cell     looks at each square as it is completed
    joining          puts boards together from four smaller ones, as the blog of its source does

The rows are those of `rekkyo.catalog.hip`: position = cell, row by row; value = colour. All of them look for
balanced boards.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.methods.hip import brute_force, cell_by_cell, joining

HIP_METHODS = (brute_force.METHOD, cell_by_cell.METHOD, joining.METHOD)


def numbered_board(number: int, row: Sequence[int], transposed: bool) -> str:
    """The running number and the board, `#` for colour 0; it ends with a newline, as all pictures here do."""
    n = round(len(row) ** 0.5)
    lines = ("".join("#."[color] for color in row[start : start + n]) for start in range(0, n * n, n))
    return "\n".join([str(number), *lines, ""])
