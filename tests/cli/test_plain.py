"""A command and the same one in plain Python: the first to finish answers, and the other is stopped."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from rekkyo.cli.plain import BEGIN, MOST_BYTES, Answer, Race
from rekkyo.cli.signals import StopRequested, StopSignals
from rekkyo.plain import SWITCH
from tests.programs import TIMEOUT_S, python_code, rekkyo

COMPILING_FOR_EVER = """
import sys, threading
from numba.core import compiler
from rekkyo.cli import plain
from rekkyo.cli.start import start

def never(*_, **__):
    print("compiling", file=sys.stderr, flush=True)
    threading.Event().wait()

compiler.compile_extra = never
plain.ANSWER_WITHIN_S = 600.0
begin = plain.Race.begin

def begin_and_tell(race):
    is_first = race._process is None
    begin(race)
    if is_first:
        print("other process", race._process.pid, file=sys.stderr, flush=True)

plain.Race.begin = begin_and_tell
start()
"""
"""Only plain Python can answer."""

CACHE_FOLDER = os.environ.get("REKKYO_CACHE_DIR")

COMMANDS = (
    "count queens 6",
    "solve langford 4 --format compact",
    "orbits langford 4",
    "sample queens 5 --number 3 --seed 2",
    "stats dominoes 4 4",
    "count pentominoes 2 30",
    *(
        pytest.param(words, marks=pytest.mark.second)
        for words in (
            "count hip 4 --up-to none --digest",
            "solve queens 6 --limit 3",
            "solve dominoes 2 3 --kth 1",
            "count magic-square 3",
        )
    ),
)
"""One for each command, pentominoes with notes before the search; then other options and engines."""


class Signals(StopSignals):
    """Says when it interrupts, and interrupts nobody."""

    def __init__(self) -> None:
        super().__init__()
        self.has_interrupted = threading.Event()

    def interrupt(self) -> None:
        self.has_interrupted.set()


def race_with(code: str) -> tuple[Race, Signals]:
    signals = Signals()
    return Race((sys.executable, "-c", f"import os, sys\n{code}"), signals), signals


def is_over(race: Race) -> bool:
    return race._process is not None and race._process.returncode is not None


def test_the_other_process_answers_when_it_is_first() -> None:
    race, signals = race_with(r"print('92'); sys.stderr.write('before\0a note\n')")
    race.begin()
    assert signals.has_interrupted.wait(TIMEOUT_S)
    assert race.offer == Answer(b"92\n", b"a note\n")
    with pytest.raises(StopRequested):
        race.claim()
    assert not race.is_ours
    race.end()


def test_this_process_answers_when_it_is_first() -> None:
    race, signals = race_with("sys.stdin.read()")
    race.begin()
    race.claim()
    race.claim()
    assert race.is_ours
    assert is_over(race)
    assert not signals.has_interrupted.is_set()
    race.begin()
    assert is_over(race), "nothing is started once the answer is claimed"


def test_progress_of_the_compiled_search_claims_the_answer() -> None:
    race, _ = race_with("sys.stdin.read()")
    seen: list[Any] = []
    watch = race.claiming(seen.append)
    race.begin()
    assert not race.is_ours
    watch("some progress")  # type: ignore[arg-type] - handed on as it is
    assert race.is_ours
    assert is_over(race)
    assert seen == ["some progress"]


@pytest.mark.parametrize(
    "code",
    [
        "print('92'); sys.exit(1)",
        "print('92'); os.kill(os.getpid(), 9)",
        f"print('9' * {MOST_BYTES})",
        f"sys.stderr.write('9' * {2 * MOST_BYTES})",
    ],
)
def test_no_answer_that_is_not_whole(code: str) -> None:
    race, signals = race_with(code)
    race.begin()
    assert race._process is not None
    race._process.wait(TIMEOUT_S)
    race.claim()
    assert race.is_ours
    assert race.offer is None
    assert not signals.has_interrupted.is_set()


@pytest.fixture
def nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands find no kernels, and may be answered in plain Python."""
    monkeypatch.delenv(SWITCH)
    monkeypatch.delenv("REKKYO_QUIET")
    monkeypatch.setenv("REKKYO_CACHE_DIR", str(tmp_path / "kernels"))


@pytest.mark.usefixtures("nothing_is_kept")
@pytest.mark.parametrize("words", COMMANDS)
def test_plain_python_answers_as_compiled_kernels_do(words: str) -> None:
    said = python_code(COMPILING_FOR_EVER, *words.split(), env=dict(os.environ))
    compiled = _compiled(words)
    assert said.startswith(compiled.stdout)
    notes = said.removeprefix(compiled.stdout)
    told = [line for line in notes.splitlines() if not line.startswith(("compiling", "other process"))]
    assert told.pop().startswith("answered by plain Python before the kernels were compiled; ")
    assert _without_seconds("\n".join(told)) == _without_seconds(compiled.stderr)


