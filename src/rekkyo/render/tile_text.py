"""Tiles on a board as text: the colour of every side at its place, the name of a tile in its middle.

    +w+w+       On a square board the common colours of two tiles are between the cells.
    wCbBw       Hexagons and triangles have their colours at their sides in the same way, without corners.
    +b+r+       Cubes are a line each: cell, tile, and the colours by the names of the sides.

Names longer than MAX_NAME are numbered, and listed under the board.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import CUBE, HEXAGON, SQUARE, Cell, Lattice
from rekkyo.model.lattices.sides import SIDES, around
from rekkyo.model.tile_board import Laid, TileBoard

MAX_NAME = 3


def tiles_as_text(model: ExactCover, board: TileBoard, chosen: Sequence[int]) -> str:
    """The drawing of chosen options; a cell without a tile is a point."""
    laid = [board.laid[option] for option in chosen]
    if board.lattice == CUBE:
        return "\n".join(_cube(model, board, one) for one in laid)
    marks, listed = _marks(board, laid)
    sides = _sides(model, board, laid)
    width = _width(marks, sides)
    page = _empty_page(board) | sides
    page |= {_at(board.lattice, board.cells[one.cell]): marks.get(one.tile, "") for one in laid}
    return "\n".join([_printed(page, width), *([""] if listed else []), *listed])


def sides_in_text(model: ExactCover, board: TileBoard, chosen: Sequence[int]) -> list[tuple[int, int, str]]:
    """Line and column of each side in that drawing, and its colour; none for cubes."""
    laid = [board.laid[option] for option in chosen]
    if board.lattice == CUBE:
        return []
    sides = _sides(model, board, laid)
    width = _width(_marks(board, laid)[0], sides)
    top, left = _corner(_empty_page(board) | sides)
    return [
        (line - top, (column - left) * width + (width - len(name)) // 2, name)
        for (line, column), name in sides.items()
    ]


def _empty_page(board: TileBoard) -> dict[tuple[int, int], str]:
    """A point for each cell, and the corners of squares."""
    page = {_at(board.lattice, cell): "." for cell in board.cells}
    if board.lattice == SQUARE:
        for row, column in board.cells:
            page |= {(2 * row + down, 2 * column + across): "+" for down in (-1, 1) for across in (-1, 1)}
    return page


def _sides(model: ExactCover, board: TileBoard, laid: Sequence[Laid]) -> dict[tuple[int, int], str]:
    """The colour of each side, by its place on the page."""
    return {
        _at(board.lattice, board.cells[one.cell], vector): model.color_name(color)
        for one in laid
        for vector, color in zip(around(board.lattice, board.cells[one.cell]), one.colors, strict=True)
    }


def _width(marks: dict[int, str], sides: dict[tuple[int, int], str]) -> int:
    return max(map(len, [*marks.values(), *sides.values()]), default=1)


def _at(lattice: Lattice, cell: Cell, vector: Sequence[int] = (0, 0)) -> tuple[int, int]:
    """Line and column, in widths of a text, of the middle of a cell or of a side of it."""
    if lattice == SQUARE:
        down, across = 2 * cell[0] + vector[0], 2 * cell[1] + vector[1]
        return down, across
    line, column = (2 * part for part in cell)
    line, column = line + vector[0], column + vector[1]
    if lattice == HEXAGON:
        return line, 2 * column + line
    # three times the middle of a triangle, so six to a row; the base line of a row is a separate line
    return line // 2, 2 * column + line


def _corner(page: dict[tuple[int, int], str]) -> tuple[int, int]:
    """The first line and column of a page."""
    top, left = (min(axis) for axis in zip(*page, strict=True))
    return top, left


def _printed(page: dict[tuple[int, int], str], width: int) -> str:
    top, left = _corner(page)
    lines = []
    for line in range(top, max(line for line, _ in page) + 1):
        texts = sorted((column, text) for (row, column), text in page.items() if row == line)
        drawn = ""
        for column, text in texts:
            drawn = drawn.ljust((column - left) * width + (width - len(text)) // 2) + text
        lines.append(drawn.rstrip())
    return "\n".join(lines)


def _marks(board: TileBoard, laid: Sequence[Laid]) -> tuple[dict[int, str], list[str]]:
    """The mark of each tile, and lines of explanation; empty if names are only the colours."""
    names = {one.tile: board.tiles[one.tile] for one in laid}
    if not board.named:
        return {}, []
    if all(len(name) <= MAX_NAME for name in names.values()):
        return names, []
    numbers = {tile: str(number) for number, tile in enumerate(sorted(names), 1)}
    return numbers, [f"{numbers[tile]}: {names[tile]}" for tile in sorted(names)]


def _cube(model: ExactCover, board: TileBoard, one: Laid) -> str:
    sides = SIDES[CUBE].in_words.replace(" and ", ", ").split(", ")
    colors = ", ".join(
        f"{side} {model.color_name(color)}" for side, color in zip(sides, one.colors, strict=True)
    )
    return f"{board.cell_names[one.cell]}: {board.tiles[one.tile]}: {colors}"
