"""Warming up in several processes: every job is done once, whatever becomes of a helper, and none lives on."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing

import numba
import pytest

from rekkyo.catalog.index import puzzle
from rekkyo.cli.warm import _how
from rekkyo.engines.contract import Pause, Shard, Tally
from rekkyo.engines.covers.memo.engine import CoverMemo
from rekkyo.engines.covers.memo.search import MemoPlan
from rekkyo.warm import processes
from rekkyo.warm.jobs import Job, _touch
from rekkyo.warm.processes import FIRST_BYTE, warm
from rekkyo.warm.record import Warmed

NAMES = ("first", "second", "third", "fourth")
HELPER_OF_IDLE_JOBS = """
from rekkyo.warm import processes
from rekkyo.warm.jobs import Job, _touch
processes.all_jobs = lambda: [Job(name, int) for name in {names}]
processes.do_jobs_of_pipe()
"""
"""A helper whose jobs do nothing."""


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four jobs, not recorded; the first one compiles something, so that the helper is started."""

    def compile_something() -> None:
        compiled = numba.njit(_one_more)
        assert compiled(1) == 2

    works = [compile_something, int, int, int]
    made = tuple(Job(name, work) for name, work in zip(NAMES, works, strict=True))
    monkeypatch.setattr(processes, "all_jobs", lambda: made)
    monkeypatch.setattr(processes, "keep_record", lambda _: None)  # it would be in the user's folder


def _one_more(number: int) -> int:
    return number + 1


@pytest.mark.usefixtures("jobs")
class TestProcesses:
    def test_alone(self) -> None:
        assert [warmed.name for warmed in warm(1)] == list(NAMES)

    def test_nothing_to_compile_needs_no_helper(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(processes, "all_jobs", lambda: tuple(Job(name, int) for name in NAMES))
        monkeypatch.setattr("subprocess.Popen", None)
        assert [warmed.n_functions for warmed in warm(2)] == [0] * 4

    def test_the_only_job_needs_no_helper(self, monkeypatch: pytest.MonkeyPatch) -> None:
        only = processes.all_jobs()[:1]
        monkeypatch.setattr(processes, "all_jobs", lambda: only)
        monkeypatch.setattr("subprocess.Popen", None)
        assert [warmed.n_functions for warmed in warm(2)] == [1]

    def test_with_a_helper_every_job_is_done_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(processes, "HELPER", HELPER_OF_IDLE_JOBS.format(names=NAMES))
        assert Counter(warmed.name for warmed in warm(2)) == Counter(NAMES)

    @pytest.mark.parametrize("end", ["", "print('{\"name\": ', end='')", "raise MemoryError"])
    def test_what_a_helper_took_and_did_not_report_is_done_here(
        self, end: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(processes, "HELPER", f"import os; os.read(0, 3)\n{end}")
        assert Counter(warmed.name for warmed in warm(2)) == Counter(NAMES)

    def test_a_helper_ends_with_what_started_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(processes, "HELPER", "import threading; threading.Event().wait()")
        started = []
        popen = processes.subprocess.Popen
        monkeypatch.setattr(
            "subprocess.Popen", lambda *words, **more: started.append(popen(*words, **more)) or started[-1]
        )
        with closing(warm(3)) as warming:
            next(warming)
            assert [helper.poll() for helper in started] == [None, None]
        assert all(helper.returncode not in (None, 0) for helper in started)


def test_a_helper_takes_its_jobs_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source, sink = os.pipe()
    os.write(sink, bytes([FIRST_BYTE + 1, FIRST_BYTE + 3]))
    os.close(sink)
    monkeypatch.setattr(processes, "all_jobs", lambda: tuple(Job(name, int) for name in NAMES))
    with os.fdopen(source) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        processes.do_jobs_of_pipe()
    assert [line.split('"')[3] for line in capfd.readouterr().out.splitlines()] == ["second", "fourth"]


@pytest.mark.parametrize(
    ("n_functions", "n_shipped", "said"),
    [
        (0, 0, "compiled before"),
        (0, 1, "1 kernel came with rekkyo"),
        (0, 12, "12 kernels came with rekkyo"),
        (3, 0, "compiled in 2.5 s"),
        (3, 2, "compiled in 2.5 s; 2 kernels came with rekkyo"),
    ],
)
def test_what_is_said_of_a_job(n_functions: int, n_shipped: int, said: str) -> None:
    assert _how(Warmed("soma", n_functions, n_shipped, 2.5, 3.0)) == said


def test_a_count_that_takes_long_ends_at_one_of_its_first_pauses() -> None:
    class Endless(CoverMemo):
        def count(self, plan: MemoPlan, shard: Shard, pause: Pause) -> Tally:
            while True:
                pause()

    _touch(Endless(), puzzle("dominoes 3 4"))
