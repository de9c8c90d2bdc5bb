"""A run: all shards of a puzzle carried out, with a directory that survives a crash.

Finished shards are gathered for a moment and committed together, rows before records (see `rekkyo.store`).
Whatever ends a run, the shards that were committed stay, and `resume` does the others.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import closing, suppress
from pathlib import Path

import numba
import numpy as np

from rekkyo import __version__
from rekkyo.ask.count import burnside
from rekkyo.ask.estimate import estimate
from rekkyo.engines.contract import CountingEngine, Tally, no_pause, row_dtype
from rekkyo.errors import BadRun, CountsDisagree, RekkyoError, RunStopped
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.executors import capacity_of, make_job, on_executor, on_threads
from rekkyo.runs.plan_hash import model_hash, plan_hash
from rekkyo.runs.puzzle_source import puzzle_of, source_of
from rekkyo.runs.shard_work import Aim, Bench, check_number_of_shards, make_aim
from rekkyo.runs.status import RunStatus, status_of
from rekkyo.search.cutting import N_SHARDS_LONG, scattered
from rekkyo.search.progress import LEAST_SAMPLE, Meter, Watcher
from rekkyo.search.threads import number_of_workers
from rekkyo.store.index import Finished, now
from rekkyo.store.manifest import FORMAT, Manifest, Source
from rekkyo.store.run_directory import RunDirectory, holds_run, row_form

COMMIT_EVERY_S = 0.2
ESTIMATE_S = 1.0


def run(
    puzzle: Puzzle,
    directory: str | os.PathLike[str],
    *,
    engine: str | None = None,
    workers: int | None = None,
    up_to: str = "none",
    count_only: bool = False,
    shards: int | None = None,
    executor: Executor | None = None,
    watch: Watcher | None = None,
    say: Callable[[str], None] | None = None,
) -> RunStatus:
    """Carry out a whole search with a directory that survives a crash; go on with it if it is there.

    up_to: "none" stores every solution and counts orbits beside; anything else stores one for each orbit.
    count_only: counts and digests, no rows. shards: how many at least; by default 256, or 4096 when
    the search is long.
    executor: carries the shards out elsewhere; `workers` then says how many it has, if it does not itself.
    say: is told, in a line each, what was found wrong in the directory and mended.
    Raises BadInput (BadRun, RunInUse, ...), RunStopped, RunDamaged, CountsDisagree, OSError.
    """
    folder = Path(directory)
    aim = make_aim(puzzle, engine, up_to, not count_only)
    n_workers = number_of_workers(workers)
    if shards is not None:
        check_number_of_shards(shards)
    if holds_run(folder):
        opened = RunDirectory.open(folder)
        with closing(opened):
            _check_asked(opened.manifest, folder, aim, engine, shards)
            bench = bench_of(opened, aim)
            return _carry_on(opened, bench, workers and n_workers, executor, watch, say)
    bench = Bench(aim, shards)
    source, files = source_of(puzzle)
    created = RunDirectory.create(folder, _manifest(aim, bench, source), bench.shards, files)
    with closing(created):
        return _carry_on(created, bench, workers and n_workers, executor, watch, say)


def resume(
    directory: str | os.PathLike[str],
    *,
    puzzle: Puzzle | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    watch: Watcher | None = None,
    say: Callable[[str], None] | None = None,
) -> RunStatus:
    """Go on with a run, whoever began it. puzzle: needed only when it was built in Python.

    Raises as `run` does.
    """
    n_workers = number_of_workers(workers)
    opened = RunDirectory.open(Path(directory))
    with closing(opened):
        bench = bench_of(opened, aim_of(opened.folder, opened.manifest, puzzle))
        return _carry_on(opened, bench, workers and n_workers, executor, watch, say)


def aim_of(folder: Path, manifest: Manifest, puzzle: Puzzle | None = None) -> Aim:
    """What a run that exists is after. Raises BadRun."""
    return make_aim(puzzle_of(folder, manifest, puzzle), manifest.engine, manifest.up_to, manifest.keeps_rows)


def _check_asked(manifest: Manifest, folder: Path, aim: Aim, engine: str | None, shards: int | None) -> None:
    """Raise BadRun when the run that is there is not the one that was asked for."""
    pairs = [
        ("puzzle", manifest.puzzle, aim.puzzle.name),
        ("model", manifest.model_hash, model_hash(aim.puzzle)),
        ("up to", manifest.up_to, aim.up_to),
        ("rows kept", manifest.keeps_rows, aim.keeps_rows),
        ("engine", manifest.engine, aim.engine if engine else manifest.engine),
        # A plan may have more shards than were asked for, so another wish may be the same plan.
        ("shards", manifest.n_shards >= (shards or 1), True),
    ]
    for what, there, asked in pairs:
        if there != asked:
            raise BadRun(
                f"{folder} holds another run ({what}: {there}, not {asked}); go on with that one with:"
                f" rekkyo resume {folder}; or name a new directory"
            )


def bench_of(run: RunDirectory, aim: Aim) -> Bench:
    """The plan of a run that exists. Raises BadRun when this rekkyo would make another one."""
    manifest, shards = run.manifest, run.index.shards()
    aim = Aim(aim.puzzle, manifest.engine, aim.up_to, aim.keeps_rows)
    bench = Bench(aim, shards)
    if _plan_hash(model_hash(aim.puzzle), aim, bench) != manifest.plan_hash:
        wrote = manifest.versions.get("rekkyo", "?")
        raise BadRun(
            f"{run.folder} was begun under another plan: engine {manifest.engine} or its shards are not those"
            f" of then (rekkyo {wrote}); finish it with the same rekkyo, or begin again in a new directory"
        )
    return bench


def _plan_hash(model: str, aim: Aim, bench: Bench) -> str:
    return plan_hash(model, aim.engine, aim.up_to, bench.only_representatives, bench.shards)


def _manifest(aim: Aim, bench: Bench, source: Source) -> Manifest:
    shape = aim.puzzle.model.row_shape
    model = model_hash(aim.puzzle)
    return Manifest(
        format=FORMAT,
        puzzle=aim.puzzle.name,
        title=aim.puzzle.title,
        source=source,
        model_hash=model,
        engine=aim.engine,
        up_to=aim.up_to,
        keeps_rows=aim.keeps_rows,
        row_length=shape.length,
        row_bytes_per_value=row_dtype(shape.n_symbols)().itemsize,
        n_shards=len(bench.shards),
        group_order=None if bench.group is None else bench.group.order,
        only_representatives=bench.only_representatives,
        weighted=bench.counting is not None,
        plan_hash=_plan_hash(model, aim, bench),
        created=now(),
        versions={
            "rekkyo": __version__,
            "numba": numba.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        published=aim.puzzle.published,
    )


def _carry_on(
    run: RunDirectory,
    bench: Bench,
    workers: int | None,
    executor: Executor | None,
    watch: Watcher | None,
    say: Callable[[str], None] | None,
) -> RunStatus:
    for notice in run.notices:
        if say is not None:
            say(notice)
    if len(run.sums.done) < run.manifest.n_shards:
        _do_the_rest(run, bench, workers, executor, watch)
    _close_the_books(run, bench)
    return status_of(run.folder, run.manifest, run.index, run.sums)


def _do_the_rest(
    run: RunDirectory, bench: Bench, workers: int | None, executor: Executor | None, watch: Watcher | None
) -> None:
    n_workers = workers or (number_of_workers(None) if executor is None else capacity_of(executor))
    run.index.begin_session(n_workers, "threads" if executor is None else type(executor).__name__)
    todo = [shard for shard in scattered(bench.shards) if shard.index not in run.sums.done]
    expected = _expected_nodes(run, bench, n_workers)
    meter = Meter(run.manifest.n_shards, n_workers, run.index.elapsed_s(), run.sums.seconds, expected)
    meter.add(run.sums.found, run.sums.nodes)
    keeps_rows = run.manifest.keeps_rows
    if executor is None:
        n_files = n_workers if keeps_rows else 0
        writers = [run.row_writer(number) for number in range(n_files)]
        finished = on_threads(bench, todo, writers, n_workers, meter, watch)
    else:
        job = make_job(bench.aim, run.manifest.plan_hash, row_form(run.manifest))
        writer = run.row_writer(0) if keeps_rows else None
        fixed = workers

        def capacity() -> int:
            return fixed or capacity_of(executor)

        finished = on_executor(executor, job, todo, writer, capacity, meter, watch)
    with closing(finished):
        _commit_in_groups(run, finished)


def _expected_nodes(run: RunDirectory, bench: Bench, workers: int) -> tuple[float, float] | None:
    """An estimate for the bar of a long run, whose first shards may take hours; None for any other run.

    Left out where only representatives are searched: what an estimate draws from is the whole search.
    """
    is_long = len(bench.shards) >= N_SHARDS_LONG and bench.search is not None
    if not is_long or bench.only_representatives or len(run.sums.done) >= LEAST_SAMPLE:
        return None
    nodes = estimate(bench.aim.puzzle, seconds=ESTIMATE_S, engine=bench.aim.engine, workers=workers).nodes
    return None if nodes.high is None else (nodes.low, nodes.high)


def _commit_in_groups(run: RunDirectory, finished: Generator[list[Finished]]) -> None:
    started = time.perf_counter()
    waiting: list[Finished] = []
    next_commit_s = COMMIT_EVERY_S
    is_writable = True

    def commit() -> None:
        nonlocal next_commit_s, is_writable
        elapsed_s = time.perf_counter() - started
        # Never again after a failure: a second fsync succeeds although the first one lost the rows.
        is_writable = False
        run.commit(waiting, elapsed_s)
        is_writable = True
        waiting.clear()
        next_commit_s = elapsed_s + COMMIT_EVERY_S

    def commit_what_is_safe() -> None:
        if is_writable:
            with suppress(RekkyoError, OSError):
                commit()

    try:
        for group in finished:
            waiting += group
            if waiting and time.perf_counter() - started >= next_commit_s:
                commit()
        commit()
    except (OSError, RekkyoError) as problem:
        commit_what_is_safe()
        raise _with_mend(run.folder, problem) from problem
    except BaseException:
        commit_what_is_safe()
        raise


def _with_mend(folder: Path, problem: OSError | RekkyoError) -> RekkyoError:
    if isinstance(problem, RekkyoError):
        return problem
    place = problem.filename or folder
    return RunStopped(
        f"{place} cannot be written ({problem.strerror or problem}); finished shards are safe: mend that,"
        f" then go on with: rekkyo resume {folder}"
    )


def _close_the_books(run: RunDirectory, bench: Bench) -> None:
    """What only all shards together say."""
    sums, manifest = run.sums, run.manifest
    if len(sums.done) < manifest.n_shards:
        return
    if bench.counting is not None:
        if run.index.outcome() is None:
            run.index.set_outcome(*_weighted_outcome(run, bench, bench.counting))
    elif manifest.group_order is not None:
        held = sums.ledger.total
        if held < sums.found or (held > sums.found and not manifest.only_representatives):
            raise CountsDisagree(
                f"{run.folder}: the orbits hold {held} solutions, but {sums.found} were found;"
                " recount this run"
            )


def _weighted_outcome(
    run: RunDirectory, bench: Bench, engine: CountingEngine[object]
) -> tuple[int, int | None]:
    puzzle = bench.aim.puzzle
    total = engine.finish(bench.plan, Tally(run.sums.found, run.sums.nodes)).total
    if bench.group is None:
        return total, None
    fixed = 0
    for element in bench.group.elements[1:]:
        tally = engine.count_fixed(bench.plan, tuple(element.tolist()), no_pause)
        if tally is None:
            return total, None
        fixed += tally.total
    return total, burnside(puzzle, bench.group, total, fixed)
