"""A run: a search of all shards of a puzzle, with a directory that survives a crash.

Finished shards are collected for a moment and committed together, rows before records (see `rekkyo.store`).
However a run ends, the committed shards stay, and `Run.resume` searches the others.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

import numpy as np

from rekkyo import __version__
from rekkyo.ask.estimate import estimate
from rekkyo.engines.contract import CountingEngine, Shard, no_pause
from rekkyo.errors import (
    BadInput,
    BadRun,
    CountsDisagree,
    EngineRefuses,
    RekkyoError,
    RunDamaged,
    RunStopped,
    in_shell,
)
from rekkyo.model.checks import check_type, refuse, shown
from rekkyo.model.puzzle import Puzzle, check_puzzle
from rekkyo.model.row import checked_whole
from rekkyo.runs.executors import capacity_of, make_job, on_executor, on_threads
from rekkyo.runs.plan_hash import plan_hash
from rekkyo.runs.puzzle_source import puzzle_of, source_of
from rekkyo.runs.status import RunStatus, status_of
from rekkyo.safe_files import path_of
from rekkyo.search.checks import check_shards
from rekkyo.search.cutting import Into, for_run, scattered
from rekkyo.search.fold import Fold
from rekkyo.search.listing import prepare_list
from rekkyo.search.outcome import Outcome, outcome
from rekkyo.search.progress import LEAST_SAMPLE, Meter, Watcher
from rekkyo.search.question import Question, ask_for_run, kept_up_to, number_of_workers, unknown_symmetry
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes
from rekkyo.store.checkpoints import RunCheckpoints
from rekkyo.store.finished import Finished
from rekkyo.store.index import WeightedOutcome, now
from rekkyo.store.manifest import FORMAT, MAX_SHARDS, Manifest, Source
from rekkyo.store.model_hash import model_hash
from rekkyo.store.rows import RowForm
from rekkyo.store.run_directory import RunDirectory, holds_run
from rekkyo.store.sqlite import FIX

COMMIT_EVERY_S = 0.2
ESTIMATE_S = 1.0


@dataclass(frozen=True, slots=True)
class Where:
    """The workers that search the shards, and the watcher. workers: None for one for each core."""

    workers: int | None
    executor: Executor | None
    watch: Watcher | None

    def __post_init__(self) -> None:
        if self.workers is not None:
            object.__setattr__(self, "workers", number_of_workers(self.workers))
        has_submit = callable(getattr(self.executor, "submit", None)) and not isinstance(self.executor, type)
        if self.executor is not None and not has_submit:
            refuse("the executor is one of concurrent.futures, or like these", self.executor)

    @property
    def here(self) -> int | None:
        """The workers for what threads of this process do: those of an executor are elsewhere."""
        return self.workers if self.executor is None else None


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
    sizes: Sizes = DEFAULT_SIZES,
) -> RunStatus:
    """Search a puzzle completely, in a directory that survives a crash; continue the run if it exists.

    up_to: "none" stores every solution and also counts orbits; anything else stores one for each orbit, or
    every solution if no symmetry is known.
    count_only: counts and digests only. shards: the least number; 256 by default, 4096 for a long search.
    executor: searches the shards elsewhere; `workers` is then its number of workers, if it does not report
        it.
    say: called with a line for each row file whose incomplete end, left by a crash, was cut off, and with the
    reasons if every solution is kept although fewer were asked for, if orbits are not counted, or if
    solutions are listed only for their digest although they can be counted far faster.
    Raises BadInput (BadRun, RunInUse, ...), RunStopped, RunDamaged, CountsDisagree, OSError.
    """
    check_puzzle(puzzle)
    folder = path_of(directory)
    check_type("count_only is True or False", count_only, bool)
    check_say(say)
    if (reason := unknown_symmetry(puzzle, up_to)) is not None and say is not None:
        say(f"{puzzle.name}: every solution is kept: {reason}")
    up_to = kept_up_to(puzzle, up_to)
    where = Where(workers, executor, watch)
    question = ask_for_run(
        puzzle, engine=engine, up_to=up_to, keeps_rows=not count_only, workers=where.here, sizes=sizes
    )
    if shards is not None:
        shards = checked_whole(f"the number of shards must be 1 to {MAX_SHARDS}", shards, 1, MAX_SHARDS)
    if holds_run(folder):
        with closing(RunDirectory.open(folder)) as opened:
            _check_asked(opened, question, up_to, count_only, engine)
            search = search_of(opened, question, watch)
            _check_shards(folder, search, shards)
            return go_on(opened, search, where, say)
    cutting = for_run if shards is None else Into(shards)
    on_total = partial(_say_total, question, say) if count_only and say is not None else None
    search = prepare_list(question, cutting, watch, on_total)
    source, files = source_of(puzzle)
    manifest = _manifest(search, up_to, source, keeps_rows=not count_only)
    with closing(RunDirectory.create(folder, manifest, search.shards, files)) as created:
        try:
            return go_on(created, search, where, say)
        except EngineRefuses:
            created.take_back()
            raise


def _say_total(question: Question, say: Callable[[str], None], total: int) -> None:
    """Say that merging has counted all solutions, although the run lists them for their digest."""
    from rekkyo.engines.registry import counting_engine
    from rekkyo.search.race import merger_of

    chosen = counting_engine(question.model)
    engine = chosen if isinstance(chosen, CountingEngine) else merger_of(question.model)
    say(
        f"{question.puzzle.name}: there are {total:,} solutions, and the run lists each for its"
        f" digest; to count only: --engine {engine.name}"
    )


def check_say(say: object) -> None:
    """Raise BadInput unless a function, or nothing, is called with lines about a run."""
    if say is not None and not callable(say):
        raise BadInput(f"say is a function of a text, such as print, not {shown(say)}")


def question_of(
    folder: Path,
    manifest: Manifest,
    puzzle: Puzzle | None = None,
    sizes: Sizes = DEFAULT_SIZES,
    workers: int | None = None,
) -> Question:
    """The question of an existing run. puzzle: needed only if it was built in Python. Raises BadRun."""
    question = ask_for_run(
        puzzle_of(folder, manifest, puzzle),
        engine=manifest.engine,
        up_to=manifest.up_to,
        keeps_rows=manifest.keeps_rows,
        workers=workers,
        sizes=sizes,
    )
    return replace(question, may_merge=True)  # as at its beginning: the name comes from the manifest


def _check_asked(
    run: RunDirectory, question: Question, up_to: str, count_only: bool, engine: str | None
) -> None:
    """Raise BadRun if the existing run is not the requested one."""
    manifest = run.manifest
    pairs = [
        ("puzzle", manifest.puzzle, question.puzzle.name),
        ("model", manifest.model_hash, model_hash(question.puzzle)),
        ("up to", manifest.up_to, up_to),
        ("rows kept", manifest.keeps_rows, not count_only),
        ("engine", manifest.engine, engine or manifest.engine),
    ]
    for what, there, asked in pairs:
        if there != asked:
            raise _another_run(run.folder, what, there, asked)


def _check_shards(folder: Path, search: Search, shards: int | None) -> None:
    """Raise BadRun if a plan with this number of shards would be another one.

    A plan may have more shards than requested, or fewer if the search is narrow.
    """
    n_shards = len(search.shards)
    if shards is not None and n_shards < shards and len(search.uncut.split(shards)) != n_shards:
        raise _another_run(folder, "shards", n_shards, shards)


def _another_run(folder: Path, what: str, there: object, asked: object) -> BadRun:
    return BadRun(
        f"{folder} holds another run ({what}: {there}, not {asked}); go on with that one with:"
        f" rekkyo resume {in_shell(folder)}; or name a new directory"
    )


def search_of(run: RunDirectory, question: Question, watch: Watcher | None = None) -> Search:
    """The search of an existing run. Raises BadRun if this rekkyo would make another plan.

    watch: told of an optimum, as in `prepare`.
    """
    manifest = run.manifest
    if question.engine.name != manifest.engine:
        question = question_of(run.folder, manifest, question.puzzle, question.sizes, question.workers)
    search = prepare(question, Into(run.index.shards()), watch)
    if plan_hash(manifest.model_hash, search, manifest.up_to) != manifest.plan_hash:
        wrote, version = manifest.versions.get("rekkyo", "?"), search.engine.plan_version
        if manifest.plan_version == version:
            what = f"the shards in the index, or the plan of engine {manifest.engine}, have changed"
        else:
            what = f"engine {manifest.engine} had plan version {manifest.plan_version} and has {version} now"
        raise BadRun(
            f"{run.folder} was begun under another plan (rekkyo {wrote}): {what}; finish it with the same"
            " rekkyo, or begin again in a new directory"
        )
    if manifest.optimum not in (None, search.optimum):
        raise RunDamaged(
            f"{run.folder} is damaged: its optimum is {search.optimum}, not {manifest.optimum}; {FIX}"
        )
    if _overlap(search.shards):  # a stranger can make any hash
        raise RunDamaged(f"{run.folder} is damaged: some of its shards are parts of others; {FIX}")
    return search


def _overlap(shards: Sequence[Shard]) -> bool:
    """Whether the decisions of a shard are the beginning of those of another, or the same."""
    prefixes = sorted(shard.prefix for shard in shards)
    return any(other[: len(one)] == one for one, other in pairwise(prefixes))


def _manifest(search: Search, up_to: str, source: Source, *, keeps_rows: bool) -> Manifest:
    puzzle, group = search.question.puzzle, search.group or search.question.counted_group
    model, form = model_hash(puzzle), RowForm.of(search.shape)
    return Manifest(
        format=FORMAT,
        puzzle=puzzle.name,
        title=puzzle.title,
        source=source,
        model_hash=model,
        engine=search.engine.name,
        up_to=up_to,
        keeps_rows=keeps_rows,
        row_length=form.length,
        row_bytes_per_value=form.width,
        n_shards=len(search.shards),
        group_order=None if group is None else group.order,
        only_representatives=search.only_representatives,
        optimum=search.optimum,
        weighted=isinstance(search.engine, CountingEngine),
        plan_version=search.engine.plan_version,
        plan_hash=plan_hash(model, search, up_to),
        created=now(),
        versions={
            "rekkyo": __version__,
            "numba": _version_of_numba(),
            "numpy": np.__version__,
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
        },
        published=puzzle.published,
    )


def _version_of_numba() -> str:
    """The version of the Numba that compiled; without the compiler, that of the installed one, if known."""
    loaded = sys.modules.get("numba")
    if loaded is not None:
        return str(loaded.__version__)
    with suppress(PackageNotFoundError):  # a frozen or vendored installation has no metadata
        return version("numba")
    return "unknown"


def go_on(run: RunDirectory, search: Search, where: Where, say: Callable[[str], None] | None) -> RunStatus:
    """Search the missing shards, then do the final checks that need every shard."""
    run.begin_writing()
    for notice in run.notices:
        if say is not None:
            say(notice)
    every_s = search.question.sizes.checkpoint_s
    checkpoints = RunCheckpoints(run.folder, run.manifest.plan_hash, every_s, say)
    if len(run.sums.done) < run.manifest.n_shards:
        run_here = where.executor is None
        n_workers = where.workers or (number_of_workers(None) if run_here else capacity_of(where.executor))
        run.index.begin_session(n_workers, "threads" if run_here else type(where.executor).__name__)
        expected = _expected_nodes(run, search, n_workers)
        meter = Meter(run.manifest.n_shards, n_workers, run.index.elapsed_s(), run.sums.seconds, expected)
        meter.add(run.sums.found, run.sums.nodes)
        folding = Fold(search, checkpoints)
        with closing(_search_the_rest(run, folding, where, n_workers, meter)) as finished:
            _commit_in_groups(run, finished)
        folding.finish()
        run.drop_checkpoints()
    check_shards(search, len(run.sums.done))
    come_to = outcome(search, run.sums, no_pause, checkpoints)
    _keep_outcome(run, come_to)
    if say is not None and come_to.left_out is not None:
        say(f"{run.manifest.puzzle}: unique is left out: {come_to.left_out}")
    run.drop_checkpoints()
    run.check_still_there()
    return status_of(run.folder, run.manifest, run.index, run.sums)


def _keep_outcome(run: RunDirectory, come_to: Outcome) -> None:
    """Store the outcome of the shards of a weighted run. Raises CountsDisagree if it was another before."""
    if not run.manifest.weighted:
        return
    found = WeightedOutcome(run.sums.found, come_to.total, come_to.fixed, come_to.unique)
    before = run.index.outcome_of(found.found)
    if before is None:
        run.index.set_outcome(found)
    elif before != found:
        raise CountsDisagree(
            f"{run.folder}: its shards have {found.total} solutions now and had {before.total} before"
            " (check: outcome); please report this"
        )


def _search_the_rest(
    run: RunDirectory, folding: Fold, where: Where, workers: int, meter: Meter
) -> Generator[list[Finished]]:
    search, keeps_rows = folding.search, run.manifest.keeps_rows
    todo = [shard for shard in scattered(search.shards) if shard.index not in run.sums.done]
    if where.executor is None:
        writers = [run.row_writer(number) for number in range(workers if keeps_rows else 0)]
        return on_threads(folding, todo, writers, workers, meter, where.watch)
    executor, fixed = where.executor, where.workers
    job = make_job(search, run.manifest)
    writer = run.row_writer(0) if keeps_rows else None
    return on_executor(
        executor, job, todo, writer, lambda: fixed or capacity_of(executor), meter, where.watch
    )


def _expected_nodes(run: RunDirectory, search: Search, workers: int) -> tuple[float, float] | None:
    """An estimate for the progress bar of a long run, whose first shards may take hours; None for other runs.

    Also None if only representatives are searched, because an estimate samples the whole search, and if the
    engine cannot be sampled.
    """
    is_long = len(search.shards) >= search.question.sizes.shards_long and not run.manifest.weighted
    if not is_long or search.only_representatives or len(run.sums.done) >= LEAST_SAMPLE:
        return None
    puzzle, engine = search.question.puzzle, search.engine.name
    try:
        nodes = estimate(puzzle, seconds=ESTIMATE_S, engine=engine, workers=workers).nodes
    except EngineRefuses:
        return None
    return None if nodes.high is None else (nodes.low, nodes.high)


def _commit_in_groups(run: RunDirectory, finished: Generator[list[Finished]]) -> None:
    started = time.perf_counter()
    waiting: list[Finished] = []
    next_commit_s = COMMIT_EVERY_S
    is_writable = True

    def commit() -> None:
        nonlocal next_commit_s, is_writable
        elapsed_s = time.perf_counter() - started
        # Never repeated after a failure: a second fsync succeeds although the first one lost the rows.
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
        raise _with_fix(run.folder, problem) from problem
    except BaseException:
        commit_what_is_safe()
        raise


def _with_fix(folder: Path, problem: OSError | RekkyoError) -> RekkyoError:
    if isinstance(problem, RekkyoError):
        return problem
    place = problem.filename or folder
    return RunStopped(
        f"{place} cannot be written ({problem.strerror or problem}); finished shards are safe: fix that,"
        f" then go on with: rekkyo resume {in_shell(folder)}"
    )
