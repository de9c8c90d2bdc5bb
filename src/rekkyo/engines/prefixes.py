"""Shards as prefixes of decisions that grow, round by round, until there are enough of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rekkyo.engines.contract import Shard

Prefix: TypeAlias = tuple[int, ...]


class Grown(NamedTuple):
    """Prefixes with one decision more, those that can have one, and the nodes that it took to find them."""

    prefixes: list[Prefix]
    nodes: int


def shards_of(
    prefixes: list[Prefix], at_least: int, grow: Callable[[list[Prefix]], Grown | None]
) -> tuple[Shard, ...]:
    """A shard for each prefix, after as many rounds as it takes; the first one has all nodes on its books.

    grow: one round; None when no prefix can grow.
    """
    n_nodes = 0
    while len(prefixes) < at_least and (grown := grow(prefixes)) is not None:
        prefixes = grown.prefixes
        n_nodes += grown.nodes
    return tuple(Shard(index, prefix, 0 if index else n_nodes) for index, prefix in enumerate(prefixes))
