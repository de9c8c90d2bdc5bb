"""A count by a search that takes longer than was foreseen: merging is tried again beside it.

The length of a search is foreseen by sampled shards, probes and random dives, and each can miss the few
shards that have nearly all nodes. In each try, the race before the search or one here, merging competes with
a search of some length. When the search has taken four times as long, merging is tried again, for a tenth of
the time that the search has taken. A count may then take much longer than merging alone, but no more than
some forty times as long, whatever was foreseen.
"""

from __future__ import annotations

from rekkyo.search.progress import Progress, Watcher
from rekkyo.search.search import Search
from rekkyo.search.sizes import Moments

FACTOR = 4


class Overtaken(Exception):
    """Raised in the thread that asked when merging has counted. Not an error."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.question.puzzle.name)
        self.search = search


def racing_if_overdue(search: Search, watch: Watcher) -> Watcher:
    """The same watcher, which tries merging whenever the search is overdue. It raises Overtaken."""
    raced, moment_nodes = search.raced, search.uncut.moment_nodes
    least = search.question.sizes.overdue_moments

    def race_and_watch(progress: Progress) -> None:
        nonlocal raced
        taken = progress.nodes / moment_nodes
        if taken >= max(least, FACTOR * raced) and progress.shards_done < progress.n_shards:
            raced = _race_again(search, taken, watch)
        watch(progress)

    return race_and_watch


def _race_again(search: Search, taken: Moments, watch: Watcher) -> Moments:
    """Try merging against a search of `taken` moments. Raises Overtaken."""
    from rekkyo.search.race import raced_again

    after = raced_again(search, taken, watch)
    if after.tally is not None:
        raise Overtaken(after)
    return after.raced
