"""Catalog: ten pieces in the shape of seven-segment digits, packed into a frame of 9 x 11 blocks.

A block is a unit square cut by both diagonals into quarters; each piece but the 1 lies in 3 x 5 blocks. The
pieces may be turned and turned over, and the frame need not be filled.
Offsets: on the mesh (`mesh`) pieces move by two blocks at a time, so that all segments lie on one grid; they
may also move by whole blocks (`block`) or by half blocks (`half`). For half blocks every quarter is cut into
four: a block becomes 2 x 2 smaller ones, and moves are by whole small blocks again.
Symmetry: the four of the frame. 2 and 5 have the same shape, and so have 6 and 9; `exchange_equal` counts
solutions as one when they differ only by exchanging these.
Source: the puzzle "7 segments" and its solution for the mesh, published in Japanese by knife (my Pick).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

from rekkyo.catalog.boards import pieces_once, quarters
from rekkyo.catalog.entry import Entry, Option, published
from rekkyo.catalog.packing_symmetry import essential, exchange_symmetry, exchanges, motions
from rekkyo.errors import BadInput, fix_for_name, in_short
from rekkyo.model.lattices import QUARTERED, Cell
from rekkyo.model.lattices.drawing import read_drawing
from rekkyo.model.lattices.lattice import Matrix, added, applied
from rekkyo.model.lattices.shapes import Shape, at_home
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle

WIDTH, HEIGHT = 9, 11
OFFSETS = ("mesh", "block", "half")

_DRAWING = """
....0...........2........3.................5........6........7........8........9....
..00.00.......22.22....33.33.............55.55....66.66....77.77....88.88....99.99..
.0..0..0..1.....2..2.....3..3..4.....4..5..5.....6..6........7..7..8..8..8..9..9..9.
.0.....0..1........2........3..4.....4..5........6..............7..8.....8..9.....9.
0.0...0.01.1......2.2......3.34.4...4.45.5......6.6............7.78.8...8.89.9...9.9
.0.....0..1........2........3..4.....4..5........6..............7..8.....8..9.....9.
.0.....0..1.....2..2.....3..3..4..4..4..5..5.....6..6...........7..8..8..8..9..9..9.
0..........1..22.22....33.33....44.44....55.55....66.66..........7..88.88....99.99..
.0........1..2..2........3..3.....4..4.....5..5..6..6..6........7..8..8..8.....9..9.
.0.....0..1..2..............3........4........5..6.....6........7..8.....8........9.
0.0...0.01.12.2............3.3......4.4......5.56.6...6.6......7.78.8...8.8......9.9
.0.....0..1..2..............3........4........5..6.....6........7..8.....8........9.
.0..0..0..1..2..2........3..3........4.....5..5..6..6..6........7..8..8..8.....9..9.
..00.00.......22.22....33.33.............55.55....66.66.............88.88....99.99..
....0...........2........3.................5........6.................8........9....
"""
"""3 x 3 characters for each block: its quarters are in the middle of the four sides."""

_UPRIGHT: tuple[Matrix, ...] = (((1, 0), (0, 1)), ((-1, 0), (0, -1)), ((1, 0), (0, -1)), ((-1, 0), (0, 1)))
"""The digit as drawn, turned by 180 degrees, with left and right exchanged, with top and bottom exchanged."""

_QUARTER_TURN: Matrix = ((0, 1), (-1, 0))
"""Clockwise: what was on top is then on the right."""


class Position(NamedTuple):
    """A digit in a place, as the source writes it: `3=(6,0,0,0)`.

    x, y: the block in the upper left corner of the piece, from the left and from the top, halves allowed.
        -0.5 if only a tip lies in that block, so that its other half may be outside.
    lying: 0 upright, 1 after a quarter turn clockwise. turned: 0 as drawn, 1 turned by 180 degrees, 2 left
    and right exchanged, 3 top and bottom exchanged, each before the quarter turn.
    """

    digit: int
    x: float
    y: float
    lying: int
    turned: int


def digits(*, offset: str = "mesh", place: Iterable[Position] = (), exchange_equal: bool = False) -> Puzzle:
    """The ten digits in their frame.

    offset: one of `mesh`, `block`, `half`. place: digits that are already in place. exchange_equal: solutions
    that differ by exchanging 2 with 5, or 6 with 9, are symmetric too. Raises BadInput.
    """
    placed = sorted(set(place))
    model = _model(offset)
    if placed:
        given = frozenset((str(position.digit), frozenset(cells_of(model, position))) for position in placed)
        model = replace(model, given=given)
    moves = motions(model)
    generators = essential(moves, model.row_shape.n_atoms) + (exchanges(model) if exchange_equal else ())
    name = "digits" if offset == "mesh" else f"digits --offset {offset}"
    name += "".join(f" --place {written(position)}" for position in placed)
    name += " --exchange-equal" if exchange_equal else ""
    steps = {"mesh": "on the mesh", "block": "moved by whole blocks", "half": "moved by half blocks"}
    title = f"The ten seven-segment digits in a {WIDTH}x{HEIGHT} frame, {steps[offset]}"
    title += f", {len(placed)} in place" if placed else ""
    key = offset + (" exchange" if exchange_equal else "")
    counts = None if placed else published("digits", "digits", key)
    further = () if exchange_equal else exchange_symmetry(model)
    return Puzzle(name, model, title, generators, published=counts, further=further, motions=moves)


def _model(offset: str) -> Packing:
    named = read_drawing(QUARTERED, _DRAWING)
    board = quarters(HEIGHT, WIDTH)
    if offset == "half":
        named = {name: _cut(cells) for name, cells in named.items()}
        board = quarters(2 * HEIGHT, 2 * WIDTH)
    stride = 2 if offset == "mesh" else 1
    return Packing(QUARTERED, board, pieces_once(named.items()), filled=False, stride=stride)


def _cut(cells: Iterable[Cell]) -> Shape:
    """The same area in blocks of half the side: each quarter becomes four."""
    return tuple(sorted(small for cell in cells for small in _quarters_of_a_quarter(cell)))


def _quarters_of_a_quarter(cell: Cell) -> list[Cell]:
    down, across = (part % QUARTERED.step - 2 for part in cell)  # the side of the block: -1, 0 or 1 each
    corner = [2 * (part - part % QUARTERED.step) for part in cell]
    inside = []
    for small in sorted(quarters(2, 2)):
        from_centre = [part - QUARTERED.step for part in small]
        # The quarter is where this coordinate is larger, in absolute value, than the other one.
        towards, sideways = from_centre if down else reversed(from_centre)
        if (down + across) * towards > abs(sideways):
            inside.append(added(small, corner))
    return inside


def blocks_to_a_unit(model: Packing) -> int:
    """The number of blocks of the model along one block of the puzzle: 2 for the offset `half`, else 1."""
    return (max(model.board)[0] // QUARTERED.step + 1) // HEIGHT


@cache
def oriented(unit: int, digit: int, lying: int, turned: int) -> Shape:
    """A digit in one of its eight positions, its whole blocks at home; `unit` as `blocks_to_a_unit`.

    Cut into smaller blocks, some tips leave the first of those blocks empty; they still belong to the piece.
    """
    matrix = _UPRIGHT[turned]
    cells = [applied(matrix, cell) for cell in read_drawing(QUARTERED, _DRAWING)[str(digit)]]
    if lying:
        cells = [applied(_QUARTER_TURN, cell) for cell in cells]
    home = at_home(QUARTERED, cells)
    return home if unit == 1 else _cut(home)


def cells_of(model: Packing, position: Position) -> Shape:
    """The cells that a digit covers. Raises BadInput for a place between those of the offset."""
    unit = blocks_to_a_unit(model)
    steps = [position.y * unit, position.x * unit]
    if any(step != int(step) for step in steps):
        raise BadInput(f"digits: {written(position)} is not on a whole block; use --offset half")
    move = [QUARTERED.step * int(step) for step in steps]
    return tuple(
        added(cell, move) for cell in oriented(unit, position.digit, position.lying, position.turned)
    )


class Way(NamedTuple):
    """lying, turned: as in `Position`. first_y, first_x: its first row and column, in the puzzle's blocks."""

    lying: int
    turned: int
    first_y: float
    first_x: float


