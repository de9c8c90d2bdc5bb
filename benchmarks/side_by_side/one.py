"""One solver on one problem, alone in its process: prints the count and median CPU seconds."""

from __future__ import annotations

import json
import math
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from problems import problem_of
from solvers import COMPILES, SOLVERS, CannotSay

MOST_ROUNDS = 5
LONG = 0.8
SHORT = 0.25
MOST_TOGETHER = 500


def main(solver: str, words: str, limit: int) -> None:
    try:
        prepare, run = SOLVERS[solver](problem_of(words))
    except CannotSay:
        print(json.dumps({"cannot": True}))
        return
    # what was used so far, importing and building, is not the search's
    used = math.ceil(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + limit, used + limit + 1))
    warm_up_s = together(prepare, run, 1)[1] if solver in COMPILES else 0.0
    began = time.perf_counter()
    count, taken = together(prepare, run, 1)
    lasts_s = time.perf_counter() - began
    n_runs = max(1, min(MOST_TOGETHER, math.ceil(SHORT / max(lasts_s, 1e-6))))
    seconds = [taken] if n_runs == 1 else []
    while not seconds or (len(seconds) < MOST_ROUNDS and sum(seconds) * n_runs < LONG):
        again, taken = together(prepare, run, n_runs)
        assert again == count, f"{again} after {count}"
        seconds.append(taken)
    print(json.dumps({"count": str(count), "cpu_s": statistics.median(seconds), "warm_up_s": warm_up_s}))


def together(prepare: Callable[[], Any], run: Callable[[Any], int], n_runs: int) -> tuple[int, float]:
    """CPU seconds of one of several runs: the clock of some systems only ticks every 10 ms."""
    prepared = [prepare() for _ in range(n_runs)]
    began = time.process_time()
    found = {run(one) for one in prepared}
    taken = (time.process_time() - began) / n_runs
    assert len(found) == 1, found
    return found.pop(), taken


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
