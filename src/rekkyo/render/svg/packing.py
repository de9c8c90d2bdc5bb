"""Packings in the plane: each piece one outline in its colour, with its name; sticks on edges as thick lines.

The outlines come from the corners of the lattice's cells. So the digits of the seven-segment puzzle, which
are sets of quarters of squares, look like what they are. Packings in space are drawn by `solid`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.lattices import EDGES, SQUARE, Cell, Lattice
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.lattices.lattice import Corner
from rekkyo.model.packing import Packing
from rekkyo.render.svg.markup import CELL, Place, drawn_path, lozenge, middle, number, path, words
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.palette import ink_on
from rekkyo.render.svg.pieces import PieceColors

MARGIN = 3.0
STICK = 0.24 * CELL
NAME_SIZE = 0.5 * CELL
SMALL_NAME_SIZE = 0.36 * CELL
"""In triangles."""

MAX_NAME = 3
"""Longer names of pieces are not written on them."""


def paint_packing(model: Packing) -> Painting:
    """Every cell of the board is a spot, every piece a thing."""
    return _Plane(model).painting()


class _Plane:
    """Where the corners of a board lie, moved so that the drawing begins at the origin."""

    def __init__(self, model: Packing) -> None:
        self._model = model
        self._lattice: Lattice = model.lattice
        self._cells = sorted(model.board)
        corners = [
            self._raw(corner) for cell in self._cells for face in self._lattice.faces(cell) for corner in face
        ]
        self._left = min(x for x, _ in corners) - MARGIN
        self._top = min(y for _, y in corners) - MARGIN
        self.width = max(x for x, _ in corners) - self._left + MARGIN
        self.height = max(y for _, y in corners) - self._top + MARGIN
        self._placements = model.placements()
        self._pieces = {piece.name: index for index, piece in enumerate(model.pieces)}
        self._spots = {cell: index for index, cell in enumerate(self._cells)}
        self._colors = PieceColors(model)
        has_triangles = len(self._lattice.faces(self._cells[0])[0]) == 3
        self._name_size = SMALL_NAME_SIZE if has_triangles else NAME_SIZE

    def painting(self) -> Painting:
        return Painting(
            shape=self._model.row_shape,
            width=self.width,
            height=self.height,
            background=self._sticks_board() if self._lattice == EDGES else self._board(),
            spots=tuple(map(self._spot, self._cells)),
            spot_names=self._spot_names(),
            things=tuple(f"piece {piece.name}" for piece in self._model.pieces),
            draw_atom=self._stick if self._lattice == EDGES else self._piece,
            pairs_of_atom=self._pairs,
        )

    def _raw(self, corner: Corner) -> Place:
        x, y = self._lattice.drawn(corner)
        return x * CELL, y * CELL

    def _at(self, corner: Corner) -> Place:
        x, y = self._raw(corner)
        return x - self._left, y - self._top

    def _area(self, cells: Sequence[Cell]) -> str:
        faces = (face for cell in cells for face in self._lattice.faces(cell))
        return "".join(path(map(self._at, loop)) for loop in outline(faces))

    def _board(self) -> Markup:
        lines = "".join(
            path(map(self._at, face)) for cell in self._cells for face in self._lattice.faces(cell)
        )
        edge = self._area(self._cells)
        return (
            drawn_path(edge, "rk-board", fill_rule="evenodd")
            + drawn_path(lines, "rk-grid")
            + drawn_path(edge, "rk-frame")
        )

    def _piece(self, option: int) -> Markup:
        name, cells = self._placements[option]
        fill = self._colors.of(option)
        drawn = drawn_path(self._area(cells), "rk-piece", fill=fill)
        if len(name) > MAX_NAME or not self._colors.has_names:
            return drawn
        return drawn + words(name, self._place_of_name(cells), self._name_size, "rk-name", fill=ink_on(fill))

    def _place_of_name(self, cells: Sequence[Cell]) -> Place:
        """The middle of a cell with many neighbours in the piece, near the middle of it."""
        middles = {
            cell: middle([self._at(c) for face in self._lattice.faces(cell) for c in face]) for cell in cells
        }
        x, y = middle(list(middles.values()))

        def worth(cell: Cell) -> tuple[int, float]:
            across, down = middles[cell]
            n_near = sum(near in middles for near in self._lattice.neighbours(cell))
            return -n_near, (across - x) ** 2 + (down - y) ** 2

        return middles[min(cells, key=worth)]

    def _sticks_board(self) -> Markup:
        lines = self._lines(self._cells)
        return drawn_path(lines, "rk-grid") + "".join(
            f'<circle class="rk-shade" cx="{number(x)}" cy="{number(y)}" r="2"/>'
            for x, y in sorted(
                {self._at(c) for cell in self._cells for face in self._lattice.faces(cell) for c in face}
            )
        )

    def _stick(self, option: int) -> Markup:
        name, cells = self._placements[option]
        d, fill = self._lines(cells), self._colors.of(option)
        drawn = drawn_path(d, "rk-stick", stroke="#1b1b1b", stroke_width=number(STICK + 2.4))
        drawn += drawn_path(d, "rk-stick", stroke=fill, stroke_width=number(STICK))
        if len(name) > MAX_NAME or not self._colors.has_names:
            return drawn
        return drawn + words(name, self._place_of_name(cells), SMALL_NAME_SIZE, "rk-name", fill=ink_on(fill))

    def _lines(self, cells: Sequence[Cell]) -> str:
        return "".join(
            path(map(self._at, face), closed=False) for cell in cells for face in self._lattice.faces(cell)
        )

    def _spot(self, cell: Cell) -> str:
        if self._lattice != EDGES:
            return "".join(path(map(self._at, face)) for face in self._lattice.faces(cell))
        ((start, end),) = self._lattice.faces(cell)
        return lozenge(self._at(start), self._at(end), 0.5)

    def _spot_names(self) -> tuple[str, ...]:
        """Row and column; where cells are no squares, the row and how many from the left."""
        if self._lattice == SQUARE:
            top, left = (min(axis) - 1 for axis in zip(*self._cells, strict=True))
            return tuple(f"row {row - top}, column {column - left}" for row, column in self._cells)
        lines = [spot(self._lattice, cell)[1:] for cell in self._cells]
        rows = {line: index for index, line in enumerate(sorted({line for line, _ in lines}))}
        in_row: dict[int, list[int]] = {}
        for line, column in sorted(lines):
            in_row.setdefault(line, []).append(column)
        return tuple(
            f"row {rows[line] + 1}, place {in_row[line].index(column) + 1}" for line, column in lines
        )

    def _pairs(self, option: int) -> tuple[tuple[int, int], ...]:
        name, cells = self._placements[option]
        piece = self._pieces[name]
        return tuple((self._spots[cell], piece) for cell in cells)
