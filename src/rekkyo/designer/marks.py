"""Drawings of a puzzle file as marks at spots, which can be painted, and the places of the spots on a page.

A spot (layer, line, column) is the place of a character. Painting left of or above the first character moves
the whole drawing by a step that takes cells to cells of the same kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, TypeAlias

from rekkyo.catalog.named_boards import MARK, named_board
from rekkyo.errors import BadInput
from rekkyo.model.lattices import EDGES, HEXAGON, QUARTERED, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.drawing import EMPTY, Spot, cell_at, characters, spot
from rekkyo.render.svg.markup import CELL, Place, lozenge, path

Marks: TypeAlias = dict[Spot, str]

MAX_ACROSS = 120
"""The most lines, columns and layers of a drawing that can be painted."""

STEPS = {TRIANGLE: 2, HEXAGON: 2, QUARTERED: 3, EDGES: 2}
"""The step by which a drawing may be moved, down and across, so that cells keep their kind; else 1."""

LAYER_GAP = 0.8


def read_marks(text: str, lattice: Lattice) -> Marks:
    """The marks of a drawing, or of a named board. Raises BadInput."""
    named = named_board(text, lattice)
    if named is not None:
        return marks_of(lattice, named, MARK)
    marks = characters(lattice, text.replace("\r", ""))
    return {place: mark for place, mark in marks if cell_at(lattice, place) is not None}


def marks_of(lattice: Lattice, cells: Iterable[Cell], mark: str) -> Marks:
    """Cells with the same mark: that of a piece is its name, if that is one character that marks a cell."""
    drawn = mark if len(mark) == 1 and mark not in EMPTY else MARK
    return {spot(lattice, cell): drawn for cell in cells}


def shift_of(lattice: Lattice, spots: Iterable[Spot]) -> Spot:
    """The move of drawings after which no spot has a number below 0."""
    step = STEPS.get(lattice, 1)
    least = [min(axis, default=0) for axis in zip(*spots, strict=True)] or [0, 0, 0]
    layer, line, column = (max(0, -part) for part in least)
    return layer, -(-line // step) * step, -(-column // step) * step


def moved(marks: Mapping[Spot, str], shift: Spot) -> Marks:
    """The marks after a move."""
    return {(a + shift[0], b + shift[1], c + shift[2]): mark for (a, b, c), mark in marks.items()}


def home(marks: Mapping[Spot, str], lattice: Lattice) -> Marks:
    """The marks, moved as near to the first line and column as their lattice permits."""
    if not marks:
        return {}
    step = STEPS.get(lattice, 1)
    layer, line, column = (min(axis) for axis in zip(*marks, strict=True))
    return moved(marks, (-layer, -(line // step) * step, -(column // step) * step))


def written(marks: Mapping[Spot, str], lattice: Lattice, *, least: Spot = (0, 0, 0)) -> str:
    """The drawing, from spot (0, 0, 0). least: the least numbers of layers, lines and columns.

    Raises BadInput for one that is too large.
    """
    sizes = [max([size, *(at + 1 for at in axis)]) for size, axis in zip(least, _axes(marks), strict=True)]
    if max(sizes) > MAX_ACROSS:
        raise BadInput(f"a board to paint on has at most {MAX_ACROSS} lines, columns and layers")
    layers, lines, columns = sizes
    drawn = []
    for line in range(lines):
        parts = (
            "".join(
                marks.get((layer, line, column)) or _blank(lattice, (layer, line, column))
                for column in range(columns)
            )
            for layer in range(layers)
        )
        drawn.append(" ".join(parts) if lattice.dimension == 3 else "".join(parts).rstrip() or ".")
    return "".join(f"{line}\n" for line in drawn)


def _axes(marks: Iterable[Spot]) -> list[tuple[int, ...]]:
    return list(zip(*marks, strict=True)) or [(), (), ()]


def _blank(lattice: Lattice, place: Spot) -> str:
    if cell_at(lattice, place) is not None:
        return "."
    is_point = lattice == EDGES and place[1] % 2 == 0 and place[2] % 2 == 0
    return "+" if is_point else " "


def window(marks: Mapping[Spot, str], lattice: Lattice, margin: int, least: Spot) -> tuple[Spot, Spot]:
    """The first spot of the part that is shown around marks, and the spot after the last."""
    step = STEPS.get(lattice, 1)
    around = margin * step
    axes = _axes(marks)
    starts = [min(axis, default=0) - around for axis in axes]
    stops = [max([size, *(at + 1 for at in axis)]) + around for size, axis in zip(least, axes, strict=True)]
    if lattice.dimension == 2:
        starts[0], stops[0] = 0, 1
    else:
        starts[0], stops[0] = min(axes[0], default=0), max([least[0], *(at + 2 for at in axes[0])])
    starts[1:] = [-(-start // step) * step for start in starts[1:]]
    return (starts[0], starts[1], starts[2]), (stops[0], stops[1], stops[2])


@lru_cache(maxsize=256)
def geometry(lattice: Lattice, first: Spot, stop: Spot) -> dict[str, Any]:
    """Each cell of a window with its outline and its middle. Cached, so callers must not change it.

    Without the cache, drawing the same outlines after every stroke took a third of the answer for a packing.
    """
    layers, lines, columns = map(range, first, stop)
    spots = [at for at in product(layers, lines, columns) if cell_at(lattice, at) is not None]
    outlines = {place: _outline(lattice, place, stop[2] - first[2]) for place in spots}
    corners = [corner for outline in outlines.values() for corner in outline]
    left, top = (min(axis) - 2 for axis in zip(*corners, strict=True))
    width, height = (
        max(axis) - low + 2 for axis, low in zip(zip(*corners, strict=True), (left, top), strict=True)
    )
    cells = []
    for place, outline in outlines.items():
        there = [(x - left, y - top) for x, y in outline]
        d = lozenge(there[0], there[1], 0.5) if len(there) == 2 else path(there)
        middle = [round(sum(axis) / len(there), 1) for axis in zip(*there, strict=True)]
        cells.append([*place, d, *middle])
    return {"width": round(width, 1), "height": round(height, 1), "cells": cells}


def _outline(lattice: Lattice, place: Spot, n_columns: int) -> list[Place]:
    if lattice.dimension == 3:
        layer, line, column = place
        x, y = (layer * (n_columns + LAYER_GAP) + column) * CELL, line * CELL
        return [(x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL)]
    cell = cell_at(lattice, place)
    assert cell is not None
    (face,) = lattice.faces(cell)
    return [(x * CELL, y * CELL) for x, y in map(lattice.drawn, face)]
