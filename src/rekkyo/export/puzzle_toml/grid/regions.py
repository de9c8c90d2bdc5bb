"""Regions of a board: the groups of cells, in order, of a clause.

    rows, columns           all cells of each row or column; row 0, column 2: of one, counted from 0
    runs across, runs down  maximal runs of two or more adjacent cells; runs: both
    boxes 2x3               boxes of 2 rows and 3 columns, which fill the board
    diagonals               the two long ones of a square board; all diagonals: every one of two or more
                            cells; those of a torus go around it
    all lines               the straight lines through three or more cells, in every direction
    board                   all cells
    a drawing               the cells under each mark; or the name of a drawing in the table `[regions]`
A list names several. Instead of them, `cells` has lines that each name the cells of one group; and in some
clauses `pattern` is a pattern of cells, which are a group in each of its places on the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, combinations
from math import gcd
from typing import NoReturn, TypeAlias

from rekkyo.errors import fix_for_name, in_short
from rekkyo.export.puzzle_toml.cells import ONLY_DRAWN, PATTERN_KEYS
from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.wording import several

Groups: TypeAlias = list[list[int]]

REGIONS, CELLS = REGION_KEYS = ("regions", "cells")
GROUP_KEYS = (*REGION_KEYS, *PATTERN_KEYS)
PATTERN = PATTERN_KEYS[0]
LINES = "all lines"
HIDDEN = "hidden"
MAX_LISTED = 64
_BOXES = re.compile(r"boxes ([1-9][0-9]?)x([1-9][0-9]?)")
_LINE = re.compile(r"(row|column) (0|[1-9][0-9]{0,3})")
_LIKE_BOXES = re.compile(r"box(?:es)?\s*([1-9][0-9]?)\s*[xX*\u00d7 ]\s*([1-9][0-9]?)", re.IGNORECASE)


def read_drawn_regions(board: Board, table: Table) -> None:
    """Read the drawings to which the table `[regions]` of the file gives names. Raises BadFile."""
    drawings = table.table(REGIONS)
    for name in drawings.names():
        if is_name(name):
            drawings.refuse(name, f'"{name}" means other regions; take another name')
        board.drawn_regions[name] = board.cells.regions(drawings.drawing(name))


def read_groups(
    board: Board, table: Table, default: str | None = None, *, may_repeat: bool = False
) -> Groups:
    """The groups of cells of a clause. default: regions if it names none. Raises BadFile.

    may_repeat: whether a line of `cells` may name a cell twice.
    """
    if PATTERN in table:
        table.refuse_keys(REGION_KEYS, '"pattern" and "{key}" both say which cells are meant; leave one out')
        return _in_all_places(board, table)
    table.refuse_keys(PATTERN_KEYS, ONLY_DRAWN)
    if "regions" in table and "cells" in table:
        table.refuse("cells", '"regions" and "cells" both say which cells are meant; leave one out')
    if "cells" in table:
        groups = list(board.cells.groups(table.drawing("cells"), may_repeat=may_repeat))
    elif "regions" in table:
        groups = _listed(board, table)
    elif default is not None:
        return NAMED[default](board)
    else:
        names = ", ".join(NAMED)
        table.refuse_table(f'"regions" is missing; name {names} or boxes 3x3, or draw them')
    if not groups:
        key = "regions" if "regions" in table else "cells"
        table.refuse_unless_member("there are no such cells on the board", key)
    return groups


def _in_all_places(board: Board, table: Table) -> Groups:
    """The cells of a pattern in each of its places, which may be none."""
    found: dict[tuple[int, ...], None] = {}
    for place in board.patterns(table):
        if len({mark for _, mark in place}) > 1:
            table.refuse(PATTERN, "draw all cells of the pattern with one mark")
        found[tuple(cell for cell, _ in place)] = None
    return list(map(list, found))


def _listed(board: Board, table: Table) -> Groups:
    """The regions of a text, or of a list of texts."""
    path = (*table.path, "regions")
    if type(table.data["regions"]) is not list:
        return _one(board, table, Drawing(table.document, path, table.text("regions")))
    groups: Groups = []
    if not table.data["regions"]:
        table.refuse_value("regions", 'the list names no regions; name some, such as ["rows", "columns"]')
    for number, text in enumerate(table.words("regions")):
        if number >= MAX_LISTED:
            table.refuse_value("regions", f"regions are 1 to {MAX_LISTED} texts: names or drawings", number)
        groups += _one(board, table, Drawing(table.document, (*path, number), text))
    return groups


def _one(board: Board, table: Table, drawing: Drawing) -> Groups:
    """The regions of one text: a name, or a drawing."""
    text = drawing.text
    boxes = _BOXES.fullmatch(text)
    if boxes:
        height, width = int(boxes[1]), int(boxes[2])
        rows, columns = board.cells.n_lines, board.n_columns_drawn
        if rows % height or columns % width:
            extent = f"a board of {several(rows, 'row')} and {several(columns, 'column')}"
            problem = f'"{text}" do not fill {extent}; draw the regions, or change the board'
            table.refuse_unless_member(problem, REGIONS)
        groups = _by(board, lambda square: (square[0] // height, square[1] // width))
        board.shown.regions(groups)
        return groups
    if text in NAMED:
        groups = NAMED[text](board)
        if text == LINES and board.cells.torus is not None:
            table.refuse("regions", f'"{LINES}" do not go around a torus; list the cells of each line')
        if text == "diagonals" and not groups:
            table.refuse("regions", 'only a square board has two long diagonals; take "all diagonals"')
        return groups
    if line := _LINE.fullmatch(text):
        axis, number = ("row", "column").index(line[1]), int(line[2])
        group = [cell for cell, square in enumerate(board.squares) if square[axis] == number]
        if not group:
            table.refuse_unless_member(f"there is no {text} on the board; the first is {line[1]} 0", REGIONS)
        return [group] if group else []
    groups = list(drawn_cells(board, drawing).values())
    board.shown.regions(groups)
    return groups


def read_hidden(board: Board, table: Table) -> None:
    """Read which cells are not part of a solution: those under all marks of a drawing. Raises BadFile."""
    if HIDDEN in table:
        drawing = table.drawing(HIDDEN)
        if _is_name(board, drawing) and drawing.text not in board.drawn_regions:
            fix = fix_for_name(in_short(drawing.text), list(board.drawn_regions)[:20])
            named = f"name a drawing in [regions]; {fix}"
            drawing.refuse_whole(f"hidden cells are drawn: draw all rows of the board, or {named}")
        board.hidden_cells = frozenset(chain.from_iterable(drawn_cells(board, drawing).values()))
        if len(board.hidden_cells) == len(board.squares):
            table.refuse_value(HIDDEN, 'all cells are hidden; draw "." for those that make a solution')


def drawn_cells(board: Board, drawing: Drawing) -> dict[str, list[int]]:
    """The cells under each mark of a drawing, which may be named. Raises BadFile."""
    if drawing.text in board.drawn_regions:
        return board.drawn_regions[drawing.text]
    if _is_name(board, drawing):
        _refuse_name(board, drawing)
    return board.cells.regions(drawing)


def _is_name(board: Board, drawing: Drawing) -> bool:
    """Whether a text has too few lines for a drawing of the board, and must be a name."""
    return "\n" not in drawing.text and board.cells.n_lines > 1


def _refuse_name(board: Board, drawing: Drawing) -> NoReturn:
    """Refuse a text that names no regions, with the names that may be meant."""
    text, known = drawing.text.strip(), [*list(board.drawn_regions)[:20], *NAMED]
    for parts in (re.split(r"\s*,\s*", text), text.split()):
        if len(parts) > 1 and set(parts) <= {*known}:
            listed = ", ".join(f'"{part}"' for part in parts)
            drawing.refuse_whole(f"several regions are a list; write [{listed}]")
    boxes = _LIKE_BOXES.fullmatch(text)
    fix = f'write "boxes {boxes[1]}x{boxes[2]}"' if boxes else fix_for_name(in_short(text), known)
    if boxes or fix.startswith("did you mean"):
        drawing.refuse_whole(f'"{in_short(drawing.text)}" names no regions; {fix}')
    names = ", ".join(f'"{name}"' for name in known)
    drawing.refuse_whole(f'regions are {names}, "boxes 3x3", "row 0" or a drawing of all rows of the board')


def is_drawing(regions: object) -> bool:
    """Whether regions are drawn, and not named or listed."""
    return type(regions) is str and not is_name(regions)


def is_name(text: str) -> bool:
    """Whether a text names regions of every board."""
    return text in NAMED or any(name.fullmatch(text) for name in (_BOXES, _LINE))


def runs_of(board: Board, cells: Iterable[int], axis: int) -> Groups:
    """The runs of cells of a row (axis 1) or column (axis 0): two or more side by side."""
    return [part for part in stretches_of(board, cells, axis) if len(part) > 1]


def stretches_of(board: Board, cells: Iterable[int], axis: int) -> Groups:
    """The parts of a row (axis 1) or column (axis 0) between squares without a cell."""
    parts: Groups = []
    before = None
    for cell in cells:
        place = board.squares[cell][axis]
        if before is not None and place == before + 1:
            parts[-1].append(cell)
        else:
            parts.append([cell])
        before = place
    return parts


def _by(board: Board, key: Callable[[Square], object]) -> Groups:
    """The cells grouped by a key."""
    groups: dict[object, list[int]] = {}
    for cell, square in enumerate(board.squares):
        groups.setdefault(key(square), []).append(cell)
    return list(groups.values())


def _rows(board: Board) -> Groups:
    return _by(board, lambda square: square[0])


def _columns(board: Board) -> Groups:
    return [*map(list, sorted(_by(board, lambda square: square[1]), key=lambda g: board.squares[g[0]][1]))]


def _runs_across(board: Board) -> Groups:
    return [run for row in _rows(board) for run in runs_of(board, row, 1)]


def _runs_down(board: Board) -> Groups:
    return [run for column in _columns(board) for run in runs_of(board, column, 0)]


def _diagonals(board: Board) -> Groups:
    rows, columns = ([square[axis] for square in board.squares] for axis in (0, 1))
    top, left, size = min(rows), min(columns), max(rows) - min(rows)
    if max(columns) - left != size:
        return []
    falling = [cell for cell, (row, column) in enumerate(board.squares) if row - top == column - left]
    rising = [c for c, (row, column) in enumerate(board.squares) if row - top + column - left == size]
    return [group for group in (falling, rising) if group]


def _all_diagonals(board: Board) -> Groups:
    if board.cells.torus is not None:
        groups = _closed_diagonals(board, 1) + _closed_diagonals(board, -1)
    else:
        groups = _by(board, lambda square: square[0] - square[1])
        groups += _by(board, lambda square: square[0] + square[1])
    # Those of a torus of 2x2 are two, not four.
    return list({tuple(group): group for group in groups if len(group) > 1}.values())


def _closed_diagonals(board: Board, across: int) -> Groups:
    """The diagonals in one direction of a board whose opposite edges are joined."""
    groups: Groups = []
    met = set[int]()
    for start, (row, column) in enumerate(board.squares):
        if start not in met:
            steps = [board.cells.on((row + n, column + n * across)) for n in range(len(board.squares))]
            groups.append([cell for cell in dict.fromkeys(steps) if cell is not None])
            met.update(groups[-1])
    return groups


def _all_lines(board: Board) -> Groups:
    lines: dict[tuple[int, int, int], dict[int, None]] = {}
    for (a, (top, left)), (b, (row, column)) in combinations(enumerate(board.squares), 2):
        steps = gcd(row - top, column - left)
        down, across = (row - top) // steps, (column - left) // steps
        lines.setdefault((down, across, down * left - across * top), {}).update({a: None, b: None})
    return [list(line) for line in lines.values() if len(line) > 2]


NAMED: dict[str, Callable[[Board], Groups]] = {
    "rows": _rows,
    "columns": _columns,
    "runs": lambda board: _runs_across(board) + _runs_down(board),
    "runs across": _runs_across,
    "runs down": _runs_down,
    "diagonals": _diagonals,
    "all diagonals": _all_diagonals,
    LINES: _all_lines,
    "board": lambda board: [list(range(len(board.squares)))],
}
