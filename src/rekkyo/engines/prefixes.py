"""Grow prefixes of decisions, round by round, until there are enough: how most engines cut a search.

Random dives follow the same decisions, and estimate how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias, TypeVar

from rekkyo.engines.contract import NO_LIMIT, Shard
from rekkyo.errors import EngineRefuses

NodeT = TypeVar("NodeT")

Prefix: TypeAlias = tuple[int, ...]

ROOT: tuple[Prefix, ...] = ((),)
"""The prefixes before any cut."""

Grown: TypeAlias = tuple[list[NodeT], int]
"""Nodes of a search, and the number of decisions that were tried to find them."""

DIVE_NODES = 256
"""The nodes of all dives for one estimate, which take 2 ms for colourings, 5 to 22 ms for covers."""


def _grown_in_rounds(
    begin: Iterable[NodeT], at_least: int, grow: Callable[[list[NodeT]], Grown[NodeT] | None]
) -> Grown[NodeT]:
    """Nodes after as many rounds as it takes to have enough. grow: one round; None if no node can grow."""
    nodes, n_tried = list(begin), 0
    while len(nodes) < at_least and (longer := grow(nodes)) is not None:
        nodes = longer[0]
        n_tried += longer[1]
    return nodes, n_tried


def grown(
    begin: Iterable[NodeT],
    below: Callable[[NodeT], tuple[Sequence[NodeT], int] | None],
    at_least: int,
    *,
    by_levels: bool,
    most_tried: int = NO_LIMIT,
) -> Grown[NodeT]:
    """Replace nodes of a search by those below them until there are enough.

    below: the nodes one decision below a node, in the order of the search, and how many decisions were tried
        for that; None for a node that has to stay as it is.
    by_levels: begin no level that is not needed, but finish it; otherwise stop within a level too.
    most_tried: the number of decisions after which no level is begun.
    """
    n_left = most_tried

    def grow(nodes: list[tuple[NodeT, bool]]) -> Grown[tuple[NodeT, bool]] | None:
        nonlocal n_left
        longer: list[tuple[NodeT, bool]] = []
        n_tried, is_growing = 0, False
        if n_left <= 0:
            return None
        for index, (node, may_grow) in enumerate(nodes):
            is_enough = not by_levels and len(longer) + len(nodes) - index >= at_least
            found = below(node) if may_grow and not is_enough else None
            if found is None:
                longer.append((node, may_grow and is_enough))
                continue
            is_growing = True
            n_tried += found[1]
            longer += [(child, True) for child in found[0]]
        n_left -= n_tried
        return (longer, n_tried) if is_growing else None

    nodes, n_tried = _grown_in_rounds([(node, True) for node in begin], at_least, grow)
    return [node for node, _ in nodes], n_tried


def dived(root: NodeT, below: Callable[[NodeT], tuple[Sequence[NodeT], int] | None]) -> float:
    """Estimate the decisions that are tried below a node: the mean of dives of DIVE_NODES nodes in all.

    below: see `grown`; a dive ends at a node for which it is None, and at one with no node below.
    A dive goes on to one of the nodes below, each of which is equally likely and stands for all of them. This
    is right on average. So that the mean is, too, the dive in which the nodes run out does not count, unless
    it is the first one, which goes on to its end: of the dives before it, none was chosen by what it found.
    Source: Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
    """
    dice = Random(0)
    total, n_dives, n_left = 0.0, 0, DIVE_NODES
    while True:
        node, ways, expected = root, 1.0, 0.0
        while True:
            n_left -= 1
            if n_left < 0 and n_dives:
                return total / n_dives
            found = below(node)
            if found is None:
                break
            children, n_tried = found
            expected += ways * n_tried if n_tried else 0.0
            if not children:
                break
            ways *= len(children)  # beyond all floats it is infinite
            node = dice.choice(children)
        total += expected
        n_dives += 1


def shards_of(
    prefixes: list[Prefix], at_least: int, grow: Callable[[list[Prefix]], Grown[Prefix] | None]
) -> tuple[Shard, ...]:
    """A shard for each prefix after as many rounds as it takes. grow: see `_grown_in_rounds`."""
    return numbered(*_grown_in_rounds(prefixes, at_least, grow))


def ranges(n: int, at_least: int) -> tuple[Shard, ...]:
    """Cut 0 … n - 1 into about equal shards; a prefix is the first number and the one after the last."""
    n_shards = min(max(1, at_least), n)
    return numbered(pairwise(n * index // max(1, n_shards) for index in range(n_shards + 1)), 0)


def numbered(prefixes: Iterable[Prefix], n_tried: int) -> tuple[Shard, ...]:
    """The shards of some prefixes; the decisions tried while they were cut are counted in the first one."""
    return tuple(Shard(i, prefix, 0 if i else n_tried) for i, prefix in enumerate(prefixes))


def no_such_shard(engine_name: str, prefix: Prefix) -> EngineRefuses:
    """The refusal of a prefix that belongs to no shard of a plan."""
    return EngineRefuses(f"engine {engine_name} has no shard {prefix} of this plan; split the plan again")
