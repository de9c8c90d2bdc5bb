"""The engines for a recount for which none was named, and to count the terms of b-files a second time.

`csp-plain` propagates nothing, so it may take years where the run took 0.1 s. It recounts what it searches in
a limited number of nodes. Otherwise an engine that lists along a diagram does: it ends, or refuses before
anything is searched because the diagram does not fit into the memory. The limit is one of nodes, so that a
recount that was interrupted goes on by the same engine.

Shards need no such choice: those that are models of their own are parts of covers and of queens problems,
which other engines search first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import EngineRefuses
from rekkyo.search.cutting import Into
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.question import Question
from rekkyo.search.search import prepare_known

RecountT = TypeVar("RecountT")

PLAIN = "csp-plain"

MOMENTS_OF_TRIAL = 256
"""Of `csp-plain`: 4,194,304 nodes, which take 1 to 5 s, and 28 s in the slowest example."""


class Chosen(NamedTuple):
    """An engine by its name, and why the one before it in the registry was not taken; empty if it was."""

    engine: str
    why: str = ""


def recounted(
    question: Question,
    others: Sequence[AnyEngine],
    recounted_by: Callable[[Chosen], RecountT],
    watch: Watcher | None = None,
) -> RecountT:
    """The recount of a question by one of the engines that accept it, of which there must be one.

    question: with the best value of an objective, which is not looked for in a trial. others: the preferred
    ones first. Raises what `recounted_by` raises for the last one.
    """
    *before, last = _engines(question, others, watch)
    for chosen in before:
        Stage(watch, f"getting {chosen.engine} ready").add(0)
        with suppress(EngineRefuses):
            return recounted_by(chosen)
    return recounted_by(last)


def _engines(question: Question, others: Sequence[AnyEngine], watch: Watcher | None) -> list[Chosen]:
    """The engines to recount a question; all but the last may refuse, so that the next one is taken."""
    first, own = others[0], question.engine.name
    further = [e.name for e in registry.listing(others[1:]) if not registry.share_search_code(e.name, own)]
    if first.name != PLAIN or not isinstance(first, ListingEngine) or not further:
        return [Chosen(first.name)]
    nodes = _nodes_if_long(question.for_part(question.model, first), watch)
    if nodes is None:
        return [Chosen(first.name)]
    why = f"was taken because {PLAIN} did not end in {nodes:,} nodes"
    return [*(Chosen(name, f"{name} {why}") for name in further), Chosen(PLAIN)]


def _nodes_if_long(question: Question, watch: Watcher | None) -> int | None:
    """The nodes of a trial that did not end; None if it did."""
    stage = Stage(watch, f"trying whether {question.engine.name} ends soon")
    uncut = prepare_known(question, Into(1)).uncut
    most, before = MOMENTS_OF_TRIAL * uncut.moment_nodes, 0
    for _, nodes in uncut.blocks_so_far(uncut.moment_nodes):
        stage.add(nodes - before)
        if nodes > most:
            return most
        before = nodes
    return None
