"""Threads that carry shards out. The kernels release the interpreter's lock, so threads use every core.

A worker checks between two slices of a search (a few hundredths of a second) whether it should stop: after
Ctrl-C, after an error in another worker, or when the reader wants no more.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import closing, contextmanager, suppress
from typing import Generic, TypeAlias, TypeVar

from rekkyo.engines.contract import Shard
from rekkyo.engines.crew import ALONE, Crew
from rekkyo.search.progress import Meter, Watcher

ResultT = TypeVar("ResultT")
BlockT = TypeVar("BlockT")

LOOK_EVERY_S = 0.1
GATHER_S = 0.01
"""The seconds for which results gather before they are taken: taking thousands one by one kept the lock of
the interpreter from the workers."""


class Stop(Exception):
    """Raised inside a worker, when it was asked to stop, to leave its shard unfinished. Not an error."""


class StopSign:
    """Tells workers to stop."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def show(self) -> None:
        """Ask every worker to stop."""
        self._event.set()

    def check(self) -> None:
        """Raise Stop if it is shown."""
        if self._event.is_set():
            raise Stop


def do_all(
    shards: Sequence[Shard],
    work: Callable[[Shard, StopSign], ResultT],
    workers: int,
    meter: Meter,
    watch: Watcher | None,
) -> list[ResultT]:
    """Do `work` for every shard and return the results in no particular order.

    A shard whose work raises Stop gives no result and is its worker's last. Any other exception ends all.
    """

    def work_of(shard: Shard, stop: StopSign, _: int) -> ResultT:
        return work(shard, stop)

    results: list[ResultT] = []
    with closing(do_each(shards, work_of, workers, meter, watch)) as groups:
        for group in groups:
            results += group
    if watch is not None:
        watch(meter.look())
    return results


def do_each(
    shards: Iterable[Shard],
    work: Callable[[Shard, StopSign, int], ResultT],
    workers: int,
    meter: Meter,
    watch: Watcher | None,
) -> Generator[list[ResultT]]:
    """Do `work` for every shard and yield the results as they come, in groups, an empty one now and then.

    work: called with a shard and with the number of the worker, from 0; no two calls with the same number run
    at once. A shard whose work raises Stop gives no result and is its worker's last. Any other exception ends
    the whole, after the results that came before it.
    """
    results: queue.SimpleQueue[ResultT | _WorkerEnded] = queue.SimpleQueue()
    upcoming, turn, ending = iter(shards), threading.Lock(), threading.Event()

    def keep_working(number: int, stop: StopSign) -> None:
        timed_work = _timed(work, meter)
        try:
            while True:
                with turn:
                    shard = next(upcoming, None)
                if shard is None:
                    return
                results.put(timed_work(shard, stop, number))
        except Stop:
            pass  # all workers are asked at once
        finally:
            ending.set()
            results.put(_WorkerEnded())

    with _pool(workers) as (pool, stop):
        futures = [pool.submit(keep_working, number, stop) for number in range(workers)]
        tick = _ticker(meter, watch)
        n_working, has_failed = workers, False
        while n_working and not has_failed:
            has_failed = any(map(_failed, futures))  # before: all that came until then is drained
            group = _drain(results, ending)
            found = [result for result in group if not isinstance(result, _WorkerEnded)]
            n_working -= len(group) - len(found)
            yield found
            tick()
        for future in futures:
            if n_working == 0 or future.done():
                future.result()


@contextmanager
def crew(workers: int) -> Iterator[Crew]:
    """Workers that share the work of one shard, the caller among them."""
    if workers == 1:
        yield ALONE
        return
    pool = _Pool(workers - 1)
    try:
        yield _Crew(pool, workers)
    finally:
        pool.close()


