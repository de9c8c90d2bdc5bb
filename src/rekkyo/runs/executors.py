"""The search of a run's shards by threads of this process, or by any `concurrent.futures.Executor`.

An executor's workers are other processes, perhaps on other computers. Each gets tasks of a few shards, makes
the plan once, and returns rows and records; only this process writes to the run directory. A task that fails
is submitted again; a shard that is done twice counts once. At most two tasks for each worker are pending,
which bounds the memory.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from rekkyo.catalog import index as catalog
from rekkyo.engines.contract import Shard, no_pause
from rekkyo.errors import BadRun, RekkyoError, RunStopped
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs.plan_hash import plan_hash
from rekkyo.search.cutting import Into
from rekkyo.search.fold import Fold, sum_shard
from rekkyo.search.optimum import with_best
from rekkyo.search.progress import Meter, ShardTimes, Watcher
from rekkyo.search.question import ask_for_run
from rekkyo.search.search import Search, prepare_known
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import LOOK_EVERY_S, StopSign, do_each
from rekkyo.store.finished import Finished
from rekkyo.store.manifest import Manifest
from rekkyo.store.model_hash import model_hash
from rekkyo.store.rows import RowWriter
from rekkyo.store.run_directory import row_form

TASK_S = 1.0
"""The intended seconds of a task, because sending it costs some milliseconds."""

MAX_SHARDS_IN_TASK = 64
MAX_TRIES = 4
MAX_ROW_BYTES = 512 << 20

_making = threading.Lock()


@dataclass(frozen=True, slots=True)
class Job:
    """The data that a remote worker needs. words: of the catalog, or puzzle: the value itself.

    plan_hash: of the plan before it is cut. optimum: the best value of the objective, see `with_best`.
    """

    words: str | None
    puzzle: Puzzle | None
    model_hash: str
    plan_hash: str
    engine: str
    up_to: str
    keeps_rows: bool
    row_width: int
    sizes: Sizes
    optimum: int | None


class Returned(NamedTuple):
    """The result of a remote shard: its record, and its rows in the format of a row file."""

    record: Finished
    rows: bytes


def on_threads(
    folding: Fold,
    shards: Iterable[Shard],
    writers: list[RowWriter],
    workers: int,
    meter: Meter,
    watch: Watcher | None,
) -> Generator[list[Finished]]:
    """Yield finished shards in groups. writers: one for each worker; empty if the run keeps no rows."""

    def work(shard: Shard, stop: StopSign, number: int) -> Finished:
        meter.add_seconds(folding.search.probed_seconds(shard))
        if not writers:
            return sum_shard(folding, shard, stop.check, meter.add)
        writer = writers[number]
        writer.begin()
        record = sum_shard(folding, shard, stop.check, meter.add, writer.write)
        return record._replace(place=writer.finish())

    return do_each(shards, work, workers, meter, watch)


class Task(NamedTuple):
    """Shards that are submitted together, and the number of tries."""

    shards: tuple[Shard, ...]
    tries: int


def on_executor(
    executor: Executor,
    job: Job,
    shards: Iterable[Shard],
    writer: RowWriter | None,
    capacity: Callable[[], int],
    meter: Meter,
    watch: Watcher | None,
) -> Generator[list[Finished]]:
    """Yield finished shards in groups. capacity: the number of tasks that the executor runs at a time."""
    upcoming = iter(shards)
    pending: dict[Future[list[Returned]], Task] = {}
    again: list[Task] = []
    times = ShardTimes()
    try:
        while True:
            fitting = TASK_S / max(times.mean, 1e-9) if times.number else 1
            n_shards = max(1, min(MAX_SHARDS_IN_TASK, int(fitting)))
            for task in _next_tasks(2 * capacity() - len(pending), again, upcoming, n_shards):
                pending[_submit(executor, job, task)] = task
            if not pending:
                return
            done, _ = wait(pending, timeout=LOOK_EVERY_S, return_when=FIRST_COMPLETED)
            group: list[Finished] = []
            failure: RekkyoError | None = None
            for future in done:
                task = pending.pop(future)
                try:
                    returned = _result(future, task, 0 if writer is None else writer.form.n_bytes)
                except RekkyoError as problem:  # raised when the other results are stored
                    failure = problem
                    continue
                if returned is None:
                    again.append(task._replace(tries=task.tries + 1))
                    continue
                for each in returned:
                    times.add(each.record.seconds)
                    meter.add(each.record.found, each.record.nodes)
                    meter.finish_shard(each.record.seconds)
                    group.append(_stored(each, writer))
            yield group
            if failure is not None:
                raise failure
            if watch is not None:
                watch(meter.look())
    finally:
        for future in pending:
            future.cancel()


def _next_tasks(room: int, again: list[Task], upcoming: Iterator[Shard], size: int) -> Iterator[Task]:
    for _ in range(room):
        if again:
            yield again.pop()
            continue
        shards = tuple(islice(upcoming, size))
        if not shards:
            return
        yield Task(shards, 1)


def _submit(executor: Executor, job: Job, task: Task) -> Future[list[Returned]]:
    try:
        future = executor.submit(search_elsewhere, job, task.shards)
    except RekkyoError:
        raise
    except Exception as problem:  # shut down, broken, not connected: executors raise different types
        raise stopped(f"the executor takes no more work ({problem})") from None
    if not isinstance(future, Future):
        raise stopped(
            "the executor returns no futures of concurrent.futures; of Dask, take client.get_executor()"
        )
    return future


def _result(future: Future[list[Returned]], task: Task, row_bytes: int) -> list[Returned] | None:
    """The result of a task; None if it must be submitted again. row_bytes: of a row; 0 if none are kept."""
    try:
        return _checked(future.result(), task, row_bytes)
    except RekkyoError:
        raise
    except BrokenExecutor as problem:
        raise stopped(f"the executor is broken ({problem})") from None
    except Exception as problem:  # a dead worker, a lost connection: executors raise different types
        if task.tries < MAX_TRIES:
            return None
        numbers = ", ".join(str(shard.index) for shard in task.shards[:3])
        reason = f"{type(problem).__name__}: {problem}"
        raise stopped(f"shard {numbers} failed {task.tries} times ({reason})") from None


def _checked(returned: Any, task: Task, row_bytes: int) -> list[Returned]:
    """A result, if it has every shard of the task and no other, each with all its rows. Raises RunStopped.

    A shard that the plan lacks, or rows without a place, would make the index of the run unreadable.
    """
    if isinstance(returned, list) and all(isinstance(each, Returned) for each in returned):
        numbers = {each.record.shard for each in returned}
        has_rows = all(len(each.rows) == each.record.kept * row_bytes for each in returned)
        if has_rows and numbers == {shard.index for shard in task.shards}:
            return returned
    what = f"a worker returned something else than shard {task.shards[0].index} and its rows"
    raise stopped(f"{what}; see that it has the same rekkyo")


def stopped(what: str) -> RunStopped:
    """The error for a run whose executor fails."""
    return RunStopped(f"{what}; finished shards are safe, and rekkyo resume goes on")


def _stored(returned: Returned, writer: RowWriter | None) -> Finished:
    if writer is None:
        return returned.record
    writer.begin()
    writer.write_bytes(returned.rows)
    return returned.record._replace(place=writer.finish())


def make_job(search: Search, manifest: Manifest) -> Job:
    """The job of a run. A puzzle of the catalog is sent as its words, any other as a value."""
    is_known = manifest.source.kind == "catalog"
    return Job(
        words=manifest.source.text if is_known else None,
        puzzle=None if is_known else search.question.puzzle,
        model_hash=manifest.model_hash,
        plan_hash=plan_hash(manifest.model_hash, replace(search, shards=()), manifest.up_to),
        engine=manifest.engine,
        up_to=manifest.up_to,
        keeps_rows=manifest.keeps_rows,
        row_width=row_form(manifest).width,
        sizes=search.question.sizes,
        optimum=search.optimum,
    )


def capacity_of(executor: Any) -> int:
    """The number of tasks that an executor runs at the same time, or of cores here if it reports none."""
    number = getattr(executor, "_max_workers", None)
    return number if isinstance(number, int) and number > 0 else os.cpu_count() or 1


def search_elsewhere(job: Job, shards: tuple[Shard, ...]) -> list[Returned]:
    """Search the shards of a task, in a worker. Raises BadRun if the worker would search something else."""
    folding = _folding(job)
    returned = [_search_shard(folding, job, shard) for shard in shards]
    folding.finish()
    return returned


def _search_shard(folding: Fold, job: Job, shard: Shard) -> Returned:
    pieces: list[bytes] = []
    n_bytes = 0

    def keep(rows: Any) -> None:
        nonlocal n_bytes
        pieces.append(rows.astype(f"<u{job.row_width}").tobytes())
        n_bytes += len(pieces[-1])
        if n_bytes > MAX_ROW_BYTES:
            raise BadRun(
                f"shard {shard.index} has more than {MAX_ROW_BYTES >> 20} MiB of rows, too many to send;"
                " begin the run again with more --shards, or with --count-only"
            )

    record = sum_shard(folding, shard, no_pause, lambda *_: None, keep if job.keeps_rows else None)
    return Returned(record, b"".join(pieces))


@lru_cache(maxsize=2)
def _search(job: Job) -> Search:
    """The search of a job, made once in each worker. Raises BadRun."""
    puzzle = job.puzzle if job.words is None else catalog.puzzle(job.words, opens_files=False)
    assert puzzle is not None
    _check_alike(model_hash(puzzle), job.model_hash)
    question = ask_for_run(
        puzzle, engine=job.engine, up_to=job.up_to, keeps_rows=job.keeps_rows, sizes=job.sizes
    )
    search = prepare_known(with_best(question, job.optimum), Into(()))
    _check_alike(plan_hash(job.model_hash, search, job.up_to), job.plan_hash)
    return search


def _check_alike(here: str, there: str) -> None:
    if here != there:
        raise BadRun("a worker has another version of rekkyo; install the same one everywhere")


def _folding(job: Job) -> Fold:
    with _making:
        return Fold(_search(job))
