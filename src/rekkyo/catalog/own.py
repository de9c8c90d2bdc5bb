"""A packing of your own, from two drawings."""

from __future__ import annotations

from collections.abc import Mapping

from rekkyo.catalog.boards import packing_puzzle
from rekkyo.errors import BadInput, in_short, mend_for_name
from rekkyo.model.checks import check_nested, check_type, refuse
from rekkyo.model.lattices import LATTICES
from rekkyo.model.lattices.drawing import read_drawing
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle


def packing(
    board: str,
    pieces: str,
    *,
    lattice: str = "square",
    times: Mapping[str, int | tuple[int, int | None]] | None = None,
    reflections: bool = True,
    filled: bool = True,
    name: str = "packing",
) -> Puzzle:
    """Pieces to place on a board, with all symmetries of the board.

    board, pieces: drawings, one character for each cell (see `rekkyo.model.lattices.drawing`); all marks of
        the board are cells, and all cells with the same letter are one piece, named by the letter.
    lattice: square, cube, triangle, hexagon, quartered or edges.
    times: how often a piece is placed, if not once: a number, or (low, high) with high None for any number.
    reflections: whether pieces may be turned over. filled: whether every cell must be covered.
    Raises BadInput.
    """
    for what, text in (("board", board), ("pieces", pieces), ("lattice", lattice), ("name", name)):
        check_type(f"packing: {what} is a text", text, str)
    if lattice not in LATTICES:
        raise BadInput(f'there is no lattice "{in_short(lattice)}"; {mend_for_name(lattice, list(LATTICES))}')
    cells = read_drawing(LATTICES[lattice], board).values()
    drawn = read_drawing(LATTICES[lattice], pieces)
    if times is not None:
        check_type('packing: times is a dictionary such as {"A": 2, "B": (0, None)}', times, Mapping)
    often = dict(times or {})
    check_nested("packing: times names pieces by their letters", list(often), (list, str))
    for letter in often.keys() - drawn.keys():
        names = ", ".join(drawn)
        raise BadInput(f'packing: piece "{in_short(letter)}" is not in the drawing; drawn are {names}')
    model = Packing(
        LATTICES[lattice],
        frozenset().union(*cells),
        tuple(
            Piece(letter, frozenset(shape), *_bounds(often.get(letter, 1))) for letter, shape in drawn.items()
        ),
        reflections=reflections,
        filled=filled,
    )
    return packing_puzzle(name, f"{len(drawn)} pieces on a board of {len(model.board)} cells", model)


def _bounds(times: int | tuple[int, int | None]) -> tuple[int, int | None]:
    pair = times if isinstance(times, tuple) else (times, times)
    if len(pair) != 2:
        refuse("packing: a piece is placed so many times, or a pair (low, high) of times", times)
    return pair
