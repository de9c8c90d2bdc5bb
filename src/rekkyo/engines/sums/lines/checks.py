"""What narrows the numbers of each cell: lines, and equations that force cells, turned into checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rekkyo.engines.sums.lines.kernel import FORCED, MINUS, SPAN, SUM
from rekkyo.engines.sums.lines.order import OrderedFigure
from rekkyo.model.equations import Equation
from rekkyo.model.sum_figure import Cell, Line, SumFigure


@dataclass(frozen=True, slots=True)
class Check:
    """One test that the kernel makes when the cell comes up; the kinds are explained there.

    equation: what the check is about, with the sign in which the cell's coefficient is positive.
    partners: the cells of the equation that come after the cell.
    """

    kind: int
    cell: Cell
    equation: tuple[int, ...]
    partners: frozenset[Cell]

    @property
    def argument(self) -> int:
        """FORCED: the coefficient of the cell; otherwise the number of open partners."""
        return self.equation[self.cell] if self.kind == FORCED else len(self.partners)


def checks_of(model: SumFigure, ordered: OrderedFigure) -> list[list[Check]]:
    """For each depth its checks, those first that leave least.

    A determined cell is forced once, by a complete line if there is one, because that has the shortest sum.
    Other lines that are complete there need no check: they follow, unless equations had to be left out.
    """
    depth_of = {cell: depth for depth, cell in enumerate(ordered.cells)}
    found: dict[tuple[object, ...], Check] = {}
    by_line = [
        check for line in model.lines for check in _along(_line_equation(model, line), depth_of, whole=True)
    ]
    by_equation = [
        check
        for equation in ordered.equation_of.values()
        for check in _along(equation, depth_of, whole=False)
    ]
    for check in [*by_line, *by_equation]:
        which = () if ordered.lines_follow else check.equation
        found.setdefault((check.kind, check.cell, check.partners, which), check)
    by_depth: list[list[Check]] = [[] for _ in ordered.cells]
    for check in found.values():
        by_depth[depth_of[check.cell]].append(check)
    return [sorted(checks, key=lambda check: check.kind) for checks in by_depth]


def _line_equation(model: SumFigure, line: Line) -> Equation:
    equation = [0] * (len(model.cells) + 2)
    for cell in line.cells:
        equation[cell] = 1
    equation[-2] = -1 if line.sum is None else 0
    equation[-1] = line.sum or 0
    return equation


def _along(equation: Equation, depth_of: dict[Cell, int], *, whole: bool) -> Iterator[Check]:
    """The checks of an equation's cells: all of them for the whole of a line, otherwise of the last two."""
    cells = sorted((cell for cell in depth_of if equation[cell]), key=depth_of.__getitem__)
    for n_after, cell in enumerate(reversed(cells)):
        partners = frozenset(cells[len(cells) - n_after :])
        kind = _kind(equation, cell, partners)
        if kind is None or (n_after > 1 and not whole):
            return
        sign = 1 if equation[cell] > 0 else -1
        yield Check(kind, cell, tuple(sign * factor for factor in equation), partners)


def _kind(equation: Equation, cell: Cell, partners: frozenset[Cell]) -> int | None:
    if not partners:
        return FORCED
    if len(partners) > 1:
        return SPAN
    (partner,) = partners
    if abs(equation[cell]) != 1 or abs(equation[partner]) != 1:
        return None
    return SUM if equation[cell] == equation[partner] else MINUS
