"""Model: cells coloured so that no forbidden set of cells has one colour and no forbidden pattern appears.

A row has one position for each cell; its value is the cell's colour, from 0 (layout BY_POSITION). There may
also be forbidden patterns (partial colourings), bounds on how many cells have each colour, and fixed cells.
Examples: van der Waerden, Schur and Ramsey colourings, sum-free sets, rectangle-free grids, Gardner's Hip.
Left out on purpose: symmetry, which belongs to the puzzle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rekkyo.errors import BadModel
from rekkyo.model.boards import Square
from rekkyo.model.checks import check_nested, check_size, check_whole, refuse
from rekkyo.model.row import Layout, RowShape
from rekkyo.wording import several

Cell: TypeAlias = int
Color: TypeAlias = int

Pattern: TypeAlias = tuple[tuple[Cell, Color], ...]
"""A partial colouring: cells with their colours."""

COLOR_SYMBOLS = "#.o+x*%@"
"""One character for each colour, in compact form and in drawings."""

MAX_CELLS = 1 << 12
MAX_BOUND = 10**9
"""The largest bound: more than any number of cells, so that engines can add up some bounds."""
MIN_COLORS, MAX_COLORS = 2, 8
MAX_SETS = 1 << 18
"""Sets and patterns together."""

MAX_USES = 1 << 21
"""Cells of all sets and patterns."""


@dataclass(frozen=True, slots=True)
class Coloring:
    """Cells 0 … n_cells - 1, each with a colour 0 … n_colors - 1.

    sets: cells that must not all have the same colour; two cells or more, each once.
    patterns: partial colourings of which none may appear; one cell or more, each once.
    bounds: for each colour how many cells have it, at least and at most; empty means any number.
    fixed: cells whose colour is given, increasing.
    grid: (rows, columns) when cells are the squares of a board, row by row; it changes how solutions are
        drawn, never what a solution is.
    names: of the cells, none or one for each; they only change how solutions are drawn.
    squares: (row, column) of each cell on a board that is not a whole rectangle, instead of `grid`.
    Raises BadModel.
    """

    n_cells: int
    n_colors: int
    sets: tuple[tuple[Cell, ...], ...] = ()
    patterns: tuple[Pattern, ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()
    fixed: Pattern = ()
    grid: tuple[int, int] | None = None
    names: tuple[str, ...] = field(default=(), compare=False)
    squares: tuple[Square, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_whole("coloring: the number of cells", self.n_cells, 1, MAX_CELLS)
        check_whole("coloring: the number of colours", self.n_colors, MIN_COLORS, MAX_COLORS)
        self._check_shapes()
        check_size("coloring", len(self.sets) + len(self.patterns), "sets", MAX_SETS)
        check_size("coloring", sum(map(len, (*self.sets, *self.patterns))), "cells in sets", MAX_USES)
        for number, cells in enumerate(self.sets):
            self._check_cells(f"set {number}", cells)
            if len(cells) < 2:
                raise BadModel(
                    f"coloring: set {number} has {several(len(cells), 'cell')}, so no colouring could avoid"
                    " it; a set has two or more"
                )
        for number, pattern in enumerate(self.patterns):
            self._check_pattern(f"pattern {number}", pattern)
            if not pattern:
                raise BadModel(f"coloring: pattern {number} is empty, so every colouring would have it")
        self._check_pattern("the pattern of fixed cells", self.fixed)
        self._check_bounds()
        self._check_grid()

    def _check_shapes(self) -> None:
        rule = "coloring: {} are a tuple of {} of whole numbers"
        check_nested(rule.format("sets", "tuples"), self.sets, (tuple, tuple, int))
        patterns = rule.format("patterns", "patterns, each a tuple of pairs (cell, colour)")
        check_nested(patterns, self.patterns, (tuple, tuple, tuple, int), length=2)
        fixed = rule.format("fixed cells", "pairs (cell, colour)")
        check_nested(fixed, self.fixed, (tuple, tuple, int), length=2)
        bounds = rule.format("bounds", "pairs (low, high)")
        check_nested(bounds, self.bounds, (tuple, tuple, int), length=2)
        check_nested("coloring: names are a tuple of texts", self.names, (tuple, str))
        if self.names and len(self.names) != self.n_cells:
            raise BadModel(
                f"coloring: {len(self.names)} names for {several(self.n_cells, 'cell')}; give one for each"
            )
        check_nested("coloring: squares are a tuple of (row, column)", self.squares, (tuple, tuple, int), 2)
        if self.grid is not None:
            check_nested("coloring: the grid is a pair (rows, columns)", (self.grid,), (tuple, tuple, int), 2)

    def _check_cells(self, where: str, cells: Iterable[Any]) -> None:
        seen = set()
        for cell in cells:
            if not 0 <= cell < self.n_cells:
                refuse(f"coloring: {where} names cells from 0 to {self.n_cells - 1}", cell)
            if cell in seen:
                raise BadModel(f"coloring: {where} names cell {cell} twice; name it once")
            seen.add(cell)

    def _check_pattern(self, where: str, pattern: Pattern) -> None:
        self._check_cells(where, (cell for cell, _ in pattern))
        for cell, color in pattern:
            if not 0 <= color < self.n_colors:
                refuse(f"coloring: {where} gives cell {cell} a colour from 0 to {self.n_colors - 1}", color)

    def _check_bounds(self) -> None:
        if not self.bounds:
            return
        if len(self.bounds) != self.n_colors:
            raise BadModel(
                f"coloring: {len(self.bounds)} bounds for {self.n_colors} colours; give one for each, or none"
            )
        n_fixed = Counter(color for _, color in self.fixed)
        for color, (low, high) in enumerate(self.bounds):
            check_whole(f"coloring: the most cells of colour {color}", high, 0, MAX_BOUND)
            if not 0 <= low <= high:
                refuse(f"coloring: the bounds of colour {color} need 0 <= low <= high", (low, high))
            if n_fixed[color] > high:
                raise BadModel(
                    f"coloring: colour {color} is fixed in {several(n_fixed[color], 'cell')},"
                    f" but has at most {high}"
                )
        least, most = (sum(bounds[end] for bounds in self.bounds) for end in (0, 1))
        if not least <= self.n_cells <= most:
            total = f"{least}" if least == most else f"{least} to {most}"
            raise BadModel(
                f"coloring: the counts of the colours add up to {total}, but there are {self.n_cells} cells"
            )

    def _check_grid(self) -> None:
        if self.grid is not None:
            rows, columns = self.grid
            if rows < 1 or rows * columns != self.n_cells:
                refuse(f"coloring: the grid (rows, columns) has {self.n_cells} cells", self.grid)
        if self.squares:
            is_whole = len(set(self.squares)) == len(self.squares) == self.n_cells
            if not is_whole or min(map(min, self.squares)) < 0:
                refuse("coloring: each cell has its own square, (row, column) from 0", self.squares)

    @property
    def board(self) -> tuple[Square, ...]:
        """The square of each cell; empty if the cells are not on a board."""
        if self.grid is None:
            return self.squares
        return tuple(divmod(cell, self.grid[1]) for cell in range(self.n_cells))

    @property
    def row_shape(self) -> RowShape:
        """A row has a position for each cell, and a value for each colour."""
        return RowShape(self.n_cells, self.n_colors, Layout.BY_POSITION)

    @property
    def row_meaning(self) -> str:
        """Positions are cells, and values are their colours."""
        where = "square of the board, by rows" if self.squares else "cell"
        if self.grid is not None:
            where = f"square of the {self.grid[0]}x{self.grid[1]} board, by rows"
        return f"position: {where}; value: its colour; from 0"


def nogoods(model: Coloring) -> list[Pattern]:
    """All forbidden partial colourings: the patterns, and each set once in every colour."""
    return [
        *(tuple((cell, color) for cell in cells) for cells in model.sets for color in range(model.n_colors)),
        *model.patterns,
    ]
