"""A short look: does memoised branching pay off for a model?

Choice for choice it costs 10 to 30 times what the engines that list do, and on boards the frontier merges
better (figures in `benchmarks/README.md`). What neither of them can do is a model in parts that share no
item, if a part is no board: listing meets every combination of the solutions of the parts, and the frontier
is too wide. So only such a model is looked at, and the engine is taken when the search is over during the
look and there is much to list.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from rekkyo.engines.covers.frontier.levels import components
from rekkyo.engines.covers.memo.plan import make_plan
from rekkyo.engines.covers.memo.search import Search
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover

FEW_OPTIONS = 16
"""A smaller part is none: it has little to choose."""

MOST_NODES = 1 << 20
"""Of the look: up to three seconds, which only a model in parts has to wait."""

MOST_BYTES = 1 << 28

MANY_SOLUTIONS = 10**8
"""Listing them takes some seconds."""


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
