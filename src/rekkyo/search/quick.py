"""A search begun by an engine that may finish before another one is chosen, and the choice between both.

Choosing takes 1 to 40 ms, longer than many searches. If the first engine does not finish soon, the preferred
one is planned too. For problems of constraints that are exact covers, neither is always the faster
one, so parts of both searches are tried: a sudoku with few clues takes as many nodes either way, each in half
the time as a cover, but Latin squares whose diagonals differ take 15 times as many nodes as a cover.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf

from rekkyo.engines import registry
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import GroupTooLarge
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.search.cutting import whole_if_long
from rekkyo.search.probes import moments_by_known, probes_of
from rekkyo.search.progress import Watcher
from rekkyo.search.question import Question
from rekkyo.search.search import Cutting, Search, cut_again, prepare
from rekkyo.search.sizes import Moments

MOMENTS_OF_CHOICE, USES_IN_MOMENT = 6, 1000
"""A search that takes less ends before an engine has been chosen for it. The look at merging takes
1.4 to 3 ms for each thousand items of options, and for dense covers far more."""

MOST_MOMENTS_OF_CHOICE = 32
"""Some 0.15 s, however large the cover is."""

MOMENTS_OF_PROBES = 2, 8, 32
"""The moments of the parts of both searches that are compared. A search that none of them ends takes a
hundred times as long as the last part."""

FAR = 5
"""A moment of `cover-bitset` takes 5 ms, one of `cover-masks` 1.4 ms without a chart and 0.4 ms with one. In
random covers of 31 items the first has 0.7 million nodes and the second 13 million: 0.10 and 0.28 s. In
packings it has at least a third of those of the second, and takes 8 to 40 times as long."""

LEAST_SAVED = 2
"""The preferred engine takes over if the first one needs more than this multiple of its moments."""


def quick_engine(puzzle: Puzzle) -> AnyEngine | None:
    """An engine to begin with; None if the engine that is chosen anyway begins.

    Stating constraints as a cover takes 2 to 20 ms. Propagation ends most published sudokus in that time,
    and its plan begins in the same way, unless a symmetry or an objective is added to the model.
    """
    model = lower(puzzle.model)
    if isinstance(model, Csp) and model.objective is None and not (puzzle.generators or puzzle.further):
        from rekkyo.engines.csp.propagating.engine import CspSearch

        stated, search = registry.engine_named("csp-cover"), registry.engine_named(CspSearch.name)
        if stated.pays_off(model) and isinstance(search, CspSearch) and search.ends_at_once(model):
            return None
    return registry.quick_engine(model)


def moments_of_choice(model: Model) -> Moments:
    """How long a search may take that is not worth asking for another engine."""
    uses = len(model.uses) / 2 if isinstance(model, ExactCover) else 0
    return min(MOMENTS_OF_CHOICE + uses / USES_IN_MOMENT, MOST_MOMENTS_OF_CHOICE)


def begun(
    asked: Callable[..., Question],
    quick: AnyEngine | None,
    cutting: Cutting,
    watch: Watcher | None,
    merged: Callable[[Search], Search],
) -> Search:
    """The search, left whole if it is long.

    quick: an engine that begins, because it may finish before another one is chosen. cutting: without it.
    merged: tries merging before another engine is planned, and before parts of two long searches are
    compared, which takes 0.1 to 0.3 s. The 161,280 squares of 5x5 numbers that differ take 12 ms, not 38.
    """
    if quick is None:
        return prepare(asked(), cutting, watch)
    try:
        first = asked(engine=quick.name)
    except GroupTooLarge:  # for engines that need a list of its elements
        return prepare(asked(), cutting, watch)
    least = moments_of_choice(first.model)
    most = least if quick.model_type is ExactCover else inf
    search = prepare(first, partial(whole_if_long, most=most), watch)
    is_short = search.is_over or 0 < moments_by_known(search) < least
    if search.is_left_whole and isinstance(first.model, Csp):
        search = merged(search)
    if is_short or search.tally is not None:
        return search
    question = asked()
    if question.engine is quick:
        return cut_again(search, whole_if_long) if search.is_left_whole else search
    chosen = prepare(question, whole_if_long, watch)
    chosen = replace(chosen, compile_s=search.compile_s + chosen.compile_s)
    if isinstance(question.model, Csp):
        if chosen.is_left_whole:
            chosen = merged(chosen)
        is_kept = chosen.tally is None and _is_sooner(search, chosen)
    else:
        is_kept = chosen.is_left_whole and _has_far_fewer_nodes(search, chosen)
    return replace(search, compile_s=chosen.compile_s) if is_kept else chosen


def _has_far_fewer_nodes(quick: Search, chosen: Search) -> bool:
    """Whether dives say so: looking for the fewest options takes longer, but may need few nodes.

    Not where images are compared, which takes longer than the nodes: L-trominoes on 9x9.
    """
    if quick.only_representatives:
        return False
    ours, theirs = quick.uncut.estimated_moments, chosen.uncut.estimated_moments
    return 0 < FAR * ours < theirs


def _is_sooner(quick: Search, chosen: Search) -> bool:
    """Whether the search that began is expected to need fewer than `LEAST_SAVED` times the moments."""
    if chosen.is_over:
        return False
    ours, theirs = probes_of(quick), probes_of(chosen)
    is_less = True
    for of_each in MOMENTS_OF_PROBES:
        is_less = ours.least_moments(of_each) < LEAST_SAVED * theirs.least_moments(of_each)
        if (ours if is_less else theirs).are_over:  # so this one will not need more, and the other not less
            break
    return is_less
