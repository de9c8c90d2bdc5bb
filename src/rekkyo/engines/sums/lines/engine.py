"""Engine `sum-lines`: lists the solutions of any sum figure whose numbers fit one word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import NO_LIMIT, Advance, ListingEngine, Room, Shard
from rekkyo.engines.prefixes import ROOT, Grown, Prefix, dived, shards_of
from rekkyo.engines.sampling import KernelSampler
from rekkyo.engines.sums.lines import plan as planning
from rekkyo.engines.sums.lines.kernel import Cursor, list_solutions, narrowed
from rekkyo.engines.sums.lines.kernel_sample import draw_figures
from rekkyo.engines.sums.lines.plan import MAX_SPAN, LinesPlan
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.group import Group


class SumLines(ListingEngine[LinesPlan, Cursor]):
    """Cell by cell, with cells forced by combinations of lines."""

    model_type = SumFigure
    model_words = "sum figures"
    name = "sum-lines"
    plan_version = 1
    summary = "cell by cell, forced by combinations of lines; numbers as bits of one word"
    moment_nodes = 1 << 16
    smallest = SumFigure(("a", "b"), (1, 2), (Line((0, 1)),))

    def limits(self, model: SumFigure) -> str | None:
        """Refuses figures with numbers more than MAX_SPAN apart, because they do not fit a word."""
        least, greatest = model.numbers[0], model.numbers[-1]
        if greatest - least > MAX_SPAN:
            return f"needs numbers at most {MAX_SPAN} apart; these go from {least} to {greatest}"
        return None

    def make_plan(self, model: SumFigure) -> LinesPlan:
        """The order of the cells and the checks of each."""
        return planning.make_plan(model)

    def make_plan_for_representatives(self, model: SumFigure, group: Group) -> LinesPlan | None:
        """A plan with a further order for each symmetry that only moves cells."""
        return planning.make_plan_for_representatives(model, group)

    def comparing_order(self, plan: LinesPlan) -> Sequence[int] | None:
        """Rows are compared in the order in which the cells are filled."""
        return plan.order

    def split(self, plan: LinesPlan, at_least: int) -> tuple[Shard, ...]:
        """A shard's prefix is the common sum and the values of the first cells.

        Each round fixes one more cell. The last round extends only as many prefixes as are needed, those with
        the most choices first, because hundreds of shards more than requested cost more time than a small
        search itself. The last cell of the order is never fixed, because a shard needs a cell to search.
        """

        def grow(prefixes: list[Prefix]) -> Grown[Prefix] | None:
            if not prefixes or len(prefixes[0]) == len(plan.order):
                return None
            alive = {prefix: more for prefix in prefixes if (more := self._extended(plan, prefix))}
            if not alive:
                return None
            n_missing, n_nodes = at_least - len(alive), 0
            for prefix in sorted(alive, key=lambda one: -len(alive[one])):
                if n_missing > 0:
                    n_missing -= len(alive[prefix]) - 1
                    n_nodes += len(alive[prefix])
                else:
                    alive[prefix] = [prefix]
            return [prefix for more in alive.values() for prefix in more], n_nodes

        return shards_of([(common,) for common in plan.sums], at_least, grow)

    def estimated_nodes(self, plan: LinesPlan) -> float:
        """See the contract."""

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            if not prefix:
                return [(common,) for common in plan.sums], 0
            if len(prefix) > len(plan.order):
                return None
            longer = self._extended(plan, prefix)
            return longer, len(longer)

        return dived(ROOT[0], below)

    def start(self, plan: LinesPlan, shard: Shard) -> Cursor:
        """A cursor below the prefix: the common sum, and the values of the first cells."""
        common, *values = shard.prefix
        n_cells, depth, free = len(plan.order), len(values), plan.all_numbers
        cursor = Cursor(
            choices=np.zeros(n_cells, dtype=np.uint64),
            distance=np.zeros(n_cells, dtype=np.int64),
            words=np.zeros(2, dtype=np.uint64),
            depths=np.array([depth, depth], dtype=np.int64),
            rest=plan.right_sides[:, 0] + plan.right_sides[:, 1] * common,
        )
        for at, value in enumerate(values):
            cursor.distance[at] = plan.distances[value]
            free ^= 1 << plan.distances[value]
        cursor.words[:] = free, int(f"{free:064b}"[::-1], 2)
        cursor.choices[depth] = narrowed(plan.program, cursor, cursor.words[0], cursor.words[1], depth)
        return cursor

    def advance(self, plan: LinesPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a number put into a cell."""
        return Advance.of(list_solutions(plan.program, cursor, len(plan.order) - 1, room.rows, budget))

    def sampler(self, plan: LinesPlan) -> KernelSampler:
        """A sampler that draws the common sum and the numbers of the first cells."""
        sums = np.array(plan.sums, dtype=np.int64)

        def draws(*how: Any) -> Any:
            cursor = self.start(plan, Shard(0, (plan.sums.start,)))
            return draw_figures(plan.program, plan.right_sides, sums, cursor, *how)

        return KernelSampler(len(plan.order), len(sums), draws)

    def _extended(self, plan: LinesPlan, prefix: Prefix) -> list[Prefix]:
        """The prefix with each possible value of the next cell."""
        depth = len(prefix) - 1
        out = unfilled((MAX_SPAN + 1, len(plan.order)), np.uint8)
        _, n_found, _ = list_solutions(plan.program, self.start(plan, Shard(0, prefix)), depth, out, NO_LIMIT)
        return [(*prefix, value) for value in out[: int(n_found), plan.order[depth]].tolist()]
