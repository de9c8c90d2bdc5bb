"""The arrays of a sum figure: the order of the cells, and for each cell its checks, made from lines and from
equations that force cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.sums.lines.kernel import FORCED, MINUS, SPAN, SUM, Program
from rekkyo.engines.sums.lines.order import OrderedFigure, order_cells
from rekkyo.model.equations import Equation
from rekkyo.model.figure_sums import cells_above, common_sums, obstacles
from rekkyo.model.sum_figure import Cell, Line, SumFigure
from rekkyo.symmetry.group import Group


@dataclass(frozen=True, slots=True)
class Check:
    """One test of the kernel at a cell; the kinds are explained there.

    equation: of the check, with the sign for which the cell's coefficient is positive.
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
    """For each depth its checks, the most restrictive first.

    A determined cell is forced once, by a complete line if there is one, because that has the shortest sum.
    Other lines that are complete there need no check, because they follow, unless equations had to be left
    out.
    """
    depth_of = {cell: depth for depth, cell in enumerate(ordered.cells)}
    found: dict[tuple[object, ...], Check] = {}
    equations = [(_line_equation(model, line), True) for line in model.lines]
    equations += [(equation, False) for equation in ordered.equation_of.values()]
    for equation, whole in equations:
        for check in _along(equation, depth_of, whole=whole):
            which = () if ordered.lines_follow else check.equation
            found.setdefault((check.kind, check.cell, check.partners, which), check)
    by_depth: list[list[Check]] = [[] for _ in ordered.cells]
    for check in found.values():
        by_depth[depth_of[check.cell]].append(check)
    return [sorted(checks, key=lambda check: check.kind) for checks in by_depth]


def _line_equation(model: SumFigure, line: Line) -> Equation:
    coefficients = [int(cell in line.cells) for cell in range(len(model.cells))]
    return [*coefficients, -1 if line.sum is None else 0, line.sum or 0]


def _along(equation: Equation, depth_of: dict[Cell, int], *, whole: bool) -> Iterator[Check]:
    """The checks of an equation's cells: of all cells for a whole line, otherwise of the last two."""
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


MAX_SPAN = 63
"""The greatest distance between two numbers that are bits of one word."""


@dataclass(frozen=True, slots=True, eq=False)
class LinesPlan:
    """A figure prepared for the kernel.

    order: the cells in the order of filling. sums: the common sums to try, empty if there is no solution.
    distances: of the numbers from the least one. all_numbers: the same as bits.
    right_sides: int64[n_checks, 2]. With the common sum s, the rest of check c is
        right_sides[c, 0] + s * right_sides[c, 1].
    """

    model: SumFigure
    order: tuple[Cell, ...]
    sums: range
    distances: tuple[int, ...]
    all_numbers: int
    program: Program
    right_sides: NDArray[np.int64]


def make_plan(model: SumFigure) -> LinesPlan:
    """The plan of a figure."""
    return _plan(model, order_cells(model))


def make_plan_for_representatives(model: SumFigure, group: Group) -> LinesPlan | None:
    """A plan for the rows that are least under the symmetries that only move cells, in the order of the
    cells.

    All numbers differ. So a symmetry that only permutes cells leaves the first cells of the order unchanged
    as long as it does not move them, and moves a different number, from a cell q, to the first cell p that it
    moves: the row is less than its image if and only if p's number is less than q's. Each such symmetry is a
    further order. Other symmetries, such as a complement, are left to the caller: the least row of an orbit
    is also the least of its images under some of the symmetries.
    """
    ordered = order_cells(model)
    orders = _orders_against(group, ordered.cells)
    return _plan(replace(model, orders=(*model.orders, *orders)), ordered) if orders else None


