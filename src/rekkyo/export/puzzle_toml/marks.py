"""Drawings and named boards in puzzle files as cells of a lattice; limits are checked before that."""

from __future__ import annotations

import unicodedata
from typing import TypeAlias

from rekkyo.catalog.named_boards import MARK, named_board, problem_of_drawn_board
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.model.lattices import SQUARE, Cell, Lattice
from rekkyo.model.lattices.drawing import EMPTY, read_drawing
from rekkyo.model.lattices.shapes import Shape
from rekkyo.model.packing import MAX_CELLS

Square: TypeAlias = tuple[int, int]
"""(line, column) of a mark on a square board, from 0, from the first line that is not empty."""


def board_drawing(table: Table, lattice: Lattice) -> Drawing:
    """The board of a table, drawn or named. Raises BadFile for what is a name, but not a known one."""
    drawing = table.drawing("board")
    problem = problem_of_drawn_board(drawing.text, lattice)
    if problem is not None:
        drawing.refuse_whole(problem)
    return drawing


def problem_of_mark(mark: str) -> str | None:
    """Why a character is not drawn as one mark; None if it is."""
    if mark == "\t":
        return "a tab; draw with spaces or points"
    if not mark.isprintable():
        return f"{in_short(mark)} is not a mark that can be seen"
    if unicodedata.category(mark).startswith("M"):
        known = f"U+{ord(mark):04X}, {unicodedata.name(mark, 'a combining mark').lower()}"
        return f"{known}, is drawn on the character before it; write both as one, or leave it out"
    return None


def cells_by_mark(drawing: Drawing, lattice: Lattice, most: int = MAX_CELLS) -> dict[str, Shape]:
    """The cells under each mark; at most `most`. Raises BadFile."""
    with drawing.errors_here():
        named = named_board(drawing.text, lattice)
    if named is not None:
        if len(named) > most:
            drawing.refuse_whole(f"the board has {len(named)} cells, more than {most}; take a smaller one")
        return {MARK: named}
    n_marks = 0
    for number, line in enumerate(drawing.lines()):
        for column, mark in enumerate(line):
            problem = problem_of_mark(mark)
            if problem is not None:
                drawing.refuse(number, column, problem)
        n_marks += len(line) - sum(map(line.count, EMPTY))
        if n_marks > most:
            drawing.refuse(number, 0, f"the drawing has more than {most} marks; draw fewer")
    with drawing.errors_here():
        return read_drawing(lattice, drawing.text.replace("\r", ""))


def cells_of_one_mark(drawing: Drawing, lattice: Lattice, what: str) -> Shape:
    """All cells of a drawing that may use only one mark. Raises BadFile."""
    cells = cells_by_mark(drawing, lattice)
    if len(cells) > 1:
        first, second = list(cells)[:2]
        drawing.refuse_whole(f'{what} is drawn with two marks, "{first}" and "{second}"; use one')
    if not cells:
        drawing.refuse_whole(f"{what} has no cells; draw at least one")
    return next(iter(cells.values()))


def all_cells(drawing: Drawing, lattice: Lattice, most: int = MAX_CELLS) -> dict[Cell, str]:
    """The mark of each cell, in the order of the cells. Raises BadFile for a drawing without any."""
    by_mark = cells_by_mark(drawing, lattice, most)
    if not by_mark:
        drawing.refuse_whole('the drawing is empty; draw each cell as a mark, such as "#"')
    return dict(sorted((cell, mark) for mark, cells in by_mark.items() for cell in cells))


def squares(drawing: Drawing, most: int) -> dict[Square, str]:
    """The marks of a square board, row by row. Raises BadFile."""
    return {(cell[0], cell[1]): mark for cell, mark in all_cells(drawing, SQUARE, most).items()}
