"""What the commands write, in whatever encoding the terminal has: nothing is refused, files are UTF-8 everywhere.

Every setting gets one process, which runs all commands with what Python makes of that setting.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rekkyo as rk
from rekkyo.cli.endings import exit_code_of
from rekkyo.cli.main import rekkyo
from rekkyo.cli.signals import StopSignals
from rekkyo.cli.streams import file_bytes, says_reader_is_gone
from rekkyo.engines.contract import Shard
from rekkyo.search.progress import Meter
from rekkyo.search.threads import do_all
from rekkyo.store import lock, manifest
from rekkyo.store.sqlite import translated_errors
from tests import programs
from tests.programs import REKKYO, ask, nursery, run

SETTINGS: dict[str, dict[str, str]] = {
    "utf-8": {"PYTHONIOENCODING": "utf-8"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "old locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
ENCODING = {"ascii": "utf-8", "old locale": "utf-8"}
"""Where it is not the one that was set: Python reports ASCII where no encoding was chosen."""
CARRY_OUT = """
import io, json, os, sys, warnings
from rekkyo.cli.main import main
warnings.filterwarnings("error", category=EncodingWarning, module=r"rekkyo\\.")
for number, words in enumerate(json.loads(sys.argv[1])):
    print(f"\\n=== {number}", flush=True)
    print(f"\\n=== {number}", file=sys.stderr, flush=True)
    sys.stdin = io.TextIOWrapper(io.BytesIO("q\\n".encode()), encoding="utf-8")
    sys.argv = ["rekkyo", *(os.fsdecode(word.encode()) for word in words)]  # as the system hands them over
    try:
        main()
    except SystemExit as end:
        sys.stdout.flush()
        print(f"\\n=== ends {end.code or 0}", flush=True)
"""
OWN = """kind = "packing"
title = "Würfel 箱 √2"
board = \"\"\"
####
####
\"\"\"
pieces = \"\"\"
öö 箱箱 ΣΣ 쌍쌍
\"\"\"
"""
LETTERS = 'kind = "grid"\nvalues = "箱Σ"\nboard = "..."\n'
COVER = "ä 字 | ∑\nä ∑:red\n字 ∑:red\nä 字\n"
FOR_PEOPLE = [
    "--help",
    "list",
    "info queens",
    "info queens 8",
    "info {own}",
    "info {cover}",
    "count {own}",
    "info van-der-waerden",
    "solve {own} --limit 2",
    "solve {own} --format board --limit 1",
    "solve {cover} --format board",
    "solve {cover} --format csv",
    "solve queens 6 --format compact",
    "solve {letters} --format compact",
    "solve {own} --json",
    "orbits queens 5",
    "orbits {own}",
    "orbits pentominoes 3 20",
    "estimate queens 6 --draws 20",
    "sample dominoes 2 4",
    "stats dominoes 2 4",
    "methods queens 4..5",
    "methods magic-square 3 --method line-sets",
    "verify {run}",
    "status {run}",
    "recount {run}",
]
REFUSED = ["verify queens 6", "count 箱", "count {folder}/無い.toml", "info {wrong}", "nonsensé", "draw {own} --sheet é"]  # fmt: skip
FOR_FILES = {
    "draw {own} --solution 0": "svg",
    "draw {cover} --solution 0": "svg",
    "draw {own} --sheet 2x1": "svg",
    "draw queens 5 --search": "svg",
    "draw queens 4 --animate": "<script",
    "new packing": "board",
    "info {cover} --xcc": COVER.splitlines()[0],
    "info {own} --xcc": "箱",
    "export {cover} --to xcc": COVER.splitlines()[0],
    "export {own} --to csv": "Würfel 箱 √2",
    "export {own} --to jsonl": "puzzle",
    "export {own} --to text": "Würfel 箱 √2",
    "bfile queens 4..5": "5 10",
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("streams")
    files = {"own": folder / "häuser.toml", "cover": folder / "cover.xcc", "wrong": folder / "falsch.toml"}
    files["own"].write_text(OWN, encoding="utf-8")
    files["letters"] = folder / "letters.toml"
    files["letters"].write_text(LETTERS, encoding="utf-8")
    files["cover"].write_text(COVER, encoding="utf-8")
    files["wrong"].write_text(OWN.replace("ΣΣ", "ΣΣΣ"), encoding="utf-8")
    rk.run(rk.queens(6), folder / "läufe")
    return {name: str(path) for name, path in files.items()} | {
        "run": str(folder / "läufe"),
        "folder": str(folder),
    }


@dataclass(frozen=True, slots=True)
class Written:
    """What a command wrote to standard output and to standard error, and how it ended."""

    out: bytes
    err: bytes
    exit_code: int


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """All commands in one setting."""

    encoding: str
    by_words: dict[str, Written]


ALIKE = "cp437"
"""Another code page of Windows, which has other letters than cp1252."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.second] if name == ALIKE else []) for name in SETTINGS],
)
def carried_out(request: pytest.FixtureRequest, places: dict[str, str]) -> CarriedOut:
    lines = [*FOR_PEOPLE, *REFUSED, *FOR_FILES]
    away = ("PYTHON", "LC_", "LANG")
    environment = {
        name: value
        for name, value in os.environ.items()
        if name == "PYTHONPATH" or not name.startswith(away)  # which says whose sources are tested
    }
    words = json.dumps([[word.format(**places) for word in line.split()] for line in lines])
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", CARRY_OUT, words],
        capture_output=True,
        env=environment | SETTINGS[request.param],
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]
    out, err = (
        [part.partition(b"\n")[2] for part in stream.split(b"\n=== ")[1:]]
        for stream in (done.stdout, done.stderr)
    )
    ends = [int(end) for end in re.findall(rb"^=== ends (\d+)$", done.stdout, re.MULTILINE)]
    written = [Written(*facts) for facts in zip(out[::2], err, ends, strict=True)]
    return CarriedOut(ENCODING.get(request.param, request.param), dict(zip(lines, written, strict=True)))