def _orders_against(group: Group, cells: tuple[Cell, ...]) -> list[tuple[Cell, Cell]]:
    """The pairs (p, q) of the symmetries that only permute cells."""
    n_values = group.shape.n_values
    atoms = group.elements.reshape(group.order, len(cells), n_values)
    targets = atoms[:, :, :1] // n_values
    moves_only = (atoms == targets * n_values + np.arange(n_values)).all(axis=(1, 2))
    sources = np.argsort(targets[moves_only, :, 0], axis=1)
    order = np.array(cells)
    moved = sources[:, order] != order
    firsts = order[moved.argmax(axis=1)]
    pairs = {
        (int(first), int(source[first]))
        for first, source, any_moved in zip(firsts, sources, moved.any(axis=1), strict=True)
        if any_moved
    }
    return sorted(pairs)


def _plan(model: SumFigure, ordered: OrderedFigure) -> LinesPlan:
    by_depth = checks_of(model, ordered)
    least = model.numbers[0]
    distances = tuple(number - least for number in model.numbers)
    sides = [
        (check.equation[-1] - least * sum(check.equation[:-2]), -check.equation[-2])
        for check in chain(*by_depth)
    ]
    return LinesPlan(
        model=model,
        order=ordered.cells,
        sums=range(0) if obstacles(model) else common_sums(model),
        distances=distances,
        all_numbers=sum(1 << distance for distance in distances),
        program=_program(model, ordered.cells, by_depth, distances),
        right_sides=np.array(sides, dtype=np.int64).reshape(-1, 2),
    )


def _program(
    model: SumFigure, cells: tuple[Cell, ...], by_depth: list[list[Check]], distances: tuple[int, ...]
) -> Program:
    depth_of = {cell: depth for depth, cell in enumerate(cells)}
    checks: list[tuple[int, int, int, int]] = []
    terms: list[tuple[int, int]] = []
    for check in chain(*by_depth):
        start = len(terms)
        terms += [
            (depth_of[cell], check.equation[cell])
            for cell in cells[: depth_of[check.cell]]
            if check.equation[cell]
        ]
        checks.append((check.kind, check.argument, start, len(terms)))
    less = _earlier(cells, [(after, before) for before, after in model.orders], depth_of)
    greater = _earlier(cells, list(model.orders), depth_of)
    domains = _domains(model)
    value = np.zeros(MAX_SPAN + 1, dtype=np.uint8)
    value[list(distances)] = range(len(distances))
    return Program(
        domain=np.array([domains[cell] for cell in cells], dtype=np.uint64),
        check_start=_starts(by_depth),
        checks=np.array(checks, dtype=np.int64).reshape(-1, 4),
        terms=np.array(terms, dtype=np.int64).reshape(-1, 2),
        less_start=_starts(less),
        less=np.array([*chain(*less)], dtype=np.int64),
        greater_start=_starts(greater),
        greater=np.array([*chain(*greater)], dtype=np.int64),
        cell=np.array(cells, dtype=np.int64),
        value=value,
    )


def _earlier(
    cells: tuple[Cell, ...], pairs: list[tuple[Cell, Cell]], depth_of: dict[Cell, int]
) -> list[list[int]]:
    """For each depth the earlier depths whose cells are paired with its cell, its cell first in the pair."""
    paired: list[list[int]] = [[] for _ in cells]
    for cell, other in sorted(set(pairs)):
        if depth_of[other] < depth_of[cell]:
            paired[depth_of[cell]].append(depth_of[other])
    return paired


def _starts(lists: list[list[Check]] | list[list[int]]) -> NDArray[np.int64]:
    return np.array(list(accumulate(map(len, lists), initial=0)), dtype=np.int64)


def _domains(model: SumFigure) -> list[int]:
    """For each cell its possible distances, by given numbers and by the number of lesser and greater
    cells.
    """
    above = cells_above(model)
    n_below = [sum(cell in others for others in above) for cell in range(len(above))]
    given = dict(model.given)
    elsewhere = set(given.values())
    domains = []
    for cell, greater in enumerate(above):
        fitting = model.numbers[n_below[cell] : max(0, len(model.numbers) - len(greater))]
        allowed = {given[cell]} if cell in given else set(fitting) - elsewhere
        domains.append(sum(1 << (number - model.numbers[0]) for number in fitting if number in allowed))
    return domains
