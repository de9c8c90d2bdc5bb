"""Compiles the kernels of all engines before they are needed.

Every engine plans, cuts, searches and samples small puzzles for a moment, with every kind of row. Left out on
purpose: what export and diagrams compile, which takes a second or two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from rekkyo.catalog.index import puzzle
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine, no_pause
from rekkyo.engines.registry import AnyEngine
from rekkyo.engines.sampling import ShardSampler
from rekkyo.errors import EngineRefuses
from rekkyo.jit import compiling
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.cutting import Into
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes

EXAMPLES = (
    "queens 6",
    "queens 5 --toroidal",
    "langford 4",
    "dominoes 3 4",
    "pentominoes 3 20",
    "polyominoes 4 5 4",
    "sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "magic-square 3",
    "magic-square 5",
    "hip 3",
    "schur 2 4",
    "ramsey 3 3 5",
)
"""With the covers below they run through every kernel for rows of one byte and of two bytes a number."""

TOUCHED = Sizes(block_rows=4, slice_nodes=100)

TOO_LONG_TO_COUNT = ("magic-line-sets",)
"""Its smallest puzzle takes minutes; what it compiles is enough."""


@dataclass(frozen=True, slots=True)
class Warmed:
    """What one engine took. n_functions: how many were compiled; none when all came from the folder."""

    engine: str
    n_functions: int
    compile_s: float
    elapsed_s: float


def warm() -> Iterator[Warmed]:
    """Compile every engine's kernels, or load them, one engine after the other."""
    examples = warm_puzzles()
    for engine in registry.ENGINES:
        started = time.perf_counter()
        with compiling() as compiled:
            for example in examples:
                if engine.accepts(lower(example.model)):
                    _touch(engine, example)
        yield Warmed(engine.name, len(compiled.functions), compiled.seconds, time.perf_counter() - started)


def warm_puzzles() -> list[Puzzle]:
    """What is searched."""
    return [*map(puzzle, EXAMPLES), _cover(20), _cover(300)]


def _cover(n_options: int) -> Puzzle:
    """Two items, each with half of the options, which agree when their colours do."""
    options = [((k % 2, 0), (2, 1 + k % 3), (3 + k // 2, 0)) for k in range(n_options)]
    secondary = ("colour", *(f"option {k}" for k in range(n_options // 2)))
    model = ExactCover(primary=("a", "b"), secondary=secondary, options=tuple(options))
    return Puzzle(f"cover {n_options}", model, "a cover to warm up with")


def _touch(engine: AnyEngine, example: Puzzle) -> None:
    """Go once through all that a search with an engine goes through, for a moment."""
    with suppress(EngineRefuses):
        for every_solution in (True, False):
            question = ask(
                example,
                engine=engine.name,
                up_to="symmetry",
                every_solution=every_solution,
                hashes=True,
                workers=1,
                sizes=TOUCHED,
            )
            search = prepare(question, Into(2))
            if isinstance(engine, ListingEngine):
                _list_a_little(search)
            elif engine.name not in TOO_LONG_TO_COUNT:
                for shard in search.shards:
                    engine.count(search.plan, shard, no_pause)


def _list_a_little(search: Search) -> None:
    engine = search.engine
    assert isinstance(engine, ListingEngine)
    for shard in search.shards[:2]:
        next(search.blocks(shard, no_pause))
    sampler = engine.sampler(search.plan) or ShardSampler(engine, search.plan, search.shape)
    sampler.draw(sampler.levels[0], 1, 1, 1)
