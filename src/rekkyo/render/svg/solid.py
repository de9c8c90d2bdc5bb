"""Packings in space: the separate layers of the board, and beside them the whole body.

Both are seen from the front, from above and from the right, so that three kinds of faces are visible: tops,
fronts and right sides, each in its own shade. In the layers nothing is hidden, so each piece is drawn
independently. In the body cubes hide others, so each has a depth, and cubes are drawn from back to front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from rekkyo.model.lattices import CUBE, Cell
from rekkyo.model.lattices.lattice import Face, Vector, added
from rekkyo.model.packing import Packing, Piece
from rekkyo.render.svg.markup import CELL, Place, drawn_path, middle, moved, path, words
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Body, Layer, Markup, Painting
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.style import darker

MARGIN = 4.0
LABEL_WIDTH = 34.0
LABEL_SIZE = 9.0
LEAN = 0.45
"""The shift of the next row behind to the right, in cells."""

DEPTH = 0.62
"""The shift of the next row behind upwards."""

THICKNESS = 0.4
"""The height of a separate layer."""

HEIGHT = 0.8
"""The height of a cube in the body."""

GAP = 0.5
BETWEEN = 1.2
"""The gap between the layers and the body, in cells."""

NAME_SIZE = 0.42 * CELL
SIDE_SHADE, FRONT_SHADE = 0.55, 0.75


def paint_solid(model: Packing) -> Painting:
    """Every cube of the board is a spot, by its top; every piece a thing."""
    return _Plates(model).whole()


def paint_body(cells: frozenset[Cell], fill: str) -> tuple[Markup, float, float]:
    """The drawing of a single piece, and its size."""
    return _Plates(Packing(CUBE, cells, (Piece("piece", cells),))).body(fill)


class _Plates(PiecesOnBoard):
    def __init__(self, model: Packing) -> None:
        super().__init__(model)
        axes = list(zip(*self.cells, strict=True))
        self._first_layer, self._first_row, self._first_column = map(min, axes)
        self._n_layers, self._n_rows, n_columns = (max(axis) - min(axis) + 1 for axis in axes)
        self._layer_height = self._n_rows * DEPTH + THICKNESS + GAP
        across = n_columns + self._n_rows * LEAN
        self._body = LABEL_WIDTH + (across + BETWEEN) * CELL + MARGIN
        tall = max(self._n_layers * self._layer_height - GAP, self._n_rows * DEPTH + self._n_layers * HEIGHT)
        self._size = self._body + across * CELL + MARGIN, tall * CELL + 2 * MARGIN
        from_back = sorted(self.cells, key=lambda cell: (cell[1], -cell[0], cell[2]))
        self._depths = {cell: depth for depth, cell in enumerate(from_back, 1)}

    def whole(self) -> Painting:
        return self.painting(
            self._size,
            self._board(),
            self._spot,
            self._spot_names(),
            self._placed,
            Body(
                "cubes",
                tuple((float(column), -float(layer), float(row)) for layer, row, column in self.cells),
            ),
        )

    def _spot(self, cell: Cell) -> str:
        return path(self._top(cell))

    def _spot_names(self) -> tuple[str, ...]:
        return tuple(
            f"layer {layer - self._first_layer + 1}, row {row - self._first_row + 1},"
            f" column {column - self._first_column + 1}"
            for layer, row, column in self.cells
        )

    def _at(self, layer: int, down: float, across: float) -> Place:
        """The place of a corner of the tops of a layer, by row and column of its lines, from the first."""
        behind = self._n_rows - down
        x = across + behind * LEAN
        y = (layer - self._first_layer) * self._layer_height + self._n_rows * DEPTH - behind * DEPTH
        return x * CELL + MARGIN + LABEL_WIDTH, y * CELL + MARGIN

    def _in_body(self, below: int, down: int, across: int) -> Place:
        """The place of a corner of the body, by its distance in cubes below, before and right of it."""
        behind = self._n_rows - down
        x = across + behind * LEAN
        y = below * HEIGHT + self._n_rows * DEPTH - behind * DEPTH
        return x * CELL + self._body, y * CELL + MARGIN

    def _top(self, cell: Cell) -> list[Place]:
        return [self._at(cell[0], down, across) for down, across in self._corners(cell)]

    def _corners(self, cell: Cell) -> Face:
        down, across = cell[1] - self._first_row, cell[2] - self._first_column
        return (down, across), (down, across + 1), (down + 1, across + 1), (down + 1, across)

    def _faces(self, cells: Sequence[Cell], *, are_sides: bool) -> str:
        """The fronts of cubes, or their right sides, that no cube of the board hides."""
        faces, deep = [], THICKNESS * CELL
        for layer, row, column in cells:
            if (layer, row + (not are_sides), column + are_sides) in self.model.board:
                continue
            _, right, near, left = self._top((layer, row, column))
            (x1, y1), (x2, y2) = (near, right) if are_sides else (left, near)
            corners = [(x1, y1), (x2, y2), (x2, y2 + deep), (x1, y1 + deep)]
            if (layer, row + 1, column + 1) in self.model.board:  # whose top hides a corner
                lean = deep * LEAN / DEPTH
                corners[3 if are_sides else 2] = (x1 + lean, y1) if are_sides else (x2 - lean, y2 + deep)
            faces.append(path(corners))
        return "".join(faces)

    def _tops(self, cells: Sequence[Cell]) -> str:
        parts = []
        for layer in sorted({cell[0] for cell in cells}):
            loops = outline(self._corners(cell) for cell in cells if cell[0] == layer)
            parts += [path(self._at(layer, *corner) for corner in loop) for loop in loops]
        return "".join(parts)

    def _board(self) -> Markup:
        labels = ""
        if self._n_layers > 1:
            for layer in range(self._first_layer, self._first_layer + self._n_layers):
                _, y = self._at(layer, self._n_rows / 2, 0)
                labels += words(
                    f"layer {layer - self._first_layer + 1}", (MARGIN, y), LABEL_SIZE, "rk-faint rk-start"
                )
        return (
            drawn_path(self._tops(self.cells), "rk-board")
            + self.optional_spots(self._spot)
            + drawn_path(
                "".join(self._faces(self.cells, are_sides=right) for right in (False, True)), "rk-shade"
            )
            + drawn_path("".join(map(self._spot, self.cells)), "rk-grid")
            + labels
            + drawn_path("".join(self._hull()), "rk-grid")
        )

    def _placed(self, option: int, fill: str) -> list[Layer]:
        """The plates of a piece in the layers, and its cubes in the body."""
        cells = self.placements[option].cells
        return [(0, self._plates(option, cells, fill)), *self._cubes(cells, fill)]

    def _plates(self, option: int, cells: Sequence[Cell], fill: str) -> Markup:
        drawn = ""
        for are_sides, shade in ((True, SIDE_SHADE), (False, FRONT_SHADE)):
            drawn += drawn_path(self._faces(cells, are_sides=are_sides), "rk-piece", fill=darker(fill, shade))
        drawn += drawn_path(self._tops(cells), "rk-piece", fill=fill)
        first_in_layer = {cell[0]: cell for cell in reversed(cells)}
        return drawn + "".join(
            self.name_at(option, fill, middle(self._top(cell)), NAME_SIZE)
            for _, cell in sorted(first_in_layer.items())
        )

    def _hull(self) -> list[str]:
        """The visible faces of the empty board."""
        return [
            path(face)
            for cell in self.cells
            for face, beside in self._seen(cell)
            if beside not in self.model.board
        ]

    def _seen(self, cell: Cell) -> list[tuple[list[Place], Cell]]:
        """Top, front and right side of a cube in the body, and the cell that would hide each."""
        layer, row, column = cell
        below, down, across = layer - self._first_layer, row - self._first_row, column - self._first_column
        corners = {
            (layer - 1, row, column): ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
            (layer, row + 1, column): ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
            (layer, row, column + 1): ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
        }
        return [
            ([self._in_body(below + i, down + j, across + k) for i, j, k in face], beside)
            for beside, face in corners.items()
        ]

    def body(self, fill: str) -> tuple[Markup, float, float]:
        """All cells of the board as one piece at the origin, and its size."""
        drawn = "".join(cube for _, cube in sorted(self._cubes(self.cells, fill)))
        corners = [place for cell in self.cells for face, _ in self._seen(cell) for place in face]
        (left, top), (right, bottom) = (tuple(map(end, zip(*corners, strict=True))) for end in (min, max))
        return moved(drawn, -left, -top), right - left, bottom - top

    def _cubes(self, cells: Sequence[Cell], fill: str) -> Iterator[Layer]:
        """The visible part of a piece in the body; cells that are always filled hide the rest."""
        own = set(cells)
        solid = self.model.must_be_covered | own
        shades = (fill, darker(fill, FRONT_SHADE), darker(fill, SIDE_SHADE))
        for cell in cells:
            drawn = "".join(
                drawn_path(path(face), "rk-face", fill=shade, stroke=shade)
                for (face, beside), shade in zip(self._seen(cell), shades, strict=True)
                if beside not in solid
            )
            if drawn:
                yield self._depths[cell], drawn + self._edges(cell, own, solid)

    def _edges(self, cell: Cell, own: set[Cell], solid: Set[Cell]) -> Markup:
        """The lines around the visible part of a cube, except between two coplanar faces of one piece."""
        lines = ""
        for (face, beside), (one, other) in zip(self._seen(cell), ACROSS, strict=True):
            if beside in solid:
                continue
            steps = (_minus(one), other, one, _minus(other))
            for (a, b), step in zip(pairwise([*face, face[0]]), steps, strict=True):
                if added(cell, step) not in own or added(beside, step) in solid:
                    lines += path([a, b], closed=False)
        return drawn_path(lines, "rk-edge")


ACROSS: tuple[tuple[Vector, Vector], ...] = (
    ((0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (1, 0, 0)),
)
"""Vectors along a top, a front and a right side: from the first corner to the last, and to the second."""


def _minus(vector: Vector) -> Vector:
    return tuple(-part for part in vector)
