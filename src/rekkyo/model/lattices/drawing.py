"""Shapes and boards as drawings made of characters, one character for each cell.

    lattice     where the characters are
    square      a grid
    cube        a grid for each layer, side by side, with spaces between the layers
    balls       the same; a layer lies half a row and half a column further than the one before
    triangle    a line for each row; triangles that point down and up take turns, as they do in the row
    hexagon     a line for each row, a space between cells, each line shifted by one against the last
    quartered   3 x 3 for each unit square: the quarters are in the middle of its four sides
    edges       points at even lines and columns (`+` or nothing), edges between them
    prism       the layers side by side, each as on lattice triangle
    rhombic     the same for layers of cubes; each cube has 5 x 5 x 5 characters, of which 24 are cells
    tetra-octa  the same with 3 x 3 x 3: a tetrahedron in the middle, and four of the corners

On a board, `?` is a cell that may stay empty. `.` and a space are not cells; where the lattice has no cell,
`+` is nothing too. Empty lines before and after a drawing do not count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TypeAlias

from rekkyo.errors import BadDrawing, BadInput
from rekkyo.model.lattices.known import (
    EDGES,
    HEXAGON,
    PRISM,
    QUARTERED,
    RHOMBIC,
    SQUARE,
    TETRA_OCTA,
    TRIANGLE,
    from_cubes,
    to_cubes,
)
from rekkyo.model.lattices.lattice import Cell, Lattice
from rekkyo.model.lattices.shapes import Shape

Spot: TypeAlias = tuple[int, int, int]
"""(layer, line, column) of a character; the layer is 0 in the plane."""

MAX_CHARACTERS = 1 << 20
EMPTY = " ."
MAY_STAY_EMPTY = "?"
_BLOCKS = {QUARTERED: 3, EDGES: 2, RHOMBIC: 5, TETRA_OCTA: 3}
"""How many characters a square or a cube has along each side, if not one."""


def spot(lattice: Lattice, cell: Cell) -> Spot:
    """Where the character of a cell is."""
    if lattice.dimension == 3:
        return _spot_in_space(lattice, cell)
    down, across = cell
    if lattice == TRIANGLE:
        return 0, down // 3, 2 * (across // 3) + down // 3 + down % 3 - 1
    if lattice == HEXAGON:
        return 0, down, 2 * across + down
    if lattice == QUARTERED:
        return 0, 3 * (down // 4) + down % 4 - 1, 3 * (across // 4) + across % 4 - 1
    return 0, down, across


def cell_at(lattice: Lattice, place: Spot) -> Cell | None:
    """The cell whose character is there, or None."""
    if lattice.dimension == 3:
        return _cell_in_space(lattice, place)
    _, line, column = place
    if lattice == TRIANGLE:
        across, points_up = divmod(column - line, 2)
        return 3 * line + 1 + points_up, 3 * across + 1 + points_up
    if lattice == HEXAGON:
        return (line, (column - line) // 2) if (column - line) % 2 == 0 else None
    if lattice == QUARTERED:
        line, column = 4 * (line // 3) + line % 3 + 1, 4 * (column // 3) + column % 3 + 1
    cell = (line, column)
    return cell if lattice in (QUARTERED, EDGES, SQUARE) and lattice.kind_of(cell) else None


def _spot_in_space(lattice: Lattice, cell: Cell) -> Spot:
    if lattice == PRISM:
        return cell[0] // 3, *spot(TRIANGLE, cell[1:])[1:]
    if lattice == TETRA_OCTA:  # the corner of (0, 0, 2) and (0, 0, 3) is the middle of an octahedron
        layer, line, column = (part // 2 for part in to_cubes(cell))
        return layer, line, column + 3
    layer, line, column = cell
    return (layer + 2, line + 2, column + 2) if lattice == RHOMBIC else (layer, line, column)


def _cell_in_space(lattice: Lattice, place: Spot) -> Cell | None:
    layer, line, column = place
    cell: Cell = place
    if lattice == PRISM:
        cell = 3 * layer, *(cell_at(TRIANGLE, (0, line, column)) or ())
    if lattice == TETRA_OCTA:
        cell = from_cubes((2 * layer + 1, 2 * line + 1, 2 * column - 5))
    if lattice == RHOMBIC:
        cell = layer - 2, line - 2, column - 2
    return cell if lattice.kind_of(cell) else None


def first_spot(lattice: Lattice, spots: Collection[Spot]) -> Spot:
    """A place before all spots, as near as it can be moved to (0, 0, 0) with them by a translation."""
    block = _BLOCKS.get(lattice, 1)
    layer, line, column = (block * (min(part) // block) for part in zip(*spots, strict=True))
    if (lattice in (TRIANGLE, HEXAGON, PRISM) and (line + column) % 2) or (
        lattice == TETRA_OCTA and (layer + line + column) % 2
    ):
        column -= block
    return layer, line, column


def read_drawing(lattice: Lattice, text: str) -> dict[str, Shape]:
    """The cells under each character of a drawing. Raises BadInput for one where the lattice has no cell."""
    if len(text) > MAX_CHARACTERS:
        raise BadInput(f"a drawing of {len(text)} characters is more than the {MAX_CHARACTERS} that are read")
    cells: dict[str, list[Cell]] = {}
    for place, character in characters(lattice, text):
        cell = cell_at(lattice, place)
        if not character.isprintable():
            raise BadDrawing(character, place[1], place[2], "is not a mark; draw with printable characters")
        if cell is not None:
            cells.setdefault(character, []).append(cell)
        elif character != "+":
            problem = f"stands where the {lattice.name} lattice has no cell"
            if lattice == HEXAGON:
                first = 1 + place[1] % 2
                problem += f"; the cells of this line are in columns {first}, {first + 2}, {first + 4}, ..."
            raise BadDrawing(character, place[1], place[2], problem)
    return {character: tuple(sorted(cells[character])) for character in sorted(cells)}


def cells_drawn(lattice: Lattice, text: str) -> Shape:
    """All cells of a drawing, with any characters. Raises BadInput."""
    return tuple(sorted(cell for shape in read_drawing(lattice, text).values() for cell in shape))


def characters(lattice: Lattice, text: str) -> Iterator[tuple[Spot, str]]:
    """The characters of a drawing that are not EMPTY, with their places."""
    for line, content in enumerate(text.strip("\n").split("\n")):
        # Other white space inside a line, such as the ends of lines of other systems, is refused.
        layers = re.split("[ \t]+", content.strip()) if lattice.dimension == 3 else [content.rstrip()]
        for layer, line_of_layer in enumerate(layers):
            for column, character in enumerate(line_of_layer):
                if character not in EMPTY:
                    yield (layer, line, column), character


def draw(lattice: Lattice, symbols: dict[Cell, str]) -> str:
    """The drawing with these characters, moved by a translation of the lattice to the upper left corner.

    It is the inverse of reading. Longer texts of one length are separated by a space.
    """
    at = {spot(lattice, cell): symbol for cell, symbol in symbols.items()}
    if not at:
        return ""
    first, last = first_spot(lattice, at), map(max, zip(*at, strict=True))
    layers, lines, columns = (range(low, high + 1) for low, high in zip(first, last, strict=True))
    width = len(next(iter(symbols.values())))
    blank = ("." if lattice.dimension == 3 else " ").ljust(width)
    between_cells, between_layers = _gaps(width)
    drawn = "\n".join(
        between_layers.join(
            between_cells.join(at.get((layer, line, column), blank) for column in columns) for layer in layers
        ).rstrip()
        for line in lines
    )
    return f".{drawn}" if drawn.startswith("\n") else drawn  # an empty first line would not be read


def places_in_text(lattice: Lattice, symbols: dict[Cell, str]) -> dict[Cell, tuple[int, int]]:
    """Line and column of the first character of each cell in the drawing."""
    at = {cell: spot(lattice, cell) for cell in symbols}
    layer0, line0, column0 = first_spot(lattice, at.values())
    column1 = max(column for _, _, column in at.values())
    width = len(next(iter(symbols.values())))
    between_cells, between_layers = map(len, _gaps(width))
    across = (column1 - column0 + 1) * (width + between_cells) - between_cells + between_layers
    return {
        cell: (line - line0, (layer - layer0) * across + (column - column0) * (width + between_cells))
        for cell, (layer, line, column) in at.items()
    }


def _gaps(width: int) -> tuple[str, str]:
    """The spaces between cells, and those between layers."""
    return ("", " ") if width == 1 else (" ", "   ")
