"""Compiles the kernels of all engines before they are needed.

Small puzzles are searched for a moment with every engine that accepts them: that runs through what plans,
cuts, searches and samples, and so compiles it for every kind of row. Left out on purpose: what export and
diagrams compile besides, which takes a second or two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rekkyo.catalog.index import puzzle
from rekkyo.engines import registry
from rekkyo.engines.contract import CountingEngine, Engine, ListingEngine, Room, no_pause
from rekkyo.engines.sampling import ShardSampler
from rekkyo.errors import EngineRefuses
from rekkyo.jit import compiling
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.search import compile_all
from rekkyo.symmetry.group import close

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
        yield Warmed(engine.name, compiled.n_functions, compiled.seconds, time.perf_counter() - started)


def warm_puzzles() -> list[Puzzle]:
    """What is searched."""
    return [*map(puzzle, EXAMPLES), _cover(20), _cover(300)]


def _cover(n_options: int) -> Puzzle:
    """Two items, each with half of the options, which agree when their colours do."""
    options = [((k % 2, 0), (2, 1 + k % 3), (3 + k // 2, 0)) for k in range(n_options)]
    secondary = ("colour", *(f"option {k}" for k in range(n_options // 2)))
    model = ExactCover(primary=("a", "b"), secondary=secondary, options=tuple(options))
    return Puzzle(f"cover {n_options}", model, "a cover to warm up with")


def _touch(engine: Engine[Any], example: Puzzle) -> None:
    """Go once through all that a search with an engine goes through, for a moment."""
    compile_all(example, engine, example.generators)
    model = lower(example.model)
    with suppress(EngineRefuses):
        if isinstance(engine, ListingEngine):
            group = close(example.model.row_shape, example.generators)
            for plan in (engine.plan(model), engine.plan_for_representatives(model, group)):
                if plan is not None:
                    _list_a_little(engine, plan, example)
        elif isinstance(engine, CountingEngine) and engine.name not in TOO_LONG_TO_COUNT:
            plan = engine.plan(model)
            for shard in engine.split(plan, 2):
                engine.count(plan, shard, no_pause)


def _list_a_little(engine: ListingEngine[Any, Any], plan: Any, example: Puzzle) -> None:
    shape = example.model.row_shape
    room = Room.of(shape, 4)
    for shard in engine.split(plan, 2)[:2]:
        engine.advance(plan, engine.start(plan, shard), room, 100)
    sampler = engine.sampler(plan) or ShardSampler(engine, plan, shape)
    sampler.draw(sampler.levels[0], 1, 1, 1)
