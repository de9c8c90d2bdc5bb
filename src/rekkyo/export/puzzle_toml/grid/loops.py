"""`[[loop]]`: the border between the cells with a value and all others is one loop, as in Slitherlink.

value       the value of the cells inside the loop, or several values
clues       the board again: a digit is the number of sides of its cell on the loop; "." is no clue
A loop passes no point twice: both sides are connected, the outside through the area around the board.
"""

from __future__ import annotations

from itertools import product

from rekkyo.export.puzzle_toml.cells import full_rectangle
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import read_value
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.csp.constraints import Clause, Connected, Table, Variable

CLUES = "clues"
LOOP_KEYS = ("value", CLUES)


def read_loop(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(LOOP_KEYS)
    inside = read_value(board, table)
    outside = tuple(number for number in board.values.numbers if number not in inside)
    if not outside or full_rectangle(board.cells.at) is None:
        table.refuse_table("a loop needs values inside and others outside, on a board that is a rectangle")
    n_cells = len(board.squares)
    cells = tuple(range(n_cells))
    around = board.hidden(table, outside[0], outside[0])
    pairs = [(cell, near) for cell in cells for near in _near(board, cell) if near > cell]
    edge = [(cell, n_cells) for cell in cells if len(_near(board, cell)) < 4]
    board.add(table, Clause(tuple((cell, value, True) for cell in cells for value in inside)))
    board.add(table, Connected(cells, tuple(pairs), inside), len(pairs))
    board.add(table, Connected((*cells, around), (*pairs, *edge), outside), len(pairs) + len(edge))
    if CLUES in table:
        _clues(board, table, inside)


def _clues(board: Board, table: TomlTable, inside: tuple[int, ...]) -> None:
    drawing = table.drawing(CLUES)
    board.check_lines(drawing)
    for cell, mark, square in board.cells.marked(drawing):
        if mark == FREE:
            continue
        if mark not in "01234":
            known = f'write 0 to 4 for sides on the loop, or "{FREE}"'
            drawing.refuse(*square, f'"{mark}" is not a clue; {known}')
        near = _near(board, cell)
        rows = tuple(
            row
            for row in product(*(board.domains[c] for c in (cell, *near)))
            if _sides([value in inside for value in row]) == int(mark)
        )
        board.add(table, Table((cell, *near), rows), len(rows) * (1 + len(near)))
        board.shown.label(cell, mark)


def _sides(are_inside: list[bool]) -> int:
    """The number of sides of a cell on the loop. The cell comes first, then its neighbours on the board."""
    cell, *near = are_inside
    return sum(other != cell for other in near) + cell * (4 - len(near))


def _near(board: Board, cell: Variable) -> list[Variable]:
    row, column = board.squares[cell]
    squares: list[Square] = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [board.cells.at[square] for square in squares if square in board.cells.at]