def ways_to_write(model: Packing) -> dict[tuple[int, Shape], Way]:
    """How each digit at home in each position is written: the first way that gives it."""
    ways: dict[tuple[int, Shape], Way] = {}
    unit = blocks_to_a_unit(model)
    for digit, lying, turned in product(range(10), (0, 1), range(len(_UPRIGHT))):
        shape = oriented(unit, digit, lying, turned)
        first_y, first_x = (min(axis) // QUARTERED.step / unit for axis in zip(*shape, strict=True))
        ways.setdefault((digit, at_home(QUARTERED, shape)), Way(lying, turned, first_y, first_x))
    return ways


def written(position: Position) -> str:
    """The position as the source writes it."""
    digit, x, y, lying, turned = position
    return f"{digit}=({x:g},{y:g},{lying},{turned})"


_WRITTEN = re.compile(r"([0-9])=\((-?[0-9]{1,2}(?:\.[05])?),(-?[0-9]{1,2}(?:\.[05])?),([01]),([0-3])\)")


def read_position(word: str) -> Position:
    """A position as the source writes it. Raises BadInput."""
    match = _WRITTEN.fullmatch(word)
    if match is None:
        form = 'DIGIT=(X,Y,LYING,TURNED), such as "0=(0,8,1,1)"'
        raise BadInput(f'digits: a place is written {form}; not "{in_short(word)}"')
    digit, x, y, lying, turned = match.groups()
    return Position(int(digit), float(x), float(y), int(lying), int(turned))


def _read_offset(word: str) -> str:
    if word not in OFFSETS:
        raise BadInput(f'digits: no offset "{in_short(word)}"; {fix_for_name(word, OFFSETS)}')
    return word


ENTRY = Entry(
    name="digits",
    summary="ten pieces like seven-segment digits in a 9x11 frame",
    source="knife, my Pick (in Japanese)",
    options=(
        Option(
            "--offset",
            "where pieces may lie: mesh (every second block), block, half",
            "STEP",
            _read_offset,
            once=True,
        ),
        Option(
            "--place", 'this piece is in place, such as "0=(0,8,1,1)"; repeatable', "PLACE", read_position
        ),
        Option("--exchange-equal", "exchanging 2 with 5, or 6 with 9, is a symmetry too"),
    ),
    build=digits,
)
