"""`[[area]]`: sizes of areas of adjacent cells, as in Fillomino and Nurikabe.

value       the value of the cells of the areas, or several values; by default all values
size        the number of cells of each area of one value: 4, [1, 3], "1..3", [2, "any"], or "value" for
            that value
clues       instead of size: a drawing of the board with clues. Cells whose value is one of `value` form areas
            of adjacent cells; without `value`, cells of one value do. Each area has one clue, its number of
            cells: 1 to 9, then a to z and A to Z for 10 and more, or "?" for any number
times       with clues: how many each area has: "once" by default, "at most once", "at least once" or "any"
around      with clues: "sides": a clue is not in an area, and is the number of cells of all areas that have a
            side in common with its cell, from 0
pieces      instead of size, or polyforms: each area of one value is a piece, see `area_pieces.py`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NoReturn

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.area_pieces import PIECE_KEYS, add_pieces
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import AROUND, TIMES, neighbours, read_value
from rekkyo.export.puzzle_toml.times import read_bounds, read_numbers
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.model.csp.constraints import (
    Areas,
    Clause,
    Connected,
    GlobalCardinality,
    Literal,
    Table,
    Variable,
)
from rekkyo.model.puzzle import SYMBOLS

VALUE, SIZE, CLUES = "value", "size", "clues"
AREA_KEYS = (VALUE, SIZE, CLUES, AROUND, *PIECE_KEYS, TIMES)
UNKNOWN = "?"
_TIMES = ('"once"', '"at most once"', '"at least once"', '"any"')
OUTSIDE = 0
NUMBERS = "0" + SYMBOLS


def read_area(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(AREA_KEYS)
    if sum((SIZE in table, CLUES in table, any(key in table for key in PIECE_KEYS))) != 1:
        table.refuse_table(
            'an area has "size", "clues" or "pieces"; write one of them, such as size = "value"'
        )
    if CLUES in table or SIZE in table:
        refused = (TIMES,) if SIZE in table or AROUND in table else ()
        table.refuse_keys(refused, '"{key}" counts areas that are "pieces", or their "clues"; leave it out')
    if AROUND in table and CLUES not in table:
        table.refuse(AROUND, '"around" goes with "clues", the board again with numbers; leave it out')
    if AROUND in table:
        table.choice(AROUND, ["sides"])
        _around_clues(board, table, read_value(board, table))
        return
    if CLUES in table:
        times = _times_of_clues(table)
        if VALUE in table and times[1] == 1:
            _with_clues(board, table, read_value(board, table), at_least_one=times[0] == 1)
        else:
            _with_shared_clues(board, table, times)
        return
    values = board.values.read(table, VALUE) if VALUE in table else board.values.numbers
    if SIZE not in table:
        add_pieces(board, table, values)
        return
    cells, edges = range(len(board.squares)), neighbours(board, range(len(board.squares)))
    if table.data[SIZE] == VALUE:
        sizes = [(value, value, value) for value in values]
    else:
        numbers = read_numbers(table, SIZE)
        low, high = numbers[0], numbers[-1]
        if len(numbers) <= high - low:
            table.refuse_value(SIZE, f'"size" leaves out numbers from {low} to {high}; write one range')
        sizes = [(value, low, high) for value in values]
    board.add(table, Areas(tuple(cells), edges, tuple(sizes)), len(edges) * len(sizes))


def _times_of_clues(table: TomlTable) -> tuple[int, int]:
    low, high = read_bounds(table, TIMES) if TIMES in table else (1, 1)
    if low > 1 or 1 < high < MAX_CELLS or high == 0:
        table.refuse_value(TIMES, f"an area has its clue {', '.join(_TIMES)}; write one of these")
    return low, high


def _with_clues(board: Board, table: TomlTable, inside: Sequence[int], *, at_least_one: bool) -> None:
    """Add a hidden variable for each cell: the number of the clue of its area, from 1, or OUTSIDE.

    The cells of an area without a clue have the number after the last clue.
    """
    sizes = _clues(board, table, 1)
    cells = range(len(board.squares))
    edges = neighbours(board, cells)
    near = _neighbours(board, edges)
    without = set() if at_least_one else {len(sizes) + 1}
    numbers: list[set[int]] = [{OUTSIDE, *without} for _ in cells]
    for number, (clue, size) in enumerate(sizes.items(), 1):
        for cell in _within(near, clue, size or len(cells)):
            numbers[cell].add(number)
    for number, clue in enumerate(sizes, 1):
        numbers[clue] = {number}
    owners = tuple(board.variable(table, tuple(sorted(among))) for among in numbers)
    for cell in cells:
        values = board.domains[cell]
        rows = tuple((v, k) for v in values for k in sorted(numbers[cell]) if (v in inside) == (k != OUTSIDE))
        board.add(table, Table((cell, owners[cell]), rows), 2 * len(rows))
    for one, other in edges:
        pairs = [(a, b) for a in sorted(numbers[one]) for b in sorted(numbers[other])]
        rows = tuple((a, b) for a, b in pairs if a == b or OUTSIDE in (a, b))
        board.add(table, Table((owners[one], owners[other]), rows), 2 * len(rows))
    for number, size in enumerate(sizes.values(), 1):
        if size is None:
            board.add(table, Connected(owners, edges, (number,)), len(edges))
        else:
            board.add(table, Areas(owners, edges, ((number, size, size),)), len(edges))
            board.add(table, GlobalCardinality(owners, ((number, size, size),)))


def _with_shared_clues(board: Board, table: TomlTable, times: tuple[int, int]) -> None:
    """Add the area of each clue. times: the least and the greatest number of clues of an area."""
    is_given = VALUE in table
    values = read_value(board, table) if is_given else board.values.numbers
    near = _neighbours(board, neighbours(board, range(len(board.squares))))
    sizes = _clues(board, table, 1)
    areas_of: list[list[Literal]] = [[] for _ in board.squares]
    for clue, size in sizes.items():
        if not board.restrict(clue, values):
            _refuse_clue(board, table, clue, "is in an area")
        if size is None and times == (0, MAX_CELLS):
            continue
        own = [value for value in values if value in board.domains[clue]]
        sorts = [((), values)] if is_given else [(((clue, value, False),), (value,)) for value in own]
        area = _reached(board, table, near, clue, size, sorts)
        for other in sizes if times[1] == 1 else ():
            if other != clue and other in area:
                board.add(table, Clause(((area[other], 1, False),)))
        for cell, is_there in area.items():
            areas_of[cell].append((is_there, 1, True))
    for cell, areas in enumerate(areas_of) if times[0] == 1 else ():
        for value in values if is_given else [None]:
            unless = [] if value is None else [(cell, value, False)]
            board.add(table, Clause((*unless, *areas)))


def _around_clues(board: Board, table: TomlTable, inside: Sequence[int]) -> None:
    """Add for each clue the areas beside it, as an area of the cells in them and of its own cell."""
    near = _neighbours(board, neighbours(board, range(len(board.squares))))
    outside = [value for value in board.values.numbers if value not in inside]
    for clue, size in _clues(board, table, 0).items():
        if not board.restrict(clue, outside):
            _refuse_clue(board, table, clue, "is not in an area")
        if size is not None:
            _reached(board, table, near, clue, size + 1, [((), inside)])


def _refuse_clue(board: Board, table: TomlTable, clue: Variable, why: str) -> NoReturn:
    name = ",".join(map(str, board.squares[clue]))
    table.refuse_value(CLUES, f"cell {name} has a clue, so it {why}; give it another value")


def _reached(
    board: Board,
    table: TomlTable,
    near: Sequence[Sequence[Variable]],
    start: Variable,
    size: int | None,
    sorts: Sequence[tuple[tuple[Literal, ...], Sequence[int]]],
) -> dict[Variable, Variable]:
    """Hidden variables: 1 for the cells that are reached from a cell over cells with some values, and for it.

    They are `size` cells, or any number. sorts: the values, each with literals of which one is true if they
    do not count. The cells that are too far away have no variable.
    """
    cells = sorted(_within(near, start, size or len(near)))
    reached = {cell: board.variable(table, (1,) if cell == start else (0, 1)) for cell in cells}
    for unless, values in sorts:
        for cell in cells:
            no_cell = (*unless, (reached[cell], 1, False))
            if cell != start:
                board.add(table, Clause((*no_cell, *((cell, value, True) for value in values))))
            for other, value in product(near[cell], values):
                then = [(reached[other], 1, True)] if other in reached else []
                board.add(table, Clause((*no_cell, (other, value, False), *then)))
    place_of = {cell: place for place, cell in enumerate(cells)}
    pairs = [(place_of[a], place_of[b]) for a in cells for b in near[a] if a < b and b in place_of]
    board.add(table, Connected(tuple(reached.values()), tuple(pairs), (1,)), len(pairs))
    if size is not None:
        board.add(table, GlobalCardinality(tuple(reached.values()), ((1, size, size),)))
    return reached


def _neighbours(board: Board, edges: Iterable[tuple[Variable, Variable]]) -> list[list[Variable]]:
    """The cells beside each cell. edges: pairs of such cells."""
    near: list[list[Variable]] = [[] for _ in board.squares]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return near


def _clues(board: Board, table: TomlTable, least: int) -> dict[Variable, int | None]:
    """The number of each cell with a clue, from `least` on; None if it is not known."""
    drawing = table.drawing(CLUES)
    sizes: dict[Variable, int | None] = {}
    for cell, mark, square in board.cells.marked(drawing):
        if mark != UNKNOWN and mark not in NUMBERS[least:]:
            known = f'write {least} to 9, a for 10, "{UNKNOWN}", or "{FREE}"'
            drawing.refuse(*square, f'"{mark}" is not a clue; {known}')
        sizes[cell] = None if mark == UNKNOWN else NUMBERS.index(mark)
        if (sizes[cell] or 0) > len(board.squares):
            drawing.refuse(*square, f"{sizes[cell]} cells, but the board has only {len(board.squares)}")
        board.shown.label(cell, mark if sizes[cell] is None else str(sizes[cell]))
    return sizes


def _within(near: Sequence[Sequence[Variable]], start: Variable, size: int) -> set[Variable]:
    """The cells that can be in an area of `size` cells that contains `start`."""
    found = newest = {start}
    for _ in range(size - 1):
        newest = {other for cell in newest for other in near[cell]} - found
        if not newest:
            break
        found = found | newest
    return found
