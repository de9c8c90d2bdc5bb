"""Runs on a Dask cluster: a scheduler somewhere, or one of this computer's own. docs/clusters.md shows how.

Dask does a task again when its worker dies; after three deaths it gives the task up, and the run gives it out
anew (`rekkyo.runs.executors`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.search.question import number_of_workers

LOCAL = "local"
CONNECT_WITHIN_S = 10
COUNT_EVERY_S = 2.0


class DaskExecutor(Executor):
    """A Dask client as an executor that knows how many workers there are at the moment."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # pure=False: Dask must not take a task for one that it has done already.
        self._executor: Executor = client.get_executor(pure=False)
        self._counted_at = 0.0
        self._n_threads = 1

    @property
    def _max_workers(self) -> int:
        if time.monotonic() - self._counted_at >= COUNT_EVERY_S:
            with suppress(OSError):
                self._n_threads = max(1, sum(self._client.nthreads().values()))
            self._counted_at = time.monotonic()
        return self._n_threads

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Send a task to the cluster."""
        return self._executor.submit(work, *arguments, **named)


@contextmanager
def dask_executor(address: str, workers: int | None) -> Iterator[DaskExecutor]:
    """The executor of a scheduler's address, or of a cluster on this computer with so many workers."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise BadInput(
            "--dask needs the package distributed; install it with: pip install 'rekkyo[dask]'"
        ) from None
    with _quiet():
        if address == LOCAL:
            n_workers = number_of_workers(workers)
            with (
                LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                ) as cluster,
                Client(cluster) as client,
            ):
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
def _quiet() -> Iterator[None]:
    """Dask reports workers that come and go on stderr, across the progress bar."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
