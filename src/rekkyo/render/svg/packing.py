"""Packings in the plane: each piece one outline in its colour, with its name; sticks on edges as thick lines.

The outlines come from the corners of the lattice's cells, so that the digits of the seven-segment puzzle,
which are sets of quarters of squares, are drawn exactly. Packings in space are drawn by `solid`, `balls` and
`layers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rekkyo.model.lattices import EDGES, SQUARE, Cell, Lattice
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.lattices.lattice import Corner, Face
from rekkyo.model.packing import Packing, Piece
from rekkyo.render.svg.markup import CELL, Place, bounds, drawn_path, lozenge, middle, moved, number, path
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Layer, Markup, Painting
from rekkyo.render.svg.pieces import PiecesOnBoard

MARGIN = 3.0
STICK = 0.24 * CELL
NAME_SIZE = 0.5 * CELL
SMALL_NAME_SIZE = 0.36 * CELL
"""The size of names in triangles and on sticks."""


def paint_packing(model: Packing) -> Painting:
    """Every cell of the board is a spot, every piece a thing."""
    plane = _Sticks(model) if model.lattice == EDGES else Plane(model)
    return plane.whole()


def paint_piece(lattice: Lattice, cells: frozenset[Cell], fill: str) -> tuple[Markup, float, float]:
    """The drawing of a single piece, and its size."""
    return Plane(Packing(lattice, cells, (Piece("piece", cells),), reflections=False)).piece(fill)


class Plane(PiecesOnBoard):
    """The corners of a board, moved so that the drawing begins at the origin.

    lattice: of the polygons, if not that of the model. above: the space above the board.
    """

    def __init__(self, model: Packing, lattice: Lattice | None = None, above: float = MARGIN) -> None:
        super().__init__(model)
        self._lattice: Lattice = lattice or model.lattice
        corners = [self._raw(corner) for cell in self.cells for face in self.faces(cell) for corner in face]
        self._left = min(x for x, _ in corners) - MARGIN
        self._top = min(y for _, y in corners) - above
        width = max(x for x, _ in corners) - self._left + MARGIN
        self._size = width, max(y for _, y in corners) - self._top + MARGIN
        has_triangles = len(self.faces(self.cells[0])[0]) == 3
        self._name_size = SMALL_NAME_SIZE if has_triangles else NAME_SIZE
        self._outlined = cache(self._outline_and_place)

    def whole(self) -> Painting:
        """Every cell of the board is a spot, every piece a thing."""
        return self.painting(self._size, self._board(), self._spot, self._spot_names(), self._placed)

    def piece(self, fill: str) -> tuple[Markup, float, float]:
        """All cells of the board as one piece at the origin, and its size."""
        left, top, right, bottom = bounds(self._area(self.cells))
        drawn = drawn_path(self._area(self.cells), "rk-piece", fill=fill)
        return moved(drawn, -left, -top), right - left, bottom - top

    def faces(self, cell: Cell) -> tuple[Face, ...]:
        """The polygons of a cell of the board."""
        return self._lattice.faces(cell)

    def _raw(self, corner: Corner) -> Place:
        x, y = self._lattice.drawn(corner)
        return x * CELL, y * CELL

    def _at(self, corner: Corner) -> Place:
        x, y = self._raw(corner)
        return x - self._left, y - self._top

    def _area(self, cells: Sequence[Cell]) -> str:
        faces = (face for cell in cells for face in self.faces(cell))
        return "".join(path(map(self._at, loop)) for loop in outline(faces))

    def _board(self) -> Markup:
        edge = self._area(self.cells)
        return (
            drawn_path(edge, "rk-board", fill_rule="evenodd")
            + self.optional_spots(self._spot)
            + drawn_path("".join(map(self._spot, self.cells)), "rk-grid")
            + drawn_path(edge, "rk-frame")
        )

    def _placed(self, option: int, fill: str) -> list[Layer]:
        area, place = self._outlined(option)
        drawn = drawn_path(area, "rk-piece", fill=fill)
        return [(0, drawn + self.name_at(option, fill, place, self._name_size))]

    def _outline_and_place(self, option: int) -> tuple[str, Place]:
        """The outline, and the place of the name, which do not depend on the colour."""
        cells = self.placements[option].cells
        return self._area(cells), self._place_of_name(cells)

    def _spot(self, cell: Cell) -> str:
        return "".join(path(map(self._at, face)) for face in self.faces(cell))

    def _place_of_name(self, cells: Sequence[Cell]) -> Place:
        """The middle of a cell near the middle of the piece with many neighbours in it."""
        middles = {cell: middle([self._at(c) for face in self.faces(cell) for c in face]) for cell in cells}
        x, y = middle(list(middles.values()))

        def worth(cell: Cell) -> tuple[int, float]:
            across, down = middles[cell]
            n_near = sum(near in middles for near in self.model.lattice.neighbours(cell))
            return -n_near, (across - x) ** 2 + (down - y) ** 2

        return middles[min(cells, key=worth)]

    def _spot_names(self) -> tuple[str, ...]:
        if self._lattice == SQUARE:
            top, left = (min(axis) - 1 for axis in zip(*self.cells, strict=True))
            return tuple(f"row {row - top}, column {column - left}" for row, column in self.cells)
        lines = [spot(self._lattice, cell)[1:] for cell in self.cells]
        rows = {line: index for index, line in enumerate(sorted({line for line, _ in lines}))}
        in_row: dict[int, list[int]] = {}
        for line, column in sorted(lines):
            in_row.setdefault(line, []).append(column)
        return tuple(
            f"row {rows[line] + 1}, place {in_row[line].index(column) + 1}" for line, column in lines
        )


class _Sticks(Plane):
    """Pieces on the edges of a lattice, as thick lines."""

    def _board(self) -> Markup:
        corners = {self._at(c) for cell in self.cells for face in self.faces(cell) for c in face}
        lines = self.optional_spots(self._spot) + drawn_path(self._lines(self.cells), "rk-grid")
        return lines + "".join(
            f'<circle class="rk-shade" cx="{number(x)}" cy="{number(y)}" r="2"/>' for x, y in sorted(corners)
        )

    def _placed(self, option: int, fill: str) -> list[Layer]:
        cells = self.placements[option].cells
        d = self._lines(cells)
        drawn = drawn_path(d, "rk-stick", stroke="#1b1b1b", stroke_width=number(STICK + 2.4))
        drawn += drawn_path(d, "rk-stick", stroke=fill, stroke_width=number(STICK))
        return [(0, drawn + self.name_at(option, fill, self._place_of_name(cells), SMALL_NAME_SIZE))]

    def _spot(self, cell: Cell) -> str:
        ((start, end),) = self.faces(cell)
        return lozenge(self._at(start), self._at(end), 0.5)

    def _lines(self, cells: Sequence[Cell]) -> str:
        return "".join(path(map(self._at, face), closed=False) for cell in cells for face in self.faces(cell))
