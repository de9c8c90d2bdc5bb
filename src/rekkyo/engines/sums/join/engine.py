"""Engine `sum-join`: counts the solutions of a sum figure by filling two halves and joining those that
fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

import numpy as np

from rekkyo.arrays import unfilled_room
from rekkyo.bits import Words
from rekkyo.engines.contract import CountingEngine, Pause, Shard, Status, Tally, no_pause
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.memory import WithMemory
from rekkyo.engines.sums.join.kernel import Cursor, Numbers, Program, begin, fill
from rekkyo.engines.sums.join.plan import Case, JoinPlan, make_plan
from rekkyo.engines.sums.join.table import BYTES_OF_A_KEY, Table
from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Line, SumFigure

MAX_SPAN = 62
"""The numbers of a half and one further bit are a key."""

MAX_LINES = 64
KEYS_OF_A_BLOCK = 1 << 15
NODES_OF_A_BLOCK = 1 << 20

SMALL = SumFigure(("a", "b", "c", "d"), (1, 2, 3, 4), (Line((0, 1)), Line((2, 3))))
"""A figure that is counted to compile the kernels."""


class SumJoin(WithMemory, CountingEngine[JoinPlan]):
    """Counts by two halves of the figure; see `plan.py`. The memory is for a table of left halves."""

    model_type = SumFigure
    model_words = "sum figures"
    name = "sum-join"
    plan_version = 1

    beyond_lists = False
    moment_nodes = 1 << 17
    """A slice takes some milliseconds."""

    summary = "fills two halves and joins what fits, counts only; for figures that fall into halves"

    def limits(self, model: SumFigure) -> str | None:
        """Sum figures that fall into two halves."""
        least, greatest = model.numbers[0], model.numbers[-1]
        if greatest - least > MAX_SPAN:
            return f"needs numbers at most {MAX_SPAN} apart; these go from {least} to {greatest}"
        if len(model.lines) > MAX_LINES:
            return f"takes at most {MAX_LINES} lines, not {len(model.lines)}"
        plan = plan_or_reason(model)
        return plan if isinstance(plan, str) else None

    def compile(self, model: Model) -> None:
        """Count a small figure, with a table that grows."""
        plan = self.plan(SMALL)
        for shard in self.split(plan, 1):
            self.count(plan, shard, no_pause)
        Table(self.most_bytes).grow()

    def make_plan(self, model: SumFigure) -> JoinPlan:
        """The cases, their halves and slices. Raises EngineRefuses."""
        plan = plan_or_reason(model)
        if isinstance(plan, str):
            raise EngineRefuses(f"engine {self.name} {plan}")
        return plan

    def split(self, plan: JoinPlan, at_least: int) -> tuple[Shard, ...]:
        """A shard's prefix is (k, m): slice k and every m-th slice after it, so that each shard has parts of
        all cases.
        """
        n_slices = len(plan.totals) * sum(len(case.domains) for case in plan.cases)
        n_shards = min(max(1, at_least), n_slices)
        return tuple(Shard(index, (index, n_shards)) for index in range(n_shards))

    def plan_facts(self, plan: JoinPlan) -> object:
        """All fields except the expected cost."""
        return plan.numbers, plan.totals, plan.cases

    def count(self, plan: JoinPlan, shard: Shard, pause: Pause) -> Tally:
        """See the contract; a node is a number put into a cell of a half. Raises EngineRefuses."""
        slices = (
            (common, case, number)
            for common, case in product(range(len(plan.totals)), plan.cases)
            for number in range(len(case.domains))
        )
        first, n_shards = shard.prefix
        table = Table(self.most_bytes)
        total = nodes = 0
        with wrapping():
            for common, case, number in islice(slices, first, None, n_shards):
                table.clear()
                totals, domains = _totals(plan, common, case, number), case.domains[number]
                for keys, tried in _halves(plan, case.left, totals, domains, case.left_keys[common], pause):
                    table.insert(keys)
                    nodes += tried
                for keys, tried in _halves(plan, case.right, totals, domains, case.right_keys[common], pause):
                    total += case.weight * table.look_up(keys)
                    nodes += tried
        return Tally(total, nodes)

    def is_expected_to_fit(self, plan: JoinPlan) -> bool:
        """Whether twice the expected number of keys fits into the memory."""
        return 2 * plan.expected_keys * BYTES_OF_A_KEY <= self.most_bytes

    def fixed_tally(self, plan: JoinPlan, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """0 for a symmetry that only moves cells, because all numbers differ; None for other symmetries."""
        n_values = plan.model.row_shape.n_values
        moves_cells_alone = all(atom % n_values == image % n_values for atom, image in enumerate(symmetry))
        return Tally(0, 0) if moves_cells_alone and any(a != b for a, b in enumerate(symmetry)) else None


@lru_cache(maxsize=4)
def plan_or_reason(model: SumFigure) -> JoinPlan | str:
    """The plan, or why there is none, which is known only after cutting the figure."""
    try:
        return make_plan(model)
    except EngineRefuses as problem:
        return str(problem)


def _totals(plan: JoinPlan, common: int, case: Case, number: int) -> Numbers:
    """The sums of lines in a slice, then of the left parts of lines, then of the right ones."""
    totals, parts = plan.totals[common], case.parts[number]
    return np.concatenate((totals, parts, totals[list(case.sliced)] - parts))


def _halves(
    plan: JoinPlan, program: Program, totals: Numbers, domains: Words, key: int, pause: Pause
) -> Iterator[tuple[Words, int]]:
    """The keys of a half in blocks, with the number of tried numbers. Each block overwrites the one
    before.
    """
    n_levels = len(program.cells)
    cursor = Cursor(
        totals=totals,
        domains=domains,
        values=np.zeros(len(domains), dtype=np.int64),
        choices=np.zeros(n_levels, dtype=np.uint64),
        free=np.zeros(n_levels, dtype=np.uint64),
        keys=np.zeros(n_levels, dtype=np.uint64),
        level=np.zeros(1, dtype=np.int64),
    )
    begin(program, cursor, np.uint64(plan.numbers), np.uint64(key))
    keys: Words = unfilled_room(KEYS_OF_A_BLOCK, np.uint64)
    status = Status.OUT_OF_BUDGET
    while status is not Status.DONE:
        pause()
        code, found, nodes = fill(program, cursor, keys, NODES_OF_A_BLOCK)
        status = Status(code)
        yield keys[:found], int(nodes)
