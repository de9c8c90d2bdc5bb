"""A copy of the tree in which faults are planted, and tests that are run there in forked processes.

Forked, because importing Numba and pytest takes longer than most of the tests: the parent has imported them, but
nothing of ours. Processor time is bounded, not seconds, so that a busy machine does not find faults.
"""

from __future__ import annotations

import compileall
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PARTS = (
    "src",
    "tests",
    "examples",
    "benchmarks",
    "pyproject.toml",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
)
LEAST_CPU_S = 15
TIMES_BASELINE = 4
WALL_PER_CPU = 8
STILL_S = 120
"""If the tests use no processor time for so long, threads wait for each other forever."""

PASSED = 0
IGNORED = ("ignore::pytest.PytestAssertRewriteWarning", "ignore:overflow encountered:RuntimeWarning")
"""Warnings because plugins are imported first, and because hashes are not compiled."""


def import_what_others_wrote() -> None:
    """Once, before the first fork."""
    import hypothesis.strategies
    import numba
    import numpy
    import pytest

    del hypothesis, numba, numpy, pytest


class Copy:
    """The tree in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.log = folder / "log"
        self.root.mkdir()
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, self.root / part, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy2(source, self.root / part)
        compileall.compile_dir(self.root / "src", quiet=1)

    def read(self, path: str) -> str:
        """The text of a file, from the root."""
        return (self.root / path).read_text(encoding="utf-8")

    def test_with(
        self,
        changed: dict[str, str],
        tests: Sequence[str],
        marked: str,
        cpu_s: float,
        *,
        compiled: bool = False,
    ) -> str:
        """What happened with some files changed for so long: "passed", a failed test, or no end."""
        kept = {path: (self.read(path), (self.root / path).stat().st_mtime) for path in changed}
        try:
            for path, text in changed.items():
                (self.root / path).write_text(text, encoding="utf-8")
            return self._test(tests, marked, cpu_s, compiled)
        finally:
            for path, (text, written) in kept.items():
                (self.root / path).write_text(text, encoding="utf-8")
                os.utime(self.root / path, (written, written))

    def _test(self, tests: Sequence[str], marked: str, cpu_s: float, compiled: bool) -> str:
        child = os.fork()
        if child == 0:
            self._run_tests(tests, marked, cpu_s, compiled)
        ends = time.monotonic() + WALL_PER_CPU * cpu_s
        used, still_since = -1, 0.0
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if used != (used := _cpu_ticks(child)):
                still_since = time.monotonic()
            if time.monotonic() > min(ends, still_since + STILL_S):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "no end, or a crash"
            time.sleep(0.05)
        if os.waitstatus_to_exitcode(status) == PASSED:
            return "passed"
        return "no end, or a crash" if os.WIFSIGNALED(status) else self._failed_test()

    def _run_tests(self, tests: Sequence[str], marked: str, cpu_s: float, compiled: bool) -> None:
        """In the child, which never returns."""
        import numba
        import pytest

        code = 99
        ignored = [f"-W{warning}" for warning in IGNORED]
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 2))
            output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(output, stream)
            os.chdir(self.root)
            os.environ["PYTHONPATH"] = str(self.root / "src")
            if compiled:
                os.environ["NUMBA_DISABLE_JIT"] = "0"
                os.environ["REKKYO_CACHE_DIR"] = str(self.log.with_name("kernels"))
                config: Any = numba.config
                config.DISABLE_JIT = 0
            sys.dont_write_bytecode = True
            sys.path[:] = [str(self.root), str(self.root / "src"), *(p for p in sys.path if not _is_ours(p))]
            sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
            for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "rekkyo")]:
                del sys.modules[name]
            code = int(
                pytest.main(
                    ["-x", "-q", "-p", "no:cacheprovider", "-m", marked, "--tb=line", *ignored, *tests]
                )
            )
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _failed_test(self) -> str:
        """The first test that the log names."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        named = [
            line.split(" - ")[0].split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))
        ]
        return named[0] if named else "cannot be imported"


def _cpu_ticks(process: int) -> int:
    """What a process and those that it waited for have used; another number each second where that is not known."""
    try:
        facts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return int(time.monotonic())  # no /proc: other bounds must do
    return sum(map(int, facts[11:15]))


def _is_ours(path: str) -> bool:
    return (Path(path) / "rekkyo").is_dir() or (Path(path) / "src" / "rekkyo").is_dir()
