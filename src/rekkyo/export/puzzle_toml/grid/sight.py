"""`[[see]]`: each cell sees, by the moves of a chess piece, cells with a value.

value       a value, or several
moves       queen, rook, bishop, king or knight, or sides, one step to the four sides; lines end at the edge
            and where the board has no cell
itself      whether a cell sees itself; true by default
times       the number of seen cells with the value: 2, [1, 3], ...; by default one or more
from        a value, or several: only cells with these see; by default all
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import STEPS_AROUND, add_times, read_times, read_value
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.csp.constraints import Clause, Count, Literal, Variable

SEE_KEYS = ("value", "moves", "itself", "times", "from")


class Moves(NamedTuple):
    """steps: of one move. is_far: whether a move continues in its direction as long as there are cells."""

    steps: tuple[Square, ...]
    is_far: bool


_AROUND, _STRAIGHT = STEPS_AROUND["king"], STEPS_AROUND["sides"]
_DIAGONAL = tuple(step for step in _AROUND if 0 not in step)
_LEAPS = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
MOVES: Mapping[str, Moves] = {
    "queen": Moves(_AROUND, True),
    "rook": Moves(_STRAIGHT, True),
    "bishop": Moves(_DIAGONAL, True),
    "king": Moves(_AROUND, False),
    "knight": Moves(_LEAPS, False),
    "sides": Moves(_STRAIGHT, False),
}


def read_see(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(SEE_KEYS)
    values = read_value(board, table)
    if "moves" not in table:
        table.refuse_table(f'"moves" is missing; write moves = "queen", or another of {", ".join(MOVES)}')
    moves = MOVES[table.choice("moves", list(MOVES))]
    itself = table.flag("itself", True)
    seeing = board.values.read(table, "from") if "from" in table else ()
    times = read_times(table) if "times" in table else None
    for cell in range(len(board.squares)):
        seen = [*([cell] if itself else []), *_seen(board, moves, cell)]
        if times is None or seeing:
            some = _literals(board, table, seen, values, times)
            for unless in [[(cell, value, False)] for value in seeing] or [[]]:
                board.add(table, Clause((*unless, *some)))
            continue
        name = ",".join(map(str, board.squares[cell]))
        add_times(board, table, seen, values, times, f"cell {name} sees")


def _literals(
    board: Board, table: Table, cells: list[Variable], values: tuple[int, ...], times: tuple[int, int] | None
) -> tuple[Literal, ...]:
    """Literals of which one is true if so many cells have one of the values; by default one or more."""
    if times is None:
        return tuple((cell, value, True) for cell in cells for value in values)
    number = board.hidden(table, 0, len(cells))
    board.add(table, Count(tuple(cells), values, number))
    return tuple((number, n, True) for n in range(times[0], min(times[1], len(cells)) + 1))


def _seen(board: Board, moves: Moves, cell: Variable) -> Iterator[Variable]:
    """The other cells that a cell sees."""
    for down, across in moves.steps:
        row, column = board.squares[cell]
        while (row + down, column + across) in board.cells.at:
            row, column = row + down, column + across
            yield board.cells.at[row, column]
            if not moves.is_far:
                break
