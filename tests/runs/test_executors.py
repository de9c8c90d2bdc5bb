"""Shards searched elsewhere: by other processes, by Dask, by workers that die, answer twice or are out of date."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.contract import Shard
from rekkyo.errors import BadInput, BadRun, RunStopped
from rekkyo.runs import executors, on_dask, stored
from rekkyo.runs.on_dask import dask_executor
from rekkyo.search import optimum
from rekkyo.search import search as searching
from rekkyo.search.progress import Progress
from rekkyo.store.run_directory import RunDirectory
from tests.programs import Program, run
from tests.runs.runs_as_programs import begin, facts, has_begun, outcome, rekkyo, result_of, wait_for


class Here(Executor):
    """Does everything at once in this thread, and may spoil what comes out."""

    def __init__(self, spoil: Callable[[int, Any], Any] = lambda _, result: result) -> None:
        self.n_tasks = 0
        self._spoil = spoil

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.n_tasks += 1
        future: Future[Any] = Future()
        try:
            future.set_result(self._spoil(self.n_tasks, work(*arguments, **named)))
        except Exception as problem:
            future.set_exception(problem)
        return future


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


def test_no_cluster_is_started_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cluster of its own a run would go on when the scheduler dies, as one does below."""

    def refuse(address: str, **_: Any) -> None:
        raise OSError(f"nothing at {address}")

    monkeypatch.setattr("distributed.Client", refuse)
    monkeypatch.setattr("distributed.LocalCluster", pytest.fail)
    with pytest.raises(BadInput, match="nothing at tcp://host:1"), dask_executor("tcp://host:1", 1):
        pass


# Dask. Everything else runs in processes of its own, so that it can be killed.


@contextlib.contextmanager
def cluster(n_workers: int) -> Iterator[tuple[str, list[Program]]]:
    """The address of a scheduler, and the processes: it, then its workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m"]
    scheduler_command = [*dask, "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"]
    worker_command = [
        *dask,
        "distributed.cli.dask_worker",
        f"tcp://{address}",
        *("--nthreads", "1", "--no-nanny", "--no-dashboard"),
    ]
    processes = [Program(scheduler_command, **quiet)]
    try:
        processes += [Program(worker_command, **quiet) for _ in range(n_workers)]
        wait_for_workers(address, n_workers)
        yield f"tcp://{address}", processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_workers(address: str, n_workers: int) -> None:
    code = (
        "from distributed import Client\n"
        f"with Client('tcp://{address}', timeout=60) as client: client.wait_for_workers({n_workers}, timeout=60)"
    )
    done = run([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def expected_of_13(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ...]:
    folder = tmp_path_factory.mktemp("expected") / "run"
    assert rekkyo("run", "queens", "13", "--shards", "1024", "--out", folder)[0] == 0
    return result_of(folder)


def test_dask_with_two_workers_one_of_which_dies_then_the_client_then_the_scheduler(
    tmp_path: Path, expected_of_13: tuple[Any, ...]
) -> None:
    with cluster(2) as (address, processes):
        words = ("run", "queens", "13", "--shards", "1024", "--dask", address)
        code, _, complaint = rekkyo(*words, "--out", tmp_path / "calm")
        assert code == 0, complaint
        assert result_of(tmp_path / "calm") == expected_of_13

        process = begin(*words, "--out", tmp_path / "a worker dies")
        wait_for(lambda: has_begun(tmp_path / "a worker dies"))
        processes[1].kill()
        code, _, complaint = outcome(process)
        assert code == 0, complaint
        assert result_of(tmp_path / "a worker dies") == expected_of_13

        process = begin(*words, "--out", tmp_path / "the client dies")
        wait_for(lambda: has_begun(tmp_path / "the client dies"))
        process.kill()
        process.communicate()
        code, _, complaint = rekkyo("resume", tmp_path / "the client dies", "--dask", address)
        assert code == 0, complaint
        assert result_of(tmp_path / "the client dies") == expected_of_13

        folder = tmp_path / "the scheduler dies"
        process = begin("run", "queens", "17", "--dask", address, "--out", folder)
        wait_for(lambda: has_begun(folder))
        processes[0].kill()
        code, output, complaint = outcome(process)
    assert (code, output) == (3, "")
    assert complaint == (
        f"rekkyo: the connection to the Dask scheduler {address} is lost; finished shards are safe,"
        " and rekkyo resume goes on\n"
    )


class Client:
    """As much of a Dask client as its executor needs. It works here, and does what `after` says on the way."""

    status = "running"
    n_workers = 1

    def __init__(self, after: Callable[[Client], None]) -> None:
        self.scheduler = SimpleNamespace(address="tcp://10.0.0.5:8786")
        self.scheduler_comm = object()
        self._after = after

    def get_executor(self, **_: Any) -> Executor:
        def spoil(number: int, result: Any) -> Any:
            if number == 5:
                self._after(self)
            return result

        return Here(spoil)

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://10.0.0.{k}:1": 1 for k in range(self.n_workers)}


def close(client: Client) -> None:
    client.status = "closed"


def connect_anew(client: Client) -> None:
    client.scheduler_comm = object()


def lose_workers(client: Client) -> None:
    client.n_workers = 0


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (close, "the connection to the Dask scheduler tcp://10.0.0.5:8786 is lost"),
        (connect_anew, "the connection to the Dask scheduler tcp://10.0.0.5:8786 is lost"),
        (lose_workers, "the Dask scheduler tcp://10.0.0.5:8786 has had no worker for 0 s"),
    ],
)
def test_a_cluster_that_is_lost_ends_the_run_and_keeps_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: Callable[[Client], None], said: str
) -> None:
    monkeypatch.setattr(on_dask, "COUNT_EVERY_S", 0.0)
    monkeypatch.setattr(on_dask, "WORKERS_WITHIN_S", 0.0)
    with pytest.raises(RunStopped, match=f"{said}; finished shards are safe"):
        rk.run(rk.queens(8), tmp_path / "run", executor=on_dask.DaskExecutor(Client(after)))
    halfway = rk.Run(tmp_path / "run").status()
    assert 0 < halfway.shards_done < halfway.shards
    assert rk.Run(tmp_path / "run").resume().total == 92


def test_dask_on_this_computer(tmp_path: Path) -> None:
    code, output, complaint = rekkyo(
        "run", "queens", "8", "--out", tmp_path / "run", "--dask", "local", "--workers", "1"
    )
    assert (code, output) == (0, "total 92, unique 12, digest c9b100812deb5a148a7495f8295fec3c\n"), complaint
    assert facts(tmp_path / "run")["state"] == "finished"


IMPATIENT = """
from rekkyo.cli.start import start
from rekkyo.runs import on_dask
on_dask.CONNECT_WITHIN_S = 0.2
start()
"""


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path, address: str) -> None:
    words = ("run", "queens", "8", "--out", tmp_path / "run", "--dask", address)
    done = run([sys.executable, "-c", IMPATIENT, *words])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f'rekkyo: no Dask scheduler answers at "{address}" (')
    assert done.stderr.count("\n") == 1


def test_without_dask_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'rekkyo\[dask\]'"), dask_executor("local", 1):
        pass
