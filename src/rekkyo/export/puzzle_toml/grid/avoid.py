"""`[[avoid]]`: a pattern of values that appears nowhere.

The character of a value means that value; cells marked `=` all have the same value.
"""

from __future__ import annotations

from rekkyo.export.puzzle_toml.cells import PATTERN_KEYS
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.equations import EQUATION
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.patterns import SAME
from rekkyo.model.csp.constraints import AllDifferent, Clause


def read_avoid(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(PATTERN_KEYS)
    seen = set()
    for place in board.patterns(table, board.values.symbols or SAME):
        used = tuple(sorted(place))
        if used not in seen:
            seen.add(used)
            _forbid(board, table, used)


def _forbid(board: Board, table: Table, used: tuple[tuple[int, str], ...]) -> None:
    same = [cell for cell, mark in used if mark == SAME]
    fixed = [(cell, board.values.number_of[mark], False) for cell, mark in used if mark != SAME]
    if len(same) == 1 and EQUATION in table:
        instead = "take a pattern for each value, and give this cell another one"
        table.refuse(EQUATION, f"cell {same[0] + 1} alone solves it, and always has one value; {instead}")
    if len(same) == 1:
        table.refuse("pattern", 'one cell alone always has one value; mark two or more with "="')
    if len(same) == 2 and not fixed:
        board.add(table, AllDifferent(tuple(same)))
        return
    for number in board.values.numbers if same else (0,):
        literals = (*fixed, *((cell, number, False) for cell in same))
        board.add(table, Clause(tuple(literals)))
