"""One listing search, made ready: engine compiled, plan made, shards cut; and the blocks of a shard."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rekkyo.engines import registry
from rekkyo.engines.contract import Advance, Engine, ListingEngine, Rows, Shard, Status, row_dtype
from rekkyo.engines.digest import digest_of
from rekkyo.errors import BadInput
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import whole_number
from rekkyo.run.workers import StopSign
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey

N_SHARDS = 256
"""Enough for balance between workers and for an honest range, few enough to cost nothing on small puzzles."""

BLOCK_ROWS = 1 << 13
BUDGET_NODES = 1 << 21
"""About 15 ms of a bit kernel: how long a worker goes without looking whether it should stop."""

UP_TO = ("symmetry", "none")


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A plan and its shards. survey is None when symmetry does not matter to the search."""

    engine: ListingEngine[Any, Any]
    plan: Any
    shards: tuple[Shard, ...]
    survey: OrbitSurvey | None
    puzzle: Puzzle

    def blocks(self, shard: Shard, stop: StopSign) -> Iterator[tuple[Rows, Advance]]:
        """The solutions of a shard, a block for each slice of the search, empty blocks included.

        The rows are only valid until the next block is asked for.
        """
        shape = self.puzzle.model.row_shape
        out = np.empty((BLOCK_ROWS, shape.length), dtype=row_dtype(shape.n_symbols))
        cursor = self.engine.start(self.plan, shard)
        status = Status.OUT_OF_BUDGET
        while status is not Status.DONE:
            stop.check()
            advance = self.engine.advance(self.plan, cursor, out, BUDGET_NODES)
            status = advance.status
            yield out[: advance.found], advance


def prepare(puzzle: Puzzle, engine: ListingEngine[Any, Any], *, with_symmetry: bool) -> Search:
    """Plan a listing search. Raises EngineRefuses, GroupTooLarge."""
    model = lower(puzzle.model)
    engine.check(model)
    survey = OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators)) if with_symmetry else None
    plan = engine.plan(model)
    return Search(engine, plan, engine.split(plan, N_SHARDS), survey, puzzle)


def compile_seconds(puzzle: Puzzle, engine: Engine[Any], *, with_symmetry: bool) -> float:
    """Compile everything that a search runs through, or load it from the cache; the seconds that it took."""
    started = time.perf_counter()
    engine.compile(lower(puzzle.model))
    shape = puzzle.model.row_shape
    no_rows = np.empty((0, shape.length), dtype=row_dtype(shape.n_symbols))
    digest_of(no_rows)
    if with_symmetry:
        OrbitSurvey(close(shape, ())).stabilizer_orders(no_rows)
    return time.perf_counter() - started


def wants_symmetry(up_to: str) -> bool:
    """Whether `up_to` asks for the puzzle's symmetry. Raises BadInput for an unknown word."""
    if up_to not in UP_TO:
        raise BadInput(f'up to "{up_to}" is not known; use one of: {", ".join(UP_TO)}')
    return up_to == "symmetry"


def check_puzzle(puzzle: object) -> None:
    """Raise BadInput for what is no puzzle: a name or a model is taken for one easily."""
    if not isinstance(puzzle, Puzzle):
        raise BadInput(
            'a puzzle is expected, such as rekkyo.queens(8) or rekkyo.puzzle("queens 8"), not'
            f" {type(puzzle).__name__}"
        )


def check_limit(limit: int | None) -> None:
    """Raise BadInput unless a limit is None or a whole number from 0."""
    limit = whole_number(limit)
    if limit is not None and (type(limit) is not int or limit < 0):
        raise BadInput(f"the limit must be a whole number from 0, not {limit!r}")


def listing_engine(puzzle: Puzzle, name: str | None) -> ListingEngine[Any, Any]:
    """The engine of that name, or the preferred one. Raises UnknownEngine, EngineRefuses."""
    if name is None:
        return registry.listing_engine(lower(puzzle.model))
    return registry.listing_engine_named(name)
