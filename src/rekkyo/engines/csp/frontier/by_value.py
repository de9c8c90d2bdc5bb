"""How many solutions have each value of a variable, by one walk.

The variable is decided last. So the states before it are merged as in any count, and the counts of those that
allow a value add up to the solutions that have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.plan import make_plan
from rekkyo.engines.frontier.absorb import FREE
from rekkyo.engines.frontier.front import Front
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import Walk
from rekkyo.engines.limbs import total_of
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp

MOST_SUCCESSORS = 1 << 22
"""The successors that are made at a time."""


class FrontierByValue(CspFrontier):
    """The engine for all levels but the one of the variable. variable: of the solution."""

    def __init__(self, variable: Variable) -> None:
        super().__init__()
        self._variable = variable

    def make_plan(self, model: Csp) -> FrontierPlan[Csp]:  # type: ignore[override]
        """The levels of the other variables. Raises EngineRefuses."""
        plan = _plan(model, self._variable)
        return replace(plan, levels=replace(plan.levels, levels=plan.levels.levels[:-1]))

    def ways_to(self, model: Csp, front: Front) -> Mapping[int, int]:
        """The number of solutions for each value that some have. front: after all levels of the plan."""
        plan, n_values = _plan(model, self._variable), len(model.values)
        choices = plan.levels.levels[-1].choices if plan.levels.levels else ()
        found: Counter[int] = Counter()
        for some in front.stretches(max(1, MOST_SUCCESSORS // (1 + len(choices)))):
            successors = Walk(plan, begin=front.with_parts([some]), with_successors=True).step().successors
            assert successors is not None
            for number, choice in enumerate(choices, 1):
                allowing = np.flatnonzero(successors[:, number] != FREE)
                if len(allowing):
                    found[model.values[choice.option % n_values]] += total_of(some.counts[allowing])
        return found


@lru_cache(maxsize=1)
def _plan(model: Csp, last: Variable) -> FrontierPlan[Csp]:
    return make_plan(model, last=last)
