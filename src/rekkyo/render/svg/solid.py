"""Packings in space: the layers of the board, one above the other, pulled apart.

Each layer is a plate seen from above and from the front: the tops of its cubes, and the fronts of cubes that
have none before them on the board. Nothing hides anything else, so a piece can be drawn by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.lattices import Cell
from rekkyo.model.lattices.lattice import Face
from rekkyo.model.packing import Packing
from rekkyo.render.svg.markup import CELL, Place, drawn_path, middle, path
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.style import darker

MARGIN = 4.0
LEAN = 0.45
"""How far a row further back moves to the right, in cells."""

DEPTH = 0.62
"""How far a row further back moves up."""

THICKNESS = 0.4
GAP = 0.5
NAME_SIZE = 0.42 * CELL


def paint_solid(model: Packing) -> Painting:
    """Every cube of the board is a spot, by its top; every piece a thing."""
    return _Plates(model).whole()


class _Plates(PiecesOnBoard):
    def __init__(self, model: Packing) -> None:
        super().__init__(model)
        axes = list(zip(*self.cells, strict=True))
        self._first_layer, self._first_row, self._first_column = map(min, axes)
        n_layers, self._n_rows, n_columns = (max(axis) - min(axis) + 1 for axis in axes)
        self._layer_height = self._n_rows * DEPTH + THICKNESS + GAP
        self._size = (
            (n_columns + self._n_rows * LEAN) * CELL + 2 * MARGIN,
            (n_layers * self._layer_height - GAP) * CELL + 2 * MARGIN,
        )

    def whole(self) -> Painting:
        return self.painting(self._size, self._board(), self._spot, self._spot_names(), self._placed)

    def _spot(self, cell: Cell) -> str:
        return path(self._top(cell))

    def _spot_names(self) -> tuple[str, ...]:
        return tuple(
            f"layer {layer - self._first_layer + 1}, row {row - self._first_row + 1},"
            f" column {column - self._first_column + 1}"
            for layer, row, column in self.cells
        )

    def _at(self, layer: int, down: float, across: float) -> Place:
        """Where a corner of the tops of a layer is; row and column of its lines, from the first ones."""
        behind = self._n_rows - down
        x = across + behind * LEAN
        y = (layer - self._first_layer) * self._layer_height + self._n_rows * DEPTH - behind * DEPTH
        return x * CELL + MARGIN, y * CELL + MARGIN

    def _top(self, cell: Cell) -> list[Place]:
        return [self._at(cell[0], down, across) for down, across in self._corners(cell)]

    def _corners(self, cell: Cell) -> Face:
        down, across = cell[1] - self._first_row, cell[2] - self._first_column
        return (down, across), (down, across + 1), (down + 1, across + 1), (down + 1, across)

    def _fronts(self, cells: Sequence[Cell]) -> str:
        """The fronts of cubes that have no cube of the board before them."""
        fronts = []
        for layer, row, column in cells:
            if (layer, row + 1, column) in self.model.board:
                continue
            *_, (x2, y2), (x1, y1) = self._top((layer, row, column))
            deep = THICKNESS * CELL
            fronts.append(path([(x1, y1), (x2, y2), (x2, y2 + deep), (x1, y1 + deep)]))
        return "".join(fronts)

    def _tops(self, cells: Sequence[Cell]) -> str:
        parts = []
        for layer in sorted({cell[0] for cell in cells}):
            loops = outline(self._corners(cell) for cell in cells if cell[0] == layer)
            parts += [path(self._at(layer, *corner) for corner in loop) for loop in loops]
        return "".join(parts)

    def _board(self) -> Markup:
        return (
            drawn_path(self._tops(self.cells), "rk-board")
            + self.optional_spots(self._spot)
            + drawn_path(self._fronts(self.cells), "rk-shade")
            + drawn_path("".join(map(self._spot, self.cells)), "rk-grid")
        )

    def _placed(self, option: int, fill: str) -> Markup:
        cells = self.placements[option].cells
        fronts = self._fronts(cells)
        drawn = drawn_path(fronts, "rk-piece", fill=darker(fill)) if fronts else ""
        drawn += drawn_path(self._tops(cells), "rk-piece", fill=fill)
        first_in_layer = {cell[0]: cell for cell in reversed(cells)}
        return drawn + "".join(
            self.name_at(option, fill, middle(self._top(cell)), NAME_SIZE)
            for _, cell in sorted(first_in_layer.items())
        )
