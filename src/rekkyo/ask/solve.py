"""Listing: solutions as a stream, always in the same order, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress

from rekkyo.ask.classes import asks_for_classes, sort_into_classes
from rekkyo.engines.contract import Rows, Shard
from rekkyo.errors import GroupTooLarge
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.solution import Solution, solutions_of
from rekkyo.search.checks import check_best
from rekkyo.search.fold import Fold
from rekkyo.search.listing import prepare_stream
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.question import ask, checked_limit
from rekkyo.search.search import compiling_if_long
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.search.threads import StopSign, stream


def solve(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "none",
    limit: int | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Iterator[Solution]:
    """Yield every solution as a tuple of ints with a reference to its puzzle, always in the same order.

    The order depends only on the puzzle, the engine and the version of rekkyo. It is lexicographic for
    queens-bitmap, the default engine of queens. A limit may change the default engine of a puzzle that has an
    objective.
    up_to: "symmetry" yields one solution per orbit, its representative; a relation such as "torus" the least
    solution of each class. limit: stop after this number of solutions.
    Raises BadInput (UnknownEngine, EngineRefuses, …) and GroupTooLarge at the first step.
    """
    made = solutions_of(puzzle)
    blocks = solve_blocks(puzzle, engine=engine, workers=workers, up_to=up_to, limit=limit, sizes=sizes)
    for block in blocks:
        yield from map(made, block.tolist())


def solve_blocks(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "none",
    limit: int | None = None,
    watch: Watcher | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Generator[Rows]:
    """As `solve`, but yields blocks of rows: unsigned integer arrays of shape [n_rows, length], never empty.

    Closing the generator ends the search.
    """
    limit = checked_limit(limit)
    question = None
    if not asks_for_classes(puzzle, up_to):
        with suppress(GroupTooLarge):
            question = ask(
                puzzle,
                engine=engine,
                up_to=up_to,
                lists=True,
                takes_large=True,
                workers=workers,
                sizes=sizes,
            )
    if question is None:
        found = sort_into_classes(
            puzzle, up_to, engine=engine, workers=workers, sizes=sizes, watch=watch
        ).representatives[:limit]
        yield from [found] if len(found) else []
        return
    search = prepare_stream(question, limit, watch)
    folding = Fold(search)
    meter = Meter(len(search.shards), question.workers)

    def fill(shard: Shard, stop: StopSign, put: Callable[[Rows], None]) -> None:
        def hand_on(rows: Rows) -> None:
            meter.add(len(rows), 0)
            put(rows)

        meter.add_seconds(search.probed_seconds(shard))
        folding.shard(shard, stop.check, lambda _, nodes: meter.add(0, nodes), on_rows=hand_on)

    watch = compiling_if_long(search, watch)
    with closing(stream(search.shards, fill, question.workers, sizes.blocks_ahead, meter, watch)) as blocks:
        yield from blocks if limit is None else _cut(blocks, limit)
    folding.finish()
    if limit is None:
        check_best(puzzle.name, search.optimum, meter.look().found)


def _cut(blocks: Iterator[Rows], limit: int) -> Iterator[Rows]:
    """The first `limit` rows."""
    left = limit
    while left > 0 and (block := next(blocks, None)) is not None:
        yield block[:left]
        left -= block.shape[0]
