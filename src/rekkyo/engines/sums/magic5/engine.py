"""Engines for the magic squares of order 5: `magic-line-sets` counts them, `magic-line-lists` lists them.

Burnside's lemma asks for the squares that a symmetry leaves unchanged. All numbers of a square differ, so a
symmetry that only moves cells, and moves one, leaves no square unchanged. One that also takes complements, x
-> 26 - x, must take cells with complementary numbers to each other: it moves cells in pairs and leaves one
alone, the cell with 13. The squares unchanged are the solutions of the same figure with one line more for
each of those pairs; the search for any sum figure counts them.

The plan holds the pairs of rows that canonical partitions begin with. Taking the complement x -> 26 - x of a
square exchanges partitions. Of a partition and its complement one is met: the row with 13 is at most its
complement; where both are equal, the same is asked of the row with the greatest number below 13 that is not
in that row. (Where these are equal as well, both partitions are met.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rekkyo.bits import Word, Words
from rekkyo.engines.contract import (
    Advance,
    CountingEngine,
    Engine,
    ListingEngine,
    Pause,
    Room,
    Shard,
    Tally,
    no_pause,
)
from rekkyo.engines.prefixes import ranges
from rekkyo.engines.sums.lines.engine import SumLines
from rekkyo.engines.sums.magic5.kernel_rows import ALONE, COMPARE, LINE_SUM, N_NUMBERS, STANDS_FOR_BOTH, N
from rekkyo.engines.sums.magic5.kernel_squares import (
    ANY_CENTRE,
    Cursor,
    count_squares,
    list_squares,
    make_cursor,
)
from rekkyo.engines.sums.magic5.rearranged import MOVES
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Cell, Line, SumFigure
from rekkyo.symmetry.group import Group

MIDDLE = N_NUMBERS // 2
CENTRE_CELL = N_NUMBERS // 2
ALL_NUMBERS = (1 << N_NUMBERS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LinePlan:
    """five_sets : uint64[1394]. The sets of five numbers from 0 to 24 that sum to 60.

    pairs  : uint64[n_pairs, 4]. See `next_partition`.
    n_images : 8 when all images of a square are wanted, 1 for the least.
    settles_symmetry : whether the least images of squares are all that the requested symmetry needs.
    centre : the number at the centre, from 0, or ANY_CENTRE.
    """

    model: SumFigure
    five_sets: Words
    pairs: Words
    n_images: Word
    centre: Word
    settles_symmetry: bool = False


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


def _plan(model: SumFigure, *, every_image: bool, settles_symmetry: bool = False) -> LinePlan:
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


class _MagicSquares(Engine[LinePlan]):
    """The shared part of counting and listing."""

    model_type = SumFigure
    model_words = "sum figures"

    def limits(self, model: SumFigure) -> str | None:
        """Only magic squares of order 5, with a number given at the centre or none."""
        if len(model.cells) != N_NUMBERS or {frozenset(line.cells) for line in model.lines} != _lines():
            return "searches magic squares of order 5 only: five rows, five columns, two diagonals"
        return _refusal_of_numbers(model)

    def make_plan(self, model: SumFigure) -> LinePlan:
        """A plan for all squares: the five-sets, and the pairs of rows that partitions begin with."""
        return _plan(model, every_image=True)

    def split(self, plan: LinePlan, at_least: int) -> tuple[Shard, ...]:
        """Runs of pairs of rows; a shard's prefix is the first pair and the one after the last."""
        return ranges(len(plan.pairs), at_least)


