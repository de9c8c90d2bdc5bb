"""Boards that catalog entries share, and how a packing becomes a puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from rekkyo.catalog.packing_symmetry import essential, exchange_symmetry, motions
from rekkyo.errors import BadModel
from rekkyo.model.lattices import Cell
from rekkyo.model.packing import Packing, Piece, check_number_of_cells
from rekkyo.model.puzzle import Published, Puzzle

MAX_SIDE = 1000
"""The greatest side that parameters of catalog entries accept; `box` only limits the number of cells."""


def packing_puzzle(name: str, title: str, model: Packing, published: Published | None = None) -> Puzzle:
    """The puzzle of a packing, with all its symmetries. Raises BadModel."""
    moves = motions(model)
    return Puzzle(
        name,
        model,
        title,
        essential(moves, model.row_shape.n_atoms),
        published=published,
        further=exchange_symmetry(model),
        motions=moves,
    )


def box(*sides: int) -> frozenset[Cell]:
    """The cells of a box: coordinates from 0 to the side - 1. Raises BadModel before it allocates memory."""
    for side in sides:
        if type(side) is not int or side < 1:
            raise BadModel(f"packing: a side of the board is a whole number from 1, not {side!r}")
    check_number_of_cells(prod(sides))
    return frozenset(product(*(range(side) for side in sides)))


def triangles(rows: int, columns: int) -> frozenset[Cell]:
    """The triangles of a parallelogram with these sides. Raises BadModel."""
    return frozenset((3 * row + k, 3 * column + k) for row, column in box(rows, columns) for k in (1, 2))


def quarters(rows: int, columns: int) -> frozenset[Cell]:
    """The quartered squares of a rectangle. Raises BadModel."""
    return frozenset(
        (4 * row + down, 4 * column + across)
        for row, column in box(rows, columns)
        for down, across in ((1, 2), (2, 1), (2, 3), (3, 2))
    )


def grid_lines(rows: int, columns: int) -> frozenset[Cell]:
    """The unit edges of a grid of rows x columns squares. Raises BadModel."""
    box(rows, columns)  # only for its errors
    return frozenset(
        (down, across)
        for down in range(2 * rows + 1)
        for across in range(2 * columns + 1)
        if (down + across) % 2 == 1
    )


def diamond(n: int) -> frozenset[Cell]:
    """The Aztec diamond of an order: rows of 2, 4, …, 2n, 2n, …, 4, 2 cells. Raises BadModel."""
    odd = range(1 - 2 * n, 2 * n, 2)  # of twice the distance of a cell from the middle
    return frozenset(cell for cell in box(2 * n, 2 * n) if sum(abs(odd[part]) for part in cell) <= 2 * n)


def without(board: frozenset[Cell], holes: Iterable[Cell]) -> frozenset[Cell]:
    """The board without some of its cells. Raises BadModel for a hole off the board."""
    missing = frozenset(holes)
    for hole in sorted(missing - board):
        raise BadModel(f"packing: hole {','.join(map(str, hole))} is not on the board")
    return board - missing


def centre(*sides: int) -> list[Cell]:
    """The cells in the middle of a box: two along each even side, else one."""
    return list(product(*(range((side - 1) // 2, side // 2 + 1) for side in sides)))


def pieces_once(named: Iterable[tuple[str, Sequence[Cell]]]) -> tuple[Piece, ...]:
    """Named shapes as pieces, each used exactly once."""
    return tuple(Piece(name, frozenset(cells)) for name, cells in named)
