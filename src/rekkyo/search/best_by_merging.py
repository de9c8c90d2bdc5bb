"""The best value of an objective by merging equal states, beside the searches for better solutions.

Algorithm: merging counts the solutions for each value of the objective in one walk (`by_value.py`). Where it
pays off, that takes a small part of the time of the proof that nothing is better: for the most kings on 8x8
that do not attack each other, 0.3 s instead of 25. It is tried when the searches have taken as long as its
plan does, and goes on as long as it takes a small part of their time.

Left out on purpose: engines that were named, so that a recount by a second engine finds the best value
without merging. `csp-diagram` finds it in no other way.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from rekkyo.engines.crew import Crew
from rekkyo.engines.csp.frontier.by_value import FrontierByValue
from rekkyo.engines.frontier.front import NO_BOUNDS, Front
from rekkyo.engines.frontier.walk import walk
from rekkyo.model.csp.csp import Csp
from rekkyo.search.merging import MOST_LOST, Merging
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.question import Question
from rekkyo.search.sizes import Moments

FIRST_MOMENTS = 16
"""The searches may take so long before merging is tried; later after twice the time each."""


class BestByMerging:
    """Merging that is tried beside the searches. is_over: whether it has counted all solutions."""

    def __init__(self, model: Csp, question: Question, watch: Watcher | None, together: Crew) -> None:
        assert model.objective is not None
        self._model, self._objective, self._question = model, model.objective, question
        self._watch, self._crew = watch, together
        self._spent, self._next = 0.0, float(FIRST_MOMENTS)
        self._engine = FrontierByValue(model.objective.variable)
        self.is_over = False

    def goes_on(self, moments: Moments) -> bool:
        """Go on beside searches that have taken so many more moments; whether it is over."""
        self._spent += moments
        if self._spent < self._next or self._merging is None:
            return False
        self._next = 2 * self._spent
        self.is_over = self._merging.may_begin(self._spent) and self._merging.goes_on(self._spent, MOST_LOST)
        return self.is_over

    def best(self) -> int | None:
        """The best value of all solutions, once it is over."""
        assert self._merging is not None
        return self._best_after(self._merging.trial.front)

    def best_alone(self) -> int | None:
        """The same without searches beside it. Raises EngineRefuses."""
        stage = Stage(self._watch, "counting solutions by their value")
        plan = self._engine.plan(self._counted)
        for front in walk(plan, self._engine.most_bytes, NO_BOUNDS, crew=self._crew):
            stage.add(front.nodes)
        return self._best_after(front)

    def _best_after(self, front: Front) -> int | None:
        found = self._engine.ways_to(self._counted, front)
        return max(found, default=None) if self._objective.maximize else min(found, default=None)

    @cached_property
    def _merging(self) -> Merging | None:
        """None for an engine that was named, or where nothing can be merged."""
        if not self._question.may_merge or not self._engine.accepts(self._counted):
            return None
        return Merging(self._engine, self._counted, self._watch, self._crew)

    @cached_property
    def _counted(self) -> Csp:
        """The problem without an objective, whose solutions show the value of it."""
        shown = self._model.solution_with_objective
        return replace(self._model, objective=None, grid=None, solution=shown)
