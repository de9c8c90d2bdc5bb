"""`pieces` of `[[area]]`: each area of cells with one value is a piece, turned or turned over in any way.

pieces, polyforms   the pieces, as in a packing
times               how many areas each piece is, once by default, see `times.py`. Areas of all values of the
                    clause count together
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.counts import SIDES, STEPS_AROUND, TIMES, add_times
from rekkyo.export.puzzle_toml.pieces import Shapes, read_shapes
from rekkyo.export.puzzle_toml.times import ANY_TIMES, read_times
from rekkyo.model.csp.constraints import Clause, Variable
from rekkyo.model.lattices import SQUARE, Cell
from rekkyo.model.lattices.shapes import Shape, least_orientation, orientations
from rekkyo.wording import several

PIECE_KEYS = ("pieces", "polyforms")
_SIDES = STEPS_AROUND[SIDES]


def add_pieces(board: Board, table: TomlTable, values: Sequence[int]) -> None:
    """Add hidden variables: for each value and place of a piece, whether an area of the value is there."""
    shapes = read_shapes(table, SQUARE, reflections=True)
    _check(table, shapes)
    known = ", ".join(list(shapes)[:12])
    times = read_times(table, shapes, lambda name: f'there is no piece "{name}"; pieces are {known}', 0)
    areas_at: dict[tuple[Variable, int], list[Variable]] = {
        found: [] for found in product(range(len(board.squares)), values)
    }
    for name, shape in shapes.items():
        areas: list[Variable] = []
        for place, value in product(_places(board, shape), values):
            if all(value in board.domains[cell] for cell in place):
                areas.append(_area(board, table, place, value))
                for cell in place:
                    areas_at[cell, value].append(areas[-1])
        low, high = times[name]
        if low > len(areas):
            problem = f'piece "{name}" has {several(len(areas), "place")}, but {low} or more are asked for'
            table.refuse_unless_member(f"{problem}; say its {TIMES}, or draw a larger board", TIMES)
        add_times(board, table, areas, (1,), ANY_TIMES[low:] if high is None else range(low, high + 1))
    for (cell, value), areas in areas_at.items():
        board.add(table, Clause(((cell, value, False), *((area, 1, True) for area in areas))))


def _check(table: TomlTable, shapes: Shapes) -> None:
    """Refuse a piece that is not an area, and two pieces that are the same."""
    key = next(key for key in PIECE_KEYS if key in table)
    names: dict[Shape, str] = {}
    for name, shape in shapes.items():
        reached = {min(shape)}
        for _ in shape:
            reached |= {near for cell in reached for near in SQUARE.neighbours(cell) if near in shape}
        if reached != shape:
            table.refuse(key, f'piece "{name}" is in several parts, but an area is connected; draw one part')
        same = names.setdefault(least_orientation(SQUARE, shape, reflections=True), name)
        if same != name:
            fix = f'draw one of them, and give "{TIMES}"'
            table.refuse(key, f'pieces "{same}" and "{name}" are the same when turned; {fix}')


def _places(board: Board, shape: frozenset[Cell]) -> list[tuple[Variable, ...]]:
    """The sets of cells on which a piece can lie."""
    found: set[tuple[Variable, ...]] = set()
    for turned, (row, column) in product(orientations(SQUARE, shape, reflections=True), board.squares):
        first = min(turned)  # on the square; the corner of the piece may be a hole of the board
        place = {
            board.cells.on((row + down - first[0], column + across - first[1])) for down, across in turned
        }
        cells = sorted(cell for cell in place if cell is not None)
        if len(cells) == len(turned):  # on a torus, a piece may meet itself
            found.add(tuple(cells))
    return sorted(found)


def _area(board: Board, table: TomlTable, place: Sequence[Variable], value: int) -> Variable:
    """A hidden variable that is 1 only if the cells of a place have the value, and those beside do not."""
    area = board.hidden(table, range(2))
    squares = [board.squares[cell] for cell in place]
    near = [
        board.cells.on((row + down, column + across)) for row, column in squares for down, across in _SIDES
    ]
    around = {cell for cell in near if cell is not None}
    for cell in sorted(around.union(place)):
        board.add(table, Clause(((area, 0, True), (cell, value, cell in place))))
    return area
