"""Engine `cover-memo`: counts exact covers of any kind by remembering what subproblems came to.

Whether it pays off, a short look says. Choice for choice it costs 10 to 30 times what the engines that list
do, and on boards the frontier merges better (figures in `benchmarks/README.md`). What neither of them can do
is a model in parts that share no item, if a part is no board: listing meets every combination of the
solutions of the parts, and the frontier is too wide. So only such a model is looked at, and the engine is
taken when the search is over during the look and there is much to list.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from rekkyo.engines.contract import Pause, Shard, Tally
from rekkyo.engines.covers.counting import CoverCounter
from rekkyo.engines.covers.frontier.levels import Weights, components
from rekkyo.engines.covers.memo.search import MemoPlan, Search, make_plan, warm_up
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

FEW_OPTIONS = 16
"""A smaller part is none: it has little to choose."""

MOST_NODES = 1 << 20
"""Of the look: up to three seconds, which only a model in parts has to wait."""

MOST_BYTES = 1 << 28
MANY_SOLUTIONS = 10**8
"""Listing them takes some seconds."""


class CoverMemo(CoverCounter[MemoPlan]):
    """Memoised branching; see `kernel.py`."""

    name = "cover-memo"
    plan_version = 1
    summary = "counts by remembering subproblems, fewest options first; parts are multiplied"
    max_options = 1 << 16

    def pays_off(self, model: Model) -> bool:
        """When the model falls into parts that share no item and are counted in a moment."""
        return isinstance(model, ExactCover) and is_worth_remembering(model)

    def compile(self, model: Model) -> None:
        """Compile the search."""
        warm_up()

    def weighted_plan(self, model: ExactCover, weights: Weights) -> MemoPlan:
        """The cover as arrays, without weights."""
        if weights:
            raise EngineRefuses(f"engine {self.name} takes options that cover an item once")
        return make_plan(model)

    def count(self, plan: MemoPlan, shard: Shard, pause: Pause) -> Tally:
        """See the contract; a node is a choice tried. Raises EngineRefuses."""
        search = Search(plan, self.most_bytes)
        return Tally(search.count(pause), search.nodes)


class _LookedLongEnough(Exception):
    """The look is over and the search is not."""


@lru_cache(maxsize=4)
def is_worth_remembering(model: ExactCover) -> bool:
    """Whether the model falls into parts, all of which together are counted in a moment."""
    if not _falls_into_parts(model):
        return False
    search = Search(make_plan(model), MOST_BYTES)

    def look_on() -> None:
        if search.nodes > MOST_NODES:
            raise _LookedLongEnough

    try:
        return search.count(look_on) >= MANY_SOLUTIONS
    except (EngineRefuses, _LookedLongEnough):
        return False


def _falls_into_parts(model: ExactCover) -> bool:
    component = components(model)
    sizes = Counter(component[option[0][0]] for option in model.options)
    return sum(size >= FEW_OPTIONS for size in sizes.values()) > 1
