"""Engine `cover-memo`: counts exact covers of any kind by remembering what subproblems came to."""

from __future__ import annotations

from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.engines.covers.frontier.quotient import folded
from rekkyo.engines.covers.memo.plan import MemoPlan, make_plan
from rekkyo.engines.covers.memo.probe import is_worth_remembering
from rekkyo.engines.covers.memo.search import Search, warm_up
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.row import AtomPermutation

DEFAULT_BYTES = 4 << 30

MAX_ITEMS = 1 << 14
MAX_OPTIONS = 1 << 16


class CoverMemo(CountingEngine[MemoPlan]):
    """Memoised branching; see `kernel.py`. One shard: what is remembered serves the whole search.

    most_bytes: the memory for what is remembered; beyond it, the engine refuses.
    """

    model_type = ExactCover
    model_words = "exact covers"
    name = "cover-memo"
    summary = "counts by remembering subproblems, fewest options first; parts are multiplied"

    def __init__(self, most_bytes: int = DEFAULT_BYTES) -> None:
        self.most_bytes = most_bytes

    def limits(self, model: ExactCover) -> str | None:
        """Any exact cover of a sensible size; whether its subproblems fit in memory, the search shows."""
        if len(model.primary) + len(model.secondary) > MAX_ITEMS or len(model.options) > MAX_OPTIONS:
            return f"takes at most {MAX_ITEMS} items and {MAX_OPTIONS} options"
        return None

    def pays_off(self, model: Model) -> bool:
        """When the model falls into parts that share no item and are counted in a moment."""
        return isinstance(model, ExactCover) and is_worth_remembering(model)

    def compile(self, model: Model) -> None:
        """Compile the search."""
        warm_up()

    def make_plan(self, model: ExactCover) -> MemoPlan:
        """The cover as arrays."""
        return make_plan(model)

    def split(self, plan: MemoPlan, at_least: int) -> tuple[Shard, ...]:
        """One shard."""
        return (Shard(0, ()),)

    def count(self, plan: MemoPlan, shard: Shard, pause: Pause) -> Tally:
        """See the contract; a node is a choice tried. Raises EngineRefuses."""
        search = Search(plan, self.most_bytes)
        total = search.count(pause)
        return Tally(total, search.nodes)

    def count_fixed(self, plan: MemoPlan, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """By the same search on the folded model; None when that is too large, or has weights."""
        quotient = folded(plan.model, symmetry)
        if quotient.weights or not self.accepts(quotient.model):
            return None
        try:
            return self.count(make_plan(quotient.model), Shard(0, ()), pause)
        except EngineRefuses:
            return None
