"""A search that visits every solution with the best value of an objective: by the engine, or along a diagram.

The best value as a bound prunes little: a search lists the 281,571 ways to put the most kings on 8x8 in 90 s,
a diagram in 2. So merging is tried against the search, as for a count (`race.py`), and a diagram is drawn if
merging is far faster. Left out on purpose: problems without an objective, whose first solutions are printed
before a race would be over, and a limited number of solutions.
"""

from __future__ import annotations

from dataclasses import replace

from rekkyo.engines.registry import engine_named
from rekkyo.errors import EngineRefuses
from rekkyo.search.progress import Watcher
from rekkyo.search.question import Question
from rekkyo.search.search import Cutting, Search, prepare, prepare_known

DIAGRAM_ENGINE = "csp-diagram"


def prepare_list(question: Question, cutting: Cutting, watch: Watcher | None = None) -> Search:
    """As `prepare`, for all solutions. An engine that was named searches in any case."""
    search = prepare(question, cutting, watch)
    if search.optimum is None or not question.may_merge:
        return search
    from rekkyo.search.race import merged_far_faster

    if merged_far_faster(search, watch) is None:
        return search
    try:
        drawn = prepare_known(replace(search.question, engine=engine_named(DIAGRAM_ENGINE)), cutting)
    except EngineRefuses:  # it does not fit into the memory
        return search
    return replace(drawn, compile_s=search.compile_s + drawn.compile_s)
