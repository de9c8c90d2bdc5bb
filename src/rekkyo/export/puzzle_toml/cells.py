"""The cells of a puzzle file, by name and by square, and the places of patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Drawing, Table, Word
from rekkyo.export.puzzle_toml.equations import EQUATION, places_of_equation
from rekkyo.export.puzzle_toml.marks import Square, squares
from rekkyo.export.puzzle_toml.patterns import (
    ORIENTATIONS,
    SAME,
    STRETCHES,
    WHERE,
    Marks,
    images,
    number_of_places,
    places,
)
from rekkyo.model.coloring import MAX_CELLS
from rekkyo.wording import several

ALONG = "along"
PATTERN_KEYS = ("pattern", "where", "orientations", "stretch", ALONG, EQUATION)
TOROIDAL = "toroidal"
ONLY_DRAWN = '"{key}" goes with a pattern that is drawn; leave it out'
MAX_TRIED = 1 << 22
"""The most squares of a pattern in all the places where it is tried, on or off the board."""


@dataclass(frozen=True, slots=True)
class Cells:
    """numbers: of the cells, by name. at: the number of the cell on a square, if there is a board.

    nothing: a mark that further drawings of the board may have where it has no cell.
    more_names: numbers of the cells by the names that a file gives to those of a board.
    torus: rows and columns of a board whose opposite edges are joined; None of another board.
    n_lines: those of the drawing of the board, also without cells.
    """

    numbers: Mapping[str, int]
    at: Mapping[Square, int]
    nothing: str = ""
    more_names: Mapping[str, int] = field(default_factory=dict)
    torus: Square | None = None
    n_lines: int = 0

    @classmethod
    def on_board(cls, table: Table, board: Mapping[Square, object], nothing: str = "") -> Cells:
        """The squares of a board, numbered in order and named `row,column`. Raises BadFile."""
        names = {f"{row},{column}": number for number, (row, column) in enumerate(board)}
        at = {square: number for number, square in enumerate(board)}
        torus = None
        if table.flag(TOROIDAL, False):
            torus = full_rectangle(board) if (0, 0) in board else None
            if torus is None:
                table.refuse(TOROIDAL, "opposite edges are joined only if the board is a whole rectangle")
        n_lines = max(len(table.drawing("board").lines()), 1 + max(row for row, _ in board))
        return cls(names, at, nothing, torus=torus, n_lines=n_lines)

    def on(self, square: Square) -> int | None:
        """The cell on a square, which on a torus may be beyond an edge; None if there is no cell."""
        if self.torus is not None:
            square = (square[0] % self.torus[0], square[1] % self.torus[1])
        return self.at.get(square)

    @property
    def by_any_name(self) -> dict[str, int]:
        """The numbers of the cells, by all their names."""
        return {**self.more_names, **self.numbers}

    def number(self, word: Word, name: str) -> int:
        """The cell of a name. Raises BadFile."""
        number = self.more_names.get(name, self.numbers.get(name))
        if number is None:
            bare = name.strip(",;()[]")
            if bare in self.by_any_name:
                word.refuse(f'there is no cell "{in_short(name)}"; write {bare}, with spaces between cells')
            example = ", ".join(list(self.more_names or self.numbers)[:3])
            word.refuse(f'there is no cell "{in_short(name)}"; cells are {example}, ...')
        return number

    def groups(self, drawing: Drawing, *, may_repeat: bool = False) -> Iterator[list[int]]:
        """The cells that each line names, each once unless they may repeat. Raises BadFile."""
        for words in drawing.words():
            group = [self.number(word, word.text) for word in words]
            if not may_repeat:
                check_once(words, group)
            yield group

    def marked(self, drawing: Drawing) -> Iterator[tuple[int, str, Square]]:
        """The cells in a second drawing of the board: number, mark and square. Raises BadFile."""
        self.check_size(drawing, list(map(len, drawing.lines())))
        for square, mark in squares(drawing, MAX_CELLS).items():
            if square in self.at:
                yield self.at[square], mark, square
            elif mark != self.nothing:
                drawing.refuse(*square, f'"{mark}" is not on the board; write "." where it has no cell')

    def check_size(self, drawing: Drawing, lengths: Sequence[int]) -> None:
        """Refuse a second drawing of the board that is smaller than the board: it would be ambiguous.

        lengths: of its lines, in columns.
        """
        if len(lengths) != self.n_lines:
            have = several(len(lengths), "line")
            drawing.refuse_whole(
                f"the drawing has {have}, but the board has {self.n_lines}; draw all of them"
            )
        for row, column in self.at:
            if column >= lengths[row]:
                problem = f'the line ends before cell {row},{column}; write "." for a cell without a mark'
                drawing.refuse(row, 0, problem)

    def regions(self, drawing: Drawing) -> dict[str, list[int]]:
        """The cells under each mark of a drawing. Raises BadFile."""
        found: dict[str, list[int]] = {}
        for number, mark, _ in self.marked(drawing):
            found.setdefault(mark, []).append(number)
        return found

    def patterns(self, table: Table, symbols: str, what: str) -> Iterator[list[tuple[int, str]]]:
        """A pattern in all its places on the board: the cells there and their marks. Raises BadFile.

        symbols: marks that it may have besides "="; if empty, all marks. what: the meaning of a mark.
        """
        drawing = table.drawing("pattern")
        marks: Marks = squares(drawing, MAX_CELLS)
        for (row, column), mark in marks.items():
            if symbols and mark != SAME and mark not in symbols:
                known = f'use "=" or one of {in_short(symbols)}'
                drawing.refuse(row, column, f'"{mark}" is not a {what}; {known}')
        if EQUATION in table:
            yield from self._patterns_of_equation(table, marks)
            return
        if ALONG in table:
            yield from self._patterns_along(table, marks)
            return
        where = table.choice("where", WHERE)
        orientations = table.choice("orientations", ORIENTATIONS)
        stretch = table.choice("stretch", STRETCHES)
        if where == "here" and (orientations, stretch) != ("one", "none"):
            problem = "a pattern that counts only here is neither turned nor stretched; leave it out"
            table.refuse("where", problem)
        if stretch != "none" and self.torus is not None:
            table.refuse(
                "stretch", "a pattern is not stretched where opposite edges are joined; leave it out"
            )
        turned = self._along_a_ring(images(marks, orientations))
        extents = [self._extent_around(image) for image in turned]
        all_images = list(zip(turned, extents, strict=True))
        n_tried = len(marks) * sum(number_of_places(*image, where, stretch) for image in all_images)
        if n_tried > MAX_TRIED:
            size = f"{n_tried} squares, more than {MAX_TRIED}"
            problem = f"in all its places the pattern would have {size}; make the board smaller"
            table.refuse("pattern", problem)
        if where == "here" and not all(self.on(square) is not None for square in marks):
            table.refuse_unless_member(
                "the pattern is drawn where the board has no cell; draw it on the board", "pattern"
            )
        fits = False
        for place in chain.from_iterable(places(*image, where, stretch) for image in all_images):
            numbers = [number for number in map(self.on, place) if number is not None]
            if len(set(numbers)) < len(numbers):
                table.refuse("pattern", "around the board the pattern would meet itself; make it smaller")
            if len(numbers) == len(place):
                fits = True
                yield list(zip(numbers, place.values(), strict=True))
        if not fits:
            what = "the pattern fits nowhere on the board, so this clause says nothing"
            table.remark_unless_member(what, "pattern")

    def _along_a_ring(self, turned: list[Marks]) -> list[Marks]:
        """Without the images that leave a ring, a torus of one line, unless all of them do."""
        lines = [axis for axis in (0, 1) if self.torus is not None and self.torus[axis] == 1]
        along = [
            image for image in turned if all(len({square[axis] for square in image}) == 1 for axis in lines)
        ]
        return along or turned

    def _extent_around(self, marks: Marks) -> Square:
        """Rows and columns of the board; on a torus with those that a pattern at an edge needs beyond it."""
        if self.torus is None:
            rows, columns = ([square[axis] for square in self.at] for axis in (0, 1))
            return max(rows) + 1, max(columns) + 1
        rows, columns = ([square[axis] for square in marks] for axis in (0, 1))
        return self.torus[0] + max(rows) - min(rows), self.torus[1] + max(columns) - min(columns)

    def _patterns_of_equation(self, table: Table, marks: Marks) -> Iterator[list[tuple[int, str]]]:
        """A mark on all cells that solve an equation together."""
        table.refuse_keys(("where", "orientations", "stretch", ALONG), ONLY_DRAWN)
        if len(marks) > 1:
            table.refuse("pattern", f'with "{EQUATION}" the pattern is one mark, which all its cells have')
        (mark,) = marks.values()
        for place in places_of_equation(table, len(self.at)):
            yield [(cell, mark) for cell in place]

    def _patterns_along(self, table: Table, marks: Marks) -> Iterator[list[tuple[int, str]]]:
        """A row of marks in all its places along lines of cells, which may turn and come back to a cell."""
        table.refuse_keys(("where", "stretch"), f'"{{key}}" does not go with "{ALONG}"; leave it out')
        if len({row for row, _ in marks}) > 1:
            table.refuse("pattern", f'with "{ALONG}" the pattern is a row of marks; draw it in one line')
        columns = [column for _, column in marks]
        first, last = min(columns), max(columns)
        ways = [[(column - first, mark) for (_, column), mark in marks.items()]]
        if table.choice("orientations", ORIENTATIONS) != "one":
            ways.append([(last - column, mark) for (_, column), mark in marks.items()])
        for words in table.drawing(ALONG).words():
            line = [self.number(word, word.text) for word in words]
            if len(line) <= last - first:
                wanted = f"the pattern has {last - first + 1} squares, the line {several(len(line), 'cell')}"
                words[0].refuse(f"{wanted}; make the line longer, or leave it out")
            for start, way in product(range(len(line) - last + first), ways):
                place = [(line[start + at], mark) for at, mark in way]
                if len({cell for cell, _ in place}) < len(place):
                    words[start].refuse("the pattern from here on would have a cell twice; change the line")
                yield place


def check_once(words: list[Word], numbers: list[int]) -> None:
    """Refuse a line that names a cell twice."""
    if len(set(numbers)) < len(numbers):
        words[0].refuse("the line names a cell twice; name it once")


def full_rectangle(board: Mapping[Square, object]) -> tuple[int, int] | None:
    """Rows and columns of a board that is a whole rectangle."""
    rows, columns = ({square[axis] for square in board} for axis in (0, 1))
    full = len(rows) * len(columns) == len(board)
    together = all(max(part) - min(part) == len(part) - 1 for part in (rows, columns))
    return (len(rows), len(columns)) if full and together else None
