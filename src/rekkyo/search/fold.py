"""The one loop over the blocks of a search: pausing, progress, self-checks, and what a caller does with them.

A caller says what is done for one shard (`sum_shard`, or its own work on blocks and rows); `fold` does it for
every shard, in this thread or on many. Runs (`rekkyo.runs`) and workers elsewhere use the same loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from rekkyo.engines.checkpoints import NOWHERE, Checkpoints
from rekkyo.engines.contract import Block, CountingEngine, ListingEngine, Pause, Rows, Shard, Tally, no_pause
from rekkyo.engines.digest import Digest, digest_of
from rekkyo.search.checks import BlockChecks, check_shards
from rekkyo.search.cutting import scattered
from rekkyo.search.overdue import racing_if_overdue
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import Search, compiling_if_long
from rekkyo.search.threads import StopSign, crew, do_all
from rekkyo.store.finished import Finished
from rekkyo.symmetry.orbits import OrbitLedger

ResultT = TypeVar("ResultT")

Report: TypeAlias = Callable[[int, int], object]
"""Takes solutions found and nodes tried."""

Work: TypeAlias = Callable[["Fold", Shard, Pause, Report], ResultT]
"""The work for one shard."""


class Fold:
    """Goes through the blocks of a search's shards and checks them. Threads share it."""

    def __init__(self, search: Search, checkpoints: Checkpoints = NOWHERE) -> None:
        self.search = search
        self._checkpoints = checkpoints
        self._checks = BlockChecks(search)

    def shard(
        self,
        shard: Shard,
        pause: Pause,
        report: Report,
        on_block: Callable[[Block], object] | None = None,
        on_rows: Callable[[Rows], object] | None = None,
    ) -> Tally:
        """Search one shard. Raises what `pause` raises.

        on_block: takes every block with rows, with stabilizers where there is a symmetry.
        on_rows: takes the rows that are the answer, never none. Both may keep what they are given.
        """
        search = self.search
        report(0, shard.nodes)
        if isinstance(search.engine, CountingEngine):
            pause()  # shards of less than a second may not pause themselves
            counted = search.tally or self._counted(search.engine, shard, pause)
            report(0, counted.nodes)
            return Tally(0, shard.nodes) + counted
        total, nodes, before = 0, shard.nodes, None
        for block in search.blocks(shard, pause):
            found = len(block.rows)
            report(found, block.nodes)
            total, nodes = total + found, nodes + block.nodes
            if not found:
                continue
            whole = search.with_stabilizers(block)
            self._checks.look_at(whole, before)
            before = whole
            if on_block is not None:
                on_block(whole)
            if on_rows is not None and len(rows := search.wanted_rows(whole)):
                on_rows(rows)
        self._checks.end_shard(shard)
        return Tally(total, nodes)

    def _counted(self, engine: CountingEngine[object], shard: Shard, pause: Pause) -> Tally:
        """The count of a shard; all workers together count a single one."""
        with crew(self.search.question.workers if len(self.search.shards) == 1 else 1) as together:
            return engine.count_together(self.search.plan, shard, pause, together, self._checkpoints)

    def finish(self) -> None:
        """Check what can be checked when all shards were searched."""
        self._checks.finish()


def sum_shard(
    fold: Fold, shard: Shard, pause: Pause, report: Report, keep: Callable[[Rows], object] | None = None
) -> Finished:
    """Count, sort into orbits and hash the solutions of a shard, as far as the question asks for that.

    keep: takes the rows that are the answer.
    """
    search = fold.search
    started = time.perf_counter()
    ledger = None if search.survey is None else OrbitLedger(search.survey.group.order)
    kept, digest = 0, Digest()

    def enter(block: Block) -> None:
        if ledger is not None and block.stabilizers is not None:
            ledger.enter(block.stabilizers)

    def take(rows: Rows) -> None:
        nonlocal kept, digest
        kept += len(rows)
        digest += digest_of(rows)
        if keep is not None:
            keep(rows)

    tally = fold.shard(shard, pause, report, enter, take if search.question.hashes else None)
    return Finished(
        shard=shard.index,
        found=tally.total,
        kept=kept,
        nodes=tally.nodes,
        seconds=search.probed_seconds(shard) + time.perf_counter() - started,
        digest=digest if search.question.hashes and not isinstance(search.engine, CountingEngine) else None,
        ledger=None if ledger is None else ledger.n_orbits,
        place=None,
    )


def fold(search: Search, work: Work[ResultT], watch: Watcher | None) -> list[ResultT]:
    """Do `work` for every shard and return what it gave, in no particular order.

    Nothing is left out: raises CountsDisagree unless there is one result for each shard.
    """
    folding = Fold(search)
    if search.is_over and watch is None:
        results = [work(folding, shard, no_pause, _to_nobody) for shard in search.shards]
    else:
        results = _metered(folding, work, watch)
    folding.finish()
    check_shards(search, len(results))
    return results


def _to_nobody(found: int, nodes: int) -> None:
    """The report of a search that is over and that nobody watches."""


def _metered(folding: Fold, work: Work[ResultT], watch: Watcher | None) -> list[ResultT]:
    search = folding.search
    meter = Meter(len(search.shards), search.question.workers)
    if search.is_over:
        results = [work(folding, shard, no_pause, meter.add) for shard in search.shards]
        for _ in results:
            meter.finish_shard(0.0)
        if watch is not None:
            watch(meter.look())
        return results
    if search.question.workers == 1 and search.known and watch is None:
        return _without_thread(folding, work, meter)

    def work_on(shard: Shard, stop: StopSign) -> ResultT:
        meter.add_seconds(search.probed_seconds(shard))
        return work(folding, shard, stop.check, meter.add)

    return do_all(
        scattered(search.shards), work_on, search.question.workers, meter, _watching_length(search, watch)
    )


def _watching_length(search: Search, watch: Watcher | None) -> Watcher:
    """The watcher with what is done when the search turns out to be long. It may raise Overtaken."""
    watch = compiling_if_long(search, watch)
    is_raced = search.may_be_overtaken and isinstance(search.engine, ListingEngine)
    return racing_if_overdue(search, watch) if is_raced else watch


def _without_thread(folding: Fold, work: Work[ResultT], meter: Meter) -> list[ResultT]:
    """The results of a search that is short, or seemed short. It has no thread: that takes a millisecond."""
    look = _watching_length(folding.search, None)

    def report(found: int, nodes: int) -> None:
        meter.add(found, nodes)
        look(meter.look())

    return [work(folding, shard, no_pause, report) for shard in folding.search.shards]
