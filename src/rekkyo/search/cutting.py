"""The number of shards of a search, chosen by searching a few of them.

A shard costs some 0.1 ms, so a short search gets few. A crash loses the shards in hand, so a long run gets
many. Rows that are listed in order wait for those before them, so a list with many rows gets fine ones.
The cut depends on nodes and rows, never on seconds, so a search is always cut in the same way.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from math import inf, nextafter
from typing import Any

from rekkyo.engines.contract import NO_LIMIT, Block, ListingEngine, Shard, no_pause
from rekkyo.engines.registry import AnyEngine
from rekkyo.model.row import RowShape
from rekkyo.plain import answers_in_plain_python
from rekkyo.search.sizes import Sizes

N_SAMPLED_IF_SHORT = 2
MOST_SAMPLED_MOMENTS = 2
"""A search of some tenths of a second is judged by at most 10 ms of two shards, and of the last one; one that
takes longer has large shards, and needs more. (Cutting 256 shards takes some engines a tenth of a second.)"""

WHOLE_PART = 4
MOST_WHOLE_MOMENTS = 8
"""A search is left in one shard if it ends within a quarter of a moment, or is so far advanced then that one
worker will end it within 8 of them; else it begins again in several shards, whose results are kept."""

ROUGH = 10
"""An estimate from less than a moment may be so many times too high: independent sets of grids."""

LEAST_PARTS = 9
"""Of the moments that a search may take, in one of which it should do some part."""

MOMENTS_OF_SLICE = 64
"""Moments between two pauses at most, so that a search of slow nodes can be stopped."""

MOST_OVERDUE_MOMENTS = 64
"""If one worker began because a search was expected to be short, and it is not over, the worker continues for
this long, about 0.3 s: most such searches take twice as long as expected, few take twenty times as long."""

LONG_MOMENTS = 0.5
"""For several workers a search that is expected to take more is not tried as a whole: most searches take more
than expected."""

SHARDS_IF_ALONE = 4
MOST_ALONE_MOMENTS = 16
"""The shards for one worker, whose short searches need no balance, and the moments beyond which there are
more."""

N_PROBES = 3

TOO_MANY = 8
"""So many times as many shards as asked for, from decisions between many options, are worse than fewer than
asked for: a random cover took 79 ms in 29 shards and 159 in 530."""


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """How far a search came that was tried as a whole, so that one worker can go on, once: the cursor moves.

    expected: how many moments it takes in total, roughly; 0 where nothing tells it; no end where it has more
    rows than are kept. blocks: those so far.
    """

    expected: float = 0.0
    cursor: Any = None
    blocks: tuple[Block, ...] = ()
    is_over: bool = False

    @property
    def nodes(self) -> int:
        """The nodes that were tried."""
        return nodes_of(self.blocks)


NOT_BEGUN = Begun()


@dataclass(frozen=True, slots=True, eq=False)
class Uncut:
    """A plan that is not cut yet, and how many workers will search it.

    begun: by an earlier cutting that left it. Several workers do not try it as a whole again.
    """

    engine: AnyEngine
    plan: Any
    shape: RowShape
    sizes: Sizes
    workers: int
    begun: Begun = NOT_BEGUN

    def blocks_so_far(self, slice_nodes: int) -> Iterator[tuple[Block, int]]:
        """The blocks of the whole search, each with the number of nodes up to its end."""
        nodes = 0
        for shard in self.split(1):
            for block in self.blocks(shard, slice_nodes):
                nodes += max(1, block.nodes)
                yield block, nodes

    def split(self, at_least: int) -> tuple[Shard, ...]:
        """Its shards, `at_least` of them if the search is wide enough."""
        return self.engine.split(self.plan, at_least)

    @property
    def moment_nodes(self) -> int:
        """The nodes of some milliseconds."""
        assert isinstance(self.engine, ListingEngine)
        return self.sizes.moment_nodes or self.engine.nodes_of_moment(self.plan)

    @property
    def whole_nodes(self) -> int:
        """The first nodes that are tried in one shard.

        The process in plain Python tries all of them. Its threads gain nothing from shards, and starting
        again took a third of `count magic-square 4`.
        """
        if answers_in_plain_python():
            return NO_LIMIT
        return max(1, self.moment_nodes // WHOLE_PART)

    @property
    def expected_moments(self) -> float:
        """About how many moments the search takes; 0 where nothing tells it."""
        return self.engine.expected_moments(self.plan) if isinstance(self.engine, ListingEngine) else 0.0

    @property
    def estimated_moments(self) -> float:
        """The same, by random dives: right on average."""
        if not isinstance(self.engine, ListingEngine):
            return 0.0
        return self.engine.estimated_nodes(self.plan) / self.moment_nodes

    @property
    def may_be_short(self) -> bool:
        """Whether it may be over soon."""
        most = MOST_WHOLE_MOMENTS if self.workers == 1 else LONG_MOMENTS
        return isinstance(self.engine, ListingEngine) and self.expected_moments <= most

    @property
    def may_be_tried(self) -> bool:
        """Whether it is tried as a whole, or one worker goes on with what was tried."""
        if not self.begun.blocks:
            return self.may_be_short
        return self.workers == 1 and 0 < self.begun.expected <= MOST_ALONE_MOMENTS

    def blocks(self, shard: Shard, slice_nodes: int, cursor: Any = None) -> Iterator[Block]:
        """The blocks of a shard, from the cursor on if there is one, in slices of `slice_nodes` nodes."""
        assert isinstance(self.engine, ListingEngine)
        room = self.sizes.room(self.shape)
        return self.engine.blocks(self.plan, shard, room, slice_nodes, no_pause, cursor)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Shards, and all blocks of those that were searched while the cut was chosen.

    may_be_short: whether what only long searches need is compiled when the search turns out to be one.
    begun: if it was tried as a whole.
    """

    shards: tuple[Shard, ...]
    known: Mapping[int, tuple[Block, ...]]
    may_be_short: bool = True
    begun: Begun = NOT_BEGUN


