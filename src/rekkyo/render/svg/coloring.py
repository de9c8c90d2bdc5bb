"""Colourings: boards, rows of numbered cells, and lines between points.

A colour is a fill with a unique mark, so that drawings need no colour vision. A board is drawn with its
shape; cells without a board are the numbers from 1, in rows; if cells are the lines between points (Ramsey),
the points are on a circle, and colours also differ by dashes.
"""

from __future__ import annotations

from itertools import combinations
from math import cos, dist, isqrt, pi, sin

from rekkyo.model.coloring import COLOR_SYMBOLS, Coloring
from rekkyo.render.labels import shortened
from rekkyo.render.svg.legend import entries_of, fitting, legend
from rekkyo.render.svg.markup import CELL, Place, circle, drawn_path, lozenge, number, path, square, words
from rekkyo.render.svg.painting import Markup, Painting, painting_of_values
from rekkyo.render.svg.style import color, ink_on, written_on

FILLS = ("#0072B2", "#F0E442", *(color(k) for k in (5, 2, 6, 1, 0, 9)))
"""Dark and light come first, so that two colours differ without colour vision."""

DASHES = ("", "5 3", "1 3", "8 3 1 3", "3 2", "9 4", "1 5", "6 2 1 2")
MAX_ACROSS = 25
MAX_NAME = 4
MARGIN = 10.0


def paint_coloring(model: Coloring, *, lines_between_points: bool) -> Painting:
    """Every cell is a spot, every colour a thing."""
    n_points = _points_joined_by(model.n_cells)
    if lines_between_points and n_points:
        return _painted_lines(model, n_points)
    places = model.board or tuple(divmod(k, MAX_ACROSS) for k in range(model.n_cells))
    rows, columns = (1 + max(place[axis] for place in places) for axis in (0, 1))
    cells = [(column * CELL, row * CELL) for row, column in places]
    squares = [square(*cell) for cell in cells]
    board = "".join(squares)
    has_numbers = not model.board
    names = model.names or tuple(str(cell + 1) for cell in range(model.n_cells))
    short = shortened(names, MAX_NAME)
    below = legend(entries_of(names, short) if model.names else [], columns * CELL, rows * CELL)

    return painting_of_values(
        model.row_shape,
        (below.width, below.height),
        drawn_path(board, "rk-board") + drawn_path(board, "rk-grid") + below.drawn,
        squares,
        [
            name if has_numbers else f"row {row + 1}, column {column + 1}"
            for name, (row, column) in zip(names, places, strict=True)
        ],
        _things(model),
        lambda cell, shade: _colored_cell(cells[cell], shade, short[cell] if has_numbers else ""),
    )


def _things(model: Coloring) -> list[str]:
    return [f"colour {COLOR_SYMBOLS[shade]}" for shade in range(model.n_colors)]


def _colored_cell(cell: Place, shade: int, name: str) -> Markup:
    fill = FILLS[shade]
    x, y = cell[0] + CELL / 2, cell[1] + CELL / 2
    drawn = drawn_path(square(*cell), "rk-piece", fill=fill, stroke_width="1")
    if name:
        size = fitting(CELL * (0.46 if len(name) < 3 else 0.34), [name], 0.92 * CELL)
        return drawn + written_on(fill, name, (x, y), size) + dots_under(x, y, shade)
    return drawn + _mark(x, y, shade)


def dots_under(x: float, y: float, shade: int) -> Markup:
    """Small dots under the number, as many as the number of the colour."""
    dots = "".join(
        f"M{number(x + (k - (shade - 1) / 2) * 4 - 1)} {number(y + 8)}h2v2h-2Z" for k in range(shade)
    )
    return drawn_path(dots, "rk-name", fill=ink_on(FILLS[shade]))


def _mark(x: float, y: float, shade: int) -> Markup:
    """The mark of a colour: nothing, a ring, a cross, ..."""
    r = 4.5
    marks = (
        "",
        circle((x, y), r),
        f"M{number(x - r)} {number(y)}h{2 * r:g}M{number(x)} {number(y - r)}v{2 * r:g}",
        path([(x - r, y - r), (x + r, y + r)], closed=False)
        + path([(x + r, y - r), (x - r, y + r)], closed=False),
        f"M{number(x - r)} {number(y)}h{2 * r:g}",
        f"M{number(x)} {number(y - r)}v{2 * r:g}",
        path([(x, y - r), (x + r, y + r), (x - r, y + r)]),
        square(x - r, y - r, 2 * r),
    )
    ink = ink_on(FILLS[shade])
    return drawn_path(marks[shade], "rk-mark", fill="none", stroke=ink, stroke_width="1.6") if shade else ""


def _points_joined_by(n_lines: int) -> int:
    """The number of points with this number of lines between them, or 0."""
    n_points = (1 + isqrt(1 + 8 * n_lines)) // 2
    return n_points if n_points * (n_points - 1) // 2 == n_lines else 0


def _painted_lines(model: Coloring, n_points: int) -> Painting:
    radius = max(3.0, 0.42 * n_points) * CELL
    size = 2 * radius + 2 * MARGIN + CELL
    centre = size / 2
    points = [
        (centre + radius * sin(2 * pi * k / n_points), centre - radius * cos(2 * pi * k / n_points))
        for k in range(n_points)
    ]
    ends = list(combinations(points, 2))
    dots = "".join(f'<circle class="rk-ink" cx="{number(x)}" cy="{number(y)}" r="4"/>' for x, y in points)
    beyond = 1 + 10 / radius
    for k, (x, y) in enumerate(points, 1):
        place = centre + beyond * (x - centre), centre + beyond * (y - centre)
        dots += words(str(k), place, 9, "rk-faint")

    def draw(line: int, shade: int) -> Markup:
        more = {"stroke_dasharray": DASHES[shade]} if DASHES[shade] else {}
        fill = FILLS[shade] if shade != 1 else "#E69F00"
        return drawn_path(path(ends[line], closed=False), "rk-stick", stroke=fill, stroke_width="2.4", **more)

    return painting_of_values(
        model.row_shape,
        (size, size),
        drawn_path("".join(path(pair, closed=False) for pair in ends), "rk-grid") + dots,
        [lozenge(a, b, 8 / dist(a, b)) for a, b in ends],
        [f"the line from point {a + 1} to point {b + 1}" for a, b in combinations(range(n_points), 2)],
        _things(model),
        draw,
    )
