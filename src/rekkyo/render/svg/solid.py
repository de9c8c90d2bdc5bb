"""Packings in space: the layers of the board pulled apart, and beside them the whole body.

Both are seen from the front, from above and from the right, so that the three kinds of faces are seen: tops,
fronts and right sides, each in a shade of its own. In the layers nothing hides anything else, so a piece can
be drawn by itself. In the body cubes hide others, so it is drawn from back to front, when a whole solution is
known.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache
from itertools import pairwise
from math import prod

from rekkyo.model.lattices import CUBE, Cell
from rekkyo.model.lattices.lattice import Face, Vector, added
from rekkyo.model.packing import Packing, Piece
from rekkyo.render.svg.markup import CELL, Place, drawn_path, middle, number, path, words
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.style import darker

MARGIN = 4.0
LABEL_WIDTH = 34.0
LABEL_SIZE = 9.0
LEAN = 0.45
"""How far a row further back moves to the right, in cells."""

DEPTH = 0.62
"""How far a row further back moves up."""

THICKNESS = 0.4
"""Of a layer that was pulled out."""

HEIGHT = 0.8
"""Of a cube in the body."""

GAP = 0.5
BETWEEN = 1.2
"""Between the layers and the body, in cells."""

NAME_SIZE = 0.42 * CELL
SIDE_SHADE, FRONT_SHADE = 0.55, 0.75


def paint_solid(model: Packing) -> Painting:
    """Every cube of the board is a spot, by its top; every piece a thing."""
    return _Plates(model).whole()


def paint_body(cells: frozenset[Cell], fill: str) -> tuple[Markup, float, float]:
    """A piece by itself, and its size."""
    return _Plates(Packing(CUBE, cells, (Piece("piece", cells),))).body(fill)


class _Plates(PiecesOnBoard):
    def __init__(self, model: Packing) -> None:
        super().__init__(model)
        axes = list(zip(*self.cells, strict=True))
        self._first_layer, self._first_row, self._first_column = map(min, axes)
        self._layers_of = cache(self._placed)
        self._n_layers, self._n_rows, n_columns = (max(axis) - min(axis) + 1 for axis in axes)
        self._layer_height = self._n_rows * DEPTH + THICKNESS + GAP
        across = n_columns + self._n_rows * LEAN
        self._body = LABEL_WIDTH + (across + BETWEEN) * CELL + MARGIN
        tall = max(self._n_layers * self._layer_height - GAP, self._n_rows * DEPTH + self._n_layers * HEIGHT)
        self._size = self._body + across * CELL + MARGIN, tall * CELL + 2 * MARGIN

    def whole(self) -> Painting:
        return self.painting(
            self._size,
            self._board(),
            self._spot,
            self._spot_names(),
            self._placed,
            self._drawn_together,
            self._placed_alone,
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
        """Where a corner of the tops of a layer is; row and column of its lines, from the first ones."""
        behind = self._n_rows - down
        x = across + behind * LEAN
        y = (layer - self._first_layer) * self._layer_height + self._n_rows * DEPTH - behind * DEPTH
        return x * CELL + MARGIN + LABEL_WIDTH, y * CELL + MARGIN

    def _in_body(self, below: int, down: int, across: int) -> Place:
        """Where a corner of the body is, by how many cubes it lies below, before and right of the first."""
        behind = self._n_rows - down
        x = across + behind * LEAN
        y = below * HEIGHT + self._n_rows * DEPTH - behind * DEPTH
        return x * CELL + self._body, y * CELL + MARGIN

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
            corners = [(x1, y1), (x2, y2), (x2, y2 + deep), (x1, y1 + deep)]
            if (layer, row + 1, column + 1) in self.model.board:  # whose top leans over the right end
                corners = [(x1, y1), (x2, y2), (x2 - deep * LEAN / DEPTH, y2 + deep), (x1, y1 + deep)]
            fronts.append(path(corners))
        return "".join(fronts)

    def _sides(self, cells: Sequence[Cell]) -> str:
        """The right sides of cubes that have no cube of the board there."""
        sides = []
        for layer, row, column in cells:
            if (layer, row, column + 1) in self.model.board:
                continue
            _, (x2, y2), (x1, y1), _ = self._top((layer, row, column))
            deep = THICKNESS * CELL
            corners = [(x1, y1), (x2, y2), (x2, y2 + deep), (x1, y1 + deep)]
            if (layer, row + 1, column + 1) in self.model.board:  # whose top begins where this side ends
                corners = [(x1, y1), (x2, y2), (x2, y2 + deep), (x1 + deep * LEAN / DEPTH, y1)]
            sides.append(path(corners))
        return "".join(sides)

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
            + drawn_path(self._fronts(self.cells) + self._sides(self.cells), "rk-shade")
            + drawn_path("".join(map(self._spot, self.cells)), "rk-grid")
            + labels
            + drawn_path("".join(self._hull()), "rk-grid")
        )

    def _placed(self, option: int, fill: str) -> Markup:
        cells = self.placements[option].cells
        drawn = ""
        for faces, shade in ((self._sides(cells), SIDE_SHADE), (self._fronts(cells), FRONT_SHADE)):
            drawn += drawn_path(faces, "rk-piece", fill=darker(fill, shade)) if faces else ""
        drawn += drawn_path(self._tops(cells), "rk-piece", fill=fill)
        first_in_layer = {cell[0]: cell for cell in reversed(cells)}
        return drawn + "".join(
            self.name_at(option, fill, middle(self._top(cell)), NAME_SIZE)
            for _, cell in sorted(first_in_layer.items())
        )

    def _hull(self) -> list[str]:
        """The faces of the board that are seen where nothing stands."""
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

    def _drawn_together(self, options: Sequence[int], fills: Sequence[str]) -> list[Markup]:
        """The layers, then the body."""
        owner = {cell: k for k, option in enumerate(options) for cell in self.placements[option].cells}
        return [*map(self._layers_of, options, fills), *self._drawn_body(owner, fills, owner)]

    def _placed_alone(self, option: int, fill: str) -> Markup:
        """As in a filled box, where only the outermost cubes are seen, and none of them hides another."""
        drawn = self._placed(option, fill)
        if len(self.cells) < prod(max(axis) - min(axis) + 1 for axis in zip(*self.cells, strict=True)):
            return drawn
        owner = dict.fromkeys(self.placements[option].cells, 0)
        return drawn + "".join(self._drawn_body(owner, [fill], self.model.board))

    def body(self, fill: str) -> tuple[Markup, float, float]:
        """All cells of the board as one piece at the origin, and its size."""
        drawn = "".join(self._drawn_body(dict.fromkeys(self.cells, 0), [fill], self.model.board))
        corners = [place for cell in self.cells for face, _ in self._seen(cell) for place in face]
        (left, top), (right, bottom) = (tuple(map(end, zip(*corners, strict=True))) for end in (min, max))
        moved = f'<g transform="translate({number(-left)} {number(-top)})">{drawn}</g>'
        return moved, right - left, bottom - top

    def _drawn_body(
        self, owner: dict[Cell, int], fills: Sequence[str], solid: Container[Cell]
    ) -> list[Markup]:
        """From back to front. owner: which of the fills a cell has. solid: all that hides something."""
        drawn = []
        for cell in sorted(owner, key=lambda c: (c[1], -c[0], c[2])):
            k = owner[cell]
            shades = (fills[k], darker(fills[k], FRONT_SHADE), darker(fills[k], SIDE_SHADE))
            for (face, beside), fill in zip(self._seen(cell), shades, strict=True):
                if beside not in solid:
                    drawn.append(drawn_path(path(face), "rk-face", fill=fill, stroke=fill))
            drawn.append(self._edges(cell, owner, solid))
        return drawn

    def _edges(self, cell: Cell, owner: dict[Cell, int], solid: Container[Cell]) -> Markup:
        """The lines around what is seen of a cube, but between two faces of one piece in one plane."""
        lines = ""
        for (face, beside), (one, other) in zip(self._seen(cell), ACROSS, strict=True):
            if beside in solid:
                continue
            steps = (_minus(one), other, one, _minus(other))
            for (a, b), step in zip(pairwise([*face, face[0]]), steps, strict=True):
                if owner.get(added(cell, step)) != owner[cell] or added(beside, step) in solid:
                    lines += path([a, b], closed=False)
        return drawn_path(lines, "rk-edge") if lines else ""


ACROSS: tuple[tuple[Vector, Vector], ...] = (
    ((0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (1, 0, 0)),
)
"""In the plane of a top, a front and a right side: from the first corner to the last, and to the second."""


def _minus(vector: Vector) -> Vector:
    return tuple(-part for part in vector)
