"""`kind = "queens"`: a board drawn with `Q` for given queens and `x` for blocked squares, or its size."""

from __future__ import annotations

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import board_drawing, cells_by_mark
from rekkyo.model.lattices import SQUARE
from rekkyo.model.queens import MAX_N, Queens
from rekkyo.wording import several

KEYS = ("n", "board", "toroidal")
QUEEN, BLOCKED, FREE = "Q", "x", "."


def read_queens(table: Table) -> Queens:
    """The model of a table. Raises BadFile."""
    toroidal = table.flag("toroidal", False)
    if "n" in table and "board" in table:
        table.refuse("n", '"n" and "board" both say how large the board is; leave one out')
    if "n" in table:
        return Queens(table.whole("n", 1, MAX_N), toroidal=toroidal)
    if "board" not in table:
        table.refuse_table('"board" is missing; draw it, or give the size as n')
    drawing = board_drawing(table, SQUARE)
    # A point is a free square here, so that the drawing looks like a board.
    lines = drawing.lines()
    marks = cells_by_mark(drawing, SQUARE, MAX_N * MAX_N)
    size = len(lines)
    for number, line in enumerate(lines):
        for column, mark in enumerate(line):
            if mark not in (QUEEN, BLOCKED, FREE):
                problem = f'"{mark}" is none of ".", "{QUEEN}" and "{BLOCKED}"'
                drawing.refuse(number, column, f"{problem}; draw each square as one of them")
        if len(line) != size or size > MAX_N:
            problem = f"the row has {several(len(line), 'square')} on a board of {several(size, 'row')}"
            drawing.refuse(number, 0, f"{problem}; draw a square of 1 to {MAX_N}")
    with table.errors_at("board"):
        return Queens(
            size,
            frozenset((cell[0], cell[1]) for cell in marks.get(BLOCKED, ())),
            frozenset((cell[0], cell[1]) for cell in marks.get(QUEEN, ())),
            toroidal,
        )
