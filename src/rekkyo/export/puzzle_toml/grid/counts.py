"""`[[count]]`: the number of cells with a value in each group. `[[connected]]`: cells with a value are
connected.

value               a value, or several: a cell with any of them counts
times               the number of cells: 2, [1, 3], "any" or [1, "any"]
as                  instead of times: as many cells as have this value, or these
regions or cells    groups of cells, see `regions.py`; the whole board if left out
"""

from __future__ import annotations

from collections.abc import Iterable

from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.regions import REGION_KEYS, read_groups
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.model.csp.constraints import Clause, Connected, Count, GlobalCardinality

COUNT_KEYS = ("value", "times", "as", *REGION_KEYS)
CONNECTED_KEYS = ("value", *REGION_KEYS)
ANY = "any"


def read_count(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(COUNT_KEYS)
    values = read_value(board, table)
    if "as" in table:
        _add_as_many(board, table, values)
        return
    low, high = read_times(table)
    for group in read_groups(board, table, "board"):
        if low > len(group):
            problem = f"{low} cells or more, but a region has only {len(group)}"
            table.refuse_without_solution(problem, "times")
            board.add(table, Clause(()))
            continue
        add_times(board, table, group, values, (low, min(high, len(group))))


def read_connected(board: Board, table: Table) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(CONNECTED_KEYS)
    values = read_value(board, table)
    for group in read_groups(board, table, "board"):
        edges = side_by_side(board, group)
        board.add(table, Connected(tuple(group), edges, values), len(edges))


def side_by_side(board: Board, cells: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The pairs of indices of some cells that share a side."""
    place_of = {board.squares[cell]: place for place, cell in enumerate(cells)}
    return tuple(
        (place, place_of[near])
        for (row, column), place in place_of.items()
        for near in ((row, column + 1), (row + 1, column))
        if near in place_of
    )


def add_times(
    board: Board, table: Table, cells: list[int], values: tuple[int, ...], times: tuple[int, int]
) -> None:
    """Add a constraint: from low to high of the cells have one of the values."""
    if not cells:
        return
    if len(values) == 1:
        board.add(table, GlobalCardinality(tuple(cells), ((values[0], *times),)))
    else:
        board.add(table, Count(tuple(cells), values, board.hidden(table, *times)))


def _add_as_many(board: Board, table: Table, values: tuple[int, ...]) -> None:
    """Add a constraint: in each group as many cells have one of the values as have one of the others."""
    if "times" in table:
        table.refuse("as", '"times" and "as" both say how many; leave one out')
    others = board.values.read(table, "as")
    for group in read_groups(board, table, "board"):
        times = board.hidden(table, 0, len(group))
        board.add(table, Count(tuple(group), values, times))
        board.add(table, Count(tuple(group), others, times))


def read_value(board: Board, table: Table) -> tuple[int, ...]:
    """The value or values of a clause. Raises BadFile."""
    if "value" not in table:
        table.refuse_table(f'"value" is missing; name one or more of {board.values.written()}')
    return board.values.read(table, "value")


def read_times(table: Table, key: str = "times") -> tuple[int, int]:
    """The bounds of a number of times. Raises BadFile."""
    if key not in table:
        table.refuse_table(f'"{key}" is missing; write 2, [1, 3], or [1, "any"]')
    found = table.data[key]
    if found == ANY:
        return 0, MAX_CELLS
    ends = list(found) if type(found) is list else [found, found]
    if len(ends) == 2 and ends[1] == ANY:
        ends[1] = MAX_CELLS
    if len(ends) != 2 or any(type(end) is not int or not 0 <= end <= MAX_CELLS for end in ends):
        table.refuse_value(key, f'"{key}" is 2, [1, 3], [1, "any"] or "any", with numbers to {MAX_CELLS}')
    if ends[0] > ends[1]:
        table.refuse_value(key, f"{ends[0]} to {ends[1]} is never; write the lesser first")
    return ends[0], ends[1]
