"""`[colors]` of a packing: the board and the pieces drawn again, with colours as marks; which colours fit."""

from __future__ import annotations

from typing import NamedTuple

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Table
from rekkyo.export.puzzle_toml.marks import all_cells, cells_by_mark
from rekkyo.export.puzzle_toml.pieces import Shapes, are_named
from rekkyo.model.cell_colors import CellColors, ColorPairs, check_colors, problem_of_pair
from rekkyo.model.lattices import Cell, Lattice, cell_name

COLOR_KEYS = ("board", "pieces", "fits")


class Colors(NamedTuple):
    """The colours of the board, of each piece that has some, and the pairs that fit, if not equal ones."""

    board: CellColors
    pieces: dict[str, CellColors]
    pairs: ColorPairs | None


def read_colors(table: Table, lattice: Lattice, board: frozenset[Cell], shapes: Shapes) -> Colors:
    """Read the table `[colors]` of a packing. Raises BadFile."""
    said = table.table("colors")
    said.check_keys(COLOR_KEYS)
    of_board = _drawn(said, "board", lattice) if "board" in said else frozenset()
    with said.errors_at("board"):
        check_colors("the board", of_board, board)
    of_pieces = _of_pieces(table, said, lattice, shapes)
    known = {color for colors in of_pieces.values() for _, color in colors}
    return Colors(of_board, of_pieces, _pairs(said, known, {color for _, color in of_board}))


def _of_pieces(table: Table, said: Table, lattice: Lattice, shapes: Shapes) -> dict[str, CellColors]:
    if "pieces" not in said:
        return {}
    if not are_named(table) and not isinstance(said.data["pieces"], dict):
        colors = _drawn(said, "pieces", lattice)
        pieces = cells_by_mark(table.drawing("pieces"), lattice) if "pieces" in table else {}
        for cell, color in sorted(colors):
            if not any(cell in cells for cells in pieces.values()):
                problem = f"no piece has the cell {cell_name(cell)}, which is drawn in the colour {color}"
                said.refuse("pieces", problem)
        found = {name: frozenset(pair for pair in colors if pair[0] in pieces[name]) for name in pieces}
        return {name: pairs for name, pairs in found.items() if pairs}
    of_pieces = said.table("pieces")
    found = {}
    for name in of_pieces.names():
        if name not in shapes:
            of_pieces.refuse(name, f'there is no piece "{in_short(name)}"')
        if not cells_by_mark(of_pieces.drawing(name), lattice):
            continue  # points alone: no cell of this piece has a colour
        found[name] = _drawn(of_pieces, name, lattice)
        with of_pieces.errors_at(name):
            check_colors(f'piece "{name}"', found[name], shapes[name])
    return found


def _drawn(said: Table, key: str, lattice: Lattice) -> CellColors:
    return frozenset(all_cells(said.drawing(key), lattice).items())


def _pairs(said: Table, of_pieces: set[str], of_board: set[str]) -> ColorPairs | None:
    """The pairs under `fits`, each a word of two marks; None if the key is missing."""
    if "fits" not in said:
        return None
    words = said.words("fits")
    for number, word in enumerate(words):
        if problem := problem_of_pair(word, of_pieces, of_board):
            said.refuse_value("fits", problem, number)
    return frozenset((word[0], word[1]) for word in words)
