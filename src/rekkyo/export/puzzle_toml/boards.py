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
from collections.abc import Callable, Mapping, Set
from difflib import get_close_matches
from typing import NamedTuple

from rekkyo.catalog.boards import box, diamond, grid_lines, quarters, triangles
from rekkyo.errors import BadInput
from rekkyo.model.lattices import BALLS, CUBE, EDGES, HEXAGON, QUARTERED, SQUARE, TRIANGLE, Cell, Lattice

MARK = "#"
_LONGEST = 100
_NAMED = re.compile(r"\s*([a-z]+)((?:[ \t]+-?[0-9]{1,20})+)\s*")


class Board(NamedTuple):
    """A board by its numbers, which are named as in messages."""

    numbers: str
    cells: Callable[..., Set[Cell]]


BOARDS: Mapping[Lattice, Mapping[str, Board]] = {
    SQUARE: {
        "rectangle": Board("R C", box),
        "triangle": Board("N", lambda n: {cell for cell in box(n, n) if cell[0] >= cell[1]}),
        "diamond": Board("N", diamond),
    },
    CUBE: {"box": Board("L R C", box)},
    BALLS: {
        "pyramid": Board("N", lambda n: {cell for cell in box(n, n, n) if cell[0] + max(cell[1:]) < n}),
        "tetrahedron": Board(
            "N", lambda n: {cell for cell in box(n, n, n) if cell[0] + cell[1] < n <= cell[0] + cell[2] + 1}
        ),
    },
    TRIANGLE: {
        "triangle": Board("N", lambda n: {cell for cell in triangles(n, n) if sum(cell) < 3 * n}),
        "hexagon": Board("N", lambda n: {c for c in triangles(2 * n, 2 * n) if 3 * n < sum(c) < 9 * n}),
        "diamond": Board("N", lambda n: triangles(n, n)),
        "parallelogram": Board("R C", triangles),
    },
    HEXAGON: {
        "triangle": Board("N", lambda n: {cell for cell in box(n, n) if sum(cell) < n}),
        "hexagon": Board(
            "N", lambda n: {c for c in box(2 * n - 1, 2 * n - 1) if n <= sum(c) + 1 <= 3 * n - 2}
        ),
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
