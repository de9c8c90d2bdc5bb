"""Estimates how long a search takes at least, from a few shards that are searched a little at a time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rekkyo.engines.contract import Block, ListingEngine, Shard
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.search.cutting import nodes_of, scattered
from rekkyo.search.search import Search
from rekkyo.search.sizes import Moments

N_PROBES = 3
MOST_PROBES = 24
"""Shards of one search may differ a thousandfold; small ones cost little, so more of them are looked at."""
MOMENTS_IF_UNEVEN = 0.5
"""For each of the first probes, if the shards that are known took less."""

LEAST_RACED: Moments = 8
"""Some 30 ms. Shorter searches end before another engine does, or before it is even imported."""


def moments_by_known(search: Search) -> Moments:
    """How long a search takes, by the shards that were searched while it was cut; 0 if there are none."""
    if not search.known:
        return 0.0
    nodes = sum(map(nodes_of, search.known.values()))
    return nodes / len(search.known) * len(search.shards) / search.uncut.moment_nodes


LEAST_KNOWN = 1.0
"""The share of the shards of a search that must be known before it is not raced: all of them. Those that are
known are the least: of 32 shards of the partitions of 100 two, of 8 moments; the others took minutes, merging
0.8 s. Of 5 shards for the independent sets of a 7x13 torus three are known, and the others take years."""


def _may_be_uneven(search: Search, least_known: float) -> bool:
    """Whether shards that were searched while the search was cut tell too little about the others.

    Of 33 shards of the monotone functions of six variables one has 86 % of the nodes. By the first two the
    search was expected to take a millisecond, and it was not raced: merging takes 0.1 s instead of 5. By 5 of
    52 shards 4-colourings of a prism were expected to take 11 moments, by 24 far more: they take years. Other
    models have long moments, and few shards that are dead ends. Probes of Langford's problem took 6 ms of 25.
    """
    n_known, n_shards = len(search.known), len(search.shards)
    nodes = sum(block.nodes for blocks in search.known.values() for block in blocks)
    tell_little = nodes < MOMENTS_IF_UNEVEN * search.uncut.moment_nodes or n_known < least_known * n_shards
    return tell_little and isinstance(search.question.model, Csp | Coloring) and n_known < n_shards


@dataclass(frozen=True, slots=True)
class Known:
    """The estimate from the shards that were searched while the search was cut, used instead of `Probes`."""

    moments: Moments
    kept_moments: Moments
    are_over: bool = True

    def least_moments(self, _: Moments, crew: Crew = ALONE) -> Moments:
        """The estimate, for any number of moments."""
        return self.moments


def probes_of(search: Search, begun: Probes | None = None, least_known: float = 0.0) -> Probes | Known:
    """The estimator for a search: `Known` if shards that tell enough were searched while it was cut.

    begun: probes that go on from where they are, if they are of this search. least_known: the share of the
    shards that are enough.
    """
    if search.known and not _may_be_uneven(search, least_known):
        moments = moments_by_known(search)
        return Known(moments, moments * len(search.known) / len(search.shards))
    return Probes(search) if begun is None else begun.going_on(search)


def probes_if_long(search: Search, begun: Probes) -> Probes | Known | None:
    """The estimator for a search; None if it is over, or known to end before another engine would.

    begun: see `probes_of`. Probes that are not over give a lower bound, which does not tell that it is short.
    """
    if search.is_over or not isinstance(search.engine, ListingEngine):
        return None
    probes = probes_of(search, begun, LEAST_KNOWN)
    if not search.known or moments_by_known(search) >= LEAST_RACED:
        return probes
    is_short = probes.least_moments(MOMENTS_IF_UNEVEN) < LEAST_RACED and probes.are_over
    return None if is_short else probes


class Probes:
    """Some shards that are a fair sample of all."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._all: list[_Probe] = []
        self._probes: list[_Probe] = []

    def _begin(self) -> None:
        shards = scattered(self._search.shards)[:MOST_PROBES]
        self._all = [_Probe(self._search, shard) for shard in shards]
        self._probes = self._all[:N_PROBES]

    def going_on(self, search: Search) -> Probes:
        """These probes if they are of a search with this plan and these shards; else new ones."""
        return self if self._are_of(search) else Probes(search)

    def _are_of(self, search: Search) -> bool:
        return search.plan is self._search.plan and search.shards == self._search.shards

    @property
    def are_over(self) -> bool:
        """Whether every probed shard has been searched completely."""
        return all(probe.is_over for probe in self._probes)

    @property
    def kept_moments(self) -> Moments:
        """The moments of the shards that need not be searched again, see `kept_in`.

        Probes search 48 of 64 moments of alternating permutations of 10; merging takes more than the rest.
        Lists in other shards than those that are compared search them again all the same.
        """
        return sum(probe.moments for probe in self._probes if probe.is_over and probe.kept)

    def least_moments(self, of_each: Moments, crew: Crew = ALONE) -> Moments:
        """Estimate the least moments of all shards after searching each probe for at most `of_each` moments.

        While the probes together take less than N_PROBES times that, another shard is probed; by several
        workers as many as there are, whether they are used or not, so that the estimate is the same.
        """
        if not self._all:
            self._begin()
        _search(self._probes, of_each, crew)
        moments = sum(probe.moments for probe in self._probes)
        while moments < N_PROBES * of_each and len(self._probes) < len(self._all):
            n_probes = len(self._probes)
            further = self._all[n_probes : n_probes + crew.n_workers]
            _search(further, of_each, crew)
            while further and moments < N_PROBES * of_each:
                self._probes.append(further.pop(0))
                moments += self._probes[-1].moments
        return moments / len(self._probes) * len(self._search.shards)

    def kept_in(self, search: Search) -> Search:
        """The search with the shards that were probed to their end, if it is of these probes and not over.

        Without this, shards that are small beside others were searched twice: graceful labelings took 0.95 s
        instead of 0.5, because 24 of 40 shards were probed.
        """
        if search.is_over or not self._are_of(search):
            return search
        found = {probe.index: tuple(probe.kept) for probe in self._all if probe.is_over and probe.kept}
        return replace(search, known={**search.known, **found}) if found else search


