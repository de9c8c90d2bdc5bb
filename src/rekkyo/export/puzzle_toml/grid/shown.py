"""The clues that the clauses of a grid show on its board, collected by the reader for the picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rekkyo.export.puzzle_toml.marks import Square
from rekkyo.model.picture import Clues

MAX_SHOWN = 1 << 14
"""The most cages, labels, signs and borders together; further ones are skipped."""


class Shown:
    """Cells are numbers. squares: of all cells. blocked: squares within the board that have no cell.

    names: of the cells, if the file gives some. strokes: whether values are drawn as lines. corners: clues at
    the upper left corners of squares.
    """

    def __init__(self, squares: Sequence[Square], blocked: Sequence[Square]) -> None:
        self._squares = squares
        self._at = {square: cell for cell, square in enumerate(squares)}
        self._blocked = blocked
        self._regions: dict[tuple[int, ...], None] = {}
        self._cages: dict[tuple[int, ...], list[str]] = {}
        self._left_out: set[tuple[int, ...]] = set()
        self._labels: dict[int, str] = {}
        self._numbers: dict[Square, str] = {}
        self._signs: list[tuple[int, int, str]] = []
        self._threads: list[tuple[int, ...]] = []
        self._lines: dict[tuple[int, ...], None] = {}
        self._circles: list[tuple[int, bool]] = []
        self._beside: dict[tuple[str, int], list[str]] = {}
        self._loops: list[tuple[int, ...]] = []
        self.names: tuple[str, ...] = ()
        self.strokes = False
        self.corners: dict[Square, str] = {}
        self._n = 0

    def regions(self, groups: Sequence[Sequence[int]]) -> None:
        """Add groups with a thick border."""
        for group in groups:
            if self._has_room():
                self._regions[tuple(group)] = None

    def cage(self, cells: Sequence[int], label: str = "") -> None:
        """Add cells with a dashed border and their rule; rules of the same cells are joined."""
        if tuple(cells) not in self._left_out and self._has_room():
            self._cages.setdefault(tuple(cells), []).extend([label] if label else [])

    def leave_out(self, groups: Sequence[Sequence[int]]) -> None:
        """Draw no cages or lines of these groups: many overlap, as those of rows and columns."""
        self._left_out.update(map(tuple, groups))

    def label(self, cell: int, text: str) -> None:
        """Add a clue in a cell."""
        if self._has_room():
            self._labels[cell] = text

    def number_at(self, square: Square, text: str) -> None:
        """Add a clue on a square, which may have no cell."""
        if square in self._at:
            self.label(self._at[square], text)
        elif self._has_room():
            self._numbers[square] = text

    def sign(self, one: int, other: int, relation: str) -> None:
        """Add a relation between two adjacent cells."""
        (row, column), (row_2, column_2) = self._squares[one], self._squares[other]
        if max(abs(row - row_2), abs(column - column_2)) == 1 and self._has_room():
            self._signs.append((one, other, relation))

    def thread(self, first: int, cells: Sequence[int]) -> None:
        """Add an arrow from a cell through the cells of its sum."""
        if self._has_room():
            self._threads.append((first, *cells))

    def line(self, cells: Sequence[int]) -> None:
        """Add a line through cells, along which a pattern lies."""
        if tuple(cells) not in self._left_out and self._has_room():
            self._lines[tuple(cells)] = None

    def circle(self, cell: int, *, is_filled: bool) -> None:
        """Add a circle around the middle of a cell."""
        if self._has_room():
            self._circles.append((cell, is_filled))

    def loop(self, inside: tuple[int, ...]) -> None:
        """Add a loop around the cells with these values."""
        if self._has_room():
            self._loops.append(inside)

    def beside(self, side: str, line: int, text: str) -> None:
        """Add a clue at the end of a row (left, right) or a column (top, bottom)."""
        if self._has_room():
            self._beside.setdefault((side, line), []).append(text)

    def picture(self, hidden: Collection[int] = ()) -> Clues:
        """All clues, with rows and columns from the first cell. hidden: cells that are not drawn."""
        drawn = [cell for cell in range(len(self._squares)) if cell not in hidden]
        place_of = {cell: place for place, cell in enumerate(drawn)}
        top, left = (min(self._squares[cell][axis] for cell in drawn) for axis in (0, 1))
        bottom, right = (max(self._squares[cell][axis] for cell in drawn) for axis in (0, 1))
        first = {"left": top, "right": top, "top": left, "bottom": left}

        def places(cells: Sequence[int]) -> tuple[int, ...]:
            return tuple(place_of[cell] for cell in cells if cell in place_of)

        return Clues(
            blocked=tuple(
                (row - top, column - left)
                for row, column in self._blocked
                if top <= row <= bottom and left <= column <= right
            ),
            regions=tuple(some for some in map(places, self._regions) if some),
            cages=tuple((places(c), ", ".join(labels)) for c, labels in self._cages.items() if places(c)),
            labels=tuple((place_of[cell], text) for cell, text in self._labels.items() if cell in place_of),
            numbers=tuple(
                ((row - top, column - left), text)
                for (row, column), text in self._numbers.items()
                if top <= row <= bottom and left <= column <= right
            ),
            signs=tuple(
                (place_of[one], place_of[other], relation)
                for one, other, relation in self._signs
                if place_of.keys() >= {one, other}
            ),
            threads=tuple(places(thread) for thread in self._threads if len(places(thread)) == len(thread)),
            lines=tuple(places(line) for line in self._lines if len(places(line)) == len(line)),
            circles=tuple((place_of[cell], filled) for cell, filled in self._circles if cell in place_of),
            beside=tuple(
                (side, line - first[side], "  ".join(texts)) for (side, line), texts in self._beside.items()
            ),
            loops=tuple(self._loops),
            names=tuple(self.names[cell] for cell in drawn) if self.names else (),
            strokes=self.strokes,
            corners=tuple(((row - top, column - left), text) for (row, column), text in self.corners.items()),
        )

    def _has_room(self) -> bool:
        self._n += 1
        return self._n <= MAX_SHOWN
