"""Models as texts of puzzle files, and rows read back from exported ones."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from functools import singledispatch
from pathlib import Path

import numpy as np

from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import RowShape
from rekkyo.model.sum_figure import SumFigure

Row = tuple[int, ...]


@singledispatch
def toml_of(model: Model) -> str:
    """A puzzle file with the same model, up to names."""
    raise NotImplementedError(type(model))


@toml_of.register
def _queens(model: Queens) -> str:
    marks = dict.fromkeys(model.blocked, "x") | dict.fromkeys(model.given, "Q")
    board = ["".join(marks.get((r, c), ".") for c in range(model.n)) for r in range(model.n)]
    return _document("queens", board=board, toroidal=model.toroidal)


@toml_of.register
def _cover(model: ExactCover) -> str:
    names = model.primary + model.secondary
    options = [
        " ".join(f"{names[item]}:c{color}" if color else names[item] for item, color in option)
        for option in model.options
    ]
    times = {name: list(pair) for name, pair in zip(model.primary, model.bounds, strict=False)}
    secondary = {"secondary": " ".join(model.secondary)} if model.secondary else {}
    return _document("cover", items=" ".join(model.primary), **secondary, options=options) + _table(
        "times", times
    )


@toml_of.register
def _packing(model: Packing) -> str:
    given = {cell: name for name, cells in model.given for cell in cells}
    facts: dict[str, object] = {"given": _drawing(given)} if given else {}
    facts |= {"reflections": model.reflections, "filled": model.filled, "stride": model.stride}
    facts |= {"toroidal": True} if model.toroidal else {}
    times = {piece.name: [piece.low, "any" if piece.high is None else piece.high] for piece in model.pieces}
    shapes = {piece.name: _drawing(dict.fromkeys(piece.cells, "#")) for piece in model.pieces}
    board = _drawing(dict.fromkeys(model.board, "#") | dict.fromkeys(model.optional, "?"))
    allowed: dict[str, object] = {
        piece.name: _drawing(dict.fromkeys(piece.only_on, "#")) if piece.only_on else []
        for piece in model.pieces
        if piece.only_on is not None
    }
    colors: dict[str, object] = {"board": _drawing(dict(model.colors))} if model.colors else {}
    if model.color_pairs is not None:
        of_pieces = {color for piece in model.pieces for _, color in piece.colors}
        of_board = {color for _, color in model.colors}
        colors["fits"] = [a + b for a, b in sorted(model.color_pairs) if a in of_pieces and b in of_board]
    colors_of_pieces = {p.name: _drawing(dict(p.colors), p.cells) for p in model.pieces if p.colors}
    tables = (
        ("pieces", shapes),
        ("times", times),
        ("only_on", allowed),
        ("colors", colors),
        ("colors.pieces", colors_of_pieces),
    )
    return _document("packing", board=board, **facts) + "".join(_table(*table) for table in tables)


@toml_of.register
def _coloring(model: Coloring) -> str:
    names = [f"c{cell}" for cell in range(model.n_cells)]
    sets = [" ".join(names[cell] for cell in cells) for cells in model.sets]
    patterns = [
        " ".join(f"{names[cell]}:{color + 1}" for cell, color in pattern) for pattern in model.patterns
    ]
    facts: dict[str, object] = {"cells": " ".join(names), "colors": model.n_colors}
    if model.fixed:
        facts["given"] = " ".join(f"{names[cell]}:{color + 1}" for cell, color in model.fixed)
    avoid = "[[avoid]]\n" + _lines({"cells": [*sets, *patterns]}) if sets or patterns else ""
    counts = {str(color + 1): list(pair) for color, pair in enumerate(model.bounds)}
    return _document("coloring", **facts) + _table("counts", counts) + avoid


@toml_of.register
def _figure(model: SumFigure) -> str:
    lines = [
        " ".join(model.cells[cell] for cell in line.cells) + ("" if line.sum is None else f" = {line.sum}")
        for line in model.lines
    ]
    lines += [f"{model.cells[less]} < {model.cells[greater]}" for less, greater in model.orders]
    given = {model.cells[cell]: number for cell, number in sorted(model.given)}
    text = _document("figure", cells=" ".join(model.cells), lines=lines, numbers=list(model.numbers))
    return text + _table("given", given)


def _drawing(marks: dict[tuple[int, ...], str], around: Iterable[tuple[int, ...]] = ()) -> list[str]:
    """From the origin on, so that two drawings with one origin fit. around: other cells in the drawing."""
    cells = [*marks, *around]
    top, left = (min(0, *(cell[axis] for cell in cells)) for axis in (0, 1))
    bottom, right = (max(cell[axis] for cell in cells) for axis in (0, 1))
    return [
        "".join(marks.get((row, column), ".") for column in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]


def _document(kind: str, **facts: object) -> str:
    return _lines({"kind": kind, **facts})


def _table(name: str, facts: dict[str, object] | dict[str, list[str]]) -> str:
    return f"[{name}]\n" + _lines(dict(facts)) if facts else ""


def _lines(facts: dict[str, object]) -> str:
    """Keys and values; a list of texts is one text of several lines."""
    written = []
    for key, value in facts.items():
        is_text = isinstance(value, list) and all(isinstance(part, str) for part in value)
        text = "'''\n" + "\n".join(map(str, value)) + "\n'''" if is_text else json.dumps(value)
        written.append(f"{key} = {text}\n")
    return "".join(written)


def read_back(path: Path, form: str, shape: RowShape) -> list[Row]:
    """The rows of an exported file, read by nothing of ours."""
    if form == "npy":
        return [tuple(row) for row in np.load(path).tolist()]
    lines = path.read_text(encoding="utf-8").splitlines()
    if form == "jsonl":
        return [padded(tuple(json.loads(line)), shape) for line in lines[1:]]
    rows = [*csv.reader(line for line in lines if not line.startswith("#"))][1:]
    return [padded(tuple(int(value) for value in row if value), shape) for row in rows]


def padded(row: Row, shape: RowShape) -> Row:
    """A row with its fillers."""
    return (*row, *[shape.n_values] * (shape.length - len(row)))
