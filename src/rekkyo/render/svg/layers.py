"""Draws packings of prisms, and of parts of cubes, as their layers, like their text.

Prisms are triangles, and other cells are squares at the places of their characters (`lattices/drawing.py`).
The layers are beside and below each other, the lowest first. Layers without cells are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt

from rekkyo.model.lattices import PRISM, RHOMBIC, SQUARE, TETRA_OCTA, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.drawing import cell_at, first_spot, spot
from rekkyo.model.lattices.lattice import Face
from rekkyo.model.packing import Packing, Piece
from rekkyo.render.svg.markup import drawn_path, words
from rekkyo.render.svg.packing import MARGIN, Plane
from rekkyo.render.svg.painting import Layer, Markup, Painting

IN_PLANE: Mapping[Lattice, Lattice] = {PRISM: TRIANGLE, RHOMBIC: SQUARE, TETRA_OCTA: SQUARE}
"""The lattice of each layer."""

SHAPE = 1.6
"""How much wider than high a drawing is, about."""

LABEL_SIZE = 9.0
LABEL_HEIGHT = 14.0


def paint_layers(model: Packing) -> Painting:
    """Every cell of the board is a spot, every piece a thing."""
    return _Layers(model).whole()


def paint_piece_in_layers(lattice: Lattice, cells: frozenset[Cell], fill: str) -> tuple[Markup, float, float]:
    """The drawing of a single piece, and its size."""
    return _Layers(Packing(lattice, cells, (Piece("piece", cells),), reflections=False)).piece(fill)


class _Layers(Plane):
    def __init__(self, model: Packing) -> None:
        plane = IN_PLANE[model.lattice]
        spots = {cell: spot(model.lattice, cell) for cell in model.board}
        first, last = first_spot(plane, spots.values()), map(max, zip(*spots.values(), strict=True))
        _, n_lines, n_columns = (high - low + 1 for low, high in zip(first, last, strict=True))
        layers = sorted({layer for layer, _, _ in spots.values()})
        # Triangles that point up stay so in a drawing that is moved by even numbers.
        down, across = 2 * ceil((n_lines + 1) / 2), 2 * ceil((n_columns + 3) / 2)
        n_beside = ceil(sqrt(SHAPE * len(layers) * down / across))
        self._starts = {
            layer: (k // n_beside * down, k % n_beside * across) for k, layer in enumerate(layers)
        }
        self._places = {
            cell: (layer, line - first[1], column - first[2]) for cell, (layer, line, column) in spots.items()
        }
        super().__init__(model, plane, MARGIN if len(layers) == 1 else LABEL_HEIGHT)

    def faces(self, cell: Cell) -> tuple[Face, ...]:
        return self._faces_at(*self._places[cell])

    def _faces_at(self, layer: int, line: int, column: int) -> tuple[Face, ...]:
        below, beside = self._starts[layer]
        there = cell_at(self._lattice, (0, line + below, column + beside))
        assert there is not None
        return self._lattice.faces(there)

    def _board(self) -> Markup:
        return super()._board() + (self._labels() if len(self._starts) > 1 else "")

    def _labels(self) -> Markup:
        corners = [
            self._at(corner) for cell in self.cells for face in self._in_first_layer(cell) for corner in face
        ]
        left, top = map(min, zip(*corners, strict=True))
        starts = [self._at(self._faces_at(layer, 0, 0)[0][0]) for layer in self._starts]
        return "".join(
            words(
                f"layer {number}",
                (left + x - starts[0][0], top + y - starts[0][1] - LABEL_SIZE / 2 - 2),
                LABEL_SIZE,
                "rk-faint rk-start",
            )
            for number, (x, y) in enumerate(starts, start=1)
        )

    def _in_first_layer(self, cell: Cell) -> tuple[Face, ...]:
        _, line, column = self._places[cell]
        return self._faces_at(min(self._starts), line, column)

    def _placed(self, option: int, fill: str) -> list[Layer]:
        """The part of a piece in each layer, with its name."""
        cells = self.placements[option].cells
        drawn = drawn_path(self._area(cells), "rk-piece", fill=fill)
        for layer in self._starts:
            there = [cell for cell in cells if self._places[cell][0] == layer]
            if there:
                drawn += self.name_at(option, fill, self._place_of_name(there), self._name_size)
        return [(0, drawn)]

    def _spot_names(self) -> tuple[str, ...]:
        numbers = {layer: number for number, layer in enumerate(self._starts, start=1)}
        return tuple(
            f"layer {numbers[layer]}, row {line + 1}, column {column + 1}"
            for layer, line, column in map(self._places.__getitem__, self.cells)
        )
