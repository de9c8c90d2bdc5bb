"""The sampler of engine `sum-lines`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rekkyo.engines.sampling import NO_LIMIT, Draws, Sampler
from rekkyo.engines.sums.lines.kernel_sample import draw_figures
from rekkyo.engines.sums.lines.plan import LinesPlan


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
            plan.sums.start,
            len(plan.sums),
            np.uint64(plan.all_numbers),
            level,
            np.uint64(seed),
            NO_LIMIT if budget is None else budget,
            solutions,
            nodes,
        )
        return Draws(solutions[:n_made], nodes[:n_made], int(tried))
