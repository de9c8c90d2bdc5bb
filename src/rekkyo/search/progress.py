"""The progress of a search, and ranges for the remaining time and for the number of solutions.

The finished shards are a sample, without replacement, of all shards; they give the time of the rest, and what
it finds, with its sampling error (two standard deviations). Counting takes its shards in a scattered order to
make that true. Listing takes them in order, so its ranges are only good if the rest is like the start of the
list. Before eight shards are finished, the time comes from the nodes so far and an estimate of all nodes, if
there is one.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import stdev
from typing import TypeAlias

from rekkyo.errors import BadInput
from rekkyo.model.checks import shown

LEAST_SAMPLE = 8
N_FIFTHS = 5
LEAST_ELAPSED_S = 0.5
WATCHED_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Progress:
    """A look at a search under way.

    remaining_s: (low, high) in seconds, or None while it is unknown. stage: what is done before there are any
    shards, such as looking for the best value; empty in the search itself. expected: (low, high) for `found`
    at the end, or None while it is unknown.
    """

    found: int
    nodes: int
    shards_done: int
    n_shards: int
    elapsed_s: float
    remaining_s: tuple[float, float] | None
    stage: str = ""
    expected: tuple[float, float] | None = None


Watcher: TypeAlias = Callable[[Progress], None]
"""Called from the thread that asked for the search, a few times a second."""


def check_watch(watch: object) -> None:
    """Raise BadInput unless a function, or nothing, is called with the progress."""
    if watch is not None and not callable(watch):
        raise BadInput(f"watch is a function of the progress, not {shown(watch)}")


class Sample:
    """Number, mean and variance of finished shards, which are added one by one (Welford 1962)."""

    def __init__(self) -> None:
        self.number = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """One more shard."""
        self.number += 1
        step = value - self.mean
        self.mean += step / self.number
        self._squares += step * (value - self.mean)

    def margin(self, n_shards: int) -> float:
        """The margin of the sum over the r shards left out of N, in about two deviations.

        After a simple random sample of k that sum has expectation r m and variance N r s^2 / k (m, s: mean
        and deviation of the sample; Cochran, Sampling Techniques, 2.8). It is a little more for small
        samples, where the deviation itself is uncertain (Student).
        """
        variance = self._squares / (self.number - 1) if self.number > 1 else 0.0
        n_left = n_shards - self.number
        return (2 + 5 / self.number) * sqrt(n_shards * n_left * variance / self.number)


class ShardTimes(Sample):
    """The seconds of shards, in the order in which they ended."""

    def __init__(self, seconds: Iterable[float] = ()) -> None:
        super().__init__()
        self.longest_s = 0.0
        self._sums = array("d", [0.0])
        for each in seconds:
            self.add(each)

    def add(self, value: float) -> None:
        """One more shard, in seconds."""
        super().add(value)
        self.longest_s = max(self.longest_s, value)
        self._sums.append(self._sums[-1] + value)

    @property
    def drift_s(self) -> float:
        """Deviation of the mean from one fifth of the shards to the next: other programs come and go."""
        size = self.number // N_FIFTHS
        if size == 0:
            return 0.0
        ends = [self.number - part * size for part in range(N_FIFTHS)]
        return stdev((self._sums[end] - self._sums[end - size]) / size for end in ends)


class Meter:
    """Adds up what the workers do, under a lock.

    elapsed_s, finished: of earlier sessions of the same run. expected_nodes: (low, high) of the whole.
    """

    def __init__(
        self,
        n_shards: int,
        workers: int,
        elapsed_s: float = 0.0,
        finished: Iterable[float] = (),
        expected_nodes: tuple[float, float] | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._n_shards = n_shards
        self._workers = workers
        self._started = time.perf_counter() - elapsed_s
        self._found = 0
        self._nodes = 0
        self._times = ShardTimes(finished)
        self._found_in_shards = Sample()
        self._found_by_thread: dict[int, int] = {}
        self._seconds_by_thread: dict[int, float] = {}
        self._expected_nodes = expected_nodes

    def add(self, found: int, nodes: int) -> int:
        """Count solutions and nodes; returns the solutions found so far."""
        with self._lock:
            self._found += found
            self._nodes += nodes
            thread = threading.get_ident()
            self._found_by_thread[thread] = self._found_by_thread.get(thread, 0) + found
            return self._found

    def add_seconds(self, seconds: float) -> None:
        """Note how long the shard that this thread takes now was searched before."""
        with self._lock:
            self._seconds_by_thread[threading.get_ident()] = seconds

    def finish_shard(self, seconds: float) -> None:
        """Note that this thread has finished a shard, and how long it took, without the seconds before."""
        with self._lock:
            thread = threading.get_ident()
            self._times.add(seconds + self._seconds_by_thread.pop(thread, 0.0))
            self._found_in_shards.add(self._found_by_thread.pop(thread, 0))

    def look(self) -> Progress:
        """The progress at this moment."""
        with self._lock:
            elapsed_s = time.perf_counter() - self._started
            remaining_s = remaining_seconds(self._times, self._n_shards, self._workers)
            if remaining_s is None and self._expected_nodes is not None:
                remaining_s = remaining_by_nodes(self._expected_nodes, self._nodes, elapsed_s)
            return Progress(
                self._found,
                self._nodes,
                self._times.number,
                self._n_shards,
                elapsed_s,
                remaining_s,
                expected=self._expected(),
            )

    def _expected(self) -> tuple[float, float] | None:
        """(low, high) for all that is found; None with too few shards, or if a session before had some."""
        sample = self._found_in_shards
        n_left = self._n_shards - sample.number
        if sample.number < max(LEAST_SAMPLE, self._times.number):
            return None
        found, margin = sample.mean * sample.number, sample.margin(self._n_shards)
        expected = found + n_left * sample.mean
        return max(found, self._found, expected - margin), max(self._found, expected + margin)


class Stage:
    """Work before or after a search, which is reported to a watcher a few times a second. says: its name."""

    def __init__(self, watch: Watcher | None, says: str) -> None:
        self.says = says
        self._watch = watch
        self._nodes = 0
        self._started = self._reported_at = time.perf_counter()

    def add(self, nodes: int) -> None:
        """Count some nodes, and tell the watcher."""
        self._nodes += nodes
        now = time.perf_counter()
        if self._watch is not None and (self._nodes == nodes or now - self._reported_at >= WATCHED_EVERY_S):
            self._reported_at = now
            self._watch(Progress(0, self._nodes, 0, 0, now - self._started, None, self.says))


def remaining_by_nodes(
    expected: tuple[float, float], nodes: int, elapsed_s: float
) -> tuple[float, float] | None:
    """(low, high) seconds for the nodes left, with a tenth for the rate; None until that is known."""
    if nodes == 0 or elapsed_s < LEAST_ELAPSED_S:
        return None
    low, high = (max(0.0, whole - nodes) * elapsed_s / nodes for whole in expected)
    return 0.9 * low, 1.1 * high


def remaining_seconds(
    finished: Iterable[float] | ShardTimes, n_shards: int, workers: int
) -> tuple[float, float] | None:
    """(low, high) wall-clock seconds for the shards that are not finished; None with too few finished.

    finished: the seconds that each finished shard took. The margin of the sample also has the drift seen so
    far, a tenth, and one long shard at the end. Without these three the truth lay inside in 88 % of moments
    on a busy machine (benchmarks/ranges.py).
    """
    times = finished if isinstance(finished, ShardTimes) else ShardTimes(finished)
    n_left = n_shards - times.number
    if n_left == 0:
        return 0.0, 0.0
    if times.number < LEAST_SAMPLE:
        return None
    expected = n_left * times.mean
    margin = hypot(times.margin(n_shards), 2 * n_left * times.drift_s) + expected / 10
    low, high = max(0.0, expected - margin), expected + margin
    return low / workers, high / workers + times.longest_s * (workers - 1) / workers
