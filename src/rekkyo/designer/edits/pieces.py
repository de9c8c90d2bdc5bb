"""Changes of the pieces of a packing: their cells, numbers, orientations, and given places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rekkyo.designer.drawn import each_piece, lattice_of
from rekkyo.designer.edits.board import paint
from rekkyo.designer.edits.fields import LETTERS, Change, choice, data_of, is_plain, spots_of, text_at
from rekkyo.designer.marks import Marks, home, marks_of, read_marks, written
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.cells import TOROIDAL
from rekkyo.export.puzzle_toml.document import MAX_NAME, read_document
from rekkyo.export.puzzle_toml.pieces import read_shapes
from rekkyo.export.puzzle_toml.times import REST
from rekkyo.export.puzzle_toml.writing import with_value
from rekkyo.model.lattices import Lattice
from rekkyo.model.lattices.drawing import Spot, cell_at, spot
from rekkyo.model.lattices.lattice import added, applied
from rekkyo.model.lattices.shapes import at_home
from rekkyo.model.packing import Box


def piece(text: str, change: Change) -> str:
    """Paint a piece: its cells are the spots. A new one gets the next letter; without cells it is removed."""
    data = data_of(text)
    lattice = lattice_of(data)
    text, shapes = named_pieces(text, lattice)
    name = change.get("name")
    if name is None:
        name = next((letter for letter in LETTERS if letter not in shapes), f"P{len(shapes)}")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        raise BadInput("a piece has a short name")
    painted: Marks = dict.fromkeys(spots_of(change), name if len(name) == 1 else "#")
    marks = home(painted, lattice)
    if not marks:
        for path in (("times", name), ("only_on", name), ("colors", "pieces", name), ("pieces", name)):
            text = with_value(text, path, None)
        return _without_given(text, lattice, name)
    text = _with_colors(text, lattice, name, dict(zip(sorted(painted), sorted(marks), strict=True)))
    return with_value(text, ("pieces", name), written(marks, lattice))


def _with_colors(text: str, lattice: Lattice, name: str, moves: Mapping[Spot, Spot]) -> str:
    """The text with the colours of a piece moved with its cells; colours of other cells are removed."""
    colors = text_at(data_of(text), "colors", "pieces", name)
    if colors is None:
        return text
    marks = {moves[at]: color for at, color in read_marks(colors, lattice).items() if at in moves}
    return with_value(text, ("colors", "pieces", name), written(marks, lattice) if marks else None)


def _without_given(text: str, lattice: Lattice, name: str) -> str:
    given = text_at(data_of(text), "given")
    if given is None or len(name) != 1:
        return text
    left = {at: mark for at, mark in read_marks(given, lattice).items() if mark != name}
    return with_value(text, ("given",), written(left, lattice) if left else None)


def times(text: str, change: Change) -> str:
    """Set how often a piece is used; the number for all others stays."""
    name, value = change.get("name"), change.get("value")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not is_plain(value):
        raise BadInput("a piece is used a number of times: 2, or 1-3, or any")
    numbers = data_of(text).get("times", {})
    if isinstance(numbers, dict):
        return with_value(text, ("times", name), value)
    return with_value(text, ("times",), {REST: numbers, name: 1 if value is None else value})


def turn(text: str, change: Change) -> str:
    """Turn a piece by the next rotation of its lattice, or turn it over. how: turn or flip."""
    lattice = lattice_of(data_of(text))
    text, shapes = named_pieces(text, lattice)
    name = choice(change, "name", tuple(shapes))
    how = choice(change, "how", ("turn", "flip"))
    matrices = lattice.rotations if how == "turn" else lattice.reflections
    number = change.get("number", 1)
    if type(number) is not int or not 0 <= number < 1 << 16:
        raise BadInput("a turn has a number")
    matrix = matrices[number % len(matrices)]
    turned = {applied(matrix, cell): cell for cell in shapes[name]}
    marks = marks_of(lattice, at_home(lattice, turned), name)
    # A translation keeps the order of cells and of spots, so both are paired in order.
    at = dict(zip(sorted(marks), sorted(home(marks, lattice)), strict=True))
    ends = zip(sorted(turned), at_home(lattice, turned), strict=True)
    moves = {spot(lattice, turned[cell]): at[spot(lattice, to)] for cell, to in ends}
    text = _with_colors(text, lattice, name, moves)
    return with_value(text, ("pieces", name), written(home(marks, lattice), lattice))


def place(text: str, change: Change) -> str:
    """Give a piece in its drawn orientation. spots: one of its cells, and the place of that on the board."""
    data = data_of(text)
    lattice = lattice_of(data)
    text, shapes = named_pieces(text, lattice)
    name = choice(change, "name", tuple(shapes))
    spots = spots_of(change)
    if len(name) != 1 or len(spots) != 2:
        raise BadInput("only a piece whose name is one letter can be laid on the board here")
    start, target = (cell_at(lattice, at) for at in spots)
    step = None if start is None or target is None else [b - a for a, b in zip(start, target, strict=True)]
    if step is None or any(part % lattice.step for part in step):
        raise BadInput(f"piece {name} cannot lie there as it is turned")
    laid = [spot(lattice, added(cell, step)) for cell in at_home(lattice, shapes[name])]
    board = read_marks(text_at(data, "board") or "", lattice) if data.get(TOROIDAL) is True else None
    around = list(map(Box.around(board).wrapped, laid)) if board else laid
    text = _without_given(text, lattice, name)
    return paint(text, {"of": "given", "spots": [list(at) for at in around], "mark": name})


def named_pieces(text: str, lattice: Lattice) -> tuple[str, dict[str, Any]]:
    """The text with a drawing for each piece, and the cells of each."""
    table = read_document(text, "puzzle.toml")
    if isinstance(table.data.get("pieces"), dict) and "polyforms" not in table.data:
        return text, each_piece(table, lattice)
    if "pieces" not in table.data and "polyforms" not in table.data:
        return text, {}
    shapes: dict[str, Any] = read_shapes(table, lattice, reflections=table.flag("reflections", True))
    colors = _colors_of_one_drawing(table.data, lattice)
    drawn = set(read_marks(table.data["pieces"], lattice).values()) if colors else set()
    for path in (("pieces",), ("polyforms",), *([("colors", "pieces")] if colors else [])):
        text = with_value(text, path, None)
    for name, cells in shapes.items():
        marks = marks_of(lattice, cells, name)
        at_their_home = home(marks, lattice)
        text = with_value(text, ("pieces", name), written(at_their_home, lattice))
        at = dict(zip(sorted(marks), sorted(at_their_home), strict=True))
        own = {at[place]: color for place, color in colors.items() if place in at}
        if own and name in drawn:
            text = with_value(text, ("colors", "pieces", name), written(own, lattice))
        shapes[name] = frozenset(filter(None, (cell_at(lattice, place) for place in at_their_home)))
    return text, shapes


def _colors_of_one_drawing(data: Mapping[str, Any], lattice: Lattice) -> Marks:
    """The colours of pieces that one drawing shows, at the places of their cells there."""
    colors = text_at(data, "colors", "pieces")
    return {} if colors is None or text_at(data, "pieces") is None else read_marks(colors, lattice)
