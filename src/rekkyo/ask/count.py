"""Counting: all solutions, and the orbits among them.

Two ways to `unique`, which must agree wherever both can run: a listing engine keeps the lexicographically
least row of every orbit and checks that the sum of |G| / |stabilizer| gives the total; a counting engine
counts the solutions that each symmetry leaves unchanged, and Burnside's lemma does the rest.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from rekkyo.engines import registry
from rekkyo.engines.contract import CountingEngine, Shard, Tally, no_pause
from rekkyo.engines.digest import Digest, digest_of
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, plain_words
from rekkyo.search.cutting import N_SHARDS, scattered
from rekkyo.search.progress import Meter, Watcher
from rekkyo.search.search import (
    Generators,
    Search,
    check_limit,
    check_puzzle,
    compile_seconds,
    listing_engine,
    prepare,
    stabilizer_orders,
)
from rekkyo.search.threads import StopSign, carry_out, number_of_workers
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.orbits import OrbitLedger


@dataclass(frozen=True, slots=True)
class Count:
    """What a count found.

    unique: number of orbits under the puzzle's symmetry; None when not asked for or not complete.
    up_to: which symmetry `unique` is about.
    left_out: why there is no `unique` although it was asked for; None where there is, or where it was not.
    complete: False when the limit ended the search, so that there are at least `total` solutions.
    digest: hash of the set of solutions, when asked for. nodes: decisions tried; what a node is, the engine's
    documentation says. elapsed_s leaves compile_s out.
    """

    puzzle: str
    total: int
    unique: int | None
    up_to: str
    complete: bool
    digest: str | None
    engine: str
    nodes: int
    elapsed_s: float
    compile_s: float
    workers: int
    left_out: str | None = None


def count(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "symmetry",
    limit: int | None = None,
    digest: bool = False,
    watch: Watcher | None = None,
) -> Count:
    """Count the solutions of a puzzle, and its orbits unless `up_to` is "none".

    engine: a name from `rekkyo info`; by default the fastest that fits. workers: threads, by default one per
    core. limit: stop after so many solutions. digest: also hash the set of solutions, which needs an engine
    that lists. watch: called with a Progress a few times a second.
    Raises BadInput (UnknownEngine, EngineRefuses, …), GroupTooLarge, CountsDisagree.
    """
    check_puzzle(puzzle)
    n_workers = number_of_workers(workers)
    generators = puzzle.generators_up_to(up_to)
    check_limit(limit)
    if limit is not None:
        generators = None
    if digest and limit is not None:
        raise BadInput("a digest is of all solutions; leave out either the digest or the limit")
    chosen = _engine(puzzle, engine, must_list=digest or limit is not None)
    chosen.check(lower(puzzle.model))
    compile_s = compile_seconds(puzzle, chosen, generators)
    started = time.perf_counter()
    if isinstance(chosen, CountingEngine):
        sums = _count_without_listing(puzzle, chosen, n_workers, generators, watch)
    else:
        search = prepare(puzzle, chosen, generators, every_solution=digest)
        if limit is None:
            sums = _count_by_listing(search, n_workers, digest, watch)
        else:
            sums = _count_to_limit(search, n_workers, limit, watch)
    return Count(
        puzzle=puzzle.name,
        total=sums.tally.total,
        unique=sums.unique,
        up_to=plain_words(up_to),
        complete=sums.complete,
        digest=None if sums.digest is None else str(sums.digest),
        engine=chosen.name,
        nodes=sums.tally.nodes,
        elapsed_s=time.perf_counter() - started,
        compile_s=compile_s,
        workers=n_workers,
        left_out=sums.left_out,
    )


@dataclass(frozen=True, slots=True)
class _Sums:
    tally: Tally
    unique: int | None
    digest: Digest | None = None
    complete: bool = True
    left_out: str | None = None


def _engine(puzzle: Puzzle, name: str | None, *, must_list: bool) -> registry.AnyEngine:
    if must_list:
        return listing_engine(puzzle, name)
    return registry.counting_engine(lower(puzzle.model)) if name is None else registry.engine_named(name)


def _count_without_listing(
    puzzle: Puzzle,
    engine: CountingEngine[Any],
    workers: int,
    generators: Generators | None,
    watch: Watcher | None,
) -> _Sums:
    # Before the search: a group that is too large to list must not be found out after hours of counting.
    group = None if generators is None else close(puzzle.model.row_shape, generators)
    plan = engine.plan(lower(puzzle.model))
    shards = engine.split(plan, N_SHARDS)
    meter = Meter(len(shards), workers)

    def work(shard: Shard, stop: StopSign) -> Tally:
        stop.check()
        tally = engine.count(plan, shard, stop.check) + Tally(0, shard.nodes)
        meter.add(0, tally.nodes)
        return tally

    tallies = carry_out(scattered(shards), work, workers, meter, watch)
    tally = engine.finish(plan, sum(tallies, Tally(0, 0)))
    if group is None:
        return _Sums(tally, None)
    fixed = count_fixed(group, engine, plan)
    if fixed is None:
        reason = f"engine {engine.name} cannot count what a symmetry leaves unchanged here"
        return _Sums(tally, None, left_out=reason)
    unique = burnside(puzzle, group, tally.total, fixed.total)
    return _Sums(Tally(tally.total, tally.nodes + fixed.nodes), unique)


def count_fixed(group: Group, engine: CountingEngine[Any], plan: Any) -> Tally | None:
    """Solutions unchanged by a symmetry other than the identity, summed over those symmetries."""
    fixed = Tally(0, 0)
    for element in group.elements[1:]:
        tally = engine.count_fixed(plan, tuple(element.tolist()), no_pause)
        if tally is None:
            return None
        fixed += tally
    return fixed


def burnside(puzzle: Puzzle, group: Group, total: int, fixed: int) -> int:
    """The number of orbits, by Burnside's lemma. Raises CountsDisagree when it does not come out even."""
    unique, remainder = divmod(total + fixed, group.order)
    if remainder:
        raise CountsDisagree(
            f"{puzzle.name}: total {total} and {fixed} symmetric solutions do not fit a group of"
            f" {group.order}; please report this"
        )
    return unique


