"""`kind = "figure"`: different numbers in named cells, with sums along lines.

The cells may be drawn, one word for each; else they are the names in the lines, in order. The syntax of lines
is that of `rk.sum_figure`: `a b c`, `a b c = 15`, `a < b`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rekkyo.catalog.figure_lines import BadLine, problem_of_name, read_line
from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import Drawing, Table
from rekkyo.model.picture import Picture, Places
from rekkyo.model.puzzle import SYMBOLS
from rekkyo.model.sum_figure import LARGEST, LARGEST_SUM, MAX_CELLS, MAX_LINES, MAX_NUMBERS, Line, SumFigure

KEYS = ("cells", "lines", "sum", "numbers", "given")
BETWEEN_LINES = re.compile(r";|,(?![0-9])")
"""What separates lines; a comma before a digit belongs to the name of a cell, such as 0,1."""


def read_figure(table: Table) -> tuple[SumFigure, str, str, Picture | None]:
    """The model of a table, its characters, an empty title, and the places of its cells. Raises BadFile."""
    drawn = "cells" in table
    cells = table.drawing("cells").numbered("cell", {}, MAX_CELLS, problem_of_name) if drawn else {}
    common = table.whole("sum", -LARGEST_SUM, LARGEST_SUM) if "sum" in table else None
    lines = _Lines(cells, table.drawing("lines"), common, may_name=not drawn)
    lines.read()
    numbers = _numbers(table, len(lines.cells))
    given = table.table("given")
    pairs = []
    for name in given.names():
        if name not in lines.cells:
            given.refuse(name, f'there is no cell "{in_short(name)}"; name it in the lines first')
        pairs.append((lines.cells[name], given.whole(name, -LARGEST, LARGEST)))
    with table.errors_at("given" if pairs else "numbers", "numbers", "lines"):
        model = SumFigure(
            tuple(lines.cells), numbers, tuple(lines.lines), tuple(lines.orders), frozenset(pairs)
        )
    return model, SYMBOLS, "", _places(table, tuple(cells)) if drawn else None


def _places(table: Table, cells: tuple[str, ...]) -> Places | None:
    """The places of the cells in the drawing; None for a drawing in one line, which is only a list.

    Names of unequal lengths shift their neighbours: lines of equally many names that all begin, or all end,
    at one column are a rectangle.
    """
    lines = list(table.drawing("cells").words())
    width = max(len(word.text) for words in lines for word in words)
    is_even = all(len(word.text) == width for words in lines for word in words)
    begins = {words[0].column for words in lines}
    ends = {words[-1].column + len(words[-1].text) for words in lines}
    is_rectangle = len({len(words) for words in lines}) == 1 and 1 in (len(begins), len(ends))
    middles = {
        word.text: (
            2 * word.line,
            2 * (width + 1) * place if is_rectangle and not is_even else 2 * word.column + len(word.text) - 1,
        )
        for words in lines
        for place, word in enumerate(words)
    }
    places = tuple(middles[cell] for cell in cells)
    return Places(places) if len(lines) > 1 else None


class _Lines:
    """Reads the lines. cells: the number of each name."""

    def __init__(self, cells: dict[str, int], drawing: Drawing, common: int | None, may_name: bool) -> None:
        self.cells = cells
        self.drawing = drawing
        self.common = common
        self.may_name = may_name
        self.lines: list[Line] = []
        self.orders: list[tuple[int, int]] = []

    def read(self) -> None:
        for number, text in enumerate(self.drawing.lines()):
            column = 0
            for part in BETWEEN_LINES.split(text):
                if part.strip():
                    self._one(number, column + len(part) - len(part.lstrip()), part.strip())
                column += len(part) + 1
        if not self.lines:
            self.drawing.refuse_whole("there is no line; name the cells of at least one")

    def _one(self, line: int, column: int, text: str) -> None:
        if max(len(self.lines), len(self.orders)) >= MAX_LINES:
            self.drawing.refuse(
                line, column, f"more than the {MAX_LINES} lines that are accepted; leave some out"
            )
        try:
            written = read_line(text, self.cells)
        except BadLine as problem:
            self.drawing.refuse(line, column + problem.column, problem.without_place)
        cells = [self._cell(line, column + place, name) for place, name in written.cells]
        if written.is_order:
            self.orders += pairwise(cells)
            return
        if not cells:
            self.drawing.refuse(line, column, "the line names no cell; name at least one")
        if len(set(cells)) < len(cells):
            self.drawing.refuse(line, column, f'"{in_short(text)}" names a cell twice; name it once')
        self.lines.append(Line(tuple(cells), self.common if written.sum is None else written.sum))

    def _cell(self, line: int, column: int, name: str) -> int:
        if name not in self.cells:
            if not self.may_name:
                problem = f'there is no cell "{in_short(name)}"; draw it under "cells"'
                self.drawing.refuse(line, column, problem)
            if len(self.cells) == MAX_CELLS:
                self.drawing.refuse(
                    line, column, f"more than the {MAX_CELLS} cells that are accepted; leave some out"
                )
        return self.cells.setdefault(name, len(self.cells))


def _numbers(table: Table, n_cells: int) -> tuple[int, ...]:
    if "numbers" not in table:
        return tuple(range(1, n_cells + 1))
    return table.numbers("numbers", MAX_NUMBERS)
