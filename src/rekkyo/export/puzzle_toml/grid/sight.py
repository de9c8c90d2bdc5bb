"""`[[see]]`: each cell sees, by the moves of a chess piece, cells with a value.

value               a value, or several
plus                instead of value: a cell with the value v sees v + plus, if that is a value
moves               queen, rook, bishop, king or knight, or sides, one step to the four sides; lines end at
                    the edge and where the board has no cell
itself              whether a cell sees itself; true by default
times               the number of seen cells with the value: 2, [1, 3], "odd", ...; by default one or more
from                a value, or several: only cells with these see; by default all
regions or cells    only these cells see, see `regions.py`; by default all
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import NamedTuple

from rekkyo.export.puzzle_toml.document import LARGEST, Table
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import STEPS_AROUND, Times, add_times, read_times, read_value
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, read_groups
from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.csp.constraints import Clause, Count, Literal, Variable

PLUS = "plus"
SEE_KEYS = ("value", PLUS, "moves", "itself", "times", "from", *REGION_KEYS)


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
    seen_from = _seen_from(board, table)
    if "moves" not in table:
        table.refuse_table(f'"moves" is missing; write moves = "queen", or another of {", ".join(MOVES)}')
    moves = MOVES[table.choice("moves", list(MOVES))]
    itself = table.flag("itself", True)
    times = read_times(table) if "times" in table else None
    for cell in sorted(set(chain.from_iterable(read_groups(board, table, "board")))):
        seen = [*([cell] if itself else []), *_seen(board, moves, cell)]
        if times is not None and None in seen_from:
            name = ",".join(map(str, board.squares[cell]))
            add_times(board, table, seen, seen_from[None], times, f"cell {name} sees")
            continue
        different = dict.fromkeys(seen_from.values())
        some = {values: _literals(board, table, seen, values, times) for values in different}
        for value, values in seen_from.items():
            unless = [] if value is None else [(cell, value, False)]
            board.add(table, Clause((*unless, *some[values])))


def _seen_from(board: Board, table: Table) -> dict[int | None, tuple[int, ...]]:
    """The values that a cell sees, by the value of that cell; None: whatever its value."""
    seeing = board.values.read(table, "from") if "from" in table else None
    if PLUS not in table:
        return dict.fromkeys(seeing or [None], read_value(board, table))
    if "value" in table:
        table.refuse(PLUS, '"value" and "plus" both say which values are seen; leave one out')
    plus = table.whole(PLUS, -LARGEST, LARGEST)
    numbers = board.values.numbers
    found: dict[int | None, tuple[int, ...]] = {}
    for value in seeing or numbers:
        if value + plus in numbers:
            found[value] = (value + plus,)
    if not found:
        problem = f"no value is another one plus {plus}; the values are {board.values.written()}"
        table.refuse_unless_member(problem, PLUS)
    return found


def _literals(
    board: Board, table: Table, cells: list[Variable], values: tuple[int, ...], times: Times | None
) -> tuple[Literal, ...]:
    """Literals of which one is true if so many cells have one of the values; by default one or more."""
    if times is None:
        return tuple((cell, value, True) for cell in cells for value in values)
    number = board.hidden(table, range(len(cells) + 1))
    board.add(table, Count(tuple(cells), values, number))
    return tuple((number, n, True) for n in times.numbers(len(cells)))


def _seen(board: Board, moves: Moves, cell: Variable) -> Iterator[Variable]:
    """The other cells that a cell sees."""
    for down, across in moves.steps:
        row, column = board.squares[cell]
        while (row + down, column + across) in board.cells.at:
            row, column = row + down, column + across
            yield board.cells.at[row, column]
            if not moves.is_far:
                break
