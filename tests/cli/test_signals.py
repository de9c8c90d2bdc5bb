"""Signals stop every command cleanly. The commands wait at a place of their work until the signal is there."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.cli.endings import exit_code_of
from rekkyo.cli.signals import StopRequested, StopSignals
from rekkyo.store.run_directory import RunDirectory
from tests.programs import REKKYO, TIMEOUT_S, Program, run

pytestmark = pytest.mark.usefixtures("signals_as_in_a_terminal")

ROOT = Path(__file__).parents[2]
START_AND_WAIT = """
import importlib, sys
from rekkyo.cli import signals
from rekkyo.cli.start import start

place, same_request_s, *words = sys.argv[1:]
signals.SAME_REQUEST_S = float(same_request_s)
module, _, names = place.partition(":")
*owners, name = names.split(".")
holder = importlib.import_module(module)
for owner in owners:
    holder = getattr(holder, owner)
original = getattr(holder, name)

def waiting(*arguments, **named):
    setattr(holder, name, original)
    try:
        print("begun", file=sys.stderr, flush=True)
        sys.stdin.readline()
    except KeyboardInterrupt:
        if same_request_s != "0.5":
            print("stopping", file=sys.stderr, flush=True)
            sys.stdin.readline()
        raise
    return original(*arguments, **named)

setattr(holder, name, waiting)
sys.argv[1:] = words
start()
"""
LOOK = "rekkyo.search.progress:Meter.look"
COMMANDS = {
    "count queens 8": LOOK,
    "solve queens 8": LOOK,
    "orbits queens 8": LOOK,
    "estimate queens 16 --seconds 1": "rekkyo.ask.estimate:_draw",
    "sample queens 6 --engine queens-bitmap": LOOK,
    "run queens 8 --out {new}": LOOK,
    "resume {begun}": LOOK,
    "recount {run}": LOOK,
    "recount {run} --fraction 0.5": LOOK,
    "verify {run}": LOOK,
    "certify queens 5 -o {new}": LOOK,
    "stats dominoes 4 4": "rekkyo.ask.diagram:stats",
    "export {run} --to csv": "rekkyo.export.tables:batched",
    "export {run} --to npy -o {new}": "rekkyo.export.tables:batched",
    "verify queens 8": "rekkyo.export.read:read_lines",
    "warm": "rekkyo.warm.jobs:_touch",
    "draw queens 6 --solution 0": "rekkyo.runs.sources:rows_of_puzzle",
    "gallery {run} --static {new}": "rekkyo.gallery.static_site:write_site",
    "bfile queens 4..5": "rekkyo.runs.bfiles:count",
    "growth queens 4..5": LOOK,
    "methods queens 4": "rekkyo.methods.ladder:run_method",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("signals")
    for name in ("run", "begun"):
        rk.run(rk.queens(6), folder / name, workers=1)
    with closing(RunDirectory.open(folder / "begun")) as run:
        run.index.drop([0])
    return {"run": folder / "run", "begun": folder / "begun"}


def begun(place: str, *words: str, same_request_s: float = 0.5, **settings: Any) -> subprocess.Popen[str]:
    """A command that has come to a place of its work and waits there for a line, or for a signal."""
    process = Program(
        [sys.executable, "-c", START_AND_WAIT, place, str(same_request_s), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **settings,
    )
    wait_for_line(process, "begun")
    return process


def wait_for_line(process: subprocess.Popen[str], wanted: str) -> None:
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if line == f"{wanted}\n":
            return
    raise AssertionError("".join(said))


def end_of(process: subprocess.Popen[str], given: str | None = None) -> tuple[int, str]:
    with process:
        try:
            _, complaint = process.communicate(given, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert "Traceback" not in complaint, complaint
    return process.returncode, complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_terminal_stops_every_command(
    command: str, runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "warm":  # it has no work to be stopped in once it was run
        monkeypatch.setenv("REKKYO_CACHE_DIR", str(tmp_path / "kernels"))
    process = begun(COMMANDS[command], *command.format(new=tmp_path / "new", **runs).split())
    process.send_signal(signal.SIGHUP)
    exit_code, complaint = end_of(process)
    assert exit_code == 129
    assert complaint.startswith("rekkyo: interrupted")
    assert complaint.count("\n") == 1
    if command.startswith(("run", "resume")):
        folder = tmp_path / "new" if command.startswith("run") else runs["begun"]
        assert complaint.endswith(f"finished shards are safe; go on with: rekkyo resume {folder}\n")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["count queens 8", "export {run} --to csv"])
def test_the_exit_code_names_the_signal(command: str, sign: signal.Signals, runs: dict[str, Path]) -> None:
    process = begun(COMMANDS[command], *command.format(**runs).split())
    process.send_signal(sign)
    assert end_of(process)[0] == 128 + sign


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["gallery {run}", "design"])
def test_servers_stop_too(command: str, sign: signal.Signals, runs: dict[str, Path]) -> None:
    words = command.format(**runs).split()
    process = Program([*REKKYO, *words, "--port", "0"], stderr=subprocess.PIPE)
    assert process.stderr is not None
    assert "http://" in process.stderr.readline()
    process.send_signal(sign)
    assert end_of(process) == (128 + sign, "rekkyo: interrupted\n")


TWICE = """
import signal
from rekkyo.cli.start import start
from uvicorn import Server

