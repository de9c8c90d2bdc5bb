"""The parts of a puzzle file that the page shows, read from its TOML even if the file has errors.

Each part is read separately, so that a board is shown although a piece has an error. The reader of puzzle
files reports the errors with their places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from rekkyo.catalog.named_boards import MARK, named_board
from rekkyo.designer.marks import Marks, geometry, marks_of, read_marks, window
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.document import Table, read_document
from rekkyo.export.puzzle_toml.family import family_of, member
from rekkyo.export.puzzle_toml.figure import BETWEEN_LINES
from rekkyo.export.puzzle_toml.grid.board import FREE, NO_CELL, is_in_words
from rekkyo.export.puzzle_toml.pieces import read_shapes
from rekkyo.export.puzzle_toml.times import read_times
from rekkyo.model.lattices import LATTICES, SQUARE, Lattice
from rekkyo.model.lattices.drawing import Spot
from rekkyo.model.lattices.shapes import at_home
from rekkyo.render.svg.style import color

MAX_SHOWN = 4_000
"""The most cells of a board that is shown; larger boards appear only in the text."""

MAX_PIECES = 200
BOARD_MARGIN, PIECE_MARGIN = 1, 1
EMPTY_BOARD: Spot = (1, 6, 8)
EMPTY_PIECE: Spot = (1, 4, 4)


def lattice_of(data: dict[str, Any]) -> Lattice:
    """The lattice that a file names, or the square one."""
    return {lattice.name: lattice for lattice in LATTICES.values()}.get(str(data.get("lattice")), SQUARE)


def drawn(text: str, values: Sequence[str] = ()) -> dict[str, Any]:
    """The parts of a puzzle file that can be painted on. Raises BadInput for a text that is not TOML.

    values: of the parameters of a family, of which one member is shown.
    """
    table = read_document(text, "puzzle.toml")
    family = family_of(table)
    parameters = [] if family is None else [parameter.name for parameter in family.parameters]
    if family is not None:
        try:
            table, *_ = member(table, values)
        except BadInput:  # the reader says which values are missing
            return {"kind": "", "title": "", "family": parameters}
    data = table.data
    kind = str(data.get("kind", "packing"))
    shown: dict[str, Any] = {"kind": kind, "title": str(data.get("title", "")), "family": parameters}
    if kind == "packing":
        return shown | _packing(table)
    if kind == "grid":
        return shown | _grid(data)
    if kind == "figure":
        return shown | _figure(data)
    return shown


def _packing(table: Table) -> dict[str, Any]:
    data, lattice = table.data, lattice_of(table.data)
    pieces = _pieces(table, lattice)
    return {
        "lattice": lattice.name,
        "board": _painted(data.get("board", ""), lattice),
        "given": _marked(data.get("given", ""), lattice),
        "pieces": pieces[:MAX_PIECES],
        "n_pieces": len(pieces),
        "reflections": data.get("reflections", True) is True,
        "filled": data.get("filled", True) is True,
    }


def _pieces(table: Table, lattice: Lattice) -> list[dict[str, Any]]:
    try:
        shapes = read_shapes(table, lattice, reflections=table.flag("reflections", True))
    except BadInput:
        shapes = each_piece(table, lattice)
    times: dict[str, tuple[int, int | None]] = dict.fromkeys(shapes, (1, 1))
    with suppress(BadInput):
        times = read_times(table, shapes, str)
    found: list[dict[str, Any]] = []
    for name, cells in shapes.items():
        marks = marks_of(lattice, at_home(lattice, cells), MARK)
        low, high = times[name]
        shown = _geometry(marks, lattice, PIECE_MARGIN, EMPTY_PIECE)
        look = color(len(found))
        found.append({"name": name, "color": look, "low": low, "high": high, "n_cells": len(cells), **shown})
    return found


def each_piece(table: Table, lattice: Lattice) -> dict[str, frozenset[Any]]:
    """The pieces that can be read, if some cannot."""
    shapes: dict[str, frozenset[Any]] = {}
    pieces = table.data.get("pieces")
    if not isinstance(pieces, dict):
        return {}
    for name in pieces:
        with suppress(BadInput):
            alone = Table(table.document, table.path, {"pieces": {name: pieces[name]}})
            shapes |= read_shapes(alone, lattice, reflections=True)
    return shapes


def _painted(text: Any, lattice: Lattice) -> dict[str, Any] | None:
    """A board to paint on; empty if it is too large, None if it cannot be read."""
    if not isinstance(text, str):
        return None
    try:
        marks = read_marks(text, lattice)
        is_named = named_board(text, lattice) is not None
    except BadInput:
        return None
    shown = _geometry(marks, lattice, BOARD_MARGIN, (1, 1, 1) if marks else EMPTY_BOARD)
    return shown and shown | {"named": text if is_named else ""}


def _geometry(marks: Marks, lattice: Lattice, margin: int, least: Spot) -> dict[str, Any]:
    first, stop = window(marks, lattice, margin, least)
    n_spots = (stop[0] - first[0]) * (stop[1] - first[1]) * (stop[2] - first[2])
    if n_spots > 2 * MAX_SHOWN:
        return {}
    return geometry(lattice, first, stop) | {"marks": [[*at, mark] for at, mark in marks.items()]}


def _marked(text: Any, lattice: Lattice) -> list[list[Any]]:
    with suppress(BadInput):
        return (
            [[*at, mark] for at, mark in read_marks(text, lattice).items()] if isinstance(text, str) else []
        )
    return []


def grid_marks(text: str, values: object = "") -> Marks:
    """The marks of a grid: a point is a cell; a space is none, nor is `#` unless it is one of the values."""
    if (named := named_board(text, SQUARE)) is not None:
        return {(0, cell[0], cell[1]): "." for cell in named}
    blank = " " if "#" in str(values) else " #"
    return {
        (0, line, column): mark
        for line, content in enumerate(text.replace("\r", "").strip("\n").split("\n"))
        for column, mark in enumerate(content)
        if mark not in blank
    }


def given_in_words(data: Mapping[str, Any]) -> bool:
    """Whether the given values of a grid have spaces between them, by the rule of the reader of the file."""
    marks: Marks = {}
    with suppress(BadInput):
        marks = grid_marks(str(data.get("board", "")), data.get("values"))
    n_columns = 1 + max((column for _, _, column in marks), default=0)
    return is_in_words(str(data.get("given", "")).split("\n"), n_columns)


def _given(data: Mapping[str, Any]) -> Marks:
    """The given values of a grid, by square."""
    text = data.get("given")
    if not isinstance(text, str):
        return {}
    if not given_in_words(data):
        return {at: mark for at, mark in grid_marks(text).items() if mark != "."}
    lines = enumerate(text.strip("\n").split("\n"))
    words = ((line, column, word) for line, content in lines for column, word in enumerate(content.split()))
    return {(0, line, column): word for line, column, word in words if word not in (FREE, NO_CELL)}


def _grid(data: dict[str, Any]) -> dict[str, Any]:
    marks: Marks = {}
    with suppress(BadInput):
        marks = grid_marks(str(data.get("board", "")), data.get("values"))
    shown = _geometry(marks, SQUARE, BOARD_MARGIN, (1, 1, 1))
    differ = [_regions(clause) for clause in _clauses(data, "different")]
    return {
        "board": shown and shown | {"given": [[*at, mark] for at, mark in _given(data).items()]},
        "values": data.get("values", ""),
        "different": [name for names in differ for name in names],
        "cages": [
            {"clause": number, **cage}
            for number, clause in enumerate(_clauses(data, "cage"))
            for cage in cages(clause)
        ],
        "compare": [
            str(clause.get("cells", "")) for clause in _clauses(data, "compare") if is_of_cells(clause)
        ],
    }


def is_of_cells(clause: Mapping[str, Any]) -> bool:
    """Whether a clause [[compare]] compares cells that it names, not words or the marks of a pattern."""
    return not {"words", "pattern"} & clause.keys()


def _clauses(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    return [clause for clause in found if isinstance(clause, dict)] if isinstance(found, list) else []


def _regions(clause: dict[str, Any]) -> list[str]:
    """The regions that a clause names or draws."""
    found = clause.get("regions", [])
    return [part for part in (found if isinstance(found, list) else [found]) if isinstance(part, str)]


def cages(clause: dict[str, Any]) -> list[dict[str, Any]]:
    """The cages of a clause, each with its cells and its rule."""
    text = clause.get("regions")
    if not isinstance(text, str) or "\n" not in text:
        return []
    cells: dict[str, list[list[int]]] = {}
    for (_, line, column), mark in grid_marks(text).items():
        if mark != ".":
            cells.setdefault(mark, []).append([line, column])
    clues = str(clause.get("clues", "")).split()
    short = dict(zip(clues[::2], clues[1::2], strict=False))
    return [
        {"name": name, "cells": cells[name], "rule": str(clause.get(name, short.get(name, "")))}
        for name in cells
    ]


def _figure(data: dict[str, Any]) -> dict[str, Any]:
    places = [
        [name.group(), line, name.start()]
        for line, content in enumerate(str(data.get("cells", "")).strip("\n").split("\n"))
        for name in re.finditer(r"\S+", content)
    ]
    return {"cells": places, "lines": figure_lines(data)}


def figure_lines(data: Mapping[str, Any]) -> list[str]:
    """The lines of a figure, such as `a b c`."""
    rows = str(data.get("lines", "")).split("\n")
    return [part.strip() for row in rows for part in BETWEEN_LINES.split(row) if part.strip()]
