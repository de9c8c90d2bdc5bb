"""How far a search is, and an honest range for how long the rest takes.

The range comes from the shards that are finished: they are a sample, without replacement, of all shards, so
the time of the rest is predicted with its sampling error (two standard deviations). Counting takes its shards
in a scattered order to make that true; listing must take them in order, and its range is as good as the start
of the list is like the rest. No range is given before eight shards are finished.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import TypeAlias

LEAST_SAMPLE = 8


@dataclass(frozen=True, slots=True)
class Progress:
    """A look at a search under way. remaining_s: (low, high) in seconds, or None while it is unknown."""

    found: int
    nodes: int
    shards_done: int
    n_shards: int
    elapsed_s: float
    remaining_s: tuple[float, float] | None


Watcher: TypeAlias = Callable[[Progress], None]
"""Called from the thread that asked for the search, a few times a second."""


class Meter:
    """Adds up what the workers do; the only state that they share."""

    def __init__(self, n_shards: int, workers: int) -> None:
        self._lock = threading.Lock()
        self._n_shards = n_shards
        self._workers = workers
        self._started = time.perf_counter()
        self._found = 0
        self._nodes = 0
        self._shard_seconds: list[float] = []

    def add(self, found: int, nodes: int) -> int:
        """Count solutions and nodes; returns the solutions found so far."""
        with self._lock:
            self._found += found
            self._nodes += nodes
            return self._found

    def finish_shard(self, seconds: float) -> None:
        """Note that a shard is finished and how long it took."""
        with self._lock:
            self._shard_seconds.append(seconds)

    def look(self) -> Progress:
        """The progress at this moment."""
        with self._lock:
            return Progress(
                self._found,
                self._nodes,
                len(self._shard_seconds),
                self._n_shards,
                time.perf_counter() - self._started,
                remaining_seconds(self._shard_seconds, self._n_shards, self._workers),
            )


def remaining_seconds(finished: list[float], n_shards: int, workers: int) -> tuple[float, float] | None:
    """(low, high) wall-clock seconds for the shards that are not finished; None with too few finished.

    finished: the seconds that each finished shard took. The sum over the r shards left out of N, seen a
    simple random sample of k, has expectation r m and variance N r s^2 / k (m, s: mean and deviation of the
    sample; Cochran, Sampling Techniques, 2.8).
    """
    n_finished = len(finished)
    n_left = n_shards - n_finished
    if n_left == 0:
        return 0.0, 0.0
    if n_finished < LEAST_SAMPLE:
        return None
    expected = n_left * fmean(finished)
    deviation = sqrt(n_shards * n_left * variance(finished) / n_finished)
    # Two deviations, a little more for small samples, where the deviation itself is uncertain (Student).
    margin = (2 + 5 / n_finished) * deviation
    low, high = max(0.0, expected - margin), expected + margin
    return low / workers, high / workers
