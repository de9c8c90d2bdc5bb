"""Into how many shards a search is cut, judged by a few of them.

A shard costs some 0.1 ms, so a short search gets few. A crash loses the shards in hand, so a long run gets
many. Rows that are listed in order wait for those before them, so a list with many rows gets fine ones.
Judged by nodes and rows, never by seconds: a search is always cut in the same way.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from rekkyo.engines.contract import Block, ListingEngine, Shard, no_pause
from rekkyo.model.row import RowShape
from rekkyo.search.blocks import room_for
from rekkyo.search.threads import BLOCKS_AHEAD

N_SHARDS = 256
"""Enough for balance between workers and for an honest range, few enough to cost nothing on small puzzles."""

N_SHARDS_IF_SHORT = 32
SHORT_MOMENTS = 64
N_SAMPLED_IF_SHORT = 2
MOST_SAMPLED_MOMENTS = 2
"""Some tenths of a second (a moment: `ListingEngine.moment_nodes`), judged by two shards, and by no more
than 10 ms of them: what takes longer has large shards, and needs more. (256 shards would tell sooner, but
cutting them takes some engines a tenth of a second.)"""

N_SHARDS_LONG = 4096
LARGE_NODES = 1 << 22
"""Some 20 ms of a bit kernel, half a second of an exact cover; a search of 256 such shards is long. A run of
a week has shards of minutes then. Others keep to N_SHARDS: thousands of tiny shards cost 0.2 s."""

N_SHARDS_TO_STREAM = 4096
ROWS_BUDGET_NODES = 1 << 17
"""A moment for the slowest engine; where rows are so many that they have to wait, each takes few nodes."""

N_PROBES = 3

MOST_KNOWN_BLOCKS = 16
"""What is kept of a shard that was searched to judge by takes 8 MB at most."""

AnyListing: TypeAlias = ListingEngine[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Shards, and what is known of them already: all blocks of those that were searched to judge by."""

    shards: tuple[Shard, ...]
    known: Mapping[int, tuple[Block, ...]]


def cut_by_length(engine: AnyListing, plan: Any, shape: RowShape) -> Cut:
    """One shard where all is over in a moment, few for a short search, N_SHARDS or more for any other."""
    whole = engine.split(plan, 1)
    if len(whole) == 1:
        blocks = _blocks_within(engine.moment_nodes, engine, plan, whole[0], shape)
        if blocks is not None:
            return Cut(whole, {whole[0].index: blocks})
    few = engine.split(plan, N_SHARDS_IF_SHORT)
    if not few:  # the plan says already that there is no solution
        return Cut((), {})
    moments = min(MOST_SAMPLED_MOMENTS, N_SAMPLED_IF_SHORT * SHORT_MOMENTS / len(few))
    nodes_left = int(moments * engine.moment_nodes)
    known = {}
    for shard in scattered(few)[:N_SAMPLED_IF_SHORT]:
        blocks = _blocks_within(nodes_left, engine, plan, shard, shape)
        if blocks is None:
            return Cut(engine.split(plan, N_SHARDS), {})
        known[shard.index] = blocks
        nodes_left -= sum(block.nodes for block in blocks)
    return Cut(few, known)


def shards_for_run(engine: AnyListing, plan: Any, shape: RowShape) -> tuple[Shard, ...]:
    """Many for a long search, so that a crash loses little; N_SHARDS or more for any other."""
    shards = engine.split(plan, N_SHARDS)
    is_large = (
        _nodes_up_to(LARGE_NODES, engine, plan, probe, shape) >= LARGE_NODES
        for probe in scattered(shards)[:N_PROBES]
    )
    return engine.split(plan, N_SHARDS_LONG) if _are_most(is_large) else shards


def shards_to_stream(
    engine: AnyListing, plan: Any, shape: RowShape, shards: tuple[Shard, ...]
) -> tuple[Shard, ...]:
    """Finer shards than those given where some hold more rows than may wait for the reader.

    Rows come in the order of the shards. A worker with more rows than may wait stands still until all shards
    before its own are read: with 256 shards two workers listed the magic squares of order 5 as fast as one.
    """
    is_full = (_has_many_rows(engine, plan, probe, shape) for probe in scattered(shards)[:N_PROBES])
    return engine.split(plan, N_SHARDS_TO_STREAM) if _are_most(is_full) else shards


def scattered(shards: Sequence[Shard]) -> list[Shard]:
    """The shards in an order that makes the finished ones a fair sample of all; always the same order."""
    order = list(shards)
    random.Random(0).shuffle(order)
    return order


def _are_most(probed: Iterator[bool]) -> bool:
    """Whether more probes say yes than no. The third one is searched only when the first two differ."""
    first = next(probed, False)
    second = next(probed, first)
    return first if first == second else next(probed, False)


def _blocks_within(
    nodes: int, engine: AnyListing, plan: Any, shard: Shard, shape: RowShape
) -> tuple[Block, ...] | None:
    """All blocks of a shard, or None if its search takes more nodes."""
    if nodes <= 0:
        return None
    blocks: list[Block] = []
    for block in engine.blocks(plan, shard, room_for(shape), nodes, no_pause):
        if nodes < 0 or len(blocks) == MOST_KNOWN_BLOCKS:
            return None
        blocks.append(block)
        nodes -= max(1, block.nodes)
    return tuple(blocks)


def _nodes_up_to(most: int, engine: AnyListing, plan: Any, shard: Shard, shape: RowShape) -> int:
    """The nodes of a shard; once they are `most` or more, no further ones."""
    nodes = 0
    for block in engine.blocks(plan, shard, room_for(shape), most, no_pause):
        nodes += max(1, block.nodes)
        if nodes >= most:
            break
    return nodes


def _has_many_rows(engine: AnyListing, plan: Any, shard: Shard, shape: RowShape) -> bool:
    """Whether a shard has more rows than may wait, by the nodes that a moment allows."""
    room = room_for(shape)
    n_rows = len(room.rows)
    blocks = islice(engine.blocks(plan, shard, room, ROWS_BUDGET_NODES, no_pause), BLOCKS_AHEAD)
    return all(len(block.rows) == n_rows for block in blocks)
