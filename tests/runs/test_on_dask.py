"""Runs on Dask: clusters whose processes are killed, a cluster of this computer, and addresses without a scheduler."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput, RunStopped
from rekkyo.runs import on_dask
from rekkyo.runs.on_dask import dask_executor
from tests.programs import Program, run
from tests.runs.runs_as_programs import begin, facts, has_begun, outcome, rekkyo, result_of, wait_for
from tests.runs.searched_here import Here


def test_no_cluster_is_started_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cluster of its own a run would go on when the scheduler dies, as one does below."""

    def refuse(address: str, **_: Any) -> None:
        raise OSError(f"nothing at {address}")

    monkeypatch.setattr("distributed.Client", refuse)
    monkeypatch.setattr("distributed.LocalCluster", pytest.fail)
    with pytest.raises(BadInput, match="nothing at tcp://host:1"), dask_executor("tcp://host:1", None):
        pass


def test_workers_are_for_a_cluster_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler has the workers that it has; `--workers 3` had no effect."""
    monkeypatch.setattr("distributed.Client", pytest.fail)
    with pytest.raises(BadInput, match="leave out --workers"), dask_executor("tcp://host:1", 3):
        pass


@contextlib.contextmanager
def cluster(n_workers: int) -> Iterator[tuple[str, list[Program]]]:
    """The address of a scheduler, and the processes, which can be killed: it, then its workers."""
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


def test_without_dask_the_fix_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'rekkyo\[dask\]'"), dask_executor("local", 1):
        pass
