"""`[[loop]]`: the border between the cells with a value and all others is one loop, as in Slitherlink.

value       the value of the cells inside the loop, or several values
clues       the board again: a digit is the number of sides of its cell on the loop; "." is no clue
What is not on the board is outside: the area around it, and holes in it.
A loop passes no point twice, which holds if and only if both sides are connected by sides of squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import SIDES, STEPS_AROUND, neighbours, read_value
from rekkyo.export.puzzle_toml.grid.kinds_of_cells import Indicators, add_by_kind
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.csp.constraints import Clause, Connected

CLUES = "clues"
LOOP_KEYS = ("value", CLUES)
MAX_SQUARES = 1 << 16


def read_loop(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(LOOP_KEYS)
    inside = read_value(board, table)
    if board.cells.torus:
        table.refuse_table("where opposite edges are joined, a loop has no inside; leave it out")
    outside = tuple(number for number in board.values.numbers if number not in inside)
    if not outside:
        table.refuse_table("a loop needs values inside and others outside")
    n_cells = len(board.squares)
    cells = tuple(range(n_cells))
    areas = _areas_off(board, table)
    off_board = [board.hidden(table, range(outside[0], outside[0] + 1)) for _ in areas]
    pairs = neighbours(board, cells)
    area_of = {square: n_cells + number for number, area in enumerate(areas) for square in area}
    edge = sorted(
        {(cell, area_of[s]) for cell in cells for s in _beside(board.squares[cell]) if s in area_of}
    )
    board.add(table, Clause(tuple((cell, value, True) for cell in cells for value in inside)))
    board.add(table, Connected(cells, pairs, inside), len(pairs))
    board.add(table, Connected((*cells, *off_board), (*pairs, *edge), outside), len(pairs) + len(edge))
    board.shown.loop(inside)
    if CLUES in table:
        _clues(board, table, inside)


def _clues(board: Board, table: TomlTable, inside: tuple[int, ...]) -> None:
    drawing = table.drawing(CLUES)
    indicators: Indicators = {}
    for cell, mark, square in board.cells.marked(drawing):
        if mark not in "01234":
            known = f'write 0 to 4 for sides on the loop, or "{FREE}"'
            drawing.refuse(*square, f'"{mark}" is not a clue; {known}')
        near = [board.cells.at[beside] for beside in _beside(square) if beside in board.cells.at]
        add_by_kind(board, table, [cell, *near], inside, partial(_has_sides, int(mark)), indicators)
        board.shown.label(cell, mark)


def _has_sides(n_sides: int, are_inside: Sequence[bool]) -> bool:
    """Whether so many sides of a cell are on the loop. The cell comes first, then those beside it."""
    cell, *near = are_inside
    return sum(other != cell for other in near) + cell * (4 - len(near)) == n_sides


def _beside(square: Square) -> list[Square]:
    return [(square[0] + down, square[1] + across) for down, across in STEPS_AROUND[SIDES]]


def _areas_off(board: Board, table: TomlTable) -> list[set[Square]]:
    """The squares around the board, and those of each hole. A hole is connected by sides of squares."""
    rows, columns = zip(*board.squares, strict=True)
    height, width = (range(min(numbers) - 1, max(numbers) + 2) for numbers in (rows, columns))
    if len(height) * len(width) > MAX_SQUARES:
        table.refuse_table(f"the board and its holes have more than {MAX_SQUARES} squares; make it smaller")
    off = set(product(height, width)) - board.cells.at.keys()
    areas = []
    while off:
        area, reached = set[Square](), [min(off)]
        while reached:
            square = reached.pop()
            if square in off:
                off.remove(square)
                area.add(square)
                reached += _beside(square)
        areas.append(area)
    return areas
