"""Makes the text with which a design begins: that of a file, or that of a packing as a puzzle file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rekkyo.catalog.named_boards import MARK
from rekkyo.designer.marks import Marks, marks_of, moved, shift_of, written
from rekkyo.designer.session import MAX_TEXT
from rekkyo.errors import BadInput
from rekkyo.export.bounded import decoded, read_bytes
from rekkyo.export.puzzle_toml.writing import lines
from rekkyo.model.lattices import LATTICES, Cell, Lattice
from rekkyo.model.lattices.drawing import MAY_STAY_EMPTY, spot
from rekkyo.model.lattices.shapes import at_home
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle


def text_of_file(file: Path) -> str:
    """The text of a puzzle file. Raises BadInput unless it is a .toml file of moderate size."""
    if file.suffix.lower() != ".toml":
        raise BadInput(f"design begins with a .toml file; {file} is not one")
    return decoded(read_bytes(file, MAX_TEXT), str(file))


def text_of_puzzle(puzzle: Puzzle) -> str:
    """The puzzle file of a packing. Raises BadInput for other kinds, large boards, and some given pieces."""
    model = puzzle.model
    if not isinstance(model, Packing):
        raise BadInput(f"{puzzle.name} is not a packing; begin with the text of a puzzle file instead")
    if model.lattice not in LATTICES.values():
        raise BadInput(
            f"{puzzle.name} is on lattice {model.lattice.name}, on which no puzzle file can be painted"
        )
    names = [name for name, _ in model.given]
    if any(len(name) > 1 or names.count(name) > 1 for name in names):
        raise BadInput(f"{puzzle.name} gives pieces that one drawing cannot show; begin with a puzzle file")
    lattice = model.lattice
    board = marks_of(lattice, model.board - model.optional, MARK)
    board |= marks_of(lattice, model.optional, MAY_STAY_EMPTY)
    given = {at: mark for name, cells in model.given for at, mark in marks_of(lattice, cells, name).items()}
    shift = shift_of(lattice, board)

    def drawing(marks: Marks) -> str:
        return written(moved(marks, shift), lattice)

    values: dict[str, Any] = {
        "kind": "packing",
        "title": puzzle.name,
        "lattice": lattice.name,
        "board": drawing(board),
    }
    values |= {"given": drawing(given)} if given else {}
    for key in ("reflections", "filled", "crossing"):
        values |= {} if getattr(model, key) else {key: False}
    values |= {"stride": model.stride} if model.stride != 1 else {}
    values |= {"toroidal": True} if model.toroidal else {}
    colors: dict[str, Any] = {}
    if model.colors:
        colors["board"] = drawing(_colored(lattice, model.colors))
    if model.color_pairs is not None:
        used = {color for piece in model.pieces for _, color in piece.colors}, {c for _, c in model.colors}
        pairs = sorted(model.color_pairs)
        colors["fits"] = [a + b for a, b in pairs if a in used[0] and b in used[1]]
    tables: dict[str, dict[str, Any]] = {
        "pieces": {},
        "times": {},
        "only_on": {},
        "colors": colors,
        "colors.pieces": {},
    }
    for piece in model.pieces:
        cells = at_home(lattice, piece.cells)
        tables["pieces"][piece.name] = written(marks_of(lattice, cells, piece.name), lattice)
        if piece.colors:
            there = dict(zip(sorted(piece.cells), cells, strict=True))
            marks = _colored(lattice, ((there[cell], color) for cell, color in piece.colors))
            tables["colors.pieces"][piece.name] = written(marks, lattice)
        if (piece.low, piece.high) != (1, 1):
            tables["times"][piece.name] = _times(piece)
        if piece.only_on is not None:
            tables["only_on"][piece.name] = drawing(marks_of(lattice, piece.only_on, MARK))
    return lines(values) + "".join(f"\n[{name}]\n{lines(table)}" for name, table in tables.items() if table)


def _colored(lattice: Lattice, colors: Iterable[tuple[Cell, str]]) -> Marks:
    return {spot(lattice, cell): color for cell, color in colors}


def _times(piece: Piece) -> int | str | list[int | str]:
    high = "any" if piece.high is None else piece.high
    if (piece.low, piece.high) == (0, None):
        return high
    return piece.low if piece.low == high else [piece.low, high]
