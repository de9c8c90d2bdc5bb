"""The best value of an objective by merging equal states, beside the searches for better solutions.

Algorithm: merging counts the solutions for each value of the objective in one walk (`by_value.py`). Where it
pays off, that takes a small part of the time of the proof that nothing is better: for the most kings on 8x8
that do not attack each other, 0.3 s instead of 25. It is tried when the searches have taken as long as its
plan does, and goes on as long as it takes a small part of their time.

Left out on purpose: engines other than the one chosen first, so that a recount by a second engine finds the
best value without merging.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.engines import registry
from rekkyo.engines.crew import Crew
from rekkyo.engines.csp.frontier.by_value import FrontierByValue
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.search.merging import MOST_LOST, Merging
from rekkyo.search.progress import Watcher
from rekkyo.search.question import Question
from rekkyo.search.sizes import Moments

FIRST_MOMENTS = 16
"""The searches may take so long before merging is tried; later after twice the time each."""


class BestByMerging:
    """Merging that is tried beside the searches. is_over: whether it has counted all solutions."""

    def __init__(self, objective: Objective, merging: Merging | None, counted: Csp, engine: FrontierByValue):
        self._objective, self._merging, self._counted, self._engine = objective, merging, counted, engine
        self._spent, self._next = 0.0, float(FIRST_MOMENTS)
        self.is_over = False

    @classmethod
    def of(
        cls, model: Csp, objective: Objective, question: Question, watch: Watcher | None, together: Crew
    ) -> BestByMerging:
        """It for a question; it merges nothing where the engine was not the one that is chosen first."""
        variable = objective.variable
        shown = tuple(dict.fromkeys((*model.solution, variable)))
        counted = replace(model, objective=None, grid=None, solution=shown)
        engine = FrontierByValue(variable)
        may_merge = question.engine.name == registry.listing_engine(model).name and engine.accepts(counted)
        merging = Merging(engine, counted, watch, together) if may_merge else None
        return cls(objective, merging, counted, engine)

    def goes_on(self, moments: Moments) -> bool:
        """Go on beside searches that have taken so many more moments; whether it is over."""
        self._spent += moments
        if self._merging is None or self._spent < self._next:
            return False
        self._next = 2 * self._spent
        self.is_over = self._merging.may_begin(self._spent) and self._merging.goes_on(self._spent, MOST_LOST)
        return self.is_over

    def best(self) -> int | None:
        """The best value of all solutions, once it is over."""
        assert self._merging is not None
        found = self._engine.ways_to(self._counted, self._merging.trial.front)
        return max(found, default=None) if self._objective.maximize else min(found, default=None)
