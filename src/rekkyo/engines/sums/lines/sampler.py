"""The sampler of engine `sum-lines`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Shard
from rekkyo.engines.sampling import NO_LIMIT, Draws, Sampler
from rekkyo.engines.sums.lines.kernel_sample import draw_figures
from rekkyo.engines.sums.lines.plan import LinesPlan
from rekkyo.engines.sums.lines.shards import start

OUT_ROWS = 256


class FigureSampler(Sampler):
    """A level is a number of cells whose numbers are drawn."""

    def __init__(self, plan: LinesPlan) -> None:
        self._plan = plan

    @property
    def levels(self) -> Sequence[int]:
        """All cells but one, down to none."""
        return range(len(self._plan.order) - 1, -1, -1)

    def is_whole(self, level: int) -> bool:
        """Without a cell and without a choice of common sums."""
        return len(self._plan.sums) == 0 or (level == 0 and len(self._plan.sums) == 1)

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        """See the contract."""
        plan = self._plan
        solutions, nodes = np.zeros(n_draws), np.zeros(n_draws)
        if not plan.sums:
            return Draws(solutions, nodes, 0)
        n_made, tried = draw_figures(
            plan.program,
            plan.right_sides,
            np.array(plan.sums, dtype=np.int64),
            level,
            NO_LIMIT if budget is None else budget,
            np.array([seed], dtype=np.uint64),
            start(plan, Shard(0, (plan.sums.start,))),
            unfilled((OUT_ROWS, len(plan.order)), np.uint8),
            solutions,
            nodes,
        )
        return Draws(solutions[:n_made], nodes[:n_made], int(tried))
