"""A count by merging that is tried beside a search, and stops before it takes too large a part of that."""

from __future__ import annotations

from functools import cached_property
from math import inf, log2
from typing import Any, TypeAlias

from rekkyo.catalog.own_symmetry import size_of
from rekkyo.engines.contract import Tally
from rekkyo.engines.covers.frontier.engine import MOST_BYTES, CoverFrontier, trial_of
from rekkyo.engines.crew import Crew
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.reading import expected_steps
from rekkyo.engines.frontier.cost import MOMENT_NS, NODE_NS
from rekkyo.engines.frontier.front import UNBOUNDED, Bounds
from rekkyo.engines.frontier.kernel import steps
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.trial import Trial
from rekkyo.engines.frontier.walk import is_kept
from rekkyo.errors import EngineRefuses
from rekkyo.jit import is_loaded
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.sum_figure import SumFigure
from rekkyo.search.announced import announced
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.sizes import Moments

Merger: TypeAlias = CoverFrontier | CspFrontier

LEAST_MOMENTS = 512
"""Searches that may be shorter, some 2.5 s, are not worth compiling another engine."""

LEAST_IF_LOADED, LEAST_IF_KEPT = 4, 96
"""The least moments of a search that is raced: about 15 ms if the kernels of merging are loaded, 0.4 s if
they are in a file."""

SIZE_IN_MOMENT, CSP_SIZE_IN_MOMENT = 25, 200
"""The vertices and edges of a graph that is equivalent to a sum figure or a problem with constraints, for
each moment that its plan takes. For constraints, each takes 6 to 35 us."""

LITERALS_IN_MOMENT = 200
"""The same for each cell of each forbidden pattern of a colouring, 12 to 25 us. A set is a pattern for each
colour, so the edges of a graph tell less."""

STEPS_IN_MOMENT = 1 << 14
"""And for each step by which the tables of a sum are made, 0.3 us, in two orders or more. For
`pandigital-product` they take 0.55 s, and its 7 solutions are searched in 0.01 s."""

MOMENTS_OF_ORDERS, SHORT_PLAN, LONG_PLAN = 20, 0.1, 0.4
"""How long trials of the orders of a plan take at most, the part of a search below which a plan with them is
made whatever merging may take, and the most that a plan without them may take. Sudokus of 6x6 take 30 ms
instead of 180."""

MOST_GUESSED = 2
"""Other short searches are not raced if merging is guessed to take more nodes than this power of theirs.
Guesses are too high: 2^28 for 2^19 in sum-free sets, and 2^27 for 2^12 in cycles, which both win with 1.4
times the bits of the search. For knight's tours of 5x6 2^64 are guessed, 3.2 times the bits, and 2^26 are
needed; the plan took 61 ms beside a search of 43."""

LEAST_IN_MOMENT = MOMENT_NS / NODE_NS
"""The nodes of a moment where all lead to results, by which levels are walked in one call."""

MOST_LOST = 0.1
MOST_LIKELY = 0.15
FORESEEN, FORESEEN_REST = 0.7, 0.9
"""The parts of a search that merging may take, with all nodes that the next level may have; with as many as
it is likely to have; that the merge of a cover may be foreseen to take in total; and then from any level on.
Simulated by the sizes of levels, with 150 ns for every node: the regret over 27 covers that are raced is at
most 1.3; without forecasts it was 2.3 (Kanoodle)."""