def test_nothing_is_refused_for_its_letters(carried_out: CarriedOut) -> None:
    ends = {words: written.exit_code for words, written in carried_out.by_words.items()}
    assert ends == dict.fromkeys([*FOR_PEOPLE, *FOR_FILES], 0) | dict.fromkeys(REFUSED, 2) | {
        "verify queens 6": 1
    }
    assert not any(b"Traceback" in written.err for written in carried_out.by_words.values())


def test_people_read_what_their_terminal_can_show(carried_out: CarriedOut) -> None:
    for words, written in carried_out.by_words.items():
        written.err.decode(carried_out.encoding)
        if not words.startswith("solve") and words not in FOR_FILES:
            written.out.decode(carried_out.encoding)

    def shown(text: str) -> bytes:
        return text.encode(carried_out.encoding, errors="backslashreplace")

    assert shown("Würfel 箱 √2") in carried_out.by_words["info {own}"].out
    assert shown("Chvátal") in carried_out.by_words["info van-der-waerden"].out
    assert b'there is no command "nonsens' in carried_out.by_words["nonsensé"].err


def test_files_are_the_same_everywhere(carried_out: CarriedOut) -> None:
    for words, what in FOR_FILES.items():
        text = carried_out.by_words[words].out.decode("utf-8")
        assert "\r" not in text
        if what == "svg":
            ElementTree.fromstring(text)
        else:
            assert what in text, words


def test_solutions_that_were_piped_are_read_again(carried_out: CarriedOut, places: dict[str, str]) -> None:
    """`verify` reads UTF-8, so `solve` writes it, whatever the terminal has."""
    piped = carried_out.by_words["solve {letters} --format compact"].out.decode("utf-8")
    assert "箱Σ箱\n" in piped
    assert (
        programs.rekkyo("verify", places["letters"], given=piped).stdout
        == "8 solutions checked: all valid, all different\n"
    )


