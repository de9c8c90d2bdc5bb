"""How long a search takes at least, by a few of its shards that are searched a little at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rekkyo.engines.contract import Block, Shard
from rekkyo.search.cutting import scattered
from rekkyo.search.search import Search

N_PROBES = 3

Moments: TypeAlias = float
"""A search's own time: nodes that its engine tries in some milliseconds."""


class Probe:
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


def probes_of(search: Search) -> list[Probe]:
    """Some shards that are a fair sample of all."""
    return [Probe(search, shard) for shard in scattered(search.shards)[:N_PROBES]]


def least_moments(search: Search, probes: Sequence[Probe], of_each: Moments) -> Moments:
    """What all shards take at least, when each probe is searched for so many moments."""
    return sum(probe.moments(of_each) for probe in probes) / len(probes) * len(search.shards)
