"""`maximize` and `minimize`: only the best fillings count.

count K         the number of cells with the value K; count KQ: with one of the values K and Q; count 12:
                with the value 12 if it is one of the values, and otherwise with one of the values 1 and 2
sum             the sum of all cells; sum 0,0 0,1: of these cells
0,5             the value of one cell
"""

from __future__ import annotations

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table, Word
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.model.csp.constraints import Count, Variable
from rekkyo.model.csp.csp import Objective

MAXIMIZE, MINIMIZE = OBJECTIVE_KEYS = ("maximize", "minimize")


def read_objective(board: Board, table: Table) -> None:
    """Give the board the objective of a file, if it has one. Raises BadFile."""
    keys = [key for key in OBJECTIVE_KEYS if key in table]
    if len(keys) == 2:
        table.refuse(MINIMIZE, 'a file has "maximize" or "minimize", not both; leave one out')
    for key in keys:
        board.objective = Objective(_variable(board, table, key), maximize=key == MAXIMIZE)
        board.objective_in_words = " ".join(table.text(key).split())


def _variable(board: Board, table: Table, key: str) -> Variable:
    """The variable of the objective in the text."""
    drawing = table.drawing(key)
    words = [word for line in drawing.words() for word in line]
    what = words[0].text if words else ""
    if what == "count" and len(words) == 2:
        return _count(board, table, key, words[1])
    if what == "sum":
        cells = [board.cells.number(word, word.text) for word in words[1:]]
        if len(set(cells)) < len(cells):
            drawing.refuse_whole("the sum names a cell twice; name it once")
        return board.total(table, key, cells or list(range(len(board.squares))))
    if len(words) != 1 or what not in board.cells.by_any_name:
        value = next(iter(board.values.symbols), board.values.numbers[0])
        known = f'write "count {value}", "sum", "sum 0,0 0,1" or a cell, such as "0,0"'
        table.refuse_value(key, f'"{in_short(drawing.text)}" is not known; {known}')
    return board.cells.by_any_name[what]


def _count(board: Board, table: Table, key: str, word: Word) -> Variable:
    values = board.values.of_words(table, key, word.text)
    cells = tuple(range(len(board.squares)))
    times = board.hidden(table, range(len(cells) + 1))
    board.add(table, Count(cells, values, times))
    return times