def test_a_surrogate_in_a_name_stops_no_file() -> None:
    assert file_bytes("a\udcffb\n") == b"a?b\n"


def test_on_windows_a_reader_that_went_away_is_a_vague_error(monkeypatch: pytest.MonkeyPatch) -> None:
    vague = OSError(errno.EINVAL, "Invalid argument")
    assert says_reader_is_gone(BrokenPipeError())
    assert not says_reader_is_gone(vague)
    monkeypatch.setattr(sys, "platform", "win32")
    assert says_reader_is_gone(vague)
    assert not says_reader_is_gone(OSError(errno.EINVAL, "Invalid argument", "a file"))


# Outputs that cannot be written, and streams that were closed before the program began.

PRINTING = [
    "--help",
    "--version",
    "count --help",
    "list",
    "list --json",
    "info queens 8",
    "new packing",
    "count queens 6",
    "count queens 6 --json",
    "solve queens 6",
    "solve queens 6 --json",
    "orbits queens 5",
    "estimate queens 6 --draws 20",
    "sample queens 6",
    "stats dominoes 2 4",
    "methods queens 4",
    "draw queens 5",
    "bfile queens 4..5",
    "growth queens 4..5",
    "export {run} --to csv",
    "export {run} --to jsonl",
    "export {run} --to csv -o -",
    "export queens 6 --to text -o /dev/stdout",
    "draw queens 5 -o -",
    "verify {run}",
    "verify queens 6",
    "status {run}",
    "resume {run}",
    "recount {run} --json",
]
SHELL = " ".join(REKKYO)


def with_output(words: str, number: int) -> tuple[int, str]:
    """Run a command whose standard output is an open file; its exit code, and what it says beside."""
    with tempfile.TemporaryFile() as err, Path(os.devnull).open("rb") as nothing:
        request = {"words": words.split(), "cwd": str(Path.cwd()), "env": dict(os.environ)}
        exit_code = ask(nursery(), request, [nothing.fileno(), number, err.fileno()])
        err.seek(0)
        return exit_code, err.read().decode()


@pytest.mark.parametrize("words", PRINTING)
def test_nobody_reads(words: str, places: dict[str, str]) -> None:
    """As behind `| head -c0`: never 1, which would mean a wrong count."""
    reader, number = os.pipe()
    os.close(reader)
    try:
        exit_code, complaint = with_output(words.format(**places), number)
    finally:
        os.close(number)
    assert (exit_code, complaint) == (141, "")