class _Crew:
    """The caller and a pool of others."""

    def __init__(self, pool: _Pool, n_workers: int) -> None:
        self._pool = pool
        self.n_workers = n_workers

    def __call__(self, tasks: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
        """Do all tasks at once. If some fail, all end, and the first failure is raised."""
        futures = [self._pool.submit(task) for task in tasks[1:]]
        try:
            results = [task() for task in tasks[:1]]
        finally:
            wait(futures)
        return results + [future.result() for future in futures]


def _failed(future: Future[None]) -> bool:
    return future.done() and future.exception() is not None


class _WorkerEnded:
    """Stands behind the results of a worker; a result itself may be anything."""


def _drain(results: queue.SimpleQueue[ResultT], ending: threading.Event) -> list[ResultT]:
    """All results that are ready, or one that comes soon; the end of a worker is passed on at once."""
    drained: list[ResultT] = []
    with suppress(queue.Empty):
        drained.append(results.get(timeout=LOOK_EVERY_S))
        ending.wait(GATHER_S)
        while True:
            drained.append(results.get_nowait())
    return drained


Fill: TypeAlias = Callable[[Shard, StopSign, Callable[[BlockT], None]], object]
"""Searches a shard and hands each block on to the function given."""


def stream(
    shards: Sequence[Shard],
    fill: Fill[BlockT],
    workers: int,
    blocks_ahead: int,
    meter: Meter,
    watch: Watcher | None,
) -> Generator[BlockT]:
    """Yield the blocks of the first shard, then of the second, and so on, while workers run ahead.

    blocks_ahead: how many blocks of one shard may wait for the reader, so that memory stays flat.
    Closing the generator stops the workers.
    """
    with _pool(workers) as (pool, stop):
        upcoming = iter(shards)
        running: deque[_Channel[BlockT]] = deque()
        timed_fill = _timed(lambda shard, channel: channel.fill(fill, shard), meter)

        def start_next() -> None:
            # The pool starts shards in the order of this queue, so the shard at its head is always running
            # or finished, and a worker that waits for room in its channel cannot block it.
            shard = next(upcoming, None)
            if shard is not None:
                channel: _Channel[BlockT] = _Channel(stop, blocks_ahead)
                channel.future = pool.submit(timed_fill, shard, channel)
                running.append(channel)

        for _ in range(2 * workers):
            start_next()
        tick = _ticker(meter, watch)
        while running:
            yield from running[0].read(tick)
            running.popleft()
            start_next()


class _Channel(Generic[BlockT]):
    """Blocks on their way from the worker of one shard to the reader; None marks the end."""

    future: Future[None]

    def __init__(self, stop: StopSign, blocks_ahead: int) -> None:
        self._blocks: queue.Queue[BlockT | None] = queue.Queue(blocks_ahead)
        self._stop = stop

    def fill(self, fill: Fill[BlockT], shard: Shard) -> None:
        """Put every block in, as fast as the reader takes them out. The worker's side."""
        try:
            fill(shard, self._stop, self._put)
        finally:
            self._put(None)

    def _put(self, block: BlockT | None) -> None:
        while True:
            self._stop.check()
            with suppress(queue.Full):
                return self._blocks.put(block, timeout=LOOK_EVERY_S)

    def read(self, tick: Callable[[], None]) -> Iterator[BlockT]:
        """Take every block out, calling `tick` while waiting. The reader's side."""
        while True:
            tick()
            try:
                block = self._blocks.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                continue
            if block is None:
                self.future.result()
                return
            yield block


def _ticker(meter: Meter, watch: Watcher | None) -> Callable[[], None]:
    """A function that calls the watcher: the first time at once, then at most once per LOOK_EVERY_S."""
    next_look_s = time.monotonic()

    def tick() -> None:
        nonlocal next_look_s
        if watch is not None and time.monotonic() >= next_look_s:
            watch(meter.look())
            next_look_s = time.monotonic() + LOOK_EVERY_S

    return tick


@contextmanager
def _pool(workers: int) -> Iterator[tuple[_Pool, StopSign]]:
    stop = StopSign()
    pool = _Pool(workers)
    try:
        yield pool, stop
    finally:
        stop.show()
        pool.close()


class _Pool:
    """Daemon threads that carry tasks out in the order in which they were submitted, from the first one on.

    `concurrent.futures` joins its threads at the end of the program, before they see the stop sign: a program
    that ends with a stream half read would hang.
    """

    def __init__(self, workers: int) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._workers = workers
        self._threads: list[threading.Thread] = []

    def submit(self, work: Callable[..., ResultT], *arguments: object) -> Future[ResultT]:
        """Have a thread call `work`; its result or exception comes out of the future."""
        future: Future[ResultT] = Future()

        def task() -> None:
            try:
                future.set_result(work(*arguments))
            except BaseException as problem:  # handed on to the reader of the result
                future.set_exception(problem)

        self._tasks.put(task)
        if not self._threads:
            self._start()
        return future

    def _start(self) -> None:
        for number in range(self._workers):
            thread = threading.Thread(target=self._work, name=f"rekkyo-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

    def close(self) -> None:
        """Wait until the threads have ended; they do soon, because tasks look at the stop sign."""
        with suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            # Once the interpreter is going down, daemon threads never run again and cannot be waited for.
            while thread.is_alive() and not sys.is_finalizing():
                thread.join(LOOK_EVERY_S)


def _timed(work: Callable[..., ResultT], meter: Meter) -> Callable[..., ResultT]:
    def timed_work(*arguments: object) -> ResultT:
        started = time.perf_counter()
        result = work(*arguments)
        meter.finish_shard(time.perf_counter() - started)
        return result

    return timed_work