class _Probe:
    """A shard that is searched a little at a time. kept: its blocks; none if they have too many rows."""

    def __init__(self, search: Search, shard: Shard) -> None:
        self._search, self._shard = search, shard
        self._moment_nodes = search.uncut.moment_nodes
        self.kept = list(search.known.get(shard.index, ()))
        self.is_over = bool(self.kept)
        self._nodes = nodes_of(self.kept)
        sizes = search.question.sizes
        self._rows_left = sizes.known_blocks * sizes.rows_of_block(search.shape) // MOST_PROBES

    @property
    def index(self) -> int:
        """The number of its shard."""
        return self._shard.index

    @cached_property
    def _blocks(self) -> Iterator[Block]:
        return self._search.uncut.blocks(self._shard, self._moment_nodes)

    @property
    def moments(self) -> Moments:
        """How many moments it has taken."""
        return self._nodes / self._moment_nodes

    def goes_on(self, most: Moments) -> bool:
        """Search it for a moment, unless it is over or has taken more than `most`; whether it did."""
        if self.is_over or self._nodes > most * self._moment_nodes:
            return False
        started = time.perf_counter()
        block = next(self._blocks, None)
        self.is_over = block is None
        if block is not None:
            self._nodes += max(1, block.nodes)
            self._keep(replace(block, seconds=time.perf_counter() - started))
        return True

    def _keep(self, block: Block) -> None:
        self._rows_left -= len(block.rows)
        if self._rows_left < 0:
            self.kept.clear()
        else:
            self.kept.append(block)


def _search(probes: Sequence[_Probe], most: Moments, crew: Crew) -> None:
    """Search each probe for `most` moments, or a little more. Workers take turns, a moment each."""
    left = deque(probes)

    def work() -> None:
        while (probe := _next(left)) is not None:
            if probe.goes_on(most):
                left.append(probe)

    crew([work] * min(crew.n_workers, len(probes)))


def _next(left: deque[_Probe]) -> _Probe | None:
    """The probe that has waited longest; None if all are in the hands of workers."""
    try:
        return left.popleft()
    except IndexError:
        return None
