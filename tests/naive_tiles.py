"""Boards for `tile_cells` of `tests.naive_files`: the names of the sides of each cell, and the turns of a tile.

The sides are in the order of the puzzle files. Written from geometry alone: a side is named by the point in its
middle; `=` and a colour in place of that is a side that must have the colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Point = tuple[int, ...]

HEXAGON_SIDES = [(0, -1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1)]
"""From the middle of a hexagon to those of its sides, clockwise from the upper right, in axes that add up to 0."""

CUBE_SIDES = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0), (0, 0, -1)]
"""Top, back, right, front, left and bottom; the axes point to the right, to the back and up."""

HEXAGON_TURNS = [[(place + turn) % 6 for place in range(6)] for turn in range(6)]
TRIANGLE_TURNS = [[(place + turn) % 3 for place in range(3)] for turn in range(3)]


def cube_turns() -> list[list[int]]:
    """The 24 orders of the sides of a turned cube, out of a quarter turn about each of two axes."""
    turns = [list(range(6))]
    for order in turns:  # grows while it is walked
        for quarter in ([0, 2, 3, 4, 1, 5], [3, 0, 2, 5, 4, 1]):
            turned = [order[side] for side in quarter]
            if turned not in turns:
                turns.append(turned)
    assert len(turns) == 24
    return turns


def hexagon_of_hexagons(n: int) -> list[list[str]]:
    """The sides of each hexagon of a large one, row by row; two that meet have one name."""
    middles = [
        (across, -across - up, up)
        for up in range(n - 1, -n, -1)
        for across in range(1 - n, n)
        if abs(across + up) < n
    ]
    return [
        [_name(2 * a + b for a, b in zip(cell, side, strict=True)) for side in HEXAGON_SIDES]
        for cell in middles
    ]


def large_cube(border: Sequence[str]) -> list[list[str]]:
    """The sides of eight cubes that make a large one, whose sides have these colours."""
    cells = [(x, y, z) for z in (1, -1) for y in (1, -1) for x in (-1, 1)]
    return [
        [
            f"={color}" if max(map(abs, _sum(cell, side))) == 2 else _name(_sum(cell, side))
            for side, color in zip(CUBE_SIDES, border, strict=True)
        ]
        for cell in cells
    ]


def triangles_pointing_up(n: int, border: str) -> list[list[str]]:
    """The sides of each triangle of a large one: right, bottom and left, or left, top and right; "" is not a border."""
    cells = []
    for row in range(n):
        for place in range(2 * row + 1):
            column, points_down = divmod(place, 2)
            left, right, flat = (row, column, "l"), (row, column, "r"), (row, column, "b")
            if points_down:  # between the triangles `column` and `column + 1` of its row
                left, right, flat = (row, column, "r"), (row, column + 1, "l"), (row - 1, column, "b")
            edges = {(row, 0, "l"), (row, row, "r")} | {(n - 1, column, "b") for column in range(n)}
            named = [f"={border}" if border and edge in edges else str(edge) for edge in (left, flat, right)]
            cells.append(named if points_down else named[::-1])
    return cells


def _sum(a: Point, b: Point) -> Point:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _name(point: Iterable[int]) -> str:
    return ",".join(map(str, point))
