"""Cuts a sum figure into two halves that are filled independently.

Each line is in one half, or it is *open*: each half has a part of it, and the two parts of its sum must add
up to it. A cell with lines of both halves is *shared*. The cost of a half is its greatest number of partial
fillings, estimated from its cells and lines. The cheapest cut is searched by simulated annealing over the
assignment of lines. It finds the two arcs of a star, and the upper and lower rows of a square with open
columns. Random numbers come from a seed, so that a figure is always cut in the same way.

Left out on purpose: dependences between lines. So a half that is nearly the whole figure looks cheaper than
it is; therefore a quarter of the cells must be in each half alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from rekkyo.engines.sums.join.figure import GRAINS, Figure, cells_of, grains_of_both
from rekkyo.model.sum_figure import Cell

LEFT, RIGHT, OPEN = 0, 1, 2
WARMEST, COLDEST = 4.0 * GRAINS, 0.2 * GRAINS
"""The temperature: a cut that costs this many grains more is accepted once in 2.7 times."""

TRIES_OF_A_LINE = 200
MOST_TRIES = 1 << 20
"""The tries times the square of the number of lines, the cost of a try: about a second for all cases of a
figure.
"""

KEY_BITS = 64
SMALLEST_PART = 4
NO_CUT = 1 << 40


@dataclass(frozen=True, slots=True)
class Cut:
    """The cells that each half has alone, the shared cells, and the open lines of the figure.

    grains: of the number of ways to fill both halves; NO_CUT if one of them is too small, or if the shared
        part does not fit a key.
    """

    left: tuple[Cell, ...]
    right: tuple[Cell, ...]
    shared: tuple[Cell, ...]
    open_lines: tuple[int, ...]
    grains: int


def best_cut(figure: Figure, n_cases: int = 1) -> Cut:
    """The cheapest cut that was found. n_cases: the number of figures that are cut."""
    rng = random.Random(0)
    n_lines = len(figure.lines)
    labels = [LEFT if 2 * line < n_lines else RIGHT for line in range(n_lines)]
    halves = halves_of(figure, labels)
    grains, best = grains_of_cut(figure, *halves), cut_of(figure, halves)
    n_tries = min(TRIES_OF_A_LINE * n_lines, MOST_TRIES // (n_lines**2 * n_cases))
    for n_tried in range(n_tries):
        line = rng.randrange(n_lines)
        before = labels[line]
        labels[line] = (before + rng.randrange(1, 3)) % 3
        warmth = WARMEST * (COLDEST / WARMEST) ** (n_tried / n_tries)
        most_grains = grains - round(warmth * math.log(1.0 - rng.random()))
        halves = halves_of(figure, labels)
        tried = grains_of_cut(figure, *halves, most_grains)
        if tried > most_grains:
            labels[line] = before
            continue
        grains = tried
        if grains < best.grains:
            best = min(best, cut_of(figure, halves), key=lambda cut: cut.grains)
    return best


def halves_of(figure: Figure, labels: Sequence[int]) -> tuple[int, int]:
    """The cells of both halves, those with fewer ways to fill them first."""
    left = right = 0
    for line, label in zip(figure.lines, labels, strict=True):
        if label == LEFT:
            left |= line
        elif label == RIGHT:
            right |= line
    for cell in cells_of(figure.every & ~(left | right)):
        if left.bit_count() <= right.bit_count():
            left |= 1 << cell
        else:
            right |= 1 << cell
    for less, greater in figure.model.orders:
        if not (left >> less & left >> greater | right >> less & right >> greater) & 1:
            left, right = left | 1 << less, right | 1 << less
    return (right, left) if figure.grains_of(right) < figure.grains_of(left) else (left, right)


def grains_of_cut(figure: Figure, left: int, right: int, most: int = NO_CUT) -> int:
    """The grains of the number of ways to fill both halves; above `most`, a lower bound.

    NO_CUT if one of them has too few cells alone.
    """
    fewest = min((left & ~right).bit_count(), (right & ~left).bit_count())
    if SMALLEST_PART * fewest < figure.every.bit_length():
        return NO_CUT
    grains = grains_of_both(figure.grains_of(left), figure.grains_of(right))
    return grains if grains > most else grains_of_both(figure.peak(left), figure.peak(right))


def cut_of(figure: Figure, halves: tuple[int, int]) -> Cut:
    """The cut into such halves."""
    left, right = halves
    shared = tuple(cells_of(left & right))
    open_lines = tuple(number for number, line in enumerate(figure.lines) if line & ~left and line & ~right)
    n_bits = figure.distances[-1] + 1 + len(shared) * figure.bits_of_cell()
    n_bits += sum(map(figure.bits_of_line, open_lines))
    grains = NO_CUT if n_bits > KEY_BITS else grains_of_cut(figure, left, right)
    return Cut(tuple(cells_of(left & ~right)), tuple(cells_of(right & ~left)), shared, open_lines, grains)
