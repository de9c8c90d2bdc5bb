"""Queens on a chequered board."""

from __future__ import annotations

from rekkyo.model.queens import Queens
from rekkyo.render.svg.markup import CELL, drawn_path, grid, square
from rekkyo.render.svg.painting import Painting, flat

CROWN = (
    "M-7 8H7V5.6H-7ZM-6.4 4.4H6.4L9-4.6 4.6-1 2.6-7 0-1.6-2.6-7-4.6-1-9-4.6Z"
    "M-9-5.4a1.4 1.4 0 1 1 .01 0ZM-2.6-7.8a1.4 1.4 0 1 1 .01 0ZM2.6-7.8a1.4 1.4 0 1 1 .01 0Z"
    "M9-5.4a1.4 1.4 0 1 1 .01 0Z"
)
"""Foot, crown and its four balls, drawn from the middle of the square."""


def paint_queens(model: Queens) -> Painting:
    """Every square is a spot; given queens are on the empty board, blocked squares are filled."""
    n = model.n
    size = n * CELL
    shade = "".join(_square(row, column) for row in range(n) for column in range(n) if (row + column) % 2)
    blocked = "".join(_square(*place) for place in sorted(model.blocked))
    background = (
        f'<rect class="rk-board" width="{size:g}" height="{size:g}"/>'
        + drawn_path(shade, "rk-shade")
        + drawn_path(blocked, "rk-blocked")
        + drawn_path(grid(n, n), "rk-grid")
        + drawn_path(square(0, 0, size), "rk-frame")
        + "".join(_queen(row, column) for row, column in sorted(model.given))
    )
    return Painting(
        shape=model.row_shape,
        width=size,
        height=size,
        background=background,
        spots=tuple(_square(row, column) for row in range(n) for column in range(n)),
        spot_names=tuple(f"row {row + 1}, column {column + 1}" for row in range(n) for column in range(n)),
        things=("a queen",),
        draw_atom=flat(lambda atom: "" if divmod(atom, n) in model.given else _queen(*divmod(atom, n))),
        pairs_of_atom=lambda atom: ((atom, 0),),
    )


def _square(row: int, column: int) -> str:
    return square(column * CELL, row * CELL)


def _queen(row: int, column: int) -> str:
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    return drawn_path(CROWN, "rk-queen", transform=f"translate({x:g} {y:g})")