shutdown = Server.shutdown

async def shutdown_after_another(server, sockets=None):
    signal.raise_signal(signal.SIGINT)
    await shutdown(server, sockets)

Server.shutdown = shutdown_after_another
start()
"""


def test_a_second_ctrl_c_ends_the_design_page_cleanly() -> None:
    process = Program([sys.executable, "-c", TWICE, "design", "--port", "0"], stderr=subprocess.PIPE)
    assert process.stderr is not None
    assert "http://" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert end_of(process) == (130, "rekkyo: interrupted\n")


@pytest.mark.parametrize("sign", [signal.SIGHUP, signal.SIGINT])
def test_what_was_ignored_stays_ignored(sign: signal.Signals) -> None:
    """SIGHUP under `nohup`, SIGINT behind `&` in a script."""
    process = begun(LOOK, "count", "queens", "6", ignored=[sign])
    process.send_signal(sign)
    assert end_of(process, "go on\n")[0] == 0


def test_a_second_signal_ends_it_at_once() -> None:
    process = begun(LOOK, "count", "queens", "6", same_request_s=0)
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "stopping")
    process.send_signal(signal.SIGTERM)
    assert end_of(process) == (-signal.SIGTERM, "")


def test_two_signals_at_once_are_one_request() -> None:
    """`timeout` sends SIGTERM to the command and then to its group."""
    process = begun(LOOK, "count", "queens", "6", same_request_s=3600)
    process.send_signal(signal.SIGTERM)
    wait_for_line(process, "stopping")
    process.send_signal(signal.SIGTERM)
    assert end_of(process, "go on\n")[0] == 143


def test_a_reader_that_does_not_read_keeps_nothing_from_ending() -> None:
    """The pipe is full when the signal comes, and what was found since then is dropped."""
    process = Program([*REKKYO, "solve", "queens", "14"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=TIMEOUT_S) == 143
    process.communicate()


INTERRUPTED_IMPORT = """
import importlib, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[3]:
            type("Holder", (), {"field": self}) if sys.argv[4:] else signal.raise_signal(signal.SIGINT)

    def __set_name__(self, *_):
        signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
getattr(importlib.import_module(sys.argv[1]), sys.argv[2])()
"""


def interrupted_while_imported(module: str, *words: str) -> tuple[int, str, str]:
    """The end of a Python program that gets SIGINT when it imports a module. words: what it calls, and how."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, *words[:2], module, *words[2:]],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("program", ["rekkyo", "fzn-rekkyo"])
def test_ctrl_c_while_the_package_is_imported(program: str) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    # `import rekkyo` consists of this one for the most part
    end = interrupted_while_imported("rekkyo.verify", *scripts[program].split(":"))
    assert end == (-signal.SIGINT, "", "")


def test_ctrl_c_while_the_module_imports_the_command_line() -> None:
    end = interrupted_while_imported("rekkyo.cli.start", "rekkyo.__main__", "")
    assert end == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("how", [(), ("within a class",)])
