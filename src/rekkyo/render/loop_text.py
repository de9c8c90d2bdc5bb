"""Values on a board with the loops between them, drawn by lines of characters.

Lines without a part of a loop between two rows are left out, so that the drawing stays low.
"""

from __future__ import annotations

from collections.abc import Mapping

from rekkyo.model.boards import Square

LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A character for each sum of the parts that meet in a point: up 1, right 2, down 4, left 8."""

ACROSS, DOWN = LINES[2 | 8], LINES[1 | 4]


def loops_as_text(texts: Mapping[Square, str], sides: Mapping[Square, int]) -> str:
    """The text of each square, all of one width; a line runs between squares with different sides.

    A square without a text has side 0.
    """
    width = len(next(iter(texts.values())))
    n_rows, n_columns = (1 + max(square[axis] for square in texts) for axis in (0, 1))

    def differ(row: int, column: int, row_2: int, column_2: int) -> bool:
        return sides.get((row, column), 0) != sides.get((row_2, column_2), 0)

    def crossing(row: int, column: int) -> str:
        """The character in the upper left corner of a square."""
        above, left = row - 1, column - 1
        up, down = differ(above, left, above, column), differ(row, left, row, column)
        before, after = differ(above, left, row, left), differ(above, column, row, column)
        return LINES[up | after << 1 | down << 2 | before << 3]

    lines = []
    for row in range(n_rows + 1):
        across = [differ(row - 1, column, row, column) for column in range(n_columns)]
        if any(across):
            parts = [(ACROSS if here else " ") * width for here in across]
            lines.append("".join(crossing(row, k) + part for k, part in enumerate([*parts, ""])))
        if row < n_rows:
            down = [DOWN if differ(row, k - 1, row, k) else " " for k in range(n_columns + 1)]
            cells = [texts.get((row, column), " " * width) for column in range(n_columns)]
            lines.append("".join(line + cell for line, cell in zip(down, [*cells, ""], strict=True)))
    return "\n".join(line.rstrip() for line in lines)
