"""A sum figure whose cells hold all numbers, and estimates of the number of ways to fill some cells.

Estimates are whole numbers, *grains* of a power of two, so that decisions are the same on every computer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rekkyo.model.figure_sums import common_sums, obstacles
from rekkyo.model.sum_figure import Cell, Line, SumFigure
from rekkyo.symmetry.model_graphs import figure_graph

GRAINS = 256
"""The grains of a bit: 256 grains more are twice as many ways."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Numbers are stored as their distance from the least one; sets of cells are words.

    lines: each line of the model once. likely: for each line, the grains of the probability of its sum, 0 or
        less.
    ways: the grains of the number of ways to put the free numbers into 0, 1, … cells.
    empty: the cells without a given number. sizes, peaks: caches of `grains_of` and `peak`.
    """

    model: SumFigure
    lines: tuple[int, ...]
    likely: tuple[int, ...]
    ways: tuple[int, ...]
    empty: int
    sizes: dict[int, int] = field(default_factory=dict, compare=False, repr=False)
    peaks: dict[int, int] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, model: SumFigure) -> Figure:
        """The figure of a model. Unused numbers are put into additional cells without lines, in increasing
        order.
        """
        spare = range(len(model.cells), len(model.numbers))
        filled = replace(
            model,
            cells=(*model.cells, *(f"{model.cells} {k}" for k in spare)),  # names that no cell has
            lines=tuple({(frozenset(line.cells), line.sum): line for line in model.lines}.values()),
            orders=(*model.orders, *pairwise(spare)),
        )
        n = len(filled.cells)
        return cls(
            filled,
            tuple(sum(1 << cell for cell in line.cells) for line in filled.lines),
            tuple(_likely(filled, line) for line in filled.lines),
            _ways(n - len(filled.given)),
            (1 << n) - 1 - sum(1 << cell for cell, _ in filled.given),
        )

    @property
    def every(self) -> int:
        """All cells."""
        return (1 << len(self.model.cells)) - 1

    @property
    def distances(self) -> tuple[int, ...]:
        """The distances of the numbers."""
        return tuple(number - self.model.numbers[0] for number in self.model.numbers)

    def totals(self) -> list[list[int]]:
        """For each common sum to try the sums of the lines, in distances; none without a solution."""
        least = self.model.numbers[0]
        return [
            [
                (common if line.sum is None else line.sum) - least * len(line.cells)
                for line in self.model.lines
            ]
            for common in ([] if obstacles(self.model) else common_sums(self.model))
        ]

    def domains(self) -> list[int]:
        """For each cell the distances that it may hold, as a word."""
        given = {cell: 1 << (number - self.model.numbers[0]) for cell, number in self.model.given}
        others = sum(1 << distance for distance in self.distances) - sum(given.values())
        return [given.get(cell, others) for cell in range(len(self.model.cells))]

    def with_lines(self, lines: Sequence[int]) -> Figure:
        """The same cells with further lines that are not lines of the model; all their sums are allowed."""
        likely = [_likely(self.model, Line(tuple(cells_of(line)))) for line in lines]
        return Figure(self.model, (*self.lines, *lines), (*self.likely, *likely), self.ways, self.empty)

    def least_and_most(self, n_cells: int) -> tuple[int, int]:
        """The least and the greatest sum of this number of cells, in distances."""
        return sum(self.distances[:n_cells]), sum(self.distances[len(self.distances) - n_cells :])

    def bits_of_cell(self) -> int:
        """The bits of a field for the number in a cell."""
        return self.distances[-1].bit_length()

    def bits_of_line(self, line: int) -> int:
        """The bits of a field for a part of a line's sum, or for the missing rest."""
        return (2 * self.lines[line].bit_count() * self.distances[-1]).bit_length()

    def orbits(self) -> list[list[Cell]]:
        """The orbits of cells under the known symmetries; single cells if none is known."""
        orbit = {cell: [cell] for cell in range(len(self.model.cells))}
        found = figure_graph(self.model, complement=False).automorphisms()
        for permutation in () if found is None else found.generators:
            for cell, image in enumerate(permutation[: len(orbit)]):
                one, other = orbit[cell], orbit[image]
                if one is not other:
                    one += other
                    orbit |= dict.fromkeys(other, one)
        return sorted({min(cells): sorted(cells) for cells in orbit.values()}.values())

    def grains_of(self, cells: int) -> int:
        """The grains of the estimated number of ways to fill a set of cells."""
        known = self.sizes.get(cells)
        if known is None:
            known = self.ways[(cells & self.empty).bit_count()]
            for line, likely in zip(self.lines, self.likely, strict=True):
                if line & ~cells == 0:
                    known += likely
            self.sizes[cells] = known
        return known

    def peak(self, cells: int) -> int:
        """The most grains while a set of cells is filled line by line, most restrictive lines first."""
        known = self.peaks.get(cells)
        if known is None:
            lines = [line for line in self.lines if line & ~cells == 0]
            filled, known = 0, self.grains_of(cells)
            while lines:
                grains, filled = min((self.grains_of(filled | line), filled | line) for line in lines)
                known = max(known, grains)
                lines = [line for line in lines if line & ~filled]
            self.peaks[cells] = known
        return known


def _ways(n: int) -> tuple[int, ...]:
    return tuple(
        round(GRAINS * (math.lgamma(n + 1) - math.lgamma(n - k + 1)) / math.log(2)) for k in range(n + 1)
    )


def _likely(model: SumFigure, line: Line) -> int:
    """The grains of a line's probability, by a normal distribution; the common sum is assumed to be
    average.
    """
    n, k = len(model.numbers), len(line.cells)
    mean = sum(model.numbers) / n
    variance = sum((number - mean) ** 2 for number in model.numbers) / n * k * (n - k) / max(1, n - 1)
    if variance == 0:
        return 0
    off = 0.0 if line.sum is None else line.sum - k * mean
    return min(0, round(-GRAINS / math.log(4) * (math.log(2 * math.pi * variance) + off**2 / variance)))


def ways_of(grains: int) -> int:
    """The number of ways that a number of grains stands for."""
    return int(2.0 ** (grains / GRAINS))


def grains_of_both(one: int, other: int) -> int:
    """The grains of the sum of two numbers of ways."""
    return max(one, other) + round(GRAINS * math.log2(1 + 2.0 ** (-abs(one - other) / GRAINS)))


def union(sets: Sequence[int]) -> int:
    """The union of sets of cells."""
    every = 0
    for cells in sets:
        every |= cells
    return every


def cells_of(cells: int) -> Iterator[Cell]:
    """The cells of a word, least first."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1
