"""Counting: all solutions, and the orbits among them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

from rekkyo.ask.classes import asks_for_relation, sort_into_classes
from rekkyo.engines import registry
from rekkyo.engines.contract import Shard, no_pause
from rekkyo.engines.digest import Digest
from rekkyo.errors import BadInput, GroupTooLarge
from rekkyo.html_tables import facts, seconds, written
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, plain_words
from rekkyo.search.cutting import by_length
from rekkyo.search.fold import Fold, fold, sum_shard
from rekkyo.search.helping import with_symmetry_found
from rekkyo.search.outcome import Outcome, outcome
from rekkyo.search.progress import Meter, Progress, Watcher
from rekkyo.search.question import ask, check_limit, check_puzzle, number_of_workers
from rekkyo.search.quick import begun
from rekkyo.search.race import merged_if_faster
from rekkyo.search.search import Search, compiling_if_long, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.search.small import ENGINE, SmallAnswer, small_answers
from rekkyo.search.threads import StopSign, carry_out
from rekkyo.store.finished import Sums


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a count.

    unique: number of orbits under the symmetry `up_to`; None if not requested or not complete.
    optimum: the best value of the puzzle's objective, which all counted solutions have.
    left_out: why there is no `unique` although it was requested.
    complete: False if the limit ended the search, so that there are at least `total` solutions.
    digest: hash of the set of solutions, if requested. nodes: as the engine's documentation defines them.
    elapsed_s: without compile_s.
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
    optimum: int | None = None

    def _repr_html_(self) -> str:
        numbers = [
            ("total" if self.complete else "at least", self.total),
            (f"up to {self.up_to}", self.unique),
            ("not up to symmetry", self.left_out),
            ("best value", self.optimum),
            ("digest", self.digest),
            ("engine", f"{self.engine}, {written(self.nodes)} nodes"),
            ("time", seconds(self.elapsed_s)),
        ]
        return facts(f"Solutions of {self.puzzle}", numbers)


def count(
    puzzle: Puzzle,
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "symmetry",
    limit: int | None = None,
    digest: bool = False,
    watch: Watcher | None = None,
    sizes: Sizes = DEFAULT_SIZES,
) -> Count:
    """Count the solutions of a puzzle, and its orbits unless `up_to` is "none".

    An engine that lists may search for representatives in either case, because the sizes of orbits give the
    total. A digest needs every solution.
    engine: a name from `rekkyo info`; by default the fastest that fits. workers: threads, by default one per
    core. limit: stop after this number of solutions. digest: also hash the set, which needs an engine that
    lists. watch: called with a Progress a few times a second. sizes: how the search is divided.
    Raises BadInput (UnknownEngine, EngineRefuses, …), GroupTooLarge, CountsDisagree.
    """
    check_puzzle(puzzle)
    check_limit(limit)
    if digest and limit is not None:
        raise BadInput("a digest is of all solutions; leave out either the digest or the limit")
    by_classes = partial(_by_classes, puzzle, up_to, engine, workers, digest, watch, sizes)
    if limit is None and asks_for_relation(puzzle, up_to):
        return by_classes()
    asked = partial(
        ask,
        puzzle,
        engine=engine,
        lists=digest or limit is not None,
        every_solution=digest,
        hands_on_rows=False,
        hashes=digest,
        workers=workers,
        sizes=sizes,
    )
    may_merge = limit is None and engine is None and not digest
    if may_merge and sizes is DEFAULT_SIZES:
        (answer,), compile_s = small_answers((puzzle,), up_to)
        if answer is not None:
            if watch is not None:
                watch(Progress(answer.total, answer.nodes, 1, 1, answer.seconds, (0.0, 0.0)))
            return small_count(puzzle, answer, up_to, number_of_workers(workers), compile_s)
    started = time.perf_counter()
    is_too_large = False
    try:
        quick = registry.quick_engine(lower(puzzle.model)) if may_merge else None
        search = begun(partial(asked, up_to=up_to if limit is None else "none"), quick, watch)
    except GroupTooLarge as problem:
        if not may_merge:
            return by_classes()
        question, is_too_large = replace(asked(up_to="none"), left_out=str(problem)), True
        search = prepare(question, by_length, watch)
    if limit is None and not digest:
        search = with_symmetry_found(search)
    if may_merge:
        search = merged_if_faster(search, watch)
    if is_too_large and search.tally is None:
        return by_classes()
    if limit is None:
        sums = Sums(None if search.survey is None else search.survey.group.order)
        sums.add(fold(search, sum_shard, watch))
        found, is_complete = outcome(search, sums, no_pause), True
        hashed = str(sums.digest or Digest()) if digest else None
    else:
        found, is_complete = _up_to_limit(search, limit, watch)
        hashed = None
    return Count(
        puzzle=puzzle.name,
        total=found.total,
        unique=found.unique,
        up_to=plain_words(up_to),
        complete=is_complete,
        digest=hashed,
        engine=search.engine.name,
        nodes=found.nodes,
        elapsed_s=time.perf_counter() - started - search.compile_s,
        compile_s=search.compile_s,
        workers=search.question.workers,
        left_out=found.left_out,
        optimum=search.optimum,
    )


def small_count(puzzle: Puzzle, answer: SmallAnswer, up_to: str, workers: int, compile_s: float) -> Count:
    """The count of a small puzzle, whose search is too short for workers."""
    return Count(
        puzzle=puzzle.name,
        total=answer.total,
        unique=answer.unique,
        up_to=plain_words(up_to),
        complete=True,
        digest=None,
        engine=ENGINE,
        nodes=answer.nodes,
        elapsed_s=answer.seconds,
        compile_s=compile_s,
        workers=workers,
        left_out=answer.left_out,
    )


def _by_classes(
    puzzle: Puzzle,
    up_to: str,
    engine: str | None,
    workers: int | None,
    digest: bool,
    watch: Watcher | None,
    sizes: Sizes,
) -> Count:
    """Count by keeping all solutions and classifying them."""
    started = time.perf_counter()
    found = sort_into_classes(
        puzzle, up_to, engine=engine, workers=workers, sizes=sizes, watch=watch, hashes=digest
    )
    search = found.search
    return Count(
        puzzle=puzzle.name,
        total=found.tally.total,
        unique=len(found.representatives),
        up_to=plain_words(up_to),
        complete=True,
        digest=None if found.digest is None else str(found.digest),
        engine=search.engine.name,
        nodes=found.tally.nodes,
        elapsed_s=time.perf_counter() - started - search.compile_s,
        compile_s=search.compile_s,
        workers=search.question.workers,
        optimum=search.optimum,
    )


def _up_to_limit(search: Search, limit: int, watch: Watcher | None) -> tuple[Outcome, bool]:
    """Count until the limit is reached; also whether the search ended before."""
    meter = Meter(len(search.shards), search.question.workers)
    folding = Fold(search)

    def work(shard: Shard, stop: StopSign) -> None:
        def report(found: int, nodes: int) -> None:
            if meter.add(found, nodes) >= limit:
                stop.show()

        folding.shard(shard, stop.check, report)

    watch = compiling_if_long(search, watch)
    carry_out(search.shards, work, search.question.workers, meter, watch)
    folding.finish()
    seen = meter.look()
    return Outcome(min(seen.found, limit), None, seen.nodes), seen.found < limit