class Merging:
    """A count by merging that stops before a level that would take it too far.

    tally: the count, once it is over. is_refused: whether the states do not fit, or there is no plan.
    """

    def __init__(self, engine: Merger, model: Model, watch: Watcher | None, together: Crew) -> None:
        self.tally: Tally | None = None
        self.is_refused = False
        self._is_promising, self._known_moments = False, 0.0
        self.engine, self._model, self._crew = engine, model, together
        self._stage = Stage(watch, "trying to count by merging equal states")

    @cached_property
    def plan(self) -> FrontierPlan[Any]:
        """The plan, after compiling. Raises EngineRefuses."""
        with announced(f"engine {self.engine.name}"):
            self.engine.compile(self._model)
        return self.engine.plan(self._model)

    @cached_property
    def trial(self) -> Trial:
        """It goes on from the look, if there was one, whose time makes no difference to what pays off now."""
        plan, most_bytes = self.plan, self.engine.most_bytes
        begun = self._trial_of_look() if most_bytes >= MOST_BYTES else None
        if begun is None:
            return Trial(plan, most_bytes, self._crew)
        self._known_moments = begun.moments
        return begun.going_on(most_bytes, self._crew)

    def _trial_of_look(self) -> Trial | None:
        return trial_of(self._model) if isinstance(self._model, ExactCover) else None

    def may_begin(self, moments: Moments) -> bool:
        """Whether it is worth a try against a search of `moments` moments; a short one compiles nothing."""
        least = LEAST_IF_LOADED if is_loaded(steps) else LEAST_IF_KEPT
        if moments < (LEAST_MOMENTS if isinstance(self._model, SumFigure) else least):
            return False
        if self.moments_of_plan > LONG_PLAN * moments:
            return False
        if moments >= LEAST_MOMENTS:
            return True
        if not is_kept(with_rules=not isinstance(self._model, ExactCover)):
            return False
        has_short_plan = self.moments_of_plan + MOMENTS_OF_ORDERS <= SHORT_PLAN * moments
        return has_short_plan or self._may_be_short(moments)

    def _may_be_short(self, moments: Moments) -> bool:
        """Whether the guessed states do not rule out that merging takes less than a search."""
        return self._guessed_bits <= MOST_GUESSED * log2(max(2.0, moments * self.engine.moment_nodes))

    @cached_property
    def _guessed_bits(self) -> float:
        """The logarithm of the states as they are guessed; 0 for covers, whose levels tell it."""
        engine, model = self.engine, self._model
        if not isinstance(engine, CspFrontier) or not isinstance(model, Csp | Coloring | SumFigure):
            return 0.0
        try:
            return engine.guessed_bits(model)
        except EngineRefuses:
            return inf

    @cached_property
    def moments_of_plan(self) -> Moments:
        """About how long the plan takes."""
        return _moments_of_plan(self._model)

    def goes_on(self, moments: Moments, may_lose: float) -> bool:
        """Go on while that is worth it against a search of `moments`; whether the count is over.

        may_lose: the part of the search that the levels may take, with all nodes that the next one may have.
        """
        if self.is_refused:
            return False
        try:
            trial = self.trial
        except EngineRefuses:
            self.is_refused = True
            return False
        before = trial.nodes
        while trial.tally is None and self._is_worth_a_level(trial, moments, may_lose):
            left = max(0.0, may_lose * moments + self._known_moments - trial.moments)
            bounds = Bounds(together=trial.nodes + int(min(left * LEAST_IN_MOMENT, UNBOUNDED)))
            if not trial.step(bounds):
                break
            self._stage.add(trial.nodes - before)
            before = trial.nodes
        self.is_refused, self.tally = trial.needs == inf, trial.tally
        return self.tally is not None

    def _is_worth_a_level(self, trial: Trial, moments: Moments, may_lose: float) -> bool:
        if trial.moments - self._known_moments + trial.moments_needed <= may_lose * moments:
            return True
        return self._is_likely_faster(trial, moments)

    def _is_likely_faster(self, trial: Trial, moments: Moments) -> bool:
        likely = trial.moments - self._known_moments + trial.moments_likely
        if likely <= MOST_LIKELY * moments:
            return True
        if not isinstance(self._model, ExactCover) or likely > moments:
            return False
        foreseen = trial.moments_foreseen
        is_promising = foreseen - self._known_moments <= FORESEEN * moments
        self._is_promising = self._is_promising or is_promising
        return self._is_promising and foreseen - trial.moments <= FORESEEN_REST * moments


def _moments_of_plan(model: Model) -> Moments:
    """About how long the plan takes for merging a colouring, a figure or constraints; 0 for covers."""
    if isinstance(model, ExactCover):
        return 0.0
    if isinstance(model, Coloring):
        n_literals = model.n_colors * sum(map(len, model.sets)) + sum(map(len, model.patterns))
        return n_literals / LITERALS_IN_MOMENT
    moments = size_of(model) / (CSP_SIZE_IN_MOMENT if isinstance(model, Csp) else SIZE_IN_MOMENT)
    if isinstance(model, Csp):
        sums = (part for part in model.constraints if isinstance(part, Linear))
        moments += sum(expected_steps(part, model.domains) for part in sums) / STEPS_IN_MOMENT
    return moments