def _compiled(words: str) -> subprocess.CompletedProcess[str]:
    """The command with the kernels of all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("REKKYO_CACHE_DIR")
        if CACHE_FOLDER is not None:
            patch.setenv("REKKYO_CACHE_DIR", CACHE_FOLDER)
        patch.setenv(SWITCH, "off")
        patch.setenv("REKKYO_QUIET", "1")
        return rekkyo(*words.split(), ok=True)


def _without_seconds(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "S s", text).strip()


def test_plain_python_loads_no_numba() -> None:
    """Loading it took half of the time to a first answer."""
    code = (
        "import sys, rekkyo as rk; from rekkyo.engines.registry import all_engines; tuple(all_engines());"
        " print(rk.count(rk.queens(6)).total, {'numba', 'llvmlite'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (done.stdout, done.stderr) == ("4 set()\n", "")


def test_the_switch_of_the_compiler_is_read_as_numba_reads_it() -> None:
    code = (
        "import os; from numba.core import config; from rekkyo.plain import compiler_is_off\n"
        "for value in ('', '0', '1', ' 2 ', '-1', '00', '0_1', 'false', 'True', '0x1', '1.0'):\n"
        "    os.environ['NUMBA_DISABLE_JIT'] = value\n"
        "    config.reload_config()\n"
        "    print(bool(config.DISABLE_JIT), compiler_is_off())\n"
        "del os.environ['NUMBA_DISABLE_JIT']\n"
        "print(compiler_is_off())\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT_S)
    *pairs, unset = done.stdout.splitlines()
    off, on = "True True", "False False"
    assert pairs == [on, on, off, off, off, on, off, on, on, on, on]
    assert unset == "False"


@pytest.mark.parametrize(
    ("variable", "settings", "switch", "fix"),
    [
        ("1", "", "NUMBA_DISABLE_JIT=1 in the environment", "unset it"),
        ("2\n", "", r"NUMBA_DISABLE_JIT=2\n in the environment", "unset it"),
        ("", "disable_jit: 1", "disable_jit in .numba_config.yaml of this folder", "delete it there"),
    ],
)
def test_nothing_is_warmed_without_the_compiler(
    variable: str, settings: str, switch: str, fix: str, tmp_path: Path
) -> None:
    """All jobs took seven minutes in plain Python."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    if variable:
        environment["NUMBA_DISABLE_JIT"] = variable
    if settings:
        (tmp_path / ".numba_config.yaml").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "rekkyo", "warm"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_S, cwd=tmp_path, env=environment
    )
    said = f"rekkyo: {switch} switches the compiler off, so there is nothing to compile; {fix}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to processes")
@pytest.mark.usefixtures("signals_as_in_a_terminal", "nothing_is_kept")
def test_ctrl_c_ends_both() -> None:
    words = [sys.executable, "-c", COMPILING_FOR_EVER, "count", "queens", "16"]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True, **pipes) as command:
        assert command.stderr is not None
        try:
            lines = [command.stderr.readline() for _ in range(2)]
            (other,) = (int(line.split()[-1]) for line in lines if line.startswith("other process"))
            command.send_signal(signal.SIGINT)
            _, notes = command.communicate(timeout=TIMEOUT_S)
        finally:
            command.kill()
    assert command.returncode == 130
    assert "interrupted before the search began" in notes
    assert "Traceback" not in notes
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)


def test_the_other_process_ends_where_the_system_refuses_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    race, _ = race_with("sys.stdin.read()")
    with pytest.raises(RuntimeError, match="can't start new thread"):
        race.begin()
    race.end()
    assert is_over(race)


def test_no_answer_is_read_after_a_signal_closed_the_pipes() -> None:
    """The signal may come while the thread that reads them is started."""
    race, signals = race_with("sys.stdin.read()")
    with subprocess.Popen(
        [sys.executable, "-c", ""], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        pass
    race._wait_for(process)
    assert race.offer is None
    assert not signals.has_interrupted.is_set()


def test_the_other_process_ends_with_its_asker() -> None:
    command = [sys.executable, "-m", "rekkyo.cli.plain", "count", "queens", "16"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", SWITCH: "other"}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdin is not None
    assert process.stderr is not None
    assert process.stderr.read(len(BEGIN)) == BEGIN
    process.stdin.close()
    assert process.wait(TIMEOUT_S) == 1
    process.stderr.close()


def test_nothing_is_started_where_all_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rekkyo("count", "queens", "6", ok=True)
    monkeypatch.delenv(SWITCH)
    script = tmp_path / "script.py"
    script.write_text(
        "from rekkyo.cli import plain\nfrom rekkyo.cli.start import start\n"
        "def begin(race): raise AssertionError('started')\n"
        "plain.Race.begin = begin\nstart()\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(script), "count", "queens", "6"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT_S)
    assert done.stdout == "total 4, unique 1 up to rotation and reflection\n"
