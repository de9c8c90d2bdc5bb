"""Engine `cover-memo`: counts exact covers of any kind by storing the counts of subproblems.

A choice takes 10 to 30 times as long as in the engines that list, and on boards the frontier merges better
(figures in `benchmarks/README.md`). Neither of them is fast for a model in parts that share no item, if a
part is not a board: listing visits every combination of the solutions of the parts, and the frontier is too
wide. So a test search is made only for such a model. The engine is preferred if the test search ends and
there are many solutions.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from rekkyo.engines.contract import Pause, Shard, Tally
from rekkyo.engines.covers.counting import CoverCounter, Folded
from rekkyo.engines.covers.frontier.levels import components
from rekkyo.engines.covers.memo.search import MemoPlan, Search, make_plan, warm_up
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

FEW_OPTIONS = 16
"""Parts with fewer options are not counted as parts, because they have few choices."""

MOST_NODES = 1 << 20
"""Nodes of the test search, which take up to three seconds."""

MOST_BYTES = 1 << 28
MANY_SOLUTIONS = 10**8
"""Listing this number of solutions takes some seconds."""


class CoverMemo(CoverCounter[MemoPlan]):
    """Memoised branching; see `kernel.py`."""

    name = "cover-memo"
    plan_version = 1
    summary = "counts by remembering subproblems, fewest options first; parts are multiplied"
    max_options = 1 << 16

    def pays_off(self, model: Model) -> bool:
        """See the contract: True if the model has parts that share no item, and a test search counts them."""
        return isinstance(model, ExactCover) and is_worth_remembering(model)

    def compile(self, model: Model) -> None:
        """Compile the kernels."""
        warm_up()

    def make_plan(self, model: ExactCover) -> MemoPlan:
        """The cover as arrays."""
        return make_plan(model)

    def folded_plan(self, quotient: Folded) -> MemoPlan:
        """The folded cover as arrays, without weights."""
        if quotient.weights:
            raise EngineRefuses(f"engine {self.name} takes options that cover an item once")
        return make_plan(quotient.model)

    def count(self, plan: MemoPlan, shard: Shard, pause: Pause) -> Tally:
        """See the contract. A node is a choice tried. Raises EngineRefuses."""
        search = Search(plan, self.most_bytes)
        return Tally(search.count(pause), search.nodes)


class _LookedLongEnough(Exception):
    """The test search has used its nodes and has not ended."""


@lru_cache(maxsize=4)
def is_worth_remembering(model: ExactCover) -> bool:
    """Whether the model has several parts, the test search ends, and there are many solutions."""
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
