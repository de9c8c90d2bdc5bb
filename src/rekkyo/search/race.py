"""Whether merging equal states counts faster than the search that was prepared: a race between the two.

Nothing about a model foretells it well: sum-free sets have few ways to a state, and merging wins 13 times;
stars have many, and it loses. So both are tried. A few shards are searched for so many nodes, which says
how long all shards take at least; merging may take a tenth of that. Then both get four times as much, until
merging is through, until the shards show that the search is shorter, or until it has lost a minute of a
search of ten.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from rekkyo.engines.contract import Block, ListingEngine, Shard, Tally
from rekkyo.engines.crew import Crew
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier.walk import walk
from rekkyo.errors import EngineRefuses
from rekkyo.search.cutting import scattered
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.search import Search, announced
from rekkyo.search.threads import crew

N_PROBES = 3
FIRST_MOMENTS = 2
FACTOR = 4
N_ROUNDS = 5
"""The last round searches each probe for 512 moments, some 2.5 s; 256 such shards take 11 minutes."""

LEAST_MOMENTS = 512
"""Searches that may be shorter, some 2.5 s, are not worth compiling another engine."""

MOST_LOST = 0.1


def merged_if_faster(search: Search, watch: Watcher | None) -> Search:
    """The search, or one that has counted already by merging. For counts of an engine that nobody named."""
    engine = CspFrontier()
    model = search.question.model
    is_short = search.known or not isinstance(search.engine, ListingEngine)
    if is_short or not search.shards or not engine.accepts(model):
        return search
    probes = [_Probe(search, shard) for shard in scattered(search.shards)[:N_PROBES]]
    merging: _Merging | None = None
    with suppress(EngineRefuses), crew(search.question.workers) as together:
        for round_ in range(N_ROUNDS):
            moments = FIRST_MOMENTS * FACTOR**round_
            least = sum(probe.moments(moments) for probe in probes) / len(probes) * len(search.shards)
            if least >= LEAST_MOMENTS:
                merging = merging or _Merging(engine, search, watch, together)
                if merging.goes_on(int(MOST_LOST * least * engine.moment_nodes)):
                    return _counted(search, engine, merging, least)
            if all(probe.is_over for probe in probes):
                break
    return search


def _counted(search: Search, engine: CspFrontier, merging: _Merging, least: float) -> Search:
    """A search that is over; the other one where orbits, by a walk for each symmetry, would take longer."""
    tally = merging.tally
    assert tally is not None
    group = search.group if search.question.reports_orbits else None
    if group is not None and group.order * tally.nodes > least * engine.moment_nodes:
        return search
    return replace(
        search,
        question=replace(search.question, engine=engine, group=group),
        plan=merging.plan,
        shards=engine.split(merging.plan, 1),
        survey=None,
        only_representatives=False,
        settles_symmetry=False,
        tally=tally,
    )


class _Probe:
    """A shard that is searched a little at a time."""

    def __init__(self, search: Search, shard: Shard) -> None:
        self._blocks: Iterator[Block] = search.uncut.blocks(shard, search.uncut.moment_nodes)
        self._moment_nodes = search.uncut.moment_nodes
        self._nodes = 0
        self.is_over = False

    def moments(self, most: int) -> float:
        """How many moments it takes, or a little more than `most` if it takes more."""
        while not self.is_over and self._nodes <= most * self._moment_nodes:
            block = next(self._blocks, None)
            self.is_over = block is None
            self._nodes += 0 if block is None else max(1, block.nodes)
        return self._nodes / self._moment_nodes


class _Merging:
    """A count by merging that stops before a level that would take it too far.

    tally: the count, once it is through. needs: nodes up to the next level, at most.
    """

    def __init__(self, engine: CspFrontier, search: Search, watch: Watcher | None, together: Crew) -> None:
        with announced(f"engine {engine.name}"):
            engine.compile(search.question.model)
        self.plan = engine.plan(search.question.model)
        self.tally: Tally | None = None
        self.needs = 0
        self._nodes = 0
        self._stage = Stage(watch, "trying to count by merging equal states")
        fronts = walk(self.plan, engine.most_bytes, crew=together)
        self._steps = zip(fronts, (*self.plan.levels.levels, None), strict=True)

    def goes_on(self, most_nodes: int) -> bool:
        """Go on as long as so many nodes in all will do; whether the count is through. Raises
        EngineRefuses."""
        while self.tally is None and self.needs <= most_nodes:
            front, level = next(self._steps)
            self._nodes += front.nodes
            self._stage.add(front.nodes)
            if level is None:
                self.tally = Tally(front.ways, self._nodes)
            else:
                self.needs = self._nodes + front.n_states * len(level.choices)
        return self.tally is not None
