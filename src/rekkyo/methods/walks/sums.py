"""Three ways to fill a sum figure: every arrangement, cell by cell with checks, line after line.

A line may have a given sum or the figure's common sum. If the common sum does not follow from the numbers, it
is the sum of the first full line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rekkyo.methods.walks.walk import FOUND, Move, Moves, Way
from rekkyo.model.figure_sums import common_sums
from rekkyo.model.sum_figure import Cell, Line, SumFigure


class _Filling:
    """The numbers so far."""

    def __init__(self, model: SumFigure) -> None:
        self.model = model
        self.held: list[int | None] = [None] * len(model.cells)
        self.index_of = {number: index for index, number in enumerate(model.numbers)}
        self.free = [True] * len(model.numbers)
        self.given = dict(model.given)
        possible = common_sums(model)
        self.common = possible[0] if len(possible) == 1 else None

    def put(self, cell: Cell, number: int) -> None:
        self.held[cell] = number
        self.free[self.index_of[number]] = False

    def take_back(self, cell: Cell) -> None:
        number = self.held[cell]
        assert number is not None
        self.held[cell] = None
        self.free[self.index_of[number]] = True

    def possible(self, cell: Cell) -> list[int]:
        """The numbers to try: the free ones, or the given one."""
        numbers = [self.given[cell]] if cell in self.given else self.model.numbers
        return [number for number in numbers if self.free[self.index_of[number]]]

    def atom(self, cell: Cell, number: int) -> int:
        return cell * len(self.model.numbers) + self.index_of[number]

    def atoms(self, cells: Iterable[Cell]) -> tuple[int, ...]:
        """The atoms of the filled cells."""
        return tuple(self.atom(cell, number) for cell in cells if (number := self.held[cell]) is not None)

    def sum_wanted(self, line: Line) -> int | None:
        """The sum that a line must have, or None while it is not known."""
        if line.sum is not None:
            return line.sum
        return self.common if self.common is not None else next(self.common_held(), None)

    def common_held(self) -> Iterator[int]:
        """The sums of full lines that should have the common sum."""
        for line in self.model.lines:
            if line.sum is None and (total := self.sum_held(line)) is not None:
                yield total

    def sum_held(self, line: Line) -> int | None:
        """The sum of a full line."""
        total = 0
        for cell in line.cells:
            number = self.held[cell]
            if number is None:
                return None
            total += number
        return total

    def objection(
        self, lines: Iterable[Line], orders: Iterable[tuple[Cell, Cell]]
    ) -> tuple[tuple[Cell, ...], str] | None:
        """The cells that disagree, and how."""
        for line in lines:
            has, wanted = self.sum_held(line), self.sum_wanted(line)
            if has is not None and line.sum is None and self.common is None:
                wanted = next((total for total in self.common_held() if total != has), has)
            if has is not None and has != wanted:
                return line.cells, f"a sum of {has}, not {wanted}"
        for less, greater in orders:
            a, b = self.held[less], self.held[greater]
            if a is not None and b is not None and a >= b:
                return (less, greater), "two numbers in the wrong order"
        return None


def _walk(model: SumFigure, order: Sequence[Cell], *, checks: bool = True, forces: bool = False) -> Moves:
    """checks: whether a line is added up as soon as it is full, or all of them at the end.

    forces: whether the last cell of a line is computed from the others.
    """
    filling = _Filling(model)
    lines_of = [[line for line in model.lines if cell in line.cells] for cell in range(len(model.cells))]
    orders_of = [[pair for pair in model.orders if cell in pair] for cell in range(len(model.cells))]

    def search(level: int) -> Moves:
        if level == len(order):
            objection = None if checks else filling.objection(model.lines, model.orders)
            if objection is None:
                yield FOUND
            else:
                cells, words = objection
                yield Move("reject", because=filling.atoms(cells), words=f"Rejected: {words}.")
            return
        cell = order[level]
        numbers = filling.possible(cell)
        if forces and (left := _left_for(filling, cell, lines_of[cell])) is not None:
            numbers = [number for number in numbers if number == left]
            if not numbers:
                yield Move("stuck", at=cell, words=f"The line needs {left} here, which is not available.")
        for number in numbers:
            filling.put(cell, number)
            objection = filling.objection(lines_of[cell], orders_of[cell]) if checks else None
            if objection is None:
                if not (yield Move("place", filling.atom(cell, number))):
                    yield from search(level + 1)
                filling.take_back(cell)
                yield Move("lift", filling.atom(cell, number))
            else:
                filling.take_back(cell)
                cells, words = objection
                yield Move("clash", filling.atom(cell, number), filling.atoms(cells), f"would make {words}")

    return search(0)


def _left_for(filling: _Filling, cell: Cell, lines: Iterable[Line]) -> int | None:
    """The number that the sum of a line leaves for its last cell, for the first line with a known sum."""
    for line in lines:
        others = [filling.held[other] for other in line.cells if other != cell]
        known = [number for number in others if number is not None]
        wanted = filling.sum_wanted(line)
        if len(known) == len(others) and wanted is not None:
            return wanted - sum(known)
    return None


def _line_after_line(model: SumFigure) -> list[Cell]:
    """The cells of the line with the fewest open cells, then of the next, so that many cells are forced."""
    order = [cell for cell, _ in sorted(model.given)]
    lines = list(model.lines)
    while lines:
        line = min(lines, key=lambda line: sum(cell not in order for cell in line.cells))
        lines.remove(line)
        order += [cell for cell in line.cells if cell not in order]
    return order + [cell for cell in range(len(model.cells)) if cell not in order]


SUM_WAYS = (
    Way(
        "brute-force",
        "Brute force",
        "Puts the numbers into the cells in every order, and checks a figure only when it is full.",
        lambda model: _walk(model, range(len(model.cells)), checks=False),
    ),
    Way(
        "cell-by-cell",
        "Cell by cell",
        "Fills the cells in order, and adds up a line as soon as it is full.",
        lambda model: _walk(model, range(len(model.cells))),
    ),
    Way(
        "forced-cells",
        "Line after line, with forced cells",
        "Fills one line after another; the sum determines the last cell of a line.",
        lambda model: _walk(model, _line_after_line(model), forces=True),
    ),
)
