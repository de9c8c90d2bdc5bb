"""`kind = "grid"`: a value in every cell of a board, with constraints.

board       a name such as rectangle 8 8, or a drawing: "." is a cell, a value's character a cell whose value
            is given, a space or "#" no cell; lines and columns of all other drawings and names are those of
            the board
values      "1..9", a list of numbers, "A..F", or a text with a character for each value
given       the board again, with the values that are known
maximize    or minimize: only the best fillings count, see `objective.py`
CLAUSES     tables, any number of each; a module for each clause describes it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.areas import read_area
from rekkyo.export.puzzle_toml.grid.avoid import read_avoid
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.cages import read_cages
from rekkyo.export.puzzle_toml.grid.clues import read_lines
from rekkyo.export.puzzle_toml.grid.compare import read_compare
from rekkyo.export.puzzle_toml.grid.counts import read_connected, read_count
from rekkyo.export.puzzle_toml.grid.different import read_different
from rekkyo.export.puzzle_toml.grid.loops import read_loop
from rekkyo.export.puzzle_toml.grid.objective import OBJECTIVE_KEYS, read_objective
from rekkyo.export.puzzle_toml.grid.sight import read_see
from rekkyo.export.puzzle_toml.grid.values import read_values
from rekkyo.export.puzzle_toml.grid.word_lists import read_table
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Picture

CLAUSES: Mapping[str, Callable[[Board, Table], None]] = {
    "different": read_different,
    "cage": read_cages,
    "compare": read_compare,
    "lines": read_lines,
    "count": read_count,
    "avoid": read_avoid,
    "table": read_table,
    "connected": read_connected,
    "see": read_see,
    "loop": read_loop,
    "area": read_area,
}
KEYS = ("board", "values", "given", *OBJECTIVE_KEYS, *CLAUSES)


def read_grid(table: Table) -> tuple[Csp, str, str, Picture | None]:
    """The model of a table, the characters of its values, an empty title, and the picture. Raises BadFile."""
    values = read_values(table)
    board = Board(table, values)
    for key, read in CLAUSES.items():
        for clause in table.tables(key):
            read(board, clause)
    read_objective(board, table)
    with table.errors_at("board"):
        model = board.model()
    return model, values.symbols_of(model.values), "", board.shown.picture()