def test_ctrl_c_while_the_commands_are_imported(how: tuple[str, ...]) -> None:
    """Python 3.11 makes a RuntimeError of what is raised while a class is made."""
    end = interrupted_while_imported("rekkyo.cli.main", "rekkyo.cli.start", "start", *how)
    assert end == (130, "", "")


def test_an_error_that_an_interruption_caused_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    error = ImportError("cannot be loaded")
    error.__cause__ = StopRequested()
    assert exit_code_of(partial(_raise, error), StopSignals()) == 130
    assert capsys.readouterr().err == "rekkyo: interrupted\n"
    with pytest.raises(ImportError, match="missing"):
        exit_code_of(partial(_raise, ImportError("missing")), StopSignals())


ENDING = """
import sys, threading
from rekkyo.cli.endings import exit_code_of
from rekkyo.cli.progress import Interrupted
from rekkyo.cli.signals import StopSignals

def work():
    try:
        signals.interrupt()
        threading.Event().wait(60)
    except KeyboardInterrupt:
        if sys.argv[1] == "answered":
            sys.exit(0)
        if sys.argv[1] == "said":
            raise Interrupted("interrupted") from None
        raise

signals = StopSignals()
signals.listen()
code = exit_code_of(work, signals)
for again in threading.enumerate()[1:]:
    again.join()
print(code)
"""


@pytest.mark.parametrize(("how", "code"), [("answered", 0), ("said", 130), ("raised", 130)])
def test_an_interruption_that_ended_a_command_is_not_raised_again(how: str, code: int) -> None:
    done = run([sys.executable, "-c", ENDING, how])
    assert (done.returncode, done.stdout) == (0, f"{code}\n")


def _raise(error: Exception) -> None:
    raise error


IGNORING = """
import signal, sys, threading
from rekkyo.cli.signals import StopRequested, StopSignals

signals = StopSignals()
signals.listen()
try:
    signals.interrupt() if sys.argv[1] == "own" else signal.raise_signal(signal.SIGTERM)
    threading.Event().wait(60)
except BaseException:
    print("ignored")
try:
    signals.wait_for_interruption()
except StopRequested:
    print("raised", signals.have_come, signals.exit_code)
    signals.be_handled()
"""
COLLECTING = """
import gc, signal, threading
from rekkyo.cli.signals import StopSignals

def collecting(phase, _):
    if phase == "start":
        gc.callbacks.clear()
        signal.raise_signal(signal.SIGTERM)

signals = StopSignals()
signals.listen()
gc.callbacks.append(collecting)
try:
    gc.collect()
    threading.Event().wait(60)
except KeyboardInterrupt:
    print(signals.exit_code)
"""
HANDLING = """
import signal, sys, threading
from rekkyo.cli.signals import StopSignals

signals = StopSignals()
signals.listen()
try:
    signal.raise_signal(signal.SIGTERM)
except BaseException as error:
    kept = error
    if sys.argv[1] == "handled":
        signals.be_handled()
try:
    del kept
    for again in threading.enumerate()[1:]:
        again.join()
    print("goes on")
except KeyboardInterrupt:
    print("raised again")
"""


@pytest.mark.parametrize(("whose", "end"), [("own", "raised False 130"), ("user", "raised True 143")])
def test_an_interruption_that_other_code_ignored_is_raised_again(whose: str, end: str) -> None:
    """Modules written in C, such as those of numpy.random, may ignore an exception while they are loaded."""
    done = run([sys.executable, "-c", IGNORING, whose])
    assert (done.stdout, done.stderr) == (f"ignored\n{end}\n", "")


@pytest.mark.parametrize(("how", "end"), [("handled", "goes on"), ("kept", "raised again")])
def test_an_interruption_is_over_once_it_is_handled(how: str, end: str) -> None:
    """While the exception exists, as that of the cause of another one, it is on its way."""
    done = run([sys.executable, "-c", HANDLING, how])
    assert (done.stdout, done.stderr) == (f"{end}\n", "")


def test_a_signal_while_python_collects_garbage_is_not_lost() -> None:
    done = run([sys.executable, "-c", COLLECTING])
    assert (done.stdout, done.stderr) == ("143\n", "")
