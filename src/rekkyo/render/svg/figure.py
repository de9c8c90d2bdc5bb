"""Sum figures: numbers in the cells of squares, hexagons, cubes and stars.

Cells have the places of the drawing in the puzzle's file. Otherwise places follow from their names, as in
`rekkyo.render.board`: `row,column`, where rows of different lengths that begin in one column make a hexagon;
`layer,row,column`; `point,k` and `inner,k` of a star. Cells of any other figure are on a circle. Lines other
than rows and columns are drawn.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

from rekkyo.model.boards import place_named
from rekkyo.model.picture import Places
from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.svg.legend import fitting
from rekkyo.render.svg.markup import CELL, Place, circle, drawn_path, path, square, words
from rekkyo.render.svg.painting import Markup, Painting, painting_of_values

MARGIN = 4.0
SIDE = 1.35 * CELL
HALF_WIDTH = 3**0.5 / 2
"""Half the width of a hexagon with side 1 that stands on a corner."""


def paint_figure(model: SumFigure, drawn: Places | None) -> Painting:
    """Every cell is a spot, every number a thing."""
    places, kind = _places(model) if drawn is None else _as_drawn(drawn)
    margin = MARGIN + SIDE * (0.6 if kind == "hexagon" else 0.5)
    left, top = (min(axis) - margin for axis in zip(*places, strict=True))
    centres = [(x - left, y - top) for x, y in places]
    width, height = (max(axis) + margin for axis in zip(*centres, strict=True))
    spots = [_spot(centre, kind) for centre in centres]
    given = dict(model.given)
    texts = [str(value) for value in model.numbers]
    size = fitting(SIDE * (0.5 if max(map(len, texts)) < 3 else 0.36), texts, 0.8 * SIDE)
    background = "" if kind in ("square", "hexagon") else _lines(model, centres)
    for cell, spot in enumerate(spots):
        background += drawn_path(spot, "rk-shade" if cell in given else "rk-board")
        background += drawn_path(spot, "rk-grid")
    background += "".join(words(str(value), centres[cell], size) for cell, value in sorted(given.items()))
    return painting_of_values(
        model.row_shape,
        (width, height),
        background,
        spots,
        [_label(name, "place" if kind == "hexagon" else "column") for name in model.cells],
        texts,
        lambda cell, value: "" if cell in given else words(texts[value], centres[cell], size),
    )


def _places(model: SumFigure) -> tuple[list[Place], str]:
    """The middle of every cell, and the shape of cells."""
    numbers = [place_named(name, max_digits=4) for name in model.cells]
    sizes = {len(place) for place in numbers} if len({*numbers}) == len(numbers) else {0}
    if sizes == {2}:
        return _flat(numbers)
    if sizes == {3}:
        across = max(column for _, _, column in numbers) + 1
        return [
            ((layer * (across + 0.6) + column) * SIDE, row * SIDE) for layer, row, column in numbers
        ], "square"
    n_cells = len(model.cells)
    kinds = [name.partition(",")[0] for name in model.cells]
    n_points = kinds.count("point")
    if 2 * n_points == n_cells and n_points > 4 and {*kinds} == {"point", "inner"}:
        return _star(n_points), "circle"
    radius = max(2.0, n_cells / 4) * SIDE
    return [_on_circle(radius, k / n_cells) for k in range(n_cells)], "circle"


def _as_drawn(drawn: Places) -> tuple[list[Place], str]:
    """Cells at their places in the file: neighbours in a line are about a cell apart."""
    rows: dict[int, list[int]] = {}
    for line, column in sorted(drawn.of_cells):
        rows.setdefault(line, []).append(column)
    gaps = [right - left for row in rows.values() for left, right in pairwise(row)]
    gap = min(gaps, default=2)
    is_full = not gaps or set(gaps) == {gap}
    starts = {row[0] for row in rows.values()}
    shifts = {abs(a[0] - b[0]) % gap for a, b in pairwise(rows.values())}
    if is_full and len(starts) == 1:
        kind, across, down = "square", 1.0, 1.0
    elif is_full and shifts == {gap // 2} and gap % 2 == 0:
        kind, across, down = "hexagon", 1.2 * HALF_WIDTH, 0.9
    else:
        kind, across, down = "circle", 1.2, 1.2
    order = {line: place for place, line in enumerate(sorted(rows))} if kind != "circle" else {}
    return [
        (column / gap * across * SIDE, order.get(line, line / 2) * down * SIDE)
        for line, column in drawn.of_cells
    ], kind


def _label(name: str, across: str) -> str:
    """A cell in words: `0,2` is row 1 and the third in it."""
    place = place_named(name, max_digits=4)
    if len(place) not in (2, 3):
        return f"cell {name}"
    *layer, row, column = (part + 1 for part in place)
    return "".join(f"layer {number}, " for number in layer) + f"row {row}, {across} {column}"


def _flat(numbers: list[tuple[int, ...]]) -> tuple[list[Place], str]:
    rows: dict[int, list[int]] = {}
    for row, column in numbers:
        rows.setdefault(row, []).append(column)
    lengths = {row: len(columns) for row, columns in rows.items()}
    longest, first = max(lengths.values()), min(map(min, rows.values()))
    begin_together = all(max(columns) - first < len(columns) for columns in rows.values())
    if len({*lengths.values()}) == 1 or not begin_together:
        return [(column * SIDE, row * SIDE) for row, column in numbers], "square"
    step = 2 * HALF_WIDTH * 0.6 * SIDE
    return [
        ((column + (longest - lengths[row]) / 2) * step, row * 0.9 * SIDE) for row, column in numbers
    ], "hexagon"


def _star(n: int) -> list[Place]:
    """The points of {n/2}, then the crossings of its lines, such as a pentagram's inner corners."""
    radius = max(2.6, 0.5 * n) * SIDE
    inner = radius * cos(2 * pi / n) / cos(pi / n)
    return [_on_circle(radius, k / n) for k in range(n)] + [
        _on_circle(inner, (k + 1.5) / n) for k in range(n)
    ]


def _on_circle(radius: float, turn: float) -> Place:
    return radius * sin(2 * pi * turn), -radius * cos(2 * pi * turn)


def _lines(model: SumFigure, centres: list[Place]) -> Markup:
    return drawn_path(
        "".join(path([centres[cell] for cell in line.cells], closed=False) for line in model.lines), "rk-line"
    )


def _spot(centre: Place, kind: str) -> str:
    x, y = centre
    if kind == "square":
        return square(x - SIDE / 2, y - SIDE / 2, SIDE)
    if kind == "hexagon":
        radius = 0.6 * SIDE
        return path([(x + radius * sin(pi * k / 3), y - radius * cos(pi * k / 3)) for k in range(6)])
    return circle(centre, 0.42 * SIDE)