@dataclass(frozen=True, slots=True)
class Into:
    """Cut into a least number of shards, or into those that the same plan was cut into before."""

    shards: int | tuple[Shard, ...]
    may_be_short: bool = False

    def __call__(self, uncut: Uncut) -> Cut:
        """The cut."""
        shards = self.shards if isinstance(self.shards, tuple) else uncut.split(self.shards)
        return Cut(shards, {}, self.may_be_short)


def by_length(uncut: Uncut) -> Cut:
    """One shard if the search ends at once, few for a short search, `Sizes.shards` for any other."""
    return _short(uncut)[0] or Cut(uncut.split(uncut.sizes.shards), {})


def whole_if_long(uncut: Uncut, most: float = inf) -> Cut:
    """As `by_length`, but a long search is left in one shard, which is cut later if it must be.

    Cutting it takes longer than some other engines take to count. most: moments; a search that is expected
    to take more is left at once.
    """
    short, begun = _short(uncut, most)
    return short or Cut(uncut.split(1), {}, begun=begun)


def _short(uncut: Uncut, most: float = inf) -> tuple[Cut | None, Begun]:
    """The cut of a short search; None for a long one. And how far it came as a whole."""
    sizes, begun = uncut.sizes, uncut.begun
    if not isinstance(uncut.engine, ListingEngine):
        return Cut(uncut.split(sizes.shards), {}), begun
    whole = uncut.split(1)
    if len(whole) == 1 and uncut.may_be_tried:
        begun = _whole_if_short(uncut, whole[0], most)
        if begun.is_over:
            return Cut(whole, {whole[0].index: begun.blocks}), begun
    expected = begun.expected or uncut.expected_moments
    if len(whole) == 1 and expected > most:
        return None, begun
    if uncut.workers == 1 and uncut.may_be_short and expected <= MOST_ALONE_MOMENTS:
        cut = _few(uncut, min(SHARDS_IF_ALONE, sizes.shards_if_short), begun.nodes)
        if cut is not None:
            return cut, begun
    return _few(uncut, sizes.shards_if_short, begun.nodes), begun


def _whole_if_short(uncut: Uncut, whole: Shard, most: float) -> Begun:
    """Search in one shard until that is over, or takes too long; go on where an earlier cutting left it.

    most: see `whole_if_long`. A search is also left when it has done no further part in a ninth of that: then
    the expected moments only follow those that it has taken. L-trominoes on 9x9 were left after 5 moments,
    and are merged in one.
    """
    engine, plan = uncut.engine, uncut.plan
    assert isinstance(engine, ListingEngine)
    blocks, cursor = list(uncut.begun.blocks), uncut.begun.cursor
    most_short = MOST_ALONE_MOMENTS if blocks else MOST_WHOLE_MOMENTS
    tried = None if blocks else engine.tried(plan)
    if tried is not None and len(tried.block.rows) <= uncut.sizes.block_rows:
        blocks, cursor = [replace(tried.block, rows=tried.block.rows.copy())], tried.cursor
        if cursor is None:
            return Begun(blocks=tuple(blocks), is_over=True)
    cursor = cursor if blocks else engine.start(plan, whole)
    nodes = nodes_of(blocks)
    most_rows = uncut.sizes.known_blocks * uncut.sizes.rows_of_block(uncut.shape)
    most_nodes, expected, first_part = max(2 * nodes, uncut.whole_nodes), 0.0, 0.0
    while len(blocks) <= uncut.sizes.known_blocks:
        for block in uncut.blocks(whole, most_nodes - nodes, cursor):
            blocks.append(block)
            nodes += max(1, block.nodes)
            if nodes >= most_nodes or len(blocks) > uncut.sizes.known_blocks:
                break
        else:
            return Begun(expected, cursor, tuple(blocks), is_over=True)
        part = engine.part_done(plan, cursor)
        expected = nodes / (part * uncut.moment_nodes) if part else 0.0
        if sum(len(block.rows) for block in blocks) > part * most_rows > 0:
            expected = inf
        if 0 < part == first_part and nodes >= most / LEAST_PARTS * uncut.moment_nodes:
            expected = max(expected, nextafter(most, inf))
            break
        first_part = first_part or part
        done = nodes / uncut.moment_nodes
        # A search that is overdue may take as long again.
        left, most_left = (expected - done, most_short) if part < 1 else (done, MOST_OVERDUE_MOMENTS)
        if uncut.workers > 1 or not part or left > most_left * (ROUGH if done < 1 else 1):
            break
        most_nodes = nodes + min(nodes, MOMENTS_OF_SLICE * uncut.moment_nodes)
    return Begun(expected, cursor, tuple(blocks))


