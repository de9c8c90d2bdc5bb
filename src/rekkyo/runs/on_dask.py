"""Runs on a Dask cluster: a scheduler somewhere, or one of this computer's own. docs/clusters.md shows how.

Dask repeats a task if its worker dies; after three deaths it drops the task, and the run submits it again
(`rekkyo.runs.executors`).
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.runs.executors import stopped
from rekkyo.search.question import number_of_workers

LOCAL = "local"
SAFE_PATH = "PYTHONSAFEPATH"
CONNECT_WITHIN_S = 10
COUNT_EVERY_S = 2.0
WORKERS_WITHIN_S = 60.0
"""The seconds that a run waits for a worker of an empty cluster."""


class DaskExecutor(Executor):
    """A Dask client as an executor with the current number of workers."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # pure=False: Dask must not reuse the result of an earlier task.
        self._executor: Executor = client.get_executor(pure=False)
        self._address = client.scheduler.address
        self._connection = client.scheduler_comm
        self._counted_at = 0.0
        self._workers_seen_at: float | None = None
        self._n_threads = 1

    @property
    def _max_workers(self) -> int:
        """Raises RunStopped if the scheduler is lost, or has had no worker for long.

        Dask forgets all tasks when it connects again, and tasks whose results were in transfer never end.
        """
        if self._client.status != "running" or self._client.scheduler_comm is not self._connection:
            raise stopped(f"the connection to the Dask scheduler {self._address} is lost")
        now_s = time.monotonic()
        if now_s - self._counted_at >= COUNT_EVERY_S:
            with suppress(Exception):  # if the scheduler is lost now, the next call reports it
                self._n_threads = sum(self._client.nthreads().values())
            self._counted_at = now_s
            if self._n_threads or self._workers_seen_at is None:
                self._workers_seen_at = now_s
            elif now_s - self._workers_seen_at >= WORKERS_WITHIN_S:
                raise stopped(
                    f"the Dask scheduler {self._address} has had no worker for {WORKERS_WITHIN_S:.0f} s"
                )
        return max(1, self._n_threads)

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Send a task to the cluster."""
        return self._executor.submit(work, *arguments, **named)


@contextmanager
def dask_executor(address: str, workers: int | None) -> Iterator[DaskExecutor]:
    """The executor of a scheduler's address, or of a cluster on this computer with `workers` workers.

    Raises BadInput.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise BadInput(
            "--dask needs the package distributed; install it with: pip install 'rekkyo[dask]'"
        ) from None
    if address != LOCAL and workers is not None:
        raise BadInput("a Dask scheduler has its own workers; leave out --workers, or take --dask local")
    with _quiet():
        if address == LOCAL:
            n_workers = number_of_workers(workers)
            with _with_safe_path(), _ignoring_hangups():
                made = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            with made as cluster, Client(cluster) as client:
                yield DaskExecutor(client)
            return
        try:
            client = Client(address, timeout=CONNECT_WITHIN_S)
        except (OSError, ValueError, TypeError) as problem:
            raise BadInput(
                f'no Dask scheduler answers at "{address}" ({problem}); start one, or name another'
            ) from None
        with client:
            yield DaskExecutor(client)


@contextmanager
def _with_safe_path() -> Iterator[None]:
    """Processes started in the block import nothing from the current folder, which may be a stranger's."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def _ignoring_hangups() -> Iterator[None]:
    """Processes started in the block ignore SIGHUP, which closing terminals send to all processes."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's reports of workers and connections on stderr, which would break the progress bar."""
    loggers = [
        logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
