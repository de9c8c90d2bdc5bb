"""Carries out the jobs that compile kernels, in as many processes as there are cores.

Numba compiles one function at a time in a process, so threads would gain nothing. This process begins alone:
what is in the cache or came with the package is only loaded, which takes less time than starting another
process. The first function that must be compiled starts the helpers. All take their next job from one pipe,
which holds a letter for each: whoever reads it takes the job.

A helper whose pipe is closed, because this process is gone, ends with its job. What a helper took and did not
report is done here. Left out on purpose: keeping two processes from compiling the same kernel at once, which
costs a few seconds in all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass

from rekkyo.jit import compiling
from rekkyo.search.question import number_of_workers
from rekkyo.warm.jobs import Job, all_jobs

MOST_HELPERS = 7
"""More would have nothing to do while the longest job is done."""

FIRST_LETTER = ord("A")
"""Letters, as Windows takes other bytes on standard input for the end of a line or of the whole."""

HELP = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from rekkyo.warm.processes import help_out
help_out()
"""


@dataclass(frozen=True, slots=True)
class Warmed:
    """What one job took. n_functions: how many were compiled; n_shipped: how many came with the package."""

    name: str
    n_functions: int
    n_shipped: int
    compile_s: float
    elapsed_s: float


def warm(n_processes: int | None = None) -> Generator[Warmed]:
    """Compile or load every kernel, job by job in no particular order. n_processes: all cores unless told."""
    jobs = all_jobs()
    source, sink = os.pipe()
    os.write(sink, bytes(FIRST_LETTER + number for number in range(len(jobs))))
    os.close(sink)
    helpers = _Helpers(min(number_of_workers(n_processes) - 1, MOST_HELPERS), source)
    done = set()
    with ExitStack() as stack:
        stack.callback(os.close, source)
        stack.callback(helpers.end)
        for job in _taken_from(source, jobs):
            yield _carry_out(job, helpers.start)
            done.add(job.name)
        for warmed in helpers.reports():
            yield warmed
            done.add(warmed.name)
        for job in jobs:
            if job.name not in done:
                yield _carry_out(job)


def help_out() -> None:
    """Be a helper: do the jobs that standard input names, and report each on standard output."""
    for job in _taken_from(sys.stdin.fileno(), all_jobs()):
        print(json.dumps(asdict(_carry_out(job))), flush=True)


def _taken_from(source: int, jobs: tuple[Job, ...]) -> Iterator[Job]:
    while letter := os.read(source, 1):
        yield jobs[letter[0] - FIRST_LETTER]


def _carry_out(job: Job, at_start: Callable[[], None] = lambda: None) -> Warmed:
    """Do a job. at_start: called when a function must be compiled."""
    started = time.perf_counter()
    with compiling(lambda _: at_start()) as compiled:
        job.work()
    elapsed_s = time.perf_counter() - started
    return Warmed(job.name, len(compiled.functions), compiled.n_shipped, compiled.seconds, elapsed_s)


class _Helpers:
    """Processes that do jobs as this one does. source: what they take them from."""

    def __init__(self, number: int, source: int) -> None:
        self._n_wanted = number
        self._source = source
        self._started: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        """Start those that are missing; what they say on standard error is said by this process as well."""
        command = [sys.executable, "-P", "-c", HELP, json.dumps(sys.path)]
        while len(self._started) < self._n_wanted and sys.executable:
            helper = subprocess.Popen(
                command, stdin=self._source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self._started.append(helper)

    def reports(self) -> Iterator[Warmed]:
        """What they did, once they end. A report that is cut short was none."""
        for helper in self._started:
            for line in helper.communicate()[0].splitlines(keepends=True):
                if line.endswith("\n"):
                    yield Warmed(**json.loads(line))

    def end(self) -> None:
        """Have none of them live on."""
        for helper in self._started:
            helper.kill()
        for helper in self._started:
            with helper:  # waits for it
                pass
