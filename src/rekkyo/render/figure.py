"""A sum figure drawn as text.

Cells named `row,column` are drawn row by row, shorter rows in the middle, so that squares and hexagons look
like themselves; cells named `layer,row,column` as layers side by side. Any other figure is a line of text for
each of its lines: the cells, then their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.places import place_named

BETWEEN_LAYERS = "   "


def draw_figure(model: SumFigure, row: Sequence[int]) -> str:
    """The drawing, without a line end at the end."""
    numbers = [str(model.numbers[value]) for value in row]
    width = max(len(str(number)) for number in (model.numbers[0], model.numbers[-1]))
    places = [place_named(name) for name in model.cells]
    if all(len(place) == 2 for place in places):
        return _grid([(place, number.rjust(width)) for place, number in zip(places, numbers, strict=True)])
    if all(len(place) == 3 for place in places):
        layers: dict[int, list[tuple[tuple[int, ...], str]]] = {}
        for (layer, *place), number in zip(places, numbers, strict=True):
            layers.setdefault(layer, []).append((tuple(place), number.rjust(width)))
        grids = [_grid(layers[layer]).split("\n") for layer in sorted(layers)]
        height = max(map(len, grids))
        padded = [grid + [""] * (height - len(grid)) for grid in grids]
        return "\n".join(BETWEEN_LAYERS.join(parts).rstrip() for parts in zip(*padded, strict=True))
    return "\n".join(
        " ".join(model.cells[cell] for cell in line.cells)
        + ": "
        + " ".join(numbers[cell].rjust(width) for cell in line.cells)
        for line in model.lines
    )


def _grid(cells: Sequence[tuple[tuple[int, ...], str]]) -> str:
    """Numbers of one width at (row, column), every row in the order of its columns and centred."""
    rows: dict[int, list[str]] = {}
    for (row, _), number in sorted(cells):
        rows.setdefault(row, []).append(number)
    lines = [" ".join(rows[row]) for row in sorted(rows)]
    longest = max(map(len, lines))
    return "\n".join(" " * ((longest - len(line)) // 2) + line for line in lines)
