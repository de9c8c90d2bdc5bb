"""One listing search, made ready: engine compiled, plan made, shards cut; and the blocks of a shard."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines import registry
from rekkyo.engines.contract import Block, Engine, ListingEngine, Shard, row_dtype
from rekkyo.engines.digest import digest_of
from rekkyo.errors import BadInput
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.row import AtomPermutation, RowShape, whole_number
from rekkyo.search.blocks import room_for
from rekkyo.search.compiling import announced
from rekkyo.search.cutting import AnyListing, Cut, cut_by_length
from rekkyo.search.threads import StopSign
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey

BUDGET_NODES = 1 << 21
"""About 15 ms of a bit kernel: how long a worker goes without looking whether it should stop."""

Generators: TypeAlias = tuple[AtomPermutation, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A plan and its shards.

    survey: None when symmetry does not matter to the search. only_representatives: whether the engine was
    asked for them alone, so that other solutions may or may not come up. row_shape: of what is searched,
    when that is not the puzzle's own model. known: all blocks of the shards that were searched already.
    """

    engine: ListingEngine[Any, Any]
    plan: Any
    shards: tuple[Shard, ...]
    survey: OrbitSurvey | None
    puzzle: Puzzle
    only_representatives: bool = False
    row_shape: RowShape | None = None
    known: Mapping[int, tuple[Block, ...]] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether no shard is left to be searched."""
        return len(self.known) == len(self.shards)

    def cut_into(self, shards: tuple[Shard, ...]) -> Search:
        """The same search; what is known of its shards is not known of others."""
        return self if shards is self.shards else replace(self, shards=shards, known={})

    def blocks(self, shard: Shard, stop: StopSign) -> Iterator[Block]:
        """The solutions of a shard, a block for each slice of the search, empty blocks included.

        The rows are the caller's own.
        """
        if shard.index in self.known:
            yield from self.known[shard.index]
            return
        room = room_for(self.row_shape or self.puzzle.model.row_shape)
        yield from self.engine.blocks(self.plan, shard, room, BUDGET_NODES, stop.check)


def stabilizer_orders(survey: OrbitSurvey, block: Block) -> NDArray[np.uint32]:
    """For each row the order of its stabilizer, or 0 if it is no representative: the search may know it."""
    return survey.stabilizer_orders(block.rows) if block.stabilizers is None else block.stabilizers


def prepare(
    puzzle: Puzzle,
    engine: ListingEngine[Any, Any],
    generators: Generators | None,
    *,
    every_solution: bool = False,
    shards: int | tuple[Shard, ...] | None = None,
) -> Search:
    """Plan a listing search. Raises EngineRefuses, GroupTooLarge.

    generators: of the symmetry that matters; None for none. every_solution: not only what the symmetry
    leaves to be found. shards: how many to cut at least, or those that the same plan was cut into before;
    by default as `cut_by_length` says.
    """
    model = lower(puzzle.model)
    engine.check(model)
    if generators is None:
        plan = engine.plan(model)
        cut = _cut(puzzle, engine, plan, shards)
        return Search(engine, plan, cut.shards, None, puzzle, known=cut.known)
    group = close(puzzle.model.row_shape, generators)
    reduced = None if every_solution else engine.plan_for_representatives(model, group)
    order = None if reduced is None else engine.comparing_order(reduced)
    plan = engine.plan(model) if reduced is None else reduced
    cut = _cut(puzzle, engine, plan, shards)
    survey = OrbitSurvey(group, order)
    return Search(engine, plan, cut.shards, survey, puzzle, reduced is not None, known=cut.known)


def prepare_model(puzzle: Puzzle, model: Model, engine: ListingEngine[Any, Any]) -> Search:
    """Plan a listing search for a model that is part of the puzzle's, without symmetry, in one go."""
    engine.check(model)
    engine.compile(model)
    plan = engine.plan(model)
    return Search(engine, plan, engine.split(plan, 1), None, puzzle, row_shape=model.row_shape)


def _cut(puzzle: Puzzle, engine: AnyListing, plan: Any, shards: int | tuple[Shard, ...] | None) -> Cut:
    """Into the shards given, or as many as were asked for.

    Where no number was asked for, a search that is over in a moment gets one, and a short one few,
    because shards cost something. The choice goes by nodes, not by seconds: it is always the same.
    """
    if isinstance(shards, tuple):
        return Cut(shards, {})
    if shards is not None:
        return Cut(engine.split(plan, shards), {})
    return cut_by_length(engine, plan, puzzle.model.row_shape)


def compile_seconds(puzzle: Puzzle, engine: Engine[Any], generators: Generators | None) -> float:
    """Compile everything that a search runs through, or load it from the cache; the seconds that it took.

    generators: of the symmetry that matters; None for none. Raises GroupTooLarge.
    """
    started = time.perf_counter()
    with announced(f"engine {engine.name}"):
        compile_all(puzzle, engine, generators)
    return time.perf_counter() - started


def compile_all(puzzle: Puzzle, engine: Engine[Any], generators: Generators | None) -> None:
    """The same, without a word or a clock."""
    engine.compile(lower(puzzle.model))
    shape = puzzle.model.row_shape
    no_rows = np.empty((0, shape.length), dtype=row_dtype(shape.n_symbols))
    digest_of(no_rows)
    if generators is not None:
        survey = OrbitSurvey(close(shape, generators))
        survey.stabilizer_orders(no_rows)
        survey.least_images(no_rows)


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
