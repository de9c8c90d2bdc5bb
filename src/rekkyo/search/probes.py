"""Estimates how long a search takes at least, from a few shards that are searched a little at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.engines.contract import Block, ListingEngine, Shard
from rekkyo.model.csp.csp import Csp
from rekkyo.search.cutting import scattered
from rekkyo.search.search import Search

N_PROBES = 3
MOST_PROBES = 24
"""Shards of one search may differ a thousandfold; small ones cost little, so more of them are looked at."""
MOMENTS_IF_UNEVEN = 0.5
"""For each of the first probes, if the shards that are known took less."""

Moments: TypeAlias = float
"""The unit of time of a search: the number of nodes that its engine tries in some milliseconds."""

LEAST_RACED: Moments = 8
"""Some 30 ms. Shorter searches end before another engine does, or before it is even imported."""


def moments_by_known(search: Search) -> Moments:
    """How long a search takes, by the shards that were searched while it was cut; 0 if there are none."""
    if not search.known:
        return 0.0
    nodes = sum(max(1, block.nodes) for blocks in search.known.values() for block in blocks)
    return nodes / len(search.known) * len(search.shards) / search.uncut.moment_nodes


def _may_be_uneven(search: Search) -> bool:
    """Whether shards that were searched while the search was cut tell too little about the others.

    Of 33 shards of the monotone functions of six variables one has 86 % of the nodes. By the first two the
    search was expected to take a millisecond, and it was not raced: merging takes 0.1 s instead of 5. Moments
    of constraints are short, so more shards are probed; those of Langford's problem took 6 ms of 25.
    """
    nodes = sum(block.nodes for blocks in search.known.values() for block in blocks)
    is_little = nodes < MOMENTS_IF_UNEVEN * search.uncut.moment_nodes
    return is_little and isinstance(search.question.model, Csp) and len(search.known) < len(search.shards)


@dataclass(frozen=True, slots=True)
class Known:
    """The estimate from the shards that were searched while the search was cut, used instead of `Probes`."""

    moments: Moments
    are_over: bool = True

    def least_moments(self, _: Moments) -> Moments:
        """The estimate, for any number of moments."""
        return self.moments


def probes_of(search: Search) -> Probes | Known:
    """The estimator for a search: `Known` if shards that tell enough were searched while it was cut."""
    is_known = search.known and not _may_be_uneven(search)
    return Known(moments_by_known(search)) if is_known else Probes(search)


def probes_if_long(search: Search) -> Probes | Known | None:
    """The estimator for a search; None if it is over, or known to end before another engine would."""
    if search.is_over or not isinstance(search.engine, ListingEngine):
        return None
    probes = probes_of(search)
    seems_short = search.known and moments_by_known(search) < LEAST_RACED
    return None if seems_short and probes.least_moments(MOMENTS_IF_UNEVEN) < LEAST_RACED else probes


class Probes:
    """Some shards that are a fair sample of all."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._shards = scattered(search.shards)[:MOST_PROBES]
        self._probes = [_Probe(search, shard) for shard in self._shards[:N_PROBES]]

    @property
    def are_over(self) -> bool:
        """Whether every probed shard has been searched completely."""
        return all(probe.is_over for probe in self._probes)

    def least_moments(self, of_each: Moments) -> Moments:
        """Estimate the least moments of all shards after searching each probe for at most `of_each` moments.

        While the probes together take less than N_PROBES times that, another shard is probed.
        """
        moments = sum(probe.moments(of_each) for probe in self._probes)
        while moments < N_PROBES * of_each and len(self._probes) < len(self._shards):
            self._probes.append(_Probe(self._search, self._shards[len(self._probes)]))
            moments += self._probes[-1].moments(of_each)
        return moments / len(self._probes) * len(self._search.shards)


class _Probe:
    """A shard that is searched a little at a time."""

    def __init__(self, search: Search, shard: Shard) -> None:
        self._blocks: Iterator[Block] = search.uncut.blocks(shard, search.uncut.moment_nodes)
        self._moment_nodes = search.uncut.moment_nodes
        self._nodes = 0
        self.is_over = False

    def moments(self, most: Moments) -> Moments:
        """How many moments it takes, or a little more than `most` if it takes more."""
        while not self.is_over and self._nodes <= most * self._moment_nodes:
            block = next(self._blocks, None)
            self.is_over = block is None
            self._nodes += 0 if block is None else max(1, block.nodes)
        return self._nodes / self._moment_nodes
