"""Grow prefixes until there are enough of them to share out: what most engines do to cut a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from rekkyo.engines.contract import Shard

NodeT = TypeVar("NodeT")

NO_LIMIT = 1 << 62

Prefix: TypeAlias = tuple[int, ...]

ROOT: tuple[Prefix, ...] = ((),)
"""Where cutting begins."""


def grown(
    begin: Iterable[NodeT],
    below: Callable[[NodeT], tuple[Sequence[NodeT], int] | None],
    at_least: int,
    *,
    by_levels: bool,
    most_tried: int = NO_LIMIT,
) -> tuple[list[NodeT], int]:
    """Replace nodes of a search by those below them until there are enough; returns (nodes, decisions tried).

    below: the nodes one decision below a node, in the order of the search, and how many decisions were tried
        for that; None for a node that has to stay as it is.
    by_levels: begin no level that is not needed, but finish it; otherwise stop within a level too.
    most_tried: begin no level after so many decisions.
    """
    nodes = [(node, True) for node in begin]
    n_tried = 0
    is_growing = True
    while is_growing and len(nodes) < at_least and n_tried < most_tried:
        is_growing = False
        longer: list[tuple[NodeT, bool]] = []
        for index, (node, may_grow) in enumerate(nodes):
            is_enough = not by_levels and len(longer) + len(nodes) - index >= at_least
            found = below(node) if may_grow and not is_enough else None
            if found is None:
                longer.append((node, may_grow and is_enough))
                continue
            is_growing = True
            n_tried += found[1]
            longer += [(child, True) for child in found[0]]
        nodes = longer
    return [node for node, _ in nodes], n_tried


def numbered(prefixes: Iterable[Prefix], n_tried: int) -> tuple[Shard, ...]:
    """The shards of some prefixes; the decisions tried while they were cut are on the books of the first."""
    return tuple(Shard(i, prefix, 0 if i else n_tried) for i, prefix in enumerate(prefixes))