@dataclass(frozen=True, slots=True)
class _ShardSums:
    tally: Tally
    digest: Digest
    ledger: OrbitLedger


def _count_by_listing(search: Search, workers: int, digest: bool, watch: Watcher | None) -> _Sums:
    meter = Meter(len(search.shards), workers)

    def work(shard: Shard, stop: StopSign) -> _ShardSums:
        meter.add(0, shard.nodes)
        tally, hashed, ledger = Tally(0, shard.nodes), Digest(), _new_ledger(search)
        for block in search.blocks(shard, stop):
            found = len(block.rows)
            meter.add(found, block.nodes)
            tally += Tally(found, block.nodes)
            if digest and found:
                hashed += digest_of(block.rows)
            if search.survey is not None and found:
                ledger.enter(stabilizer_orders(search.survey, block))
        return _ShardSums(tally, hashed, ledger)

    if not search.is_over:
        parts = carry_out(scattered(search.shards), work, workers, meter, watch)
    else:  # a thread would take longer than what is left to do
        parts = [work(shard, StopSign()) for shard in search.shards]
        for _ in parts:
            meter.finish_shard(0.0)
        if watch is not None:
            watch(meter.look())
    tally = sum((part.tally for part in parts), Tally(0, 0))
    hashed = sum((part.digest for part in parts), Digest())
    if search.survey is None:
        return _Sums(tally, None, hashed if digest else None)
    ledger = _new_ledger(search)
    for part in parts:
        ledger.merge(part.ledger)
    _check_ledger(search, ledger, tally.total)
    return _Sums(Tally(ledger.total, tally.nodes), ledger.unique, hashed if digest else None)


def _check_ledger(search: Search, ledger: OrbitLedger, n_found: int) -> None:
    """The orbits hold what was found, or more when only representatives were looked for."""
    if ledger.total < n_found or (ledger.total > n_found and not search.only_representatives):
        raise CountsDisagree(
            f"{search.puzzle.name}: the orbits hold {ledger.total} solutions, but {n_found} were found;"
            " please report this"
        )


def _new_ledger(search: Search) -> OrbitLedger:
    return OrbitLedger(search.survey.group.order if search.survey is not None else 1)


def _count_to_limit(search: Search, workers: int, limit: int, watch: Watcher | None) -> _Sums:
    meter = Meter(len(search.shards), workers)

    def work(shard: Shard, stop: StopSign) -> None:
        meter.add(0, shard.nodes)
        for block in search.blocks(shard, stop):
            if meter.add(len(block.rows), block.nodes) >= limit:
                stop.show()

    carry_out(search.shards, work, workers, meter, watch)
    seen = meter.look()
    return _Sums(Tally(min(seen.found, limit), seen.nodes), None, complete=seen.found < limit)
