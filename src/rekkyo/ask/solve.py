"""Listing: solutions as a stream, always in the same order, with memory that stays flat."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from rekkyo.engines.contract import Rows, Shard
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.search.cutting import shards_to_stream
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import (
    Search,
    check_limit,
    check_puzzle,
    compile_seconds,
    listing_engine,
    prepare,
    stabilizer_orders,
)
from rekkyo.search.threads import StopSign, number_of_workers, stream


def solve(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "none",
    limit: int | None = None,
) -> Iterator[Row]:
    """Yield every solution as a tuple of ints, always in the same order.

    The order depends on the puzzle, the engine and the version of rekkyo alone, and not on the number of
    workers. It is lexicographic for queens, whose engine is queens-bitmap unless another one is named.
    up_to: "symmetry" yields one solution per orbit, its representative. limit: stop after so many.
    Raises BadInput (UnknownEngine, EngineRefuses, …) and GroupTooLarge at the first step.
    """
    for block in solve_blocks(puzzle, engine=engine, workers=workers, up_to=up_to, limit=limit):
        yield from map(tuple, block.tolist())


def solve_blocks(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "none",
    limit: int | None = None,
    watch: Watcher | None = None,
) -> Generator[Rows]:
    """As `solve`, but yields blocks of rows: unsigned integer arrays of shape [n_rows, length], never empty.

    Closing the generator ends the search.
    """
    check_puzzle(puzzle)
    n_workers = number_of_workers(workers)
    generators = puzzle.generators_up_to(up_to)
    check_limit(limit)
    chosen = listing_engine(puzzle, engine)
    chosen.check(lower(puzzle.model))
    compile_seconds(puzzle, chosen, generators)
    search = prepare(puzzle, chosen, generators)
    if not search.is_over:
        shape = puzzle.model.row_shape
        search = search.cut_into(shards_to_stream(chosen, search.plan, shape, search.shards))
    meter = Meter(len(search.shards), n_workers)

    def blocks_of(shard: Shard, stop: StopSign) -> Iterator[Rows]:
        for rows in _wanted_rows(search, shard, stop, meter):
            if rows.shape[0]:
                yield rows

    with closing(stream(search.shards, blocks_of, n_workers, meter, watch)) as blocks:
        yield from blocks if limit is None else _cut(blocks, limit)


def _wanted_rows(search: Search, shard: Shard, stop: StopSign, meter: Meter) -> Iterator[Rows]:
    meter.add(0, shard.nodes)
    for block in search.blocks(shard, stop):
        kept = rows = block.rows
        if search.survey is not None:
            wanted = stabilizer_orders(search.survey, block) > 0
            if not wanted.all():
                kept = rows[wanted]
            if not search.survey.is_lexicographic:
                kept = search.survey.least_images(kept)
        meter.add(kept.shape[0], block.nodes)
        yield kept


def _cut(blocks: Iterator[Rows], limit: int) -> Iterator[Rows]:
    """The first `limit` rows."""
    left = limit
    while left > 0 and (block := next(blocks, None)) is not None:
        yield block[:left]
        left -= block.shape[0]