@pytest.mark.parametrize("words", PRINTING)
def test_a_full_disk_is_one_line(words: str, places: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        exit_code, complaint = with_output(words.format(**places), full.fileno())
    assert (exit_code, complaint) == (
        3,
        "rekkyo: standard output cannot be written: No space left on device\n",
    )


@pytest.mark.parametrize("words", ["--help", "count queens 6", "solve queens 6"])
def test_a_closed_output_is_one_line(words: str) -> None:
    done = subprocess.run(f"{SHELL} {words} >&-", shell=True, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "rekkyo: standard output cannot be written: Bad file descriptor\n"


@pytest.mark.parametrize("away", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_without_standard_error_nothing_changes(away: str, tmp_path: Path) -> None:
    command = f"{SHELL} run queens 6 --out {tmp_path / 'run'} {away}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("total 4, unique 1, digest ")
    assert rk.Run(tmp_path / "run").verify().passed


def test_a_complaint_that_nobody_can_read_ends_in_the_same_way() -> None:
    with Path("/dev/full").open("wb") as full:
        assert run([*REKKYO, "count", "quens", "6"], stderr=full).returncode == 2


def test_a_run_without_any_stream_is_whole(tmp_path: Path) -> None:
    command = f"{SHELL} run queens 6 --out {tmp_path / 'run'} <&- >&- 2>&-"
    assert subprocess.run(command, shell=True, timeout=60).returncode == 3
    assert rk.Run(tmp_path / "run").status().total == 4
    assert rk.Run(tmp_path / "run").verify().passed


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """What other programs print there would go into the file."""
    code = (
        "import sys\nimport rekkyo.cli.main as cli\nfrom rekkyo.cli.start import start\n"
        "cli.main = lambda _: sys.exit(open(sys.argv[1], 'wb').fileno() < 3)\nstart()"
    )
    command = f'{sys.executable} -c "$CODE" {tmp_path / "file"} <&- >&- 2>&-'
    assert subprocess.run(command, shell=True, timeout=60, env=os.environ | {"CODE": code}).returncode == 0


def test_too_little_memory_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise MemoryError

    assert exit_code_of(work, StopSignals()) == 3
    assert capsys.readouterr().err == (
        "rekkyo: there is not enough memory; allow less with REKKYO_MEMORY or --workers\n"
    )


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (OSError(errno.EIO, "a cable is loose", "rows.csv"), "a cable is loose: rows.csv"),
        (OSError(errno.EIO, "a cable is loose"), "a cable is loose"),
        (OSError("no number"), "no number"),
    ],
)
def test_a_failure_of_the_system_is_named_with_its_file(
    problem: OSError, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        raise problem

    assert exit_code_of(work, StopSignals()) == 3
    assert capsys.readouterr().err == f"rekkyo: {message}\n"


@pytest.mark.parametrize("n_allowed", [0, 1])
def test_too_few_threads_are_one_line(
    n_allowed: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def start_few(thread: threading.Thread) -> None:
        if len(started) == n_allowed:
            raise RuntimeError("can't start new thread")
        start(thread)
        started.append(thread)

    monkeypatch.setattr(threading.Thread, "start", start_few)

    def work() -> None:
        do_all([Shard(0, ())], lambda *_: None, 3, Meter(1, 3), None)

    assert exit_code_of(work, StopSignals()) == 3
    fix = "allow fewer with --workers, or end other programs"
    assert capsys.readouterr().err == f"rekkyo: no more threads can be started; {fix}\n"
    assert not any(thread.is_alive() for thread in started)


def test_a_file_system_without_locks_is_a_failure_of_the_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_: int) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_try_to_lock", no_locks)
    assert exit_code_of(partial(rk.run, rk.queens(6), tmp_path / "run", workers=1), StopSignals()) == 3
    said = f"rekkyo: {tmp_path / 'run' / 'lock'} cannot be locked: No locks available; put the run on a disk"
    assert capsys.readouterr().err == f"{said} of this computer\n"
    assert not lock.is_held(tmp_path / "run" / "lock")


@pytest.mark.parametrize(("number", "exit_code"), [(errno.EIO, 3), (errno.ENOSPC, 3), (errno.EACCES, 2)])
@pytest.mark.parametrize("words", [("status", "run"), ("info", "mine.toml")])
def test_a_failing_disk_is_not_bad_input(
    words: tuple[str, str], number: int, exit_code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages about files that cannot be read do not tell why, but the exit code does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('kind = "queens"\n')

    def failing(path: Path, *_: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(manifest, "open_file", failing)
    monkeypatch.setattr(Path, "open", failing)
    assert exit_code_of(partial(rekkyo, words, standalone_mode=False), StopSignals()) == exit_code


@pytest.mark.parametrize(
    ("code", "exit_code"), [(sqlite3.SQLITE_IOERR_READ, 3), (sqlite3.SQLITE_CANTOPEN, 2)]
)
def test_a_failing_disk_is_told_by_sqlite(code: int, exit_code: int) -> None:
    def work() -> None:
        problem = sqlite3.OperationalError("disk I/O error")
        problem.sqlite_errorcode = code
        with translated_errors(Path("index.sqlite"), writing=False):
            raise problem

    assert exit_code_of(work, StopSignals()) == exit_code