class MagicLineSets(_MagicSquares, CountingEngine[LinePlan]):
    """Partitions into rows, disjoint transversals as columns, pairs of diagonals: counted, never written."""

    name = "magic-line-sets"
    plan_version = 1
    summary = "magic squares of order 5 from sets of rows, columns and diagonals, counts only"
    beyond_lists = False

    def compile(self, model: Model) -> None:
        """Count what begins with one pair of rows."""
        self.count(self.plan(model), Shard(0, (0, 1)), no_pause)

    def count(self, plan: LinePlan, shard: Shard, pause: Pause) -> Tally:
        """All images of the squares that begin with these pairs of rows; a node is a partition into rows.

        No sum comes near 2**64: there are 275,305,224 squares up to turns and reflections (OEIS A006052).
        """
        cursor = make_cursor(shard.prefix, plan.five_sets.size)
        count, n_partitions = count_squares(plan.pairs, plan.five_sets, plan.centre, cursor)
        return Tally(int(count) * int(plan.n_images), int(n_partitions))

    def fixed_tally(self, plan: LinePlan, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """Squares unchanged by a symmetry that moves cells, or moves cells and takes complements."""
        return count_unchanged(plan.model, symmetry, pause)


class MagicLineLists(_MagicSquares, ListingEngine[LinePlan, Cursor]):
    """The search that lists: every choice gives four squares, and these give all their images."""

    name = "magic-line-lists"
    plan_version = 1
    summary = "magic squares of order 5 from sets of rows, columns and diagonals, listed"
    moment_nodes = 1 << 8

    def compile(self, model: Model) -> None:
        """List the first square."""
        plan = self.plan(model)
        self.advance(plan, self.start(plan, Shard(0, (0, 1))), Room.of(model.row_shape, 1), 1)

    def make_plan_for_representatives(self, model: SumFigure, group: Group) -> LinePlan | None:
        """A plan for the least of the eight images of each square, if the group has all of them."""
        elements = set(map(tuple, group.elements.tolist()))
        if not elements.issuperset(map(_as_atoms, MOVES)):
            return None
        return _plan(model, every_image=False, settles_symmetry=len(elements) == len(MOVES))

    def settles_symmetry(self, plan: LinePlan) -> bool:
        """Whether the group is that of the square."""
        return plan.settles_symmetry

    def start(self, plan: LinePlan, shard: Shard) -> Cursor:
        """A cursor before the first partition that begins with these pairs of rows."""
        return make_cursor(shard.prefix, plan.five_sets.size)

    def advance(self, plan: LinePlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a partition into rows."""
        advance = Advance.of(
            list_squares(plan.pairs, plan.five_sets, plan.centre, plan.n_images, cursor, room.rows, budget)
        )
        if plan.settles_symmetry:
            # All numbers differ, so that a square is the image of itself under no turn and no reflection.
            room.stabilizers[: advance.found] = 1
        return advance


def _refusal_of_numbers(model: SumFigure) -> str | None:
    first = model.numbers[0]
    if model.numbers != tuple(range(first, first + N_NUMBERS)):
        return "needs 25 numbers in a row, such as 1 to 25"
    if {line.sum for line in model.lines} - {None, N * model.numbers[MIDDLE]}:
        return f"needs the sum {N * model.numbers[MIDDLE]} along every line"
    if model.orders:
        return "takes no order between cells"
    if len(model.given) > 1 or any(cell != CENTRE_CELL for cell, _ in model.given):
        return "takes a given number at the centre only"
    return None


def _as_atoms(move: tuple[int, ...]) -> AtomPermutation:
    """The symmetry that takes the number in cell `move[c]` to cell c."""
    target = {source: cell for cell, source in enumerate(move)}
    return tuple(target[cell] * 25 + value for cell in range(25) for value in range(25))


def count_unchanged(model: SumFigure, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
    """How many squares a symmetry leaves unchanged; None for one that is of neither kind."""
    n_values = len(model.numbers)
    move = [symmetry[cell * n_values] // n_values for cell in range(len(model.cells))]
    change = [atom % n_values for atom in symmetry[:n_values]]
    if symmetry != tuple(cell * n_values + value for cell in move for value in change):
        return None
    if change == list(range(n_values)):
        return Tally(0, 0) if move != sorted(move) else None
    if change != list(reversed(range(n_values))):
        return None
    n_alone = sum(target == cell for cell, target in enumerate(move))
    if n_alone != 1 or any(move[target] != cell for cell, target in enumerate(move)):
        return Tally(0, 0)
    return _count(replace(model, lines=(*model.lines, *_pair_lines(model, move))), pause)


def _pair_lines(model: SumFigure, move: list[Cell]) -> list[Line]:
    """A line for every two cells that are exchanged, and one for the cell that stays."""
    both = model.numbers[0] + model.numbers[-1]
    return [
        Line((cell, target), both) if cell < target else Line((cell,), both // 2)
        for cell, target in enumerate(move)
        if cell <= target
    ]


def _count(model: SumFigure, pause: Pause) -> Tally:
    engine = SumLines()
    plan = engine.plan(model)
    room = Room.of(model.row_shape, 1 << 12)
    tally = Tally(0, 0)
    for shard in engine.split(plan, 1):
        for block in engine.blocks(plan, shard, room, 1 << 20, pause):
            tally += Tally(len(block.rows), block.nodes)
    return tally
