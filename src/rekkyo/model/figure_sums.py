"""The possible sums of the lines of a figure, as far as they follow without a search.

When the numbers fill all cells, their total is known. If some linear combination of lines covers every cell
equally, the common sum follows: the five rows of a square of order 5 hold 1 to 25 once, so the common sum is
325 / 5. Elimination in the equations of the lines finds such a combination whenever there is one.
"""

from __future__ import annotations

from fractions import Fraction

from rekkyo.model.equations import Equations
from rekkyo.model.sum_figure import Line, SumFigure


def line_equations(model: SumFigure) -> Equations:
    """The lines as equations. Unknowns: the cells and, last, the common sum, a pivot only if necessary."""
    n_cells = len(model.cells)
    system = Equations(n_cells + 1)
    for line in model.lines:
        coefficients = [0] * (n_cells + 1)
        for cell in line.cells:
            coefficients[cell] = 1
        if line.sum is None:
            coefficients[n_cells] = -1
        system.add(coefficients, line.sum or 0, range(n_cells + 1))
    if len(model.numbers) == n_cells:
        system.add([1] * n_cells + [0], sum(model.numbers), range(n_cells + 1))
    return system


def common_sums(model: SumFigure) -> range:
    """The common sums that are not ruled out; 0 if no line needs it."""
    common = [line for line in model.lines if line.sum is None]
    if not common:
        return range(1)
    bounds = [sum_bounds(model, line) for line in common]
    possible = range(max(low for low, _ in bounds), min(high for _, high in bounds) + 1)
    fixed = fixed_common_sum(line_equations(model))
    if fixed is None:
        return possible
    numerator, denominator = fixed
    value = numerator // denominator
    return range(value, value + 1) if numerator % denominator == 0 and value in possible else range(0)


def fixed_common_sum(system: Equations) -> tuple[int, int] | None:
    """Numerator and denominator of the common sum, if it follows from the equations."""
    common = system.n_unknowns - 1
    if common not in system.pivots:
        return None
    row = system.rows[system.pivots.index(common)]
    return row[-1], row[common]


def sum_bounds(model: SumFigure, line: Line) -> tuple[int, int]:
    """The least and the greatest sum of as many different numbers as the line has cells."""
    n_cells = len(line.cells)
    return sum(model.numbers[:n_cells]), sum(model.numbers[len(model.numbers) - n_cells :])


def obstacles(model: SumFigure) -> list[str]:
    """Why the figure has no solution, one sentence for each reason that is seen without a search."""
    return [*_unreachable_sums(model), *_impossible_common_sum(model), *_circles(model)]


def _unreachable_sums(model: SumFigure) -> list[str]:
    bounds = [(line, *sum_bounds(model, line)) for line in model.lines]
    return [
        f"line {line_name(model, line)} cannot have the sum {line.sum}:"
        f" sums of as many different numbers are {low} to {high}"
        for line, low, high in bounds
        if line.sum is not None and not low <= line.sum <= high
    ]


def _impossible_common_sum(model: SumFigure) -> list[str]:
    system = line_equations(model)
    if system.contradiction:
        return ["the sums of the lines contradict each other"]
    common = [line for line in model.lines if line.sum is None]
    if not common:
        return []
    lowest = max(common, key=lambda line: sum_bounds(model, line)[0])
    highest = min(common, key=lambda line: sum_bounds(model, line)[1])
    low, high = sum_bounds(model, lowest)[0], sum_bounds(model, highest)[1]
    if low > high:
        return [
            f"line {line_name(model, lowest)} has a sum of at least {low}, line"
            f" {line_name(model, highest)} of at most {high}, so they have none in common"
        ]
    numerator, denominator = fixed_common_sum(system) or (low, 1)
    if numerator % denominator:
        return [f"the common sum would have to be {Fraction(numerator, denominator)}, which is not whole"]
    if not low <= numerator // denominator <= high:
        return [
            f"the common sum would have to be {numerator // denominator}, but the lines have {low} to {high}"
        ]
    return []


def _circles(model: SumFigure) -> list[str]:
    caught = [model.cells[cell] for cell, others in enumerate(cells_above(model)) if cell in others]
    return [f"the orders go round in a circle at cell {caught[0]}"] if caught else []


def cells_above(model: SumFigure) -> list[set[int]]:
    """For each cell the cells that the orders, applied transitively, make greater."""
    above: list[set[int]] = [set() for _ in model.cells]
    for less, greater in model.orders:
        above[less].add(greater)
    for middle in range(len(above)):
        for reached in above:
            if middle in reached:
                reached.update(above[middle])
    return above


def line_name(model: SumFigure, line: Line) -> str:
    """The names of its cells."""
    return " ".join(model.cells[cell] for cell in line.cells)
