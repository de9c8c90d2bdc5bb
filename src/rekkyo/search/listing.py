"""The search for a list of solutions: by the engine, or along a diagram of all of them.

Merging may count in a second what a search does not end: dominoes on a board without two corners of one
colour, of which there are none, or the 281,571 ways to put the most kings on 8x8, which take a search 90 s.
So merging is tried against the search, as for a count (`race.py`), and a diagram is drawn if merging is far
faster. There is no such race for a list that is read as it is found if the search finds a solution soon,
unless it is of all solutions with the best value of an objective.

The choice decides the order of the solutions, so it depends neither on workers, nor on how the search is
divided, nor on kept kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from rekkyo.engines.contract import Tally
from rekkyo.engines.registry import engine_named
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search.cutting import NOT_BEGUN, Into, by_length, to_stream
from rekkyo.search.probes import Probes
from rekkyo.search.progress import Watcher
from rekkyo.search.question import Question
from rekkyo.search.search import Cutting, Search, cut_again, prepare, prepare_known, uncut_of
from rekkyo.search.sizes import DEFAULT_SIZES

SIZES = DEFAULT_SIZES
"""How the search is divided for the race, whatever the question says."""

SLICES = 16
"""The slices of a moment; most searches find a solution in the first one."""

SOON = 256
"""The moments in which a search finds its first solution soon, about a second."""


OnTotal: TypeAlias = Callable[[int], None]
"""Called with the number of solutions if merging has counted them, before a diagram is drawn; may raise."""


def prepare_list(
    question: Question, cutting: Cutting, watch: Watcher | None = None, on_total: OnTotal | None = None
) -> Search:
    """As `prepare`, for questions that visit all solutions. An engine that was named searches in any case."""
    return _if_far_faster(prepare(question, cutting, watch), cutting, watch, on_total)


def prepare_stream(question: Question, limit: int | None, watch: Watcher | None) -> Search:
    """As `prepare`, for a list that is read as it is found, up to a limit."""
    # A short list does not wait for its reader. Where nodes take long, it takes minutes to see which shards
    # have many rows.
    is_short = limit is not None and limit <= question.sizes.rows_of_block(question.model.row_shape)
    search = prepare(question, by_length if is_short else to_stream, watch)
    wants_all = search.optimum is not None and limit is None  # a first solution came late in any case
    if not question.may_merge or (not wants_all and _finds_soon(search)):
        return search
    return _if_far_faster(search, to_stream, watch)


def _finds_soon(search: Search) -> bool:
    """Whether the first moments of the search have a solution, or are all of it."""
    if search.is_over:
        return True
    question = replace(search.question, workers=1, sizes=SIZES)
    uncut = uncut_of(question, search.plan, NOT_BEGUN)
    moment_nodes = uncut.moment_nodes
    for block, nodes in uncut.blocks_so_far(max(1, moment_nodes // SLICES)):
        if len(block.rows):
            return True
        if nodes > SOON * moment_nodes:
            return False
    return True


def _if_far_faster(
    search: Search, cutting: Cutting, watch: Watcher | None, on_total: OnTotal | None = None
) -> Search:
    """The search, or one along a diagram where merging counts all solutions far faster."""
    question = search.question
    compared = compared_with_merging(search, cutting, watch) if question.may_merge else search
    if isinstance(compared, Search):
        return compared
    if on_total is not None:
        on_total(compared.total)
    name = "cover-diagram" if isinstance(question.model, ExactCover) else "csp-diagram"
    try:
        drawn = prepare_known(replace(question, engine=engine_named(name)), cutting)
    except EngineRefuses:  # it does not fit into the memory
        return search
    return replace(drawn, compile_s=search.compile_s + drawn.compile_s)


def compared_with_merging(search: Search, cutting: Cutting | None, watch: Watcher | None) -> Search | Tally:
    """The search, with the shards that were searched for the comparison; or the count by merging.

    That is far faster then, and a diagram pays off, which takes several times as long as merging. cutting: of
    the search; None if the choice shows, so that it must not depend on how the search is divided.
    """
    if search.is_over:
        return search
    from rekkyo.search.race import can_be_merged, counted_far_faster

    if not can_be_merged(search):
        return search
    alone = _alone(search, cutting)
    probes = Probes(alone)
    tally = counted_far_faster(alone, probes, watch, search.question.workers)
    if tally is not None:
        return tally
    return probes.kept_in(search) if search.question.sizes == SIZES else search


def _alone(search: Search, cutting: Cutting | None) -> Search:
    """The search for one worker, with the usual sizes: as it is cut, or in many shards.

    By length others than one worker would search all of a short one a second time.
    """
    question = search.question
    if cutting is by_length and question.workers == 1 and question.sizes == SIZES:
        return search
    usual = replace(question, workers=1, sizes=SIZES)
    return cut_again(replace(search, question=usual, begun=NOT_BEGUN), Into(SIZES.shards, may_be_short=True))
