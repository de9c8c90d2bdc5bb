"""Engines for the magic squares of order 5: `magic-line-sets` counts them, `magic-line-lists` lists them."""

from __future__ import annotations

from rekkyo.engines.contract import (
    Advance,
    CountingEngine,
    ListingEngine,
    Pause,
    Room,
    Shard,
    Status,
    Tally,
    no_pause,
)
from rekkyo.engines.sums.magic5 import plan as planning
from rekkyo.engines.sums.magic5.fixed import count_unchanged
from rekkyo.engines.sums.magic5.kernel_squares import Cursor, count_squares, list_squares, make_cursor
from rekkyo.engines.sums.magic5.plan import LinePlan
from rekkyo.engines.sums.magic5.rearrangements import MOVES
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import SumFigure
from rekkyo.symmetry.group import Group


class MagicLineSets(CountingEngine[LinePlan]):
    """Partitions into rows, disjoint transversals as columns, pairs of diagonals: counted, never written."""

    model_type = SumFigure
    model_words = "sum figures"
    name = "magic-line-sets"
    summary = "magic squares of order 5 from sets of rows, columns and diagonals, counts only"

    def limits(self, model: SumFigure) -> str | None:
        """Only magic squares of order 5, with a number given at the centre or none."""
        return planning.limits(model)

    def compile(self, model: Model) -> None:
        """Count what begins with one pair of rows."""
        plan = self.plan(model)
        self.count(plan, Shard(0, (0, 1)), no_pause)

    def make_plan(self, model: SumFigure) -> LinePlan:
        """The five-sets, and the pairs of rows that partitions begin with."""
        return planning.make_plan(model, every_image=True)

    def split(self, plan: LinePlan, at_least: int) -> tuple[Shard, ...]:
        """Runs of pairs of rows."""
        return planning.split(plan, at_least)

    def count(self, plan: LinePlan, shard: Shard, pause: Pause) -> Tally:
        """All images of the squares that begin with these pairs of rows; a node is a partition into rows.

        No sum comes near 2**64: there are 275,305,224 squares up to turns and reflections (OEIS A006052).
        """
        cursor = make_cursor(shard.prefix, plan.five_sets.size)
        count, n_partitions = count_squares(plan.pairs, plan.five_sets, plan.centre, cursor)
        return Tally(int(count) * int(plan.n_images), int(n_partitions))

    def count_fixed(self, plan: LinePlan, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """Squares unchanged by a symmetry that moves cells, or moves cells and takes complements."""
        return count_unchanged(plan.model, symmetry, pause)


class MagicLineLists(ListingEngine[LinePlan, Cursor]):
    """The same search; every choice is written out as four squares, and these as all their images."""

    model_type = SumFigure
    model_words = "sum figures"
    name = "magic-line-lists"
    summary = "magic squares of order 5 from sets of rows, columns and diagonals, listed"

    def limits(self, model: SumFigure) -> str | None:
        """Only magic squares of order 5, with a number given at the centre or none."""
        return planning.limits(model)

    def compile(self, model: Model) -> None:
        """List the first square."""
        plan = self.plan(model)
        self.advance(plan, self.start(plan, Shard(0, (0, 1))), Room.of(model.row_shape, 1), 1)

    def make_plan(self, model: SumFigure) -> LinePlan:
        """A plan for all squares."""
        return planning.make_plan(model, every_image=True)

    def make_plan_for_representatives(self, model: SumFigure, group: Group) -> LinePlan | None:
        """A plan for the least of the eight images of each square, if the group has all of them."""
        elements = set(map(tuple, group.elements.tolist()))
        if not elements.issuperset(map(_as_atoms, MOVES)):
            return None
        settles_symmetry = len(elements) == len(MOVES)
        return planning.make_plan(model, every_image=False, settles_symmetry=settles_symmetry)

    def settles_symmetry(self, plan: LinePlan) -> bool:
        """If the group is that of the square."""
        return plan.settles_symmetry

    def split(self, plan: LinePlan, at_least: int) -> tuple[Shard, ...]:
        """Runs of pairs of rows."""
        return planning.split(plan, at_least)

    def start(self, plan: LinePlan, shard: Shard) -> Cursor:
        """A cursor before the first partition that begins with these pairs of rows."""
        return make_cursor(shard.prefix, plan.five_sets.size)

    def advance(self, plan: LinePlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a partition into rows."""
        status, found, nodes = list_squares(
            plan.pairs, plan.five_sets, plan.centre, plan.n_images, cursor, room.rows, budget
        )
        if plan.settles_symmetry:
            # All numbers differ, so that a square is the image of itself under no turn and no reflection.
            room.stabilizers[: int(found)] = 1
        return Advance(Status(status), int(found), int(nodes))


def _as_atoms(move: tuple[int, ...]) -> AtomPermutation:
    """The symmetry that takes the number in cell `move[c]` to cell c."""
    target = {source: cell for cell, source in enumerate(move)}
    return tuple(target[cell] * 25 + value for cell in range(25) for value in range(25))
