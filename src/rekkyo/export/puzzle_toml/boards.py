"""Boards with a name instead of a drawing: `rectangle 6 10`, `triangle 5`, and so on.

    lattice     boards
    square      rectangle R C; triangle N, a staircase; diamond N, the Aztec diamond of order N
    cube        box L R C
    balls       pyramid N, on a square; tetrahedron N, on an edge
    triangle    triangle N; hexagon N; diamond N; parallelogram R C
    hexagon     triangle N; hexagon N; diamond N; parallelogram R C
    quartered   rectangle R C
    edges       rectangle R C, of R by C squares

Numbers are lengths of sides. All cells have the mark `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from rekkyo.catalog.boards import box, grid_lines, quarters, triangles
from rekkyo.errors import BadInput
from rekkyo.model.lattices import BALLS, CUBE, EDGES, HEXAGON, QUARTERED, SQUARE, TRIANGLE, Cell, Lattice

MARK = "#"
_LONGEST = 100
_NAMED = re.compile(r"\s*([a-z]+)((?:[ \t]+-?[0-9]{1,20})+)\s*")


class Board(NamedTuple):
    """A board by its numbers, which are named as in messages."""

    numbers: str
    cells: Callable[..., frozenset[Cell]]


def _staircase(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in box(n, n) if cell[0] >= cell[1])


def _aztec_diamond(n: int) -> frozenset[Cell]:
    odd = range(1 - 2 * n, 2 * n, 2)  # of twice the distance of a cell from the middle
    sides = {cell: (odd[cell[0]], odd[cell[1]]) for cell in box(2 * n, 2 * n)}
    return frozenset(cell for cell, (down, across) in sides.items() if abs(down) + abs(across) <= 2 * n)


def _large_triangle(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in triangles(n, n) if sum(cell) < 3 * n)


def _large_hexagon(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in triangles(2 * n, 2 * n) if 3 * n < sum(cell) < 9 * n)


def _triangle_of_hexagons(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in box(n, n) if sum(cell) < n)


def _hexagon_of_hexagons(n: int) -> frozenset[Cell]:
    side = 2 * n - 1
    return frozenset(cell for cell in box(side, side) if n - 1 <= sum(cell) <= 3 * (n - 1))


def _pyramid(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in box(n, n, n) if cell[0] + max(cell[1:]) < n)


def _tetrahedron(n: int) -> frozenset[Cell]:
    return frozenset(cell for cell in box(n, n, n) if cell[0] + cell[1] < n <= cell[0] + cell[2] + 1)


BOARDS: Mapping[Lattice, Mapping[str, Board]] = {
    SQUARE: {
        "rectangle": Board("R C", box),
        "triangle": Board("N", _staircase),
        "diamond": Board("N", _aztec_diamond),
    },
    CUBE: {"box": Board("L R C", box)},
    BALLS: {"pyramid": Board("N", _pyramid), "tetrahedron": Board("N", _tetrahedron)},
    TRIANGLE: {
        "triangle": Board("N", _large_triangle),
        "hexagon": Board("N", _large_hexagon),
        "diamond": Board("N", lambda n: triangles(n, n)),
        "parallelogram": Board("R C", triangles),
    },
    HEXAGON: {
        "triangle": Board("N", _triangle_of_hexagons),
        "hexagon": Board("N", _hexagon_of_hexagons),
        "diamond": Board("N", lambda n: box(n, n)),
        "parallelogram": Board("R C", box),
    },
    QUARTERED: {"rectangle": Board("R C", quarters)},
    EDGES: {"rectangle": Board("R C", grid_lines)},
}
_NAMES = sorted({name for boards in BOARDS.values() for name in boards})


def named_board(text: str, lattice: Lattice) -> tuple[Cell, ...] | None:
    """The cells of the board that a text names, in order; None for a drawing. Raises BadInput."""
    found = _NAMED.fullmatch(text) if len(text) <= _LONGEST else None
    near = get_close_matches(found[1], _NAMES, n=1, cutoff=0.8) if found else []
    if found is None or not near:
        return None
    known = BOARDS[lattice]
    name, numbers = found[1], [int(number) for number in found[2].split()]
    if name not in known or len(numbers) != len(known[name].numbers.split()):
        listed = ", ".join(f"{name} {board.numbers}" for name, board in known.items())
        raise BadInput(f'"{text.strip()}" names no board of the {lattice.name} lattice; it has {listed}')
    if min(numbers) < 1:
        raise BadInput(f'"{text.strip()}" has a side below 1; sides are whole numbers from 1')
    return tuple(sorted(known[name].cells(*numbers)))
