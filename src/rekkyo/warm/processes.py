"""Does the jobs that compile kernels, in as many processes as there are cores, but eight at most.

Numba compiles one function at a time in a process, so threads would gain nothing. This process begins alone:
kernels in the cache or the package are only loaded, which takes less time than starting another process. When
the first function must be compiled, the helper processes are started. All processes take their next job from
one pipe, which holds a byte for each job.

If this process ends, a helper cannot report its job, and ends too. Jobs that a helper took and did not report
are done here. Left out on purpose: preventing two processes from compiling the same kernel, which costs a few
seconds in total.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import asdict

from rekkyo.jit import compiling
from rekkyo.plain import PYTHON
from rekkyo.search.question import number_of_workers
from rekkyo.warm.jobs import Job, all_jobs
from rekkyo.warm.record import Warmed, keep_record

MOST_HELPERS = 7
"""The most helper processes; more would be idle during the longest job."""

FIRST_BYTE = ord("A")
"""Jobs are numbered from this byte on; Windows treats some lower ones on standard input as an end of line or
file."""

HELPER = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from rekkyo.warm.processes import do_jobs_of_pipe
do_jobs_of_pipe()
"""
"""The program of a helper."""


def warm(n_processes: int | None = None) -> Generator[Warmed]:
    """Compile or load every kernel, job by job in any order. n_processes: by default one for each core.

    After the last job a record of all of them is kept.
    """
    jobs = all_jobs()
    source, sink = os.pipe()
    os.write(sink, bytes(FIRST_BYTE + number for number in range(len(jobs))))
    os.close(sink)
    helpers = _Helpers(min(number_of_workers(n_processes) - 1, MOST_HELPERS, len(jobs) - 1), source)
    done: list[Warmed] = []
    with ExitStack() as stack:
        stack.callback(os.close, source)
        stack.callback(helpers.end)
        for warmed in _all_of(jobs, source, helpers):
            done.append(warmed)
            yield warmed
    keep_record(done)


def _all_of(jobs: tuple[Job, ...], source: int, helpers: _Helpers) -> Iterator[Warmed]:
    """Do jobs here, yield what the helpers report, and do the jobs that a helper took and did not report."""
    reported = set()
    for job in _taken_from(source, jobs):
        reported.add(job.name)
        yield _do(job, helpers.start)
    for warmed in helpers.reports():
        reported.add(warmed.name)
        yield warmed
    for job in jobs:
        if job.name not in reported:
            yield _do(job)


def do_jobs_of_pipe() -> None:
    """Do the jobs that standard input names, and report each on standard output. A helper calls this."""
    for job in _taken_from(sys.stdin.fileno(), all_jobs()):
        print(json.dumps(asdict(_do(job))), flush=True)


def _taken_from(source: int, jobs: tuple[Job, ...]) -> Iterator[Job]:
    while job := os.read(source, 1):
        yield jobs[job[0] - FIRST_BYTE]


def _do(job: Job, at_start: Callable[[], None] = lambda: None) -> Warmed:
    """Do a job. at_start: called when a function must be compiled."""
    started = time.perf_counter()
    with compiling(lambda _: at_start()) as compiled:
        job.work()
    elapsed_s = time.perf_counter() - started
    n_functions, files = len(compiled.functions), tuple(compiled.files)
    return Warmed(job.name, n_functions, compiled.n_shipped, compiled.seconds, elapsed_s, files)


class _Helpers:
    """The helper processes. number: how many there will be. source: the pipe of jobs."""

    def __init__(self, number: int, source: int) -> None:
        self._n_wanted = number
        self._source = source
        self._started: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        """Start the missing helpers. What they write to standard error is dropped."""
        command = [*PYTHON, "-c", HELPER, json.dumps(sys.path)]
        while len(self._started) < self._n_wanted and sys.executable:
            helper = subprocess.Popen(
                command, stdin=self._source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self._started.append(helper)

    def reports(self) -> Iterator[Warmed]:
        """The reports of the helpers, after they end. An incomplete report is ignored."""
        for helper in self._started:
            for line in helper.communicate()[0].splitlines(keepends=True):
                if line.endswith("\n"):
                    yield Warmed(**json.loads(line))

    def end(self) -> None:
        """Kill all helpers."""
        for helper in self._started:
            helper.kill()
        for helper in self._started:
            with helper:  # waits for it
                pass
