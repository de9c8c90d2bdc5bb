"""The arrays of a sum figure: cases, both halves of each, and slices.

The least number is in some cell. Cells in one orbit of the figure's symmetry have equally many solutions with
it, so there is one *case* for each orbit of cells, with the size of the orbit as its weight. The remaining
symmetry of shared cells is used in the same way: one cell of an orbit has the least number. Each case is cut
separately, and divided into slices (`slices.py`).

A key is a word of fields, the lowest bits first:

numbers of the left half | shared cells | open lines; without the cells and lines that make slices

It is a sum over cells. The sum of a left half is its key; the sum of a right half is the key of the left
halves that it fits: the numbers that it does not have, and the rest of the sums of open lines. Every field is
wide enough for the values of both halves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.sums.join.cut import KEY_BITS, NO_CUT, Cut, best_cut
from rekkyo.engines.sums.join.figure import GRAINS, Figure, cells_of, grains_of_both, union, ways_of
from rekkyo.engines.sums.join.kernel import Numbers, Program
from rekkyo.engines.sums.join.order import Order, order_of, pairs_at
from rekkyo.engines.sums.join.slices import Slicing, slicing_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.sum_figure import Cell, SumFigure

ALL_BITS = (1 << KEY_BITS) - 1

MOST_GRAINS = 42 * GRAINS
"""The most ways to fill halves in total: a day on one core."""

CELLS_OF_AN_ORBIT = 4
"""The least mean size of orbits for which there are cases, because each case takes time to cut."""


class Case(NamedTuple):
    """A figure whose solutions have the weight `weight`.

    domains: uint64[n_slices, n_cells]. The distances that the cells may have in each slice.
    sliced: open lines that make slices. parts: int64[n_slices, n_sliced]. The left half's parts of them.
    left_keys, right_keys: for each common sum, the keys of empty halves.
    """

    left: Program
    right: Program
    domains: Words
    sliced: tuple[int, ...]
    parts: Numbers
    weight: int
    left_keys: tuple[int, ...]
    right_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JoinPlan:
    """totals: int64[n_common_sums, n_lines]. numbers: all of them, as a word of distances.

    expected_nodes: the estimated number of tried numbers. expected_keys: the estimated left halves in a
        slice.
    """

    model: SumFigure
    numbers: int
    totals: Numbers
    cases: tuple[Case, ...]
    expected_nodes: int
    expected_keys: int


def make_plan(model: SumFigure) -> JoinPlan:
    """The plan of a figure. Raises EngineRefuses if it cannot be cut into two halves."""
    figure = Figure.of(model)
    cases = cases_of(figure)
    cuts = [(one, best_cut(one, len(cases)), weight) for one, weight in cases]
    grains = 0
    for _, cut, _ in cuts:
        grains = grains_of_both(grains, cut.grains)
    if grains >= NO_CUT:
        raise EngineRefuses("finds no two halves that can be joined in this figure")
    if grains > MOST_GRAINS:
        raise EngineRefuses(f"would fill about 2^{grains // GRAINS} halves of this figure")
    return plan_of(figure, cuts)


def plan_of(figure: Figure, cuts: Sequence[tuple[Figure, Cut, int]]) -> JoinPlan:
    """The plan of some cases: each a figure, its cut, and the weight of its solutions."""
    totals = figure.totals()
    found = [_case(one, cut, weight, totals) for one, cut, weight in cuts]
    return JoinPlan(
        figure.model,
        sum(1 << distance for distance in figure.distances),
        np.array(totals, dtype=np.int64).reshape(-1, len(figure.lines)),
        tuple(case for case, _, _ in found),
        len(totals) * sum(nodes for _, nodes, _ in found),
        max(keys for _, _, keys in found),
    )


def cases_of(figure: Figure) -> list[tuple[Figure, int]]:
    """The figure, or figures with the least free number in one cell of each orbit; each with its weight."""
    model = figure.model
    given = {number for _, number in model.given}
    free = [number for number in model.numbers if number not in given]
    orbits = [orbit for orbit in figure.orbits() if figure.empty >> orbit[0] & 1]
    if not free or len(orbits) * CELLS_OF_AN_ORBIT > len(free):
        return [(figure, 1)]
    return [
        (Figure.of(replace(model, given=model.given | {(orbit[0], free[0])})), len(orbit)) for orbit in orbits
    ]


def _case(figure: Figure, cut: Cut, weight: int, totals: Sequence[Sequence[int]]) -> tuple[Case, int, int]:
    """The case, with its estimated number of tried numbers for each common sum, and of keys in a slice."""
    inside = [orbit for orbit in figure.orbits() if set(orbit) <= set(cut.shared)]
    least, *others = max(inside, key=len, default=[0])
    orders = tuple((least, other) for other in others)
    figure = replace(figure, model=replace(figure.model, orders=(*figure.model.orders, *orders)))
    halves = [union([1 << cell for cell in (*cells, *cut.shared)]) for cells in (cut.left, cut.right)]
    slicing = slicing_of(figure, halves, cut, totals)
    left, right = (order_of(slicing.figure, half, slicing.first) for half in halves)
    keys = _Keys.of(figure, cut, slicing, totals)
    domains, parts = slicing.arrays()
    case = Case(
        program_of(slicing.figure, left, keys.left_factors),
        program_of(slicing.figure, right, keys.right_factors),
        domains,
        slicing.lines,
        parts,
        weight * (1 + len(others)),
        keys.left_keys,
        keys.right_keys,
    )
    n_nodes = (left.cost + right.cost) * prod(map(len, slicing.sums)) // (1 + len(others))
    return case, n_nodes, ways_of(slicing.grains(halves[0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """The contributions of cells to keys, see the module; and the keys of empty halves, for each common
    sum.
    """

    left_factors: Words
    right_factors: Words
    left_keys: tuple[int, ...]
    right_keys: tuple[int, ...]

    @classmethod
    def of(cls, figure: Figure, cut: Cut, slicing: Slicing, all_totals: Sequence[Sequence[int]]) -> _Keys:
        """Lay out the fields; the cut guarantees that they fit a word."""
        n_cells = len(figure.model.cells)
        numbers = sum(1 << distance for distance in figure.distances)
        left, right = np.zeros((2, n_cells, 2), dtype=object)
        left[[*cut.left, *cut.shared], 0] = 1
        right[list(cut.right), 0] = -1
        shift = figure.distances[-1] + 1
        for cell in cut.shared:
            if cell not in slicing.cells and figure.empty >> cell & 1:
                left[cell, 1] = right[cell, 1] = 1 << shift
                shift += figure.bits_of_cell()
        left_keys, right_keys = [0] * len(all_totals), [numbers] * len(all_totals)
        for line in sorted({*cut.open_lines} - {*slicing.lines}):
            cells = set(cells_of(figure.lines[line]))
            in_right = cells & set(cut.right)
            wanted = [totals[line] for totals in all_totals]
            spare = max(0, len(in_right) * figure.distances[-1] - min(wanted, default=0))
            left[list(cells - in_right), 1] += 1 << shift
            right[list(in_right), 1] -= 1 << shift
            for k, total in enumerate(wanted):
                left_keys[k] += spare << shift
                right_keys[k] += (total + spare) << shift
            shift += figure.bits_of_line(line)
        assert shift <= KEY_BITS
        return cls(
            (left & ALL_BITS).astype(np.uint64),
            (right & ALL_BITS).astype(np.uint64),
            tuple(left_keys),
            tuple(right_keys),
        )


def program_of(figure: Figure, order: Order, factors: Words) -> Program:
    """The levels of a half as arrays."""
    narrows: list[tuple[int, ...]] = []
    forced: list[tuple[int, ...]] = []
    checks: list[tuple[int, ...]] = []
    orders: list[tuple[int, ...]] = []
    terms: list[Cell] = []
    starts = [(0, 0, 0, 0)]
    lines = [number for number, line in enumerate(figure.lines) if line & ~order.filled == 0]
    filled = 0

    def terms_of(line: int, filled: int) -> tuple[int, int]:
        first = len(terms)
        terms.extend(cells_of(figure.lines[line] & filled))
        return first, len(terms)

    for level in order.levels:
        before = filled
        narrows += [
            (line, partner, *terms_of(line, filled))
            for line, partner in pairs_at(figure, lines, filled, level.cell)
        ]
        filled |= 1 << level.cell
        for cell, line in level.forced:
            forced.append((line, cell, *terms_of(line, filled)))
            filled |= 1 << cell
        checks += [(line, *terms_of(line, filled)) for line in level.checked]
        orders += [
            pair
            for pair in figure.model.orders
            if all(filled >> cell & 1 for cell in pair) and not all(before >> cell & 1 for cell in pair)
        ]
        starts.append((len(narrows), len(forced), len(checks), len(orders)))
    at_end = {cell for _, cell, *_ in forced[starts[-2][1] :]}
    are_pairs = (
        at_end == {cell for _, cell, *_ in narrows[starts[-2][0] :]} and starts[-2][2:] == starts[-1][2:]
    )
    return Program(
        cells=_array([level.cell for level in order.levels]),
        starts=_array(starts, 4),
        narrows=_array(narrows, 4),
        forced=_array(forced, 4),
        checks=_array(checks, 3),
        orders=_array(orders, 2),
        terms=_array(terms),
        factors=factors,
        n_pairs_at_end=len(at_end) if are_pairs and len(at_end) <= 2 else 0,
    )


def _array(numbers: Sequence[object], width: int = 0) -> Numbers:
    array: Numbers = np.array(numbers, dtype=np.int64)
    return array.reshape(-1, width) if width else array
