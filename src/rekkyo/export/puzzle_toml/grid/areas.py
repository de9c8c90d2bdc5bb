"""`[[area]]`: sizes of areas of adjacent cells, as in Fillomino and Nurikabe.

value       the value of the cells of the areas, or several values; by default all values
size        the number of cells of each area of one value: 4, [1, 3], [2, "any"], or "value" for that value
clues       instead of size: a drawing of the board with clues. Cells whose value is one of `value` form areas
            of adjacent cells. Each area has one clue, its number of cells: 1 to 9, then a to z and A to Z for
            10 and more, or "?" for any number
around      with clues: "sides": a clue is not in an area, and is the number of cells of all areas that have a
            side in common with its cell, from 0
pieces      instead of size, or polyforms: each area of one value is a piece, see `area_pieces.py`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.area_pieces import PIECE_KEYS, add_pieces
from rekkyo.export.puzzle_toml.grid.board import FREE, Board
from rekkyo.export.puzzle_toml.grid.counts import AROUND, TIMES, read_value, side_by_side
from rekkyo.export.puzzle_toml.times import read_bounds
from rekkyo.model.csp.constraints import Areas, Clause, Connected, GlobalCardinality, Table, Variable
from rekkyo.model.puzzle import SYMBOLS

VALUE, SIZE, CLUES = "value", "size", "clues"
AREA_KEYS = (VALUE, SIZE, CLUES, AROUND, *PIECE_KEYS, TIMES)
UNKNOWN = "?"
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
        table.refuse_keys((TIMES,), '"{key}" counts the areas that are "pieces"; leave it out')
    if AROUND in table and CLUES not in table:
        table.refuse(AROUND, '"around" goes with "clues", the board again with numbers; leave it out')
    if AROUND in table:
        table.choice(AROUND, ["sides"])
        _around_clues(board, table, read_value(board, table))
        return
    if CLUES in table:
        _with_clues(board, table, read_value(board, table))
        return
    values = board.values.read(table, VALUE) if VALUE in table else board.values.numbers
    if SIZE not in table:
        add_pieces(board, table, values)
        return
    cells, edges = range(len(board.squares)), side_by_side(board, range(len(board.squares)))
    if table.data[SIZE] == VALUE:
        sizes = [(value, value, value) for value in values]
    else:
        low, high = read_bounds(table, SIZE)
        sizes = [(value, low, high) for value in values]
    board.add(table, Areas(tuple(cells), edges, tuple(sizes)), len(edges) * len(sizes))


def _with_clues(board: Board, table: TomlTable, inside: Sequence[int]) -> None:
    """Add a hidden variable for each cell: the number of the clue of its area, from 1, or OUTSIDE."""
    sizes = _clues(board, table, 1)
    cells = range(len(board.squares))
    edges = side_by_side(board, cells)
    near = _neighbours(board, edges)
    numbers: list[set[int]] = [{OUTSIDE} for _ in cells]
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


def _around_clues(board: Board, table: TomlTable, inside: Sequence[int]) -> None:
    """Add for each clue hidden variables: 1 for the cells of areas beside it, and for the clue itself."""
    near = _neighbours(board, side_by_side(board, range(len(board.squares))))
    outside = [value for value in board.values.numbers if value not in inside]
    for clue, size in _clues(board, table, 0).items():
        if not board.restrict(clue, outside):
            name = ",".join(map(str, board.squares[clue]))
            table.refuse_value(
                CLUES, f"cell {name} has a clue, so it is not in an area; give it another value"
            )
        if size is None:
            continue
        cells = sorted(_within(near, clue, size + 1))
        place_of = {cell: place for place, cell in enumerate(cells)}
        beside = tuple(board.variable(table, (1,) if cell == clue else (0, 1)) for cell in cells)
        pairs = [(cell, other) for cell in cells for other in near[cell]]
        for cell, is_beside in zip(cells, beside, strict=True):
            if cell != clue:
                is_inside = [(cell, value, True) for value in inside]
                board.add(table, Clause(((is_beside, 1, False), *is_inside)))
        for cell, other in pairs:
            for value in inside:
                reached = [(beside[place_of[other]], 1, True)] if other in place_of else []
                board.add(
                    table, Clause(((beside[place_of[cell]], 1, False), (other, value, False), *reached))
                )
        edges = tuple((place_of[a], place_of[b]) for a, b in pairs if a < b and b in place_of)
        board.add(table, Connected(beside, edges, (1,)), len(edges))
        board.add(table, GlobalCardinality(beside, ((1, size + 1, size + 1),)))


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
