"""What is done for one shard of a run: search it, keep the rows that the run is about, count, hash.

The same for threads, other processes and other computers; where the rows go is the caller's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rekkyo.engines import registry
from rekkyo.engines.contract import Block, CountingEngine, ListingEngine, Rows, Shard, Tally
from rekkyo.engines.digest import Digest, digest_of
from rekkyo.errors import BadInput, GroupTooLarge
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.cutting import N_SHARDS, shards_for_run
from rekkyo.search.search import (
    Search,
    check_puzzle,
    compile_seconds,
    listing_engine,
    prepare,
    stabilizer_orders,
)
from rekkyo.search.threads import StopSign
from rekkyo.store.index import Finished
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.orbits import OrbitLedger, OrbitSurvey

MAX_SHARDS = 10_000_000

Keep: TypeAlias = Callable[[Rows], None]
"""Takes rows of the run as they are found; they are only valid during the call."""

Report: TypeAlias = Callable[[int, int], object]
"""Takes solutions found and nodes tried."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a run is after: of which puzzle, with which engine, which rows, and whether they are stored."""

    puzzle: Puzzle
    engine: str
    up_to: str
    keeps_rows: bool

    @property
    def keeps_every_solution(self) -> bool:
        """Whether the rows of the run are all solutions, rather than one for each orbit."""
        return self.up_to == "none"


def make_aim(puzzle: Puzzle, engine: str | None, up_to: str, keeps_rows: bool) -> Aim:
    """Check what was asked for, and choose the engine. Raises BadInput."""
    check_puzzle(puzzle)
    puzzle.generators_up_to(up_to)
    chosen = listing_engine(puzzle, None) if engine is None else registry.engine_named(engine)
    if keeps_rows:
        chosen = listing_engine(puzzle, chosen.name)
    chosen.check(lower(puzzle.model))
    return Aim(puzzle, chosen.name, up_to, keeps_rows)


class Bench:
    """An engine and a plan made ready for the shards of one run. Threads share it."""

    def __init__(self, aim: Aim, shards: int | tuple[Shard, ...] | None) -> None:
        """shards: at least so many, or those of a run that exists, or as many as seem right."""
        self.aim = aim
        engine = registry.engine_named(aim.engine)
        self.group = _group(aim)
        compile_seconds(aim.puzzle, engine, None if self.group is None else _generators(aim))
        self.search: Search | None = None
        self.counting: CountingEngine[Any] | None = None
        self.plan: Any
        if isinstance(engine, CountingEngine):
            self.counting = engine
            self.plan = engine.plan(lower(aim.puzzle.model))
            self.shards = shards if isinstance(shards, tuple) else engine.split(self.plan, shards or N_SHARDS)
        else:
            self.search = self._prepare(engine, shards)
            self.plan, self.shards = self.search.plan, self.search.shards

    def _prepare(self, engine: ListingEngine[Any, Any], shards: int | tuple[Shard, ...] | None) -> Search:
        search = prepare(
            self.aim.puzzle,
            engine,
            None if self.group is None else _generators(self.aim),
            every_solution=self.aim.keeps_every_solution,
            shards=1 if shards is None else shards,
        )
        if shards is not None:
            return search
        shape = self.aim.puzzle.model.row_shape
        return search.cut_into(shards_for_run(engine, search.plan, shape))

    @property
    def only_representatives(self) -> bool:
        """Whether the engine searches so that solutions beside the representatives may be left out."""
        return self.search is not None and self.search.only_representatives

    def carry_out(self, shard: Shard, stop: StopSign, keep: Keep, report: Report) -> Finished:
        """Do one shard. Raises Stop when the sign is shown."""
        started = time.perf_counter()
        if self.counting is not None:
            stop.check()
            tally = self.counting.count(self.plan, shard, stop.check) + Tally(0, shard.nodes)
            report(0, tally.nodes)
            seconds = time.perf_counter() - started
            return Finished(shard.index, tally.total, 0, tally.nodes, seconds, None, None, None)
        assert self.search is not None
        report(0, shard.nodes)
        blocks = self.search.blocks(shard, stop)
        return self.list_blocks(blocks, shard, keep, report)

    def list_blocks(self, blocks: Iterable[Block], shard: Shard, keep: Keep, report: Report) -> Finished:
        """Sort out the solutions of one shard, whichever search they come from."""
        assert self.search is not None
        return _list(self.search, blocks, shard, keep, report, all_rows=self.aim.keeps_every_solution)


def _list(
    search: Search,
    blocks: Iterable[Block],
    shard: Shard,
    keep: Keep,
    report: Report,
    *,
    all_rows: bool,
) -> Finished:
    """all_rows: keep every solution, not only one for each orbit."""
    started = time.perf_counter()
    found, kept, nodes, digest = 0, 0, shard.nodes, Digest()
    ledger = OrbitLedger(1) if search.survey is None else OrbitLedger(search.survey.group.order)
    for block in blocks:
        wanted = rows = block.rows
        report(len(rows), block.nodes)
        if search.survey is not None and len(rows):
            orders = stabilizer_orders(search.survey, block)
            ledger.enter(orders)
            if not all_rows:
                wanted = _representatives(search, search.survey, rows[orders > 0])
        found += len(rows)
        nodes += block.nodes
        kept += len(wanted)
        if len(wanted):
            digest += digest_of(wanted)
            keep(wanted)
    return Finished(
        shard.index,
        found,
        kept,
        nodes,
        time.perf_counter() - started,
        digest,
        None if search.survey is None else ledger.n_orbits,
        None,
    )


def _representatives(search: Search, survey: OrbitSurvey, rows: Rows) -> Rows:
    """The least rows of their orbits, whatever the order in which the search compares."""
    return np.ascontiguousarray(rows if survey.is_lexicographic else survey.least_images(rows))


def _generators(aim: Aim) -> tuple[tuple[int, ...], ...]:
    """Of the symmetry that `unique` is about: the puzzle's own when all solutions are kept."""
    return aim.puzzle.generators_up_to("symmetry" if aim.keeps_every_solution else aim.up_to) or ()


def _group(aim: Aim) -> Group | None:
    try:
        return close(aim.puzzle.model.row_shape, _generators(aim))
    except GroupTooLarge:
        if aim.keeps_every_solution:
            return None
        raise


def check_number_of_shards(shards: int) -> None:
    """Raise BadInput unless it is a number of shards that a run takes on."""
    if type(shards) is not int or not 1 <= shards <= MAX_SHARDS:
        raise BadInput(f"the number of shards must be 1 to {MAX_SHARDS}, not {shards!r}")
