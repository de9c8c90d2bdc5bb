"""Loops around cells of a board of values, drawn with the values, because solutions are composed of atoms.

A cell inside a loop draws a ring around itself, then hides what its neighbours inside drew in it. What is
left of the rings of all cells is a line just outside of them. Cells inside of other loops have other depths,
so between two cells that are not inside of the same loops one ring is seen.
"""

from __future__ import annotations

from rekkyo.render.svg.markup import CELL, Place, drawn_path, square
from rekkyo.render.svg.painting import Layer

WIDTH = CELL / 12
"""The width of the line."""

HIDDEN = 1.2 * WIDTH
"""The width that neighbours hide. It is a little more than that of the line, because the edge of a line may
lie within a pixel, and less than the distance of clues."""


def layers_around(corner: Place, depth: int) -> list[Layer]:
    """The layers that a cell inside of loops adds below its value.

    corner: the upper left one. depth: of the first; the second has the next one.
    """
    cell = square(*corner)
    ring, margin = (cell + _moved(corner, by) for by in (WIDTH, -HIDDEN))
    line, hiding = (
        drawn_path(d, kind, fill_rule="evenodd") for d, kind in ((ring, "rk-ink"), (margin, "rk-board"))
    )
    return [(depth, line), (depth + 1, hiding + drawn_path(cell, "rk-grid"))]


def _moved(corner: Place, outwards: float) -> str:
    """The path of a cell with its sides moved."""
    x, y = corner
    return square(x - outwards, y - outwards, CELL + 2 * outwards)
