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

from gecode import Timed
from problems import problem_of
from solvers import COMPILES, SOLVERS, CannotSay

MOST_ROUNDS = 5
LONG = 0.8
SHORT = 0.25
MOST_TOGETHER = 500
COMPILING_S = 60


def main(solver: str, words: str, limit: int) -> None:
    try:
        prepare, run = SOLVERS[solver](problem_of(words))
    except CannotSay:
        print(json.dumps({"cannot": True}))
        return
    print(json.dumps(measured(prepare, run, limit, compiles=solver in COMPILES)))


def measured(
    prepare: Callable[[], Any], run: Callable[[Any], int | Timed], limit: int, *, compiles: bool
) -> dict[str, Any]:
    """The answer of a solver, with the median CPU seconds of a run."""
    stop_after(limit + (COMPILING_S if compiles else 0))
    warm_up_s = together(prepare, run, 1)[1] if compiles else 0.0
    stop_after(limit)
    began = time.perf_counter()
    count, taken = together(prepare, run, 1)
    lasts_s = time.perf_counter() - began
    n_runs = max(1, min(MOST_TOGETHER, math.ceil(SHORT / max(lasts_s, 1e-6))))
    seconds = [taken] if n_runs == 1 else []
    while not seconds or (len(seconds) < MOST_ROUNDS and sum(seconds) * n_runs < LONG):
        again, taken = together(prepare, run, n_runs)
        assert again == count, f"{again} after {count}"
        seconds.append(taken)
    if statistics.median(seconds) > limit:
        # another process has a limit of its own, to which our start was added
        return {"over_limit": True}
    return {"count": str(count), "cpu_s": statistics.median(seconds), "warm_up_s": warm_up_s}


def stop_after(limit: int) -> None:
    """CPU seconds from now on: importing, building and compiling are not the search's.

    Only the soft limit, which can be raised again after a long compiling.
    """
    used = math.ceil(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def together(prepare: Callable[[], Any], run: Callable[[Any], int | Timed], n_runs: int) -> tuple[int, float]:
    """CPU seconds of one of several runs: the clock of some systems only ticks every 10 ms."""
    prepared = [prepare() for _ in range(n_runs)]
    began = time.process_time()
    answers = [run(one) for one in prepared]
    taken = time.process_time() - began
    elsewhere = [answer for answer in answers if isinstance(answer, Timed)]
    if elsewhere:
        taken = sum(answer.cpu_s for answer in elsewhere)
    found = {answer.count if isinstance(answer, Timed) else answer for answer in answers}
    assert len(found) == 1, found
    return found.pop(), taken / n_runs


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
