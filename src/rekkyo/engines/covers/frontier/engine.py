"""Engine `cover-frontier`: counts exact covers of any kind by merging equal subproblems, without listing."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.engines.covers.frontier.plan import DEFAULT_BYTES, FrontierPlan, make_plan, walk
from rekkyo.engines.covers.frontier.probe import is_worth_merging
from rekkyo.engines.covers.frontier.quotient import folded
from rekkyo.engines.limbs import to_int
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation

MAX_ITEMS = 1 << 14
MAX_OPTIONS = 1 << 18


class CoverFrontier(CountingEngine[FrontierPlan]):
    """Item by item, all states at once; see `levels.py`. One shard: the levels depend on each other.

    most_bytes: the memory for states; beyond it, the engine refuses.
    """

    model_type = ExactCover
    model_words = "exact covers"
    name = "cover-frontier"
    summary = "counts by merging equal states, item by item; for counts too large to list"

    def __init__(self, most_bytes: int = DEFAULT_BYTES) -> None:
        self.most_bytes = most_bytes

    def limits(self, model: ExactCover) -> str | None:
        """Any exact cover of a sensible size; whether its states fit in memory, only the search finds out."""
        if len(model.primary) + len(model.secondary) > MAX_ITEMS or len(model.options) > MAX_OPTIONS:
            return f"takes at most {MAX_ITEMS} items and {MAX_OPTIONS} options"
        return None

    def pays_off(self, model: Model) -> bool:
        """When a short look shows that far more ways lead to a state than there are states."""
        return isinstance(model, ExactCover) and is_worth_merging(model)

    def compile(self, model: Model) -> None:
        """Compile the step for states of one word or of several, whichever the model needs."""
        with suppress(EngineRefuses):  # the first level is enough
            next(islice(walk(self.plan(model), most_bytes=1 << 16), 1, None), None)

    def make_plan(self, model: ExactCover) -> FrontierPlan:
        """The levels as arrays."""
        return make_plan(model)

    def split(self, plan: FrontierPlan, at_least: int) -> tuple[Shard, ...]:
        """One shard."""
        return (Shard(0, ()),)

    def count(self, plan: FrontierPlan, shard: Shard, pause: Pause) -> Tally:
        """The ways to the one state after the last level; a node is a choice made in a state.

        Pauses between levels. Raises EngineRefuses.
        """
        nodes = 0
        for front in walk(plan, self.most_bytes):
            pause()
            nodes += front.nodes
        return Tally(to_int(front.counts[0]) if len(front.counts) else 0, nodes)

    def count_fixed(self, plan: FrontierPlan, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """By the same search on the folded model; None when that is too large."""
        quotient = folded(plan.model, symmetry)
        try:
            return self.count(make_plan(quotient.model, weights=quotient.weights), Shard(0, ()), pause)
        except EngineRefuses:
            return None
