"""Estimates of the number of solutions and of the time of a search, before a long search.

Draws of the engine's sampler (`rekkyo.engines.sampling`) are averaged, at a level that a pilot chooses
(`pilot.py`). The pilot and the draws depend on the seed and not on the clock; only the time of a node is
measured.

The interval is that of `interval.py`, from sums over batches of draws, so that days of draws take no memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rekkyo.ask.interval import CONFIDENCE, Range, RunningMean
from rekkyo.ask.pilot import Budgets, Pilot, advice, budgets_for, check_shards, choose_level, seed_of
from rekkyo.engines.contract import NO_LIMIT, ListingEngine, Shard
from rekkyo.engines.sampling import Draws, Sampler, ShardSampler
from rekkyo.errors import GroupTooLarge
from rekkyo.html_tables import table
from rekkyo.jit import compiled_so_far
from rekkyo.model.checks import check_type
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import ABOVE_0, checked_real, checked_whole
from rekkyo.search.announced import announced
from rekkyo.search.cutting import Into
from rekkyo.search.progress import Meter, Progress, Watcher, check_watch
from rekkyo.search.question import ask, checked_seed
from rekkyo.search.search import compile_for_long, prepare
from rekkyo.search.threads import StopSign, do_all
from rekkyo.symmetry.group import close
from rekkyo.wording import several

LEAST_BATCHES = 16
BATCHES_AT_A_TIME = 4
MAX_SECONDS = 10**7
MAX_DRAWS = 10**12


@dataclass(frozen=True, slots=True)
class Estimate:
    """The result of an estimate.

    total: the number of solutions. unique: total divided by the order of the puzzle's symmetry group, which
    is the number of orbits if few solutions are symmetric, and too low otherwise; None for groups too large
    to list. nodes, seconds: of the whole search with this engine and this many workers, without compiling.
    exact: the search was so small that it was done in full. level: the number of drawn decisions (or, for an
    engine without its own sampler, the number of shards). n_draws: the number of draws. confidence: the
    probability that an interval contains the true number, as far as the draws show.
    """

    puzzle: str
    total: Range
    unique: Range | None
    nodes: Range
    seconds: Range
    exact: bool
    confidence: float
    level: int
    n_draws: int
    seed: int
    engine: str
    workers: int
    elapsed_s: float

    def _repr_html_(self) -> str:
        share = f"{100 * self.confidence:.0f} %"
        named = {"solutions": self.total, "orbits": self.unique, "nodes": self.nodes, "seconds": self.seconds}
        rows = [
            (name, each.value, "" if self.exact else each.low, "" if self.exact else each.high or "unknown")
            for name, each in named.items()
            if each is not None
        ]
        how = "counted" if self.exact else several(self.n_draws, "draw")
        title = f"Estimate for {self.puzzle}: {how} with {self.engine}"
        return table(title, ("", "expected", f"{share}: from", "to"), rows)


def estimate(
    puzzle: Puzzle,
    *,
    seed: int = 1,
    seconds: float = 20.0,
    draws: int | None = None,
    engine: str | None = None,
    workers: int | None = None,
    watch: Watcher | None = None,
    budgets: Budgets | None = None,
) -> Estimate:
    """Estimate the number of solutions, the nodes and the seconds of a search by random samples of it.

    seconds: how long it takes, unless the pilot and LEAST_BATCHES take longer. draws: the number of draws
    instead (rounded up to whole batches); the same seed and number of draws give the same estimate. engine:
    one that lists; by default the one that `solve` uses.
    budgets: by default the usual ones, or shorter ones for less than LONG_S.
    Raises BadInput (UnknownEngine, EngineRefuses, …).
    """
    seed = checked_seed(seed)
    seconds, draws = _checked_settings(seconds, draws)
    check_watch(watch)
    if budgets is not None:
        check_type("budgets are a value of Budgets", budgets, Budgets)
    question = ask(puzzle, engine=engine, lists=True, workers=workers)
    chosen, n_workers = question.engine, question.workers
    assert isinstance(chosen, ListingEngine)
    started = _now()
    search = prepare(question, Into((), may_be_short=True))
    shards = ShardSampler(chosen, search.plan, search.shape)
    sampler = chosen.sampler(search.plan) or shards
    all_budgets = (budgets,) if budgets is not None else budgets_for(seconds, draws)
    moment_nodes = chosen.nodes_of_moment(search.plan)
    pilots = [Pilot(sampler, seed, each.within(moment_nodes)) for each in all_budgets]
    fixes = advice(question, all_budgets)
    if sampler is shards:
        check_shards(pilots, chosen.estimated_nodes(search.plan), chosen.name, fixes)
    with announced(f"the sampler of {chosen.name}"):
        sampler.draw(sampler.levels[-1], 1, 1, 1)
    level, sums = sampler.levels[-1], _Sums()
    whole = _whole_search(sampler, shards, pilots[0].budgets.whole_nodes)
    if whole is None:
        level, n_per_batch, n_nodes = choose_level(pilots, chosen.name, fixes)
        if n_nodes >= chosen.long_nodes:  # compiled as for the search itself, whose seconds are estimated
            compile_for_long(question)
        job = _Job(sampler, level, seed, n_per_batch, n_workers)
        if sampler.is_whole(level):  # cutting came to the end of the search, but does not tell its seconds
            whole = _whole_search(sampler, shards, NO_LIMIT)
        elif draws is None:
            sums = _draw_until(job, started, seconds, watch)
        else:
            job = replace(job, n_per_batch=max(1, min(n_per_batch, draws // LEAST_BATCHES)))
            sums = _draw_number(job, -(-draws // job.n_per_batch), watch)
    if whole is not None:
        sums.add([whole])
    total, nodes = sums.solutions.interval(sums.n_draws), sums.nodes.interval(sums.n_draws)
    return Estimate(
        puzzle=puzzle.name,
        total=total,
        unique=_per_orbit(puzzle, total),
        nodes=nodes,
        seconds=_times(nodes, sums.cpu_s / max(1, sums.tried) / n_workers),
        exact=whole is not None,
        confidence=CONFIDENCE,
        level=level,
        n_draws=sums.n_draws,
        seed=seed,
        engine=chosen.name,
        workers=n_workers,
        elapsed_s=_now() - started,
    )


@dataclass(frozen=True, slots=True)
class _Batch:
    """Means of the draws of a batch, and their cost."""

    number: int
    n_draws: int
    solutions: float
    nodes: float
    tried: int
    cpu_s: float


class _Sums:
    """Sums over batches, which are added in their order, so that the estimate depends on the seed alone."""

    def __init__(self) -> None:
        self.n_batches = self.n_draws = self.tried = 0
        self.cpu_s = 0.0
        self.solutions, self.nodes = RunningMean(), RunningMean()

    def add(self, batches: Sequence[_Batch]) -> None:
        """Some more batches."""
        for batch in batches:
            self.n_batches += 1
            self.n_draws += batch.n_draws
            self.tried += batch.tried
            self.cpu_s += batch.cpu_s
            self.solutions.add(batch.solutions)
            self.nodes.add(batch.nodes)


@dataclass(frozen=True, slots=True)
class _Job:
    sampler: Sampler
    level: int
    seed: int
    n_per_batch: int
    workers: int


def _checked_settings(seconds: Any, draws: Any) -> tuple[float, int | None]:
    rule = f"the seconds must be a number above 0, at most {MAX_SECONDS}"
    seconds = checked_real(rule, seconds, ABOVE_0, MAX_SECONDS)
    rule = f"the draws must be a whole number from 2 to {MAX_DRAWS}"
    return seconds, None if draws is None else checked_whole(rule, draws, 2, MAX_DRAWS)


def _now() -> float:
    """The seconds of a clock that stands still while something is compiled."""
    return time.perf_counter() - compiled_so_far().seconds


def _measured(draw: Callable[[], Draws], number: int) -> _Batch:
    started = time.thread_time()
    draws = draw()
    n_made = len(draws.solutions)
    means = (float(draws.solutions.mean()), float(draws.nodes.mean())) if n_made else (0.0, 0.0)
    return _Batch(number, n_made, *means, draws.tried, time.thread_time() - started)


def _whole_search(sampler: Sampler, shards: ShardSampler, most: int) -> _Batch | None:
    """The search itself, if it has at most so many nodes."""
    level = sampler.levels[-1]
    is_whole = sampler.is_whole(level)
    batch = _measured(lambda: sampler.draw(level, 1, 1, most) if is_whole else shards.whole(most), 0)
    return batch if batch.n_draws else None


def _draw(job: _Job, numbers: Sequence[int]) -> list[_Batch]:
    """The batches with these numbers, in order."""

    def work(shard: Shard, stop: StopSign) -> _Batch:
        stop.check()
        draw_seed = seed_of(job.seed, job.level, job.n_per_batch, shard.index)
        return _measured(lambda: job.sampler.draw(job.level, draw_seed, job.n_per_batch), shard.index)

    tasks = [Shard(number, ()) for number in numbers]
    batches = do_all(tasks, work, job.workers, Meter(len(tasks), job.workers), None)
    return sorted(batches, key=lambda batch: batch.number)


def _draw_number(job: _Job, n_batches: int, watch: Watcher | None) -> _Sums:
    """A number of batches, a few at a time."""
    started = time.perf_counter()
    sums = _Sums()
    at_a_time = BATCHES_AT_A_TIME * job.workers
    while sums.n_batches < n_batches:
        sums.add(_draw(job, range(sums.n_batches, min(sums.n_batches + at_a_time, n_batches))))
        if watch is not None:
            elapsed_s, done = time.perf_counter() - started, sums.n_batches
            left_s = elapsed_s * (n_batches - done) / done
            watch(Progress(0, sums.tried, done, n_batches, elapsed_s, (left_s, left_s)))
    return sums


def _draw_until(job: _Job, started: float, seconds: float, watch: Watcher | None) -> _Sums:
    """Batches until the time is up, a few at a time; never fewer than LEAST_BATCHES."""
    sums = _Sums()
    began_s = elapsed_s = _now() - started
    while elapsed_s < seconds or sums.n_batches < LEAST_BATCHES:
        n_more = BATCHES_AT_A_TIME * job.workers
        if sums.n_batches >= LEAST_BATCHES:  # no more than fit into the time that is left
            drawing_s = max(elapsed_s - began_s, 1e-9)  # a clock may be coarse
            n_in_time = int(sums.n_batches * (seconds - elapsed_s) / drawing_s)
            n_more = max(job.workers, min(n_more, n_in_time))
        sums.add(_draw(job, range(sums.n_batches, sums.n_batches + n_more)))
        elapsed_s = _now() - started
        if watch is not None:  # the elapsed part of the seconds, in hundredths
            left_s, share = max(0.0, seconds - elapsed_s), min(100, int(100 * elapsed_s / seconds))
            watch(Progress(0, sums.tried, share, 100, elapsed_s, (left_s, left_s)))
    return sums


def _times(given: Range, factor: float) -> Range:
    high = None if given.high is None else given.high * factor
    return Range(given.value * factor, given.low * factor, high)


def _per_orbit(puzzle: Puzzle, total: Range) -> Range | None:
    try:
        return _times(total, 1 / close(puzzle.model.row_shape, puzzle.generators).order)
    except GroupTooLarge:
        return None
