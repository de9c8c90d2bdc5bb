"""Model: a figure of cells and lines, filled with different numbers so that the lines have equal sums.

A row has one position for each cell; its value is the index, from 0, of the cell's number in the increasing
set of numbers. A line is a set of cells. Its sum is given, or it is the common sum: an unknown number, the
same for all lines without a given sum. There may be more numbers than cells.
Examples: magic squares, stars, hexagons and cubes (OEIS A006052, A200720).
Left out on purpose: weights on cells, equal numbers, and more than one unknown sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from rekkyo.errors import BadModel
from rekkyo.model.checks import check_nested, check_whole, refuse, repeated
from rekkyo.model.row import Layout, RowShape
from rekkyo.wording import several

Cell: TypeAlias = int
"""Index of a cell in the figure's `cells`."""

MAX_CELLS = 128
MAX_NUMBERS = 1024
MAX_LINES = 1024
LARGEST = 10**9
"""The greatest absolute value of a number, so that every sum of a line fits 64 bits."""
LARGEST_SUM = LARGEST * MAX_CELLS


@dataclass(frozen=True, slots=True)
class Line:
    """Cells whose numbers have a sum; the figure checks that the cells are different. Raises BadModel.

    sum: None for the figure's common unknown sum.
    """

    cells: tuple[Cell, ...]
    sum: int | None = None

    def __post_init__(self) -> None:
        rule = "sum figure: the cells of a line are a tuple of whole numbers, such as Line((0, 1, 2))"
        check_nested(rule, self.cells, (tuple, int))
        if self.sum is not None:
            check_whole("sum figure: the sum of a line", self.sum, -LARGEST_SUM, LARGEST_SUM)


@dataclass(frozen=True, slots=True)
class SumFigure:
    """Cells that hold different numbers, with sums along lines.

    cells: the names of the cells, different from each other. numbers: increasing.
    orders: pairs (a, b) of cells; the number in a is less than the number in b.
    given: pairs (cell, number) that are fixed.
    Contradictions between sums, orders and given numbers are allowed: such a figure has no solution, and
    `figure_sums.obstacles` gives the reasons that are easy to find. Raises BadModel.
    """

    cells: tuple[str, ...]
    numbers: tuple[int, ...]
    lines: tuple[Line, ...]
    orders: tuple[tuple[Cell, Cell], ...] = ()
    given: frozenset[tuple[Cell, int]] = frozenset()

    def __post_init__(self) -> None:
        _check_cells(self.cells)
        _check_numbers(self.numbers, len(self.cells))
        self._check_lines()
        self._check_orders()
        self._check_given()

    def _check_lines(self) -> None:
        check_nested("sum figure: lines are a tuple of Line", self.lines, (tuple, Line))
        if not self.lines:
            raise BadModel("sum figure: there is no line; name the cells of at least one")
        if len(self.lines) > MAX_LINES:
            raise BadModel(f"sum figure: at most {MAX_LINES} lines, not {len(self.lines)}")
        for number, line in enumerate(self.lines, start=1):
            where = f"line {number}"
            if not line.cells:
                raise BadModel(f"sum figure: {where} has no cells")
            for cell in line.cells:
                self._check_cell(where, cell)
            if (twice := repeated(line.cells)) is not None:
                raise BadModel(f"sum figure: {where} names cell {self.cells[twice]} twice")

    def _check_cell(self, where: str, cell: Any) -> None:
        if not 0 <= cell < len(self.cells):
            refuse(f"sum figure: {where} names cells from 0 to {len(self.cells) - 1}", cell)

    def _check_orders(self) -> None:
        rule = "sum figure: orders are a tuple of pairs of cells (less, greater)"
        check_nested(rule, self.orders, (tuple, tuple, int), length=2)
        for pair in self.orders:
            for cell in pair:
                self._check_cell("an order", cell)
            if pair[0] == pair[1]:
                raise BadModel(f"sum figure: an order puts cell {self.cells[pair[0]]} before itself")

    def _check_given(self) -> None:
        in_cell: dict[int, int] = {}
        cell_of: dict[int, int] = {}
        rule = "sum figure: what is given is a frozenset of pairs (cell, number)"
        check_nested(rule, self.given, (frozenset, tuple, int), length=2)
        for cell, number in sorted(self.given):
            self._check_cell("a given number", cell)
            if number not in self.numbers:
                numbers = _in_short(self.numbers)
                refuse(f"sum figure: a given number in cell {self.cells[cell]} is among {numbers}", number)
            if cell in in_cell:
                both = sorted((number, in_cell[cell]))
                raise BadModel(f"sum figure: cell {self.cells[cell]} is given both {both[0]} and {both[1]}")
            if number in cell_of:
                names = " and ".join(sorted((self.cells[cell], self.cells[cell_of[number]])))
                raise BadModel(f"sum figure: number {number} is given in two cells, {names}")
            in_cell[cell], cell_of[number] = number, cell

    @property
    def row_shape(self) -> RowShape:
        """A row has a position for each cell, and a value for each number."""
        return RowShape(len(self.cells), len(self.numbers), Layout.BY_POSITION)

    @property
    def row_meaning(self) -> str:
        """Positions are cells, and values are numbers."""
        if _is_range(self.numbers):
            start = self.numbers[0]
            value = f"number minus {start}" if start > 0 else f"number plus {-start}" if start else "number"
        else:
            value = "which of the numbers it is, from 0, least first"
        return f"position: cell, in the order of the figure's cells; value: {value}"

    def numbers_of(self, row: tuple[int, ...] | list[int]) -> list[int]:
        """The numbers in the cells, for a row of values."""
        return [self.numbers[value] for value in row]


def _check_cells(cells: Any) -> None:
    rule = "sum figure: the cells are a tuple of names, none empty"
    check_nested(rule, cells, (tuple, str))
    if "" in cells:
        raise BadModel(rule)
    if not 1 <= len(cells) <= MAX_CELLS:
        raise BadModel(f"sum figure: 1 to {MAX_CELLS} cells, not {len(cells)}")
    if (twice := repeated(cells)) is not None:
        raise BadModel(f'sum figure: two cells are named "{twice}"')


def _check_numbers(numbers: Any, n_cells: int) -> None:
    check_nested("sum figure: the numbers are a tuple of whole numbers", numbers, (tuple, int))
    if len(numbers) > MAX_NUMBERS:
        raise BadModel(f"sum figure: at most {MAX_NUMBERS} numbers, not {len(numbers)}")
    for number in numbers:
        check_whole("sum figure: each number", number, -LARGEST, LARGEST)
    for before, after in pairwise(numbers):
        if before == after:
            raise BadModel(f"sum figure: number {after} appears twice; all numbers must differ")
        if before > after:
            raise BadModel(f"sum figure: the numbers must increase, but {after} comes after {before}")
    if len(numbers) < n_cells:
        cells, few = several(n_cells, "cell"), several(len(numbers), "number")
        raise BadModel(f"sum figure: {cells} cannot be filled with {few}")


def _is_range(numbers: tuple[int, ...]) -> bool:
    return numbers[-1] - numbers[0] == len(numbers) - 1


def _in_short(numbers: tuple[int, ...]) -> str:
    if _is_range(numbers):
        return f"{numbers[0]} to {numbers[-1]}"
    few = ", ".join(map(str, numbers[:8]))
    return few if len(numbers) <= 8 else f"{few}, ..."
