"""`[[count]]`: the number of cells with a value in each group. `[[connected]]`: cells with a value are
connected.

value               a value, or several: a cell with any of them counts; without it, the cells of each value
                    are connected, or are so many (`times`)
times               the number of cells, see `read_numbers` in `times.py`
as                  instead of times: as many cells as have this value, or these
clues               instead of times: the board again; a digit, in a cell or on a square without one, is the
                    number of cells around it; "." is no clue, and so is "#" where the board has no cell
runs                instead of times: the clues of Tapa, see `runs_around.py`
around              with clues: "king", the eight neighbours; or "sides", the four at the sides. Cells
                    are connected with these, by default with those at their sides
regions or cells    groups of cells, see `regions.py`; the whole board if left out. A count takes a `pattern`
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple

from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.export.puzzle_toml.grid.board import FREE, NO_CELL, Board
from rekkyo.export.puzzle_toml.grid.regions import GROUP_KEYS, REGION_KEYS, read_groups
from rekkyo.export.puzzle_toml.grid.runs_around import RUNS, read_runs
from rekkyo.export.puzzle_toml.marks import Square, squares
from rekkyo.export.puzzle_toml.times import Times, read_numbers, up_to
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.model.csp.constraints import Connected, Count, GlobalCardinality
from rekkyo.wording import several

TIMES, AS, CLUES, AROUND = "times", "as", "clues", "around"
COUNT_KEYS = ("value", TIMES, AS, CLUES, AROUND, RUNS, *GROUP_KEYS)
CONNECTED_KEYS = ("value", AROUND, *REGION_KEYS)
SIDES = "sides"
STEPS_AROUND: Mapping[str, tuple[Square, ...]] = {
    "king": tuple((a, b) for a, b in product((-1, 0, 1), repeat=2) if (a, b) != (0, 0)),
    SIDES: ((-1, 0), (0, -1), (0, 1), (1, 0)),
}
"""The steps from a cell or a clue to those around it, by the name of the neighbourhood."""


class Counted(NamedTuple):
    """How a message names what is counted: all of them, one of them, and the key of their number."""

    these: str
    one: str = "cell"
    key: str = TIMES


OF_REGION = Counted("a region has")


def read_count(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(COUNT_KEYS)
    _check_fit(table)
    if CLUES in table:
        _read_clues(board, table, read_value(board, table))
        return
    if RUNS in table:
        read_runs(board, table, read_value(board, table))
        return
    if AS in table:
        _add_as_many(board, table, read_value(board, table))
        return
    value_or_each = _value_or_each(board, table)
    times = read_numbers(table, TIMES)
    for group in read_groups(board, table, "board"):
        for values in value_or_each:
            add_times(board, table, group, values, times)


def _check_fit(table: Table) -> None:
    """Refuse keys that have no meaning together."""
    given = [key for key in (TIMES, AS, CLUES, RUNS) if key in table]
    if len(given) > 1:
        table.refuse(given[1], f'"{given[0]}" and "{given[1]}" both say how many; leave one out')
    if AROUND in table and CLUES not in table:
        table.refuse(AROUND, '"around" goes with "clues", the board again with numbers; leave it out')
    if CLUES in table or RUNS in table:
        problem = f'"{given[0]}" tell of the cells around them, not of those of "{{key}}"; leave one out'
        table.refuse_keys(GROUP_KEYS, problem)


def _read_clues(board: Board, table: Table, values: tuple[int, ...]) -> None:
    """Add a constraint for each clue: so many cells around it have one of the values."""
    if AROUND not in table:
        table.refuse_table('"around" is missing; write around = "king" for all eight, or "sides" for four')
    steps = STEPS_AROUND[table.choice(AROUND, list(STEPS_AROUND))]
    drawing = table.drawing(CLUES)
    board.cells.check_size(drawing, list(map(len, drawing.lines())))
    for square, mark in squares(drawing, MAX_CELLS).items():
        if mark == NO_CELL and square not in board.cells.at:
            continue
        if square[1] >= board.extent[1]:
            drawing.refuse(*square, f'"{mark}" is not on the board; write "." where it has no cell')
        near = [(square[0] + down, square[1] + across) for down, across in steps]
        around = dict.fromkeys(cell for cell in map(board.cells.on, near) if cell is not None)
        cells = [cell for cell in around if cell != board.cells.at.get(square)]
        number = _number_of_clue(drawing, square, mark, len(cells))
        add_times(board, table, cells, values, (number,))
        board.shown.number_at(square, mark)


def _number_of_clue(drawing: Drawing, square: Square, mark: str, n_cells: int) -> int:
    if mark not in "012345678":
        drawing.refuse(*square, f'"{mark}" is not a clue; write 0 to 8, or "{FREE}" for none')
    if int(mark) > n_cells:
        problem = f"{mark} cells around a square that has only {n_cells}"
        drawing.refuse(*square, f"{problem}; write at most {n_cells}")
    return int(mark)


def read_connected(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(CONNECTED_KEYS)
    value_or_each = _value_or_each(board, table)
    around = table.choice(AROUND, list(STEPS_AROUND)) if AROUND in table else SIDES
    for group in read_groups(board, table, "board"):
        edges = neighbours(board, group, around)
        for values in value_or_each:
            board.add(table, Connected(tuple(group), edges, values), len(edges))


def neighbours(board: Board, cells: Collection[int], around: str = SIDES) -> tuple[tuple[int, int], ...]:
    """The pairs of indices of some cells that are beside each other, in the neighbourhood of this name."""
    steps = [step for step in STEPS_AROUND[around] if step > (0, 0)]
    place_of: dict[int | None, int] = {cell: place for place, cell in enumerate(cells)}
    found: dict[frozenset[int], tuple[int, int]] = {}
    for cell in cells:
        row, column = board.squares[cell]
        for near in map(board.cells.on, [(row + down, column + across) for down, across in steps]):
            if near in place_of and near != cell:  # on a torus, two cells may be beside each other twice
                pair = place_of[cell], place_of[near]
                found.setdefault(frozenset(pair), pair)
    return tuple(found.values())


def add_times(
    board: Board,
    table: Table,
    cells: list[int],
    values: tuple[int, ...],
    times: Times,
    words: Counted = OF_REGION,
) -> None:
    """Add a constraint: so many of the cells have one of the values."""
    numbers = up_to(len(cells), times)
    if not numbers:
        problem = f"{several(times[0], words.one)} or more, but {words.these} only {len(cells)}"
        board.add_never(table, problem, words.key)
    elif cells and len(values) == 1 and len(numbers) == numbers[-1] - numbers[0] + 1:
        board.add(table, GlobalCardinality(tuple(cells), ((values[0], numbers[0], numbers[-1]),)))
    elif cells:
        board.add(table, Count(tuple(cells), values, board.hidden(table, numbers)))


def _add_as_many(board: Board, table: Table, values: tuple[int, ...]) -> None:
    """Add a constraint: in each group as many cells have one of the values as have one of the others."""
    others = board.values.read(table, "as")
    for group in read_groups(board, table, "board"):
        times = board.hidden(table, range(len(group) + 1))
        board.add(table, Count(tuple(group), values, times))
        board.add(table, Count(tuple(group), others, times))


def _value_or_each(board: Board, table: Table) -> list[tuple[int, ...]]:
    """The value or values of a clause; without them, each value alone. Raises BadFile."""
    if "value" in table:
        return [read_value(board, table)]
    return [(value,) for value in board.values.numbers]


def read_value(board: Board, table: Table) -> tuple[int, ...]:
    """The value or values of a clause. Raises BadFile."""
    if "value" not in table:
        table.refuse_table(f'"value" is missing; name one or more of {board.values.written()}')
    return board.values.read(table, "value")
