"""Shards searched elsewhere: by other processes, by workers that die, answer twice or are out of date."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.contract import Shard
from rekkyo.errors import BadInput, BadRun, RunStopped
from rekkyo.runs import executors, stored
from rekkyo.search import optimum
from rekkyo.search import search as searching
from rekkyo.search.progress import Progress
from rekkyo.store.run_directory import RunDirectory
from tests.runs.runs_as_programs import result_of
from tests.runs.searched_here import Here


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ...]:
    folder = tmp_path_factory.mktemp("expected") / "run"
    rk.run(rk.queens(8), folder)
    return result_of(folder)


@pytest.mark.parametrize("workers", [0, False, 10**9])
def test_the_number_of_workers_is_checked(tmp_path: Path, workers: int) -> None:
    rk.run(rk.queens(5), tmp_path / "run")
    for asked in (partial(rk.run, rk.queens(5), tmp_path / "new"), rk.Run(tmp_path / "run").resume):
        for executor in (None, Here()):
            with pytest.raises(BadInput, match="the number of workers must be 1 to"):
                asked(executor=executor, workers=workers)


def test_a_process_pool(tmp_path: Path, expected: tuple[Any, ...]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        status = rk.run(rk.queens(8), tmp_path / "run", executor=pool)
    assert status.workers == 2
    assert result_of(tmp_path / "run") == expected


def test_a_thread_pool_and_a_run_that_others_began(tmp_path: Path, expected: tuple[Any, ...]) -> None:
    """One directory: begun by threads of its own, gone on with by an executor."""
    rk.run(rk.queens(8), tmp_path / "run", workers=1)
    with contextlib.closing(RunDirectory.open(tmp_path / "run")) as run:
        run.index.drop(range(0, 344, 3))
    with ThreadPoolExecutor(3) as pool:
        rk.Run(tmp_path / "run").resume(executor=pool)
    assert result_of(tmp_path / "run") == expected


@pytest.mark.parametrize("executor", [None, Here()])
def test_only_what_is_missing_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, executor: Executor | None
) -> None:
    rk.run(rk.queens(8), tmp_path / "run", workers=1)
    with contextlib.closing(RunDirectory.open(tmp_path / "run")) as run:
        run.index.drop(range(0, 344, 3))
    sum_shard, searched = executors.sum_shard, set[int]()

    def recorded(fold: Any, shard: Shard, *others: Any) -> Any:
        searched.add(shard.index)
        return sum_shard(fold, shard, *others)

    monkeypatch.setattr(executors, "sum_shard", recorded)
    assert rk.Run(tmp_path / "run").resume(executor=executor, workers=1).total == 92
    assert searched == {*range(0, 344, 3)}


@pytest.mark.parametrize("words", ["soma", "dominoes 4 4"])
def test_puzzles_of_other_kinds(tmp_path: Path, words: str) -> None:
    status = rk.run(rk.puzzle(words), tmp_path / "run", executor=Here(), workers=2)
    counted = rk.count(rk.puzzle(words), digest=True)
    assert (status.total, status.unique, status.digest) == (counted.total, counted.unique, counted.digest)


def test_a_puzzle_built_in_python_is_sent_as_it_is(tmp_path: Path) -> None:
    puzzle = rk.packing("###\n###", "AA BB CC")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert rk.run(puzzle, tmp_path / "run", executor=pool).total == rk.count(puzzle).total


def test_work_that_failed_is_given_out_again(tmp_path: Path, expected: tuple[Any, ...]) -> None:
    """As when a worker dies after it did the work: every task fails once, whatever their order."""
    failed: set[int] = set()

    def fail_once(_: int, result: Any) -> Any:
        first = result[0].record.shard
        if first not in failed:
            failed.add(first)
            raise ConnectionError("the worker is gone")
        return result

    rk.run(rk.queens(8), tmp_path / "run", executor=Here(fail_once), workers=2)
    assert failed
    assert result_of(tmp_path / "run") == expected


def test_a_shard_that_comes_back_twice_counts_once(tmp_path: Path, expected: tuple[Any, ...]) -> None:
    rk.run(rk.queens(8), tmp_path / "run", executor=Here(lambda _, result: [*result, *result]), workers=2)
    assert rk.Run(tmp_path / "run").status().total == 92
    assert result_of(tmp_path / "run") == expected


SPOILED: dict[str, Callable[[list[Any]], object]] = {
    "a shard that was not in the task": lambda result: [
        each._replace(record=each.record._replace(shard=-1 - each.record.shard)) for each in result
    ],
    "a shard of another task": lambda result: [
        each._replace(record=each.record._replace(shard=(each.record.shard + 1) % 344)) for each in result
    ],
    "a shard more": lambda result: [
        *result,
        result[0]._replace(record=result[0].record._replace(shard=10**6)),
    ],
    "too few shards": lambda result: result[1:],
    "too few rows": lambda result: [each._replace(rows=each.rows[1:]) for each in result],
    "too many rows": lambda result: [each._replace(rows=bytes(8) + each.rows) for each in result],
    "nothing": lambda result: None,
    "another type": lambda result: ["shard 0"],
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_worker_that_returns_something_else_ends_the_run_and_keeps_the_rest(
    tmp_path: Path, expected: tuple[Any, ...], what: str
) -> None:
    """It was stored: `status` then called the run damaged. Nothing at all was submitted again forever."""

    def spoil(number: int, result: Any) -> Any:
        return SPOILED[what](result) if number > 5 else result

    with pytest.raises(RunStopped, match=r"a worker returned something else than shard \d+ and its rows"):
        rk.run(rk.queens(8), tmp_path / "run", executor=Here(spoil), workers=2)
    assert rk.Run(tmp_path / "run").status().state == "interrupted"
    rk.Run(tmp_path / "run").resume()
    assert result_of(tmp_path / "run") == expected


def test_work_that_fails_each_time_ends_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    def fail_later(number: int, result: Any) -> Any:
        if number > 5:
            raise ConnectionError("the network is gone")
        return result

    with pytest.raises(
        RunStopped, match=r"failed 4 times \(ConnectionError: the network is gone\); finished"
    ):
        rk.run(rk.queens(8), tmp_path / "run", executor=Here(fail_later), workers=2)
    halfway = rk.Run(tmp_path / "run").status()
    assert 0 < halfway.shards_done < halfway.shards
    assert rk.Run(tmp_path / "run").resume().total == 92


def test_a_broken_pool_ends_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    def break_later(number: int, result: Any) -> Any:
        if number > 5:
            raise BrokenProcessPool("a process died")
        return result

    with pytest.raises(RunStopped, match=r"the executor is broken \(a process died\)"):
        rk.run(rk.queens(8), tmp_path / "run", executor=Here(break_later), workers=2)
    assert rk.Run(tmp_path / "run").resume().total == 92


def test_what_came_together_with_a_failure_is_kept(tmp_path: Path) -> None:
    """All four tasks are done at once, and their results were lost with the failure of the second."""

    def break_second(number: int, result: Any) -> Any:
        if number == 2:
            raise BrokenProcessPool("a process died")
        return result

    with pytest.raises(RunStopped, match=r"the executor is broken \(a process died\)"):
        rk.run(rk.queens(8), tmp_path / "run", executor=Here(break_second), workers=2)
    assert rk.Run(tmp_path / "run").status().shards_done > 0
    assert rk.Run(tmp_path / "run").resume().total == 92


def test_what_was_finished_before_ctrl_c_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stored, "COMMIT_EVERY_S", 1e9)
    with pytest.raises(KeyboardInterrupt):
        rk.run(rk.queens(8), tmp_path / "run", executor=Here(), workers=2, watch=interrupt)
    assert rk.Run(tmp_path / "run").status().shards_done > 0


def test_a_process_pool_whose_workers_are_killed_ends_the_run(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:

        def kill(progress: Progress) -> None:
            if progress.shards_done:
                for process in list((pool._processes or {}).values()):
                    process.kill()

        with pytest.raises(RunStopped, match="finished shards are safe, and rekkyo resume goes on"):
            rk.run(rk.queens(12), tmp_path / "run", shards=1024, executor=pool, watch=kill)
    halfway = rk.Run(tmp_path / "run").status()
    assert 0 < halfway.shards_done < halfway.shards


def test_an_executor_that_fails_in_its_own_way_is_said(tmp_path: Path) -> None:
    class Closed(Here):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:  # type: ignore[override]
            raise EOFError("the client is closed")

    with pytest.raises(RunStopped, match=r"takes no more work \(the client is closed\); finished shards"):
        rk.run(rk.queens(8), tmp_path / "run", executor=Closed(), workers=1)


def test_a_pool_that_was_shut_down_is_said(tmp_path: Path) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(RunStopped, match="the executor takes no more work"):
        rk.run(rk.queens(8), tmp_path / "run", executor=pool)


@pytest.mark.parametrize("executor", [5, ThreadPoolExecutor])
def test_something_else_than_an_executor_is_refused(tmp_path: Path, executor: Any) -> None:
    with pytest.raises(BadInput, match=r"the executor is one of concurrent.futures, or like these, not "):
        rk.run(rk.queens(5), tmp_path / "run", executor=executor)
    assert not (tmp_path / "run").exists()


def test_an_executor_with_futures_of_its_own_is_refused(tmp_path: Path) -> None:
    class Client(Here):  # such as one of Dask
        def submit(self, *_: Any, **__: Any) -> Future[Any]:  # type: ignore[override]
            return object()  # type: ignore[return-value]

    with pytest.raises(RunStopped, match=r"no futures of concurrent.futures; of Dask, take client.get_exec"):
        rk.run(rk.queens(5), tmp_path / "run", executor=Client())


@pytest.mark.parametrize("reported", [-3, 0, None, "many"])
def test_a_number_of_workers_that_cannot_be_is_not_used(
    tmp_path: Path, reported: Any, expected: tuple[Any, ...]
) -> None:
    executor = Here()
    executor._max_workers = reported  # type: ignore[attr-defined]
    rk.run(rk.queens(8), tmp_path / "run", executor=executor)
    assert result_of(tmp_path / "run") == expected


@pytest.mark.parametrize(
    ("differs", "other"), [("plan_hash", "another"), ("model_hash", "another"), ("optimum", 4)]
)
def test_a_worker_with_another_version_is_refused(
    differs: str, other: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_job = executors.make_job
    monkeypatch.setattr(stored, "make_job", lambda *facts: replace(make_job(*facts), **{differs: other}))
    executors._search.cache_clear()
    puzzle = rk.graph(named="grid 3 3").dominating_sets()
    with pytest.raises(BadRun, match="a worker has another version of rekkyo"):
        rk.run(puzzle, tmp_path / "run", executor=Here(), workers=1)


@pytest.mark.parametrize("engine", [None, "csp", "csp-diagram"])
def test_a_worker_does_not_search_for_the_best_value(
    engine: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run has found it, which may have taken hours."""
    executors._search.cache_clear()
    asked: list[rk.Puzzle] = []

    def with_optimum(question: Any, *others: Any) -> Any:
        asked.append(question.puzzle)
        return optimum.with_optimum(question, *others)

    monkeypatch.setattr(searching, "with_optimum", with_optimum)
    puzzle = rk.graph(named="grid 3 3").dominating_sets()
    status = rk.run(puzzle, tmp_path / "run", engine=engine, executor=Here(), workers=1)
    assert (status.total, status.optimum, asked) == (10, 3, [puzzle])


