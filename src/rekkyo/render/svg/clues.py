"""The clues of a board of values: regions, cages, signs, arrows, and clues at its edge.

left, top      space for the clues at the edge
border         thick around regions, dashed inside a cage
label          small, in the upper left corner of a cell; of a cage in its first cell
name           small, at the lower side of its cell
corner         a disc with a number
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.boards import Square
from rekkyo.model.picture import Clues
from rekkyo.render.svg import loops
from rekkyo.render.svg.markup import CELL, Place, circle, drawn_path, number, path, square, words
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.painting import Markup

EDGE_SIZE = 0.38 * CELL
EDGE_LETTER = 0.6 * EDGE_SIZE
EDGE_LINE = 1.15 * EDGE_SIZE
EDGE_GAP = 0.25 * CELL
LABEL_SIZE = 0.25 * CELL
NAME_SIZE = 0.2 * CELL
SIGN_SIZE = 0.42 * CELL
INSET = 0.1 * CELL
CIRCLE = 0.4 * CELL
CORNER = 0.18 * CELL
DOWN = {"<": "\N{LOGICAL AND}", ">": "\N{LOGICAL OR}", "<=": "\u2a7f", ">=": "\u2a80"}
"""Turned signs, between a cell and the one below it."""

ALONG = {"<=": "\u2264", ">=": "\u2265", "!=": "\u2260"}
TURNED_ROUND = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class ClueBoard:
    """The places of cells and clues. squares: row and column of each cell."""

    def __init__(self, clues: Clues, squares: Sequence[Square]) -> None:
        self._clues = clues
        self._squares = squares
        texts: dict[str, list[str]] = {side: [] for side in ("left", "right", "top", "bottom")}
        for side, _, text in clues.beside:
            texts[side].append(text)
        rows, columns = zip(*squares, *clues.blocked, strict=True)
        self._n_rows, self._n_columns = 1 + max(rows), 1 + max(columns)
        self.left, right = (
            self._room(max((EDGE_LETTER * len(t) for t in texts[side]), default=0))
            for side in ("left", "right")
        )
        self.top, bottom = (
            self._room(max((EDGE_LINE * len(t.split()) for t in texts[side]), default=0))
            for side in ("top", "bottom")
        )
        self.width = self.left + self._n_columns * CELL + right
        self.height = self.top + self._n_rows * CELL + bottom

    def corner(self, cell: Square) -> Place:
        """The upper left corner of a square."""
        return self.left + cell[1] * CELL, self.top + cell[0] * CELL

    def below(self) -> Markup:
        """The layer below the values."""
        blocked = "".join(square(*self.corner(cell)) for cell in self._clues.blocked)
        lines = "".join(path(map(self._middle, line), closed=False) for line in self._clues.lines)
        threads = "".join(map(self._thread, self._clues.threads))
        rings, discs = (
            "".join(circle(self._middle(cell), CIRCLE) for cell, filled in self._clues.circles if filled == f)
            for f in (False, True)
        )
        drawn = drawn_path(blocked + discs, "rk-blocked") + drawn_path(lines + rings, "rk-line")
        return drawn + threads

    def above(self) -> Markup:
        """Borders, labels and signs."""
        regions = "".join(self._border(cells, 0) for cells in self._clues.regions)
        cages = "".join(self._border(cells, INSET) for cells, _ in self._clues.cages)
        drawn = drawn_path(regions, "rk-frame")
        drawn += drawn_path(cages, "rk-cage")
        labels = [(min(cells), text) for cells, text in self._clues.cages if text]
        drawn += "".join(self._label(cell, text) for cell, text in [*labels, *self._clues.labels])
        drawn += "".join(map(self._name, self._squares, self._clues.names))
        drawn += "".join(self._number(cell, text) for cell, text in self._clues.numbers)
        drawn += "".join(self._at_corner(corner, text) for corner, text in self._clues.corners)
        drawn += "".join(self._sign(*sign) for sign in self._clues.signs)
        return drawn + "".join(self._beside(*clue) for clue in self._clues.beside)

    def _room(self, length: float) -> float:
        """The space beside the board for clues of some length, or for the lines of loops."""
        if length:
            return length + EDGE_GAP
        return CORNER if self._clues.corners else loops.WIDTH if self._clues.loops else 0.0

    def _middle(self, cell: int) -> Place:
        x, y = self.corner(self._squares[cell])
        return x + CELL / 2, y + CELL / 2

    def _border(self, cells: Sequence[int], inset: float) -> str:
        """The outline of cells, moved inwards by `inset`."""
        squares = {self._squares[cell] for cell in cells}
        faces = [((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)) for r, c in squares]
        return "".join(
            path([self._inwards(corner, squares, inset) for corner in loop]) for loop in outline(faces)
        )

    def _inwards(self, corner: tuple[int, ...], squares: set[Square], inset: float) -> Place:
        """A corner of an outline, moved to the side where its cells are."""
        row, column = corner
        around = [(-1, -1), (-1, 0), (0, -1), (0, 0)]
        mine = [(r, c) for r, c in around if (row + r, column + c) in squares]
        down = sum(2 * r + 1 for r, _ in mine)
        across = sum(2 * c + 1 for _, c in mine)
        x, y = self.corner((row, column))
        return x + inset * _sign_of(across), y + inset * _sign_of(down)

    def _label(self, cell: int, text: str) -> Markup:
        x, y = self.corner(self._squares[cell])
        size = min(LABEL_SIZE, 0.8 * CELL / (0.6 * max(1, len(text))))
        return words(text, (x + 1.6 * INSET, y + 0.7 * INSET + 0.5 * LABEL_SIZE), size, "rk-sign rk-start")

    def _name(self, cell: Square, text: str) -> Markup:
        x, y = self.corner(cell)
        size = min(NAME_SIZE, 1.5 * CELL / len(text))
        return words(text, (x + CELL / 2, y + 0.88 * CELL), size, "rk-faint")

    def _number(self, cell: Square, text: str) -> Markup:
        x, y = self.corner(cell)
        return words(text, (x + CELL / 2, y + CELL / 2), SIGN_SIZE, "rk-sign")

    def _at_corner(self, corner: Square, text: str) -> Markup:
        place = self.corner(corner)
        disc = drawn_path(circle(place, CORNER), "rk-board") + drawn_path(circle(place, CORNER), "rk-line")
        return disc + words(text, place, LABEL_SIZE, "rk-ink")

    def _sign(self, one: int, other: int, relation: str) -> Markup:
        """A sign between two cells, read from the left or from above."""
        (row, column), (row_2, column_2) = self._squares[one], self._squares[other]
        if (row_2, column_2) < (row, column):
            relation = TURNED_ROUND.get(relation, relation)
        (x, y), (x_2, y_2) = self._middle(one), self._middle(other)
        text = (DOWN if column == column_2 else ALONG).get(relation, relation)
        return words(text, ((x + x_2) / 2, (y + y_2) / 2), SIGN_SIZE, "rk-sign")

    def _thread(self, cells: Sequence[int]) -> Markup:
        """A circle around the first cell, and a line through the others."""
        x, y = self._middle(cells[0])
        line = path(map(self._middle, cells), closed=False)
        circle = f'<circle class="rk-board" cx="{number(x)}" cy="{number(y)}" r="{number(CIRCLE)}"/>'
        ring = f'<circle class="rk-line" cx="{number(x)}" cy="{number(y)}" r="{number(CIRCLE)}"/>'
        return drawn_path(line, "rk-line") + circle + ring

    def _beside(self, side: str, line: int, text: str) -> Markup:
        x, y = self.corner((line, 0) if side in ("left", "right") else (0, line))
        if side in ("left", "right"):
            at = self.left - EDGE_GAP / 2 if side == "left" else x + self._n_columns * CELL + EDGE_GAP / 2
            kind = "rk-ink rk-end" if side == "left" else "rk-ink rk-start"
            return words(text, (at, y + CELL / 2), EDGE_SIZE, kind)
        parts = text.split()
        first = self.top - EDGE_GAP / 2 - EDGE_LINE * len(parts)
        if side == "bottom":
            first = y + self._n_rows * CELL + EDGE_GAP / 2
        return "".join(
            words(part, (x + CELL / 2, first + (k + 0.5) * EDGE_LINE), EDGE_SIZE)
            for k, part in enumerate(parts)
        )


def _sign_of(value: int) -> int:
    return (value > 0) - (value < 0)