def _few(uncut: Uncut, at_least: int, tried_nodes: int) -> Cut | None:
    """A cut into few shards, some of them searched; None if those take too long for a short search.

    The last shard, too, because it is often the largest: its first decisions are mostly those that rule out
    least, such as numbers that are left out of a set. Without it, the search for progression-free sets of 1
    to 44 seemed to be short: it took two workers 1.2 s instead of 0.1.
    tried_nodes: of the whole search, which was not over. Until the mean of the shards foretells as many,
    further ones are searched: of 52 shards for the independent sets of 10x10 squares, the first three of the
    sample are dead ends of one node, and the search seemed to be over in 52 nodes. It would take years;
    merging takes 0.1 s.
    """
    few = uncut.split(at_least)
    if len(few) > TOO_MANY * at_least:
        few = uncut.split(max(1, at_least // TOO_MANY))
    if not few:  # the plan says already that there is no solution
        return Cut((), {})
    assert isinstance(uncut.engine, ListingEngine)
    moments = min(MOST_SAMPLED_MOMENTS, N_SAMPLED_IF_SHORT * uncut.sizes.short_moments / len(few))
    known: dict[int, tuple[Block, ...]] = {}
    last = () if uncut.engine.last_shard_is_rest else few[-1:]
    order = scattered(few)
    groups = (order[:N_SAMPLED_IF_SHORT], last, *([shard] for shard in order[N_SAMPLED_IF_SHORT:]))
    for number, shards in enumerate(groups):
        if number > 1 and sum(map(nodes_of, known.values())) * len(few) >= tried_nodes * len(known):
            break
        nodes_left = int(moments * uncut.moment_nodes)
        for shard in shards:
            blocks = known.get(shard.index) or _blocks_within(nodes_left, uncut, shard)
            if blocks is None:
                return None
            known[shard.index] = blocks
            nodes_left -= sum(block.nodes for block in blocks)
    return Cut(few, known)


def nodes_of(blocks: Iterable[Block]) -> int:
    """The nodes of some blocks, at least one for each."""
    return sum(max(1, block.nodes) for block in blocks)


def for_run(uncut: Uncut) -> Cut:
    """Many shards for a long search, so that a crash loses little; `Sizes.shards` for any other."""
    sizes = uncut.sizes
    shards = uncut.split(sizes.shards)
    if not isinstance(uncut.engine, ListingEngine):
        return Cut(shards, {}, may_be_short=False)
    are_large = (_is_large(uncut, probe) for probe in scattered(shards)[:N_PROBES])
    return Cut(uncut.split(sizes.shards_long) if _are_most(are_large) else shards, {}, may_be_short=False)


def to_stream(uncut: Uncut) -> Cut:
    """As `by_length`, but finer where some shards hold more rows than may wait for the reader.

    A worker with more rows than may wait stands still until all shards before its own are read: with 256
    shards two workers listed the magic squares of order 5 as fast as one.
    """
    cut = by_length(uncut)
    if len(cut.known) == len(cut.shards):
        return cut
    are_full = (_has_many_rows(uncut, probe) for probe in scattered(cut.shards)[:N_PROBES])
    return (
        replace(cut, shards=uncut.split(uncut.sizes.shards_to_stream), known={})
        if _are_most(are_full)
        else cut
    )


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


def _blocks_within(nodes: int, uncut: Uncut, shard: Shard) -> tuple[Block, ...] | None:
    """All blocks of a shard, or None if its search takes more nodes or fills more blocks than may be kept."""
    blocks: list[Block] = []
    if nodes <= 0:
        return None
    for block in uncut.blocks(shard, nodes):
        nodes -= max(1, block.nodes)
        blocks.append(block)
        if nodes < 0 or len(blocks) > uncut.sizes.known_blocks:
            return None
    return tuple(blocks)


def _is_large(uncut: Uncut, shard: Shard) -> bool:
    """Whether a shard has `Sizes.large_nodes` or more."""
    large = uncut.sizes.large_nodes
    nodes = accumulate(max(1, block.nodes) for block in uncut.blocks(shard, large))
    return any(so_far >= large for so_far in nodes)


def _has_many_rows(uncut: Uncut, shard: Shard) -> bool:
    """Whether a shard fills more blocks than may wait, by the nodes that a moment allows."""
    n_rows = uncut.sizes.rows_of_block(uncut.shape)
    blocks = islice(uncut.blocks(shard, uncut.sizes.stream_nodes), uncut.sizes.blocks_ahead)
    return all(len(block.rows) == n_rows for block in blocks)
