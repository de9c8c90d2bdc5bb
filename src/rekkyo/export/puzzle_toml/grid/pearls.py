"""The pearls of Masyu, on a loop of lines from side to side.

*   black: the loop turns there, and goes straight on in both squares next to it
o   white: the loop goes straight on there, and turns in one of the squares next to it, or in both
"""

from __future__ import annotations

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.model.csp.constraints import Clause, Variable
from rekkyo.model.strokes import STROKES, End

BLACK, WHITE = "*", "o"


def add_pearls(board: Board, table: Table, key: str) -> None:
    """Add the rules of the pearls that a drawing of the board has. Raises BadFile."""
    ends_of = {value: STROKES.get(symbol, ()) for symbol, value in board.values.number_of.items()}
    lines = {value: ends for value, ends in ends_of.items() if len(ends) == 2}
    straight = [value for value, (one, other) in lines.items() if _is_opposite(one, other)]
    turning = [value for value in lines if value not in straight]
    drawing = table.drawing(key)
    for cell, mark, square in board.cells.marked(drawing):
        if mark not in (BLACK, WHITE):
            drawing.refuse(*square, f'"{mark}" is no pearl; draw "{BLACK}", "{WHITE}", or "{FREE}" for none')
        here, beside = (turning, straight) if mark == BLACK else (straight, turning)
        if not board.restrict(cell, here):
            how = "turns" if mark == BLACK else "goes straight on"
            board.add_never(table, f"no line {how} at pearl {square[0]},{square[1]}; look at the values", key)
        for value in board.domains[cell]:
            neighbours = [_neighbour(board, cell, end) for end in lines.get(value, ())]
            alternatives = [[one] for one in neighbours] if mark == BLACK else [neighbours]
            for some in alternatives:
                literals = [(other, line, True) for other in some if other is not None for line in beside]
                board.add(table, Clause(((cell, value, False), *literals)))
        board.shown.circle(cell, is_filled=mark == BLACK)


def _is_opposite(one: End, other: End) -> bool:
    return (one[0] + other[0], one[1] + other[1]) == (2, 2)


def _neighbour(board: Board, cell: Variable, end: End) -> Variable | None:
    """The cell beyond the side at which a line ends."""
    row, column = board.squares[cell]
    return board.cells.on((row + end[0] - 1, column + end[1] - 1))
