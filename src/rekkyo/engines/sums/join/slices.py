"""Cuts a case into slices, so that the table of the left halves of one slice stays small.

In a slice some shared cells have given numbers, and the left half's part of some open lines has a given sum.
Both are left out of the keys. The part of a line with a given sum is an ordinary line, which narrows the
search of its half; so slices by sums cost nothing, unlike slices by cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.sums.join.cut import Cut
from rekkyo.engines.sums.join.figure import GRAINS, Figure, cells_of
from rekkyo.engines.sums.join.kernel import Numbers
from rekkyo.engines.sums.join.order import order_of
from rekkyo.model.sum_figure import Cell

GRAINS_OF_A_SLICE = 18 * GRAINS
"""The intended number of left halves in a slice: tables of some megabytes."""

MOST_SLICES = 1 << 15


@dataclass(frozen=True, slots=True)
class Slicing:
    """The cells and lines that make the slices of a case.

    figure: with the parts of these lines as separate lines, those of the left half first.
    cells: shared cells. lines: open lines. sums: for each of these lines, the possible sums of its left part.
    """

    figure: Figure
    cells: tuple[Cell, ...]
    lines: tuple[int, ...]
    sums: tuple[tuple[int, ...], ...]

    @property
    def first(self) -> tuple[Cell, ...]:
        """The first cells of the order: given cells, and those that make slices."""
        return (*cells_of(self.figure.every & ~self.figure.empty), *self.cells)

    def grains(self, left: int) -> int:
        """The grains of the number of left halves in a slice."""
        return self.figure.grains_of(left) - self.figure.ways[len(self.cells)]

    def arrays(self) -> tuple[Words, Numbers]:
        """For each slice: uint64[n_cells], the possible distances in cells; int64[n_lines], the sums."""
        all_domains = self.figure.domains()
        domains, parts = [], []
        for distances in product(*(cells_of(all_domains[cell]) for cell in self.cells)):
            if len(set(distances)) < len(distances):
                continue
            chosen = dict(zip(self.cells, distances, strict=True))
            held = [1 << chosen[cell] if cell in chosen else word for cell, word in enumerate(all_domains)]
            for sums in product(*self.sums):
                domains.append(held)
                parts.append(sums)
        return (
            np.array(domains, dtype=np.uint64).reshape(len(domains), len(all_domains)),
            np.array(parts, dtype=np.int64).reshape(len(parts), len(self.lines)),
        )


def slicing_of(figure: Figure, halves: Sequence[int], cut: Cut, totals: Sequence[Sequence[int]]) -> Slicing:
    """Choose cells, one at a time so that both halves are filled fastest, then lines, until slices are small.

    totals: for each common sum those of the lines, in distances.
    """
    left, right = halves[0], halves[1] & ~halves[0]
    slicing = Slicing(figure, (), (), ())
    n_free = figure.empty.bit_count()
    waiting = [cell for cell in cut.shared if figure.empty >> cell & 1]

    def cost(cell: Cell) -> int:
        return sum(order_of(figure, half, (*slicing.first, cell)).cost for half in halves)

    while slicing.grains(left) > GRAINS_OF_A_SLICE:
        n_slices = prod(range(n_free - len(slicing.cells), n_free + 1))
        if not waiting or n_slices > MOST_SLICES:
            break
        cell = min(waiting, key=cost)
        waiting.remove(cell)
        slicing = replace(slicing, cells=(*slicing.cells, cell))
    n_slices = prod(range(n_free - len(slicing.cells) + 1, n_free + 1))
    parts = []
    for line in cut.open_lines:
        sums = _sums_of_part(figure, figure.lines[line], left, [total[line] for total in totals])
        n_slices *= len(sums)
        if slicing.grains(left) <= GRAINS_OF_A_SLICE or n_slices > MOST_SLICES:
            break
        parts.append(figure.lines[line])
        slicing = Slicing(
            figure.with_lines([*(part & left for part in parts), *(part & right for part in parts)]),
            slicing.cells,
            (*slicing.lines, line),
            (*slicing.sums, sums),
        )
    return slicing


def _sums_of_part(figure: Figure, line: int, left: int, totals: Sequence[int]) -> tuple[int, ...]:
    """The possible sums of the left part of a line whose right part can have the rest of some total."""
    least, most = figure.least_and_most((line & left).bit_count())
    lowest, highest = figure.least_and_most((line & ~left).bit_count())
    return tuple(
        part for part in range(least, most + 1) if any(lowest <= total - part <= highest for total in totals)
    )
