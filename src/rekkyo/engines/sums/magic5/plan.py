"""Which models are magic squares of order 5, and the pairs of rows that canonical partitions begin with.

Taking the complement x -> 26 - x of a square exchanges partitions. Of a partition and its complement one is
met: the row with 13 is at most its complement; where both are equal, the same is asked of the row with the
greatest number below 13 that is not in that row. (Where these are equal as well, both partitions are met.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rekkyo.bits import Words
from rekkyo.engines.contract import Shard
from rekkyo.engines.sums.magic5.kernel_rows import (
    ALONE,
    COMPARE,
    LINE_SUM,
    N_NUMBERS,
    STANDS_FOR_BOTH,
    N,
)
from rekkyo.engines.sums.magic5.kernel_squares import ANY_CENTRE
from rekkyo.engines.sums.magic5.rearrangements import MOVES
from rekkyo.model.sum_figure import SumFigure

MIDDLE = N_NUMBERS // 2
CENTRE_CELL = N_NUMBERS // 2
ALL_NUMBERS = (1 << N_NUMBERS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LinePlan:
    """five_sets : uint64[1394]. The sets of five numbers from 0 to 24 that sum to 60.

    pairs  : uint64[n_pairs, 4]. See `next_partition`.
    n_images : 8 when all images of a square are wanted, 1 for the least.
    settles_symmetry : whether the least images of squares are all that the symmetry at hand asks for.
    centre : the number at the centre, from 0, or ANY_CENTRE.
    """

    model: SumFigure
    five_sets: Words
    pairs: Words
    n_images: np.uint64
    centre: np.uint64
    settles_symmetry: bool = False


def limits(model: SumFigure) -> str | None:
    """Why a figure is no magic square of order 5 that the engines here can search; None when it is one."""
    if len(model.cells) != N_NUMBERS or {frozenset(line.cells) for line in model.lines} != _lines():
        return "searches magic squares of order 5 only: five rows, five columns, two diagonals"
    return _refusal_of_numbers(model)


def _refusal_of_numbers(model: SumFigure) -> str | None:
    first = model.numbers[0]
    if model.numbers != tuple(range(first, first + N_NUMBERS)):
        return "needs 25 numbers in a row, such as 1 to 25"
    if {line.sum for line in model.lines} - {None, N * model.numbers[MIDDLE]}:
        return f"needs the sum {N * model.numbers[MIDDLE]} along every line"
    if model.orders:
        return "knows no order between cells"
    if len(model.given) > 1 or any(cell != CENTRE_CELL for cell, _ in model.given):
        return "takes a given number at the centre only"
    return None


def make_plan(model: SumFigure, *, every_image: bool, settles_symmetry: bool = False) -> LinePlan:
    """The plan of a model that is not refused, for one square or for all images of each orbit."""
    five_sets = _five_sets()
    centre = ANY_CENTRE
    for _, number in model.given:
        centre = np.uint64(model.numbers.index(number))
    return LinePlan(
        model,
        np.array(five_sets, dtype=np.uint64),
        np.array(list(_pairs(five_sets)), dtype=np.uint64),
        np.uint64(len(MOVES) if every_image else 1),
        centre,
        settles_symmetry,
    )


def split(plan: LinePlan, at_least: int) -> tuple[Shard, ...]:
    """Runs of pairs; a shard's prefix is the first pair and the one after the last."""
    n_pairs = plan.pairs.shape[0]
    n_shards = min(max(at_least, 1), n_pairs)
    bounds = [n_pairs * index // n_shards for index in range(n_shards + 1)]
    return tuple(Shard(index, (bounds[index], bounds[index + 1])) for index in range(n_shards))


def _lines() -> set[frozenset[int]]:
    rows = [frozenset(range(N * row, N * row + N)) for row in range(N)]
    columns = [frozenset(range(column, N_NUMBERS, N)) for column in range(N)]
    return {*rows, *columns, frozenset(range(0, 25, 6)), frozenset(range(4, 21, 4))}


def _five_sets() -> list[int]:
    """All sets of five numbers that sum to 60, a bit for each number."""
    return sorted(
        sum(1 << number for number in numbers)
        for numbers in combinations(range(N_NUMBERS), N)
        if sum(numbers) == LINE_SUM
    )


def _pairs(five_sets: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """First row, second row, a number that the third row holds, and what the partition stands for."""
    for first in (five_set for five_set in five_sets if five_set >> MIDDLE & 1):
        mirrored = _complement(first)
        if first > mirrored:
            continue
        # The greatest number below the middle that is not in the first row, and its complement.
        low = (ALL_NUMBERS & ~first & (1 << MIDDLE) - 1).bit_length() - 1
        high = N_NUMBERS - 1 - low
        for second in (other for other in five_sets if other >> low & 1 and not other & first):
            rest = ALL_NUMBERS & ~first & ~second
            lowest = (rest & -rest).bit_length() - 1
            if first < mirrored:
                yield first, second, lowest, STANDS_FOR_BOTH
            elif not second >> high & 1:
                yield first, second, high, COMPARE
            elif second <= _complement(second):
                yield first, second, lowest, STANDS_FOR_BOTH if second < _complement(second) else ALONE


def _complement(five_set: int) -> int:
    return sum(1 << (N_NUMBERS - 1 - number) for number in range(N_NUMBERS) if five_set >> number & 1)
