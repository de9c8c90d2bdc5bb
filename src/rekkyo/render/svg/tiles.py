"""Tiles on a board: every side of a tile is an area in its colour, with the letter of the colour; the name of
the tile is in the middle. Touching sides have one colour, so that areas of two tiles make one shape.

A tile in the plane is cut into triangles from its middle to its sides. A cube is drawn from above: four
trapezoids are its sides, the square in the middle is its top above the diagonal and its bottom below; layers
are side by side, the uppermost first.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import CUBE, TRIANGLE, Cell
from rekkyo.model.lattices.lattice import added
from rekkyo.model.lattices.sides import around
from rekkyo.model.tile_board import TileBoard
from rekkyo.render.svg.markup import CELL, Place, drawn_path, middle, number, path, words
from rekkyo.render.svg.painting import Markup, Painting, flat
from rekkyo.render.svg.style import colors_of, written_on

SIDE = 2.2 * CELL
MARGIN = 3.0
LETTER_SIZE = 9.0
SMALL_LETTER_SIZE = 6.5
NAME_SIZE = 11.0
GAP = 0.35
"""The gap between two layers of cubes, in cells."""

CAPTION = 16.0
"""The space above the layers of cubes for their names, and below for what the middle of a cube means."""

MIDDLE = "middle of a cube: its top and bottom"

INNER = 0.24
"""The distance of the square in the middle of a cube from its sides, in cells."""


def paint_tiles(model: ExactCover, board: TileBoard) -> Painting:
    """Every cell is a spot, every tile a thing."""
    return (_Cubes if board.lattice == CUBE else _Plane)(model, board).whole()


class _Plane:
    """Tiles in the plane: the corners of cells. caption: space above and below."""

    caption = 0.0

    def __init__(self, model: ExactCover, board: TileBoard) -> None:
        self.model = model
        self.board = board
        names = sorted({model.color_name(color) for laid in board.laid for color in laid.colors})
        self._fills = dict(zip(names, colors_of(names), strict=True))
        self._letter_size = SMALL_LETTER_SIZE if board.lattice == TRIANGLE else LETTER_SIZE
        corners = [place for cell in board.cells for place in self._raw_outline(cell)]
        self._left, top = (min(axis) - MARGIN for axis in zip(*corners, strict=True))
        right, bottom = (max(axis) + MARGIN for axis in zip(*corners, strict=True))
        self._top = top - self.caption
        self._size = right - self._left, bottom + self.caption - self._top

    def whole(self) -> Painting:
        outlines = [self._moved(self._raw_outline(cell)) for cell in self.board.cells]
        spots = tuple(map(path, outlines))
        return Painting(
            shape=self.model.row_shape,
            width=self._size[0],
            height=self._size[1],
            background=self._captions()
            + drawn_path("".join(spots), "rk-board")
            + drawn_path("".join(spots), "rk-grid"),
            spots=spots,
            spot_names=tuple(f"cell {name}" for name in self.board.cell_names),
            things=tuple(f"tile {name}" for name in self.board.tiles),
            draw_atom=flat(self._draw),
            pairs_of_atom=lambda option: ((self.board.laid[option].cell, self.board.laid[option].tile),),
        )

    def _draw(self, option: int) -> Markup:
        laid = self.board.laid[option]
        cell = self.board.cells[laid.cell]
        drawn = ""
        for color, area in zip(laid.colors, self._areas(cell), strict=True):
            name = self.model.color_name(color)
            drawn += drawn_path(path(self._moved(area)), "rk-side", fill=self._fills[name])
            if len(name) <= 2:
                x, y = self._moved([self._place_of_letter(area)])[0]
                drawn += written_on(self._fills[name], name, (x, y), self._letter_size)
        outline = self._moved(self._raw_outline(cell))
        drawn += drawn_path(path(outline), "rk-frame")
        return drawn + (self._name(middle(outline), self.board.tiles[laid.tile]) if self.board.named else "")

    def _name(self, place: Place, name: str) -> Markup:
        x, y = place
        half = 4 + 3.2 * len(name)
        plate = f'<rect class="rk-board" x="{number(x - half)}" y="{number(y - 7)}" rx="6"'
        plate += f' width="{number(2 * half)}" height="14"/>'
        return plate + words(name, place, NAME_SIZE)

    def _captions(self) -> Markup:
        return ""

    def _moved(self, places: Sequence[Place]) -> list[Place]:
        return [(x - self._left, y - self._top) for x, y in places]

    def _raw_outline(self, cell: Cell) -> list[Place]:
        (face,) = self.board.lattice.faces(cell)
        places = (self.board.lattice.drawn(corner) for corner in face)
        return [(x * SIDE, y * SIDE) for x, y in places]

    def _areas(self, cell: Cell) -> list[list[Place]]:
        """The triangle of each side: its two corners, shared with the adjacent cell, and the middle."""
        lattice = self.board.lattice
        (face,) = lattice.faces(cell)
        at = dict(zip(face, self._raw_outline(cell), strict=True))
        beyond = ([*lattice.faces(added(cell, vector))[0]] for vector in around(lattice, cell))
        centre = middle(list(at.values()))
        return [[*(at[corner] for corner in face if corner in there), centre] for there in beyond]

    def _place_of_letter(self, area: list[Place]) -> Place:
        (x1, y1), (x2, y2), (x, y) = area
        if self.board.lattice == TRIANGLE:
            return middle(area)
        return 0.36 * (x1 + x2) + 0.28 * x, 0.36 * (y1 + y2) + 0.28 * y


class _Cubes(_Plane):
    """Cubes from above, layer by layer."""

    caption = CAPTION

    def _raw_outline(self, cell: Cell) -> list[Place]:
        layer, row, column = cell
        across = max(cell[2] for cell in self.board.cells) + 1 + GAP
        x, y = (layer * across + column) * SIDE, row * SIDE
        return [(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)]

    def _areas(self, cell: Cell) -> list[list[Place]]:
        """Top, back, right, front, left and bottom."""
        outer = self._raw_outline(cell)
        x, y = middle(outer)
        a, b, c, d = [(x + (1 - 2 * INNER) * (u - x), y + (1 - 2 * INNER) * (v - y)) for u, v in outer]
        p, q, r, s = outer
        return [[a, b, d], [p, q, b, a], [q, r, c, b], [r, s, d, c], [s, p, a, d], [b, c, d]]

    def _place_of_letter(self, area: list[Place]) -> Place:
        return middle(area)

    def _captions(self) -> Markup:
        first: dict[int, Cell] = {}
        for cell in self.board.cells:
            first.setdefault(cell[0], cell)
        places = {layer: self._moved(self._raw_outline(cell))[0] for layer, cell in first.items()}
        top = min(y for _, y in places.values())
        below = words(MIDDLE, (self._size[0] / 2, self._size[1] - CAPTION / 2), LETTER_SIZE, "rk-faint")
        return below + "".join(
            words(f"layer {layer + 1}", (x + SIDE / 2, top - CAPTION / 2), NAME_SIZE, "rk-faint")
            for layer, (x, _) in sorted(places.items())
        )
