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
from collections.abc import Callable, Collection, Mapping, Set
from difflib import get_close_matches
from textwrap import dedent
from typing import NamedTuple

from rekkyo.catalog.boards import box, diamond, grid_lines, quarters, triangles
from rekkyo.errors import BadInput
from rekkyo.model.lattices import BALLS, CUBE, EDGES, HEXAGON, QUARTERED, SQUARE, TRIANGLE, Cell, Lattice

MARK = "#"
LEAST_SPACED = 3
"""The cells of the longest line from which on a board is refused that has a space after each cell."""

_LONGEST = 100
_NAMED = re.compile(r"\s*([a-z]+)((?:[ \t]+-?[0-9]+)+)\s*")
_WORD = re.compile(r"[^\W\d_]*")
_NUMBER = "[0-9]+"
_NEXT_NUMBER = rf"(?:[ \t]*[xX\u00d7*,][ \t]*|[ \t]+by[ \t]+|[ \t]+){_NUMBER}"
_LIKE_A_NAME = re.compile(rf"[^\W\d_]{{2,}}[ \t]+{_NUMBER}(?:{_NEXT_NUMBER})*|{_NUMBER}(?:{_NEXT_NUMBER})+")


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
    found = _name_and_numbers(text)
    if found is None:
        return None
    known = BOARDS[lattice]
    name, numbers = found[1], [int(number) for number in found[2].split()]
    if name not in known or len(numbers) != len(known[name].numbers.split()):
        raise BadInput(
            f'"{text.strip()}" names no board of the {lattice.name} lattice; it has {_listed(lattice)}'
        )
    if min(numbers) < 1:
        raise BadInput(f'"{text.strip()}" has a side below 1; sides are whole numbers from 1')
    return tuple(sorted(known[name].cells(*numbers)))


def problem_of_drawn_board(text: str, lattice: Lattice) -> str | None:
    """Why a board without a known name is not a drawing: it looks like a name, as `4x4` and `square 3`.

    Or it is drawn in another way: with a space after each cell, or with one layer below another. None for a
    drawing. This is only for boards: a pattern may well be two numbers with a gap between them.
    """
    lines = dedent(text.replace("\r", "")).strip("\n").split("\n")
    if lattice.dimension == 3 and any(not line.strip() for line in lines[:-1]):
        return "layers of a board are drawn side by side, with a space between; leave the empty line out"
    is_large = len(lines) > 1 and max(map(len, lines)) >= 2 * LEAST_SPACED - 1
    if lattice == SQUARE and is_large and not any(line[1::2].strip() for line in lines):
        return "every second column is of spaces, which are no cells; draw the cells side by side"
    text = text.strip()
    if len(text) > _LONGEST or _name_and_numbers(text):
        return None
    word, numbers = _WORD.findall(text)[0], re.findall(_NUMBER, text)
    begins_with_name = "\n" not in text and word.lower() in _NAMES
    if not (begins_with_name or _LIKE_A_NAME.fullmatch(text)):
        return None
    # A word of another shape, such as torus, must not become a rectangle.
    fitting = [
        name
        for name, board in BOARDS[lattice].items()
        if word.lower() in ("", name) and len(board.numbers.split()) == len(numbers)
    ]
    fix = f'write "{" ".join([fitting[0], *numbers])}"' if fitting else f"boards are {_listed(lattice)}"
    n_cells = len("".join(text.split()))
    return f'"{text}" looks like the name of a board, and would be a drawing of {n_cells} cells; {fix}'


def problem_of_lone_mark(text: str, marks: Collection[str]) -> str:
    """Why a drawing of some cells of a board is more likely the mark of all of them; empty for a drawing."""
    mark = text.strip()
    if len(marks) < 2 or mark == MARK or mark not in marks:
        return ""
    return f'"{mark}" is a drawing of one cell; write ["{mark}"] for all cells with that mark'


def _name_and_numbers(text: str) -> re.Match[str] | None:
    """A text that names a board, perhaps with a mistake in the name: the name, and the numbers."""
    found = _NAMED.fullmatch(text) if len(text) <= _LONGEST else None
    return found if found and get_close_matches(found[1], _NAMES, n=1, cutoff=0.8) else None


def _listed(lattice: Lattice) -> str:
    return ", ".join(f"{name} {board.numbers}" for name, board in BOARDS[lattice].items())
