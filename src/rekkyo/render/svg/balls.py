"""Draws packings of balls. The layers are side by side, the lowest first, each shifted as it lies over the
one before. The last drawing shows all layers from above.

Balls of a piece that touch in a layer are joined; its name stands on one ball of each layer. From above,
balls hide others, so higher ones are drawn later.
"""

from __future__ import annotations

from math import sqrt

from rekkyo.model.lattices import Cell
from rekkyo.model.packing import Packing
from rekkyo.render.svg.markup import CELL, Place, circle, drawn_path, number, path, words
from rekkyo.render.svg.painting import Body, Layer, Markup, Painting
from rekkyo.render.svg.pieces import PiecesOnBoard

MARGIN = 4.0
GAP = 0.8
"""The gap between two layers, in balls."""

RADIUS = 0.46 * CELL
CAPTION = 14.0
CAPTION_SIZE = 9.0
JOINT = 0.4 * CELL
NAME_SIZE = 0.42 * CELL

UP = sqrt(0.5)
"""The height of the centres of one layer above those of the layer below, for touching balls."""


def paint_balls(model: Packing) -> Painting:
    """Every ball of the board is a spot, and every piece is a thing."""
    return _Layers(model).whole()


class _Layers(PiecesOnBoard):
    def __init__(self, model: Packing) -> None:
        super().__init__(model)
        rows = [row + layer / 2 for layer, row, _ in self.cells]
        columns = [column + layer / 2 for layer, _, column in self.cells]
        self._first = self.cells[0][0], min(rows), min(columns)
        self._across = max(columns) - min(columns) + 1 + GAP
        self._n_layers = self.cells[-1][0] - self.cells[0][0] + 1
        n_boards = self._n_layers + (self._n_layers > 1)
        width = n_boards * self._across - GAP
        height = max(rows) - min(rows) + 1
        self._size = width * CELL + 2 * MARGIN, height * CELL + 2 * MARGIN + CAPTION

    def whole(self) -> Painting:
        names = (
            f"layer {layer - self._first[0] + 1}, row {row + 1}, column {column + 1}"
            for layer, row, column in self.cells
        )
        middles = tuple(
            (column + layer / 2, layer * UP, row + layer / 2) for layer, row, column in self.cells
        )
        return self.painting(
            self._size, self._board(), self._spot, names, self._placed, Body("balls", middles)
        )

    def _at(self, cell: Cell, board: int | None = None) -> Place:
        """The place of a ball, on the board of its layer, from 0, or on another board."""
        layer, row, column = cell
        place = layer - self._first[0] if board is None else board
        x = place * self._across + column + layer / 2 - self._first[2] + 0.5
        y = row + layer / 2 - self._first[1] + 0.5
        return x * CELL + MARGIN, y * CELL + MARGIN + CAPTION

    def _spot(self, cell: Cell) -> str:
        return circle(self._at(cell), RADIUS)

    def _board(self) -> Markup:
        all_balls = "".join(map(self._spot, self.cells))
        return (
            drawn_path(all_balls, "rk-board")
            + self.optional_spots(self._spot)
            + drawn_path(all_balls, "rk-grid")
            + "".join(map(self._caption, range(self._n_layers + (self._n_layers > 1))))
        )

    def _caption(self, board: int) -> Markup:
        text = f"layer {board + 1}" if board < self._n_layers else "from above"
        middle = (board + 0.5) * self._across - GAP / 2
        return words(text, (middle * CELL + MARGIN, MARGIN + 4), CAPTION_SIZE, "rk-faint")

    def _placed(self, option: int, fill: str) -> list[Layer]:
        """The balls in their layers, and, if there are several, from above."""
        cells = self.placements[option].cells
        pairs = (
            (cell, near)
            for cell in cells
            for near in self.model.lattice.neighbours(cell)
            if near in cells and near > cell and near[0] == cell[0]
        )
        drawn = drawn_path("".join(map(self._spot, cells)), "rk-piece", fill=fill)
        joints = "".join(path(map(self._at, pair), closed=False) for pair in pairs)
        if joints:
            drawn += drawn_path(joints, "rk-stick", stroke=fill, stroke_width=number(JOINT))
        first_in_layer = {cell[0]: cell for cell in reversed(cells)}
        drawn += "".join(
            self.name_at(option, fill, self._at(cell), NAME_SIZE)
            for _, cell in sorted(first_in_layer.items())
        )
        if self._n_layers == 1:
            return [(0, drawn)]
        return [(0, drawn), *(self._from_above(cell, fill) for cell in cells)]

    def _from_above(self, cell: Cell, fill: str) -> Layer:
        ball = circle(self._at(cell, self._n_layers), RADIUS)
        return 1 + cell[0] - self._first[0], drawn_path(ball, "rk-piece", fill=fill, stroke_width="1")