def test_a_run_without_a_best_value(tmp_path: Path) -> None:
    problem = rk.Problem()
    x, y = problem.variables(["x", "y"], (0, 1))
    problem.linear((1, 1), (x, y), "=", 3)
    problem.maximize(x)
    status = rk.run(problem.puzzle("none"), tmp_path / "run", executor=Here(), workers=1)
    assert (status.total, status.optimum) == (0, None)


def test_more_rows_than_can_be_sent_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "MAX_ROW_BYTES", 100)
    with pytest.raises(BadRun, match="has more than 0 MiB of rows, too many to send; begin the run again"):
        rk.run(rk.queens(8), tmp_path / "run", shards=1, executor=Here(), workers=1)


def test_no_more_is_under_way_than_keeps_the_workers_busy(tmp_path: Path) -> None:
    class Counting(ThreadPoolExecutor):
        n_open = most_open = 0

        def submit(self, *arguments: Any, **named: Any) -> Any:  # type: ignore[override]
            future = super().submit(*arguments, **named)
            Counting.n_open += 1
            Counting.most_open = max(Counting.most_open, Counting.n_open)
            future.add_done_callback(lambda _: setattr(Counting, "n_open", Counting.n_open - 1))
            return future

    with Counting(3) as pool:
        rk.run(rk.queens(8), tmp_path / "run", executor=pool)
    assert 2 <= Counting.most_open <= 6
