"""`rekkyo` as a program, forked from a process that has loaded it: loading takes a second of each of 600 commands.

One such process, the nursery (`nursery.py`), stands beside each process of the tests. Tests of starting, of encodings and
of Numba's settings start real processes instead. Code for which it matters when and from where rekkyo is loaded is forked
from a second nursery, which has loaded Numba alone. A `Program` is a `subprocess.Popen` that is forked in this way, so
that it can be killed, stopped and waited for.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.nursery import READY, SIGNALS, limit_files

TIMEOUT_S = 300
PR_SET_CHILD_SUBREAPER = 36
CLIENT = Path(__file__).with_name("program_client.py")
REKKYO = (sys.executable, "-m", "rekkyo")
READ_BY_REKKYO = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "REKKYO_CACHE_DIR", "REKKYO_POISON")
"""What a process reads that has not loaded rekkyo yet."""

READ_EARLY = ("PYTHON", "NUMBA", "LC_", "LANG", "REKKYO_CACHE_DIR", "REKKYO_POISON")


def rekkyo(*words: str | Path, given: str = "", ok: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. given: what it reads. ok: it must end well."""
    done = _run(words, {"words": [*map(str, words)]}, [*REKKYO, *map(str, words)], Path.cwd(), given)
    assert "Traceback" not in done.stderr, done.stderr
    assert not ok or done.returncode == 0, done.stderr
    return done


def python_script(script: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of Python to its end; a warning is an error.

    One that starts processes, as its `__main__` tells, is a process of its own: they load its main module.
    """
    forks = "__main__" not in script.read_text(encoding="utf-8")
    request = {"script": str(script)} if forks else None
    return _run((script,), request, [sys.executable, "-W", "error", str(script)], cwd, "")


def python_code(code: str, *words: str, env: dict[str, str]) -> str:
    """Run code of Python in a process that has not loaded rekkyo; gives what it writes, on standard error last."""
    started, wanted = ({n: v for n, v in of.items() if n not in READ_BY_REKKYO} for of in (os.environ, env))
    request = {"code": code, "words": [*words], "is_bare": True} if started == wanted else None
    done = _run(words, request, [sys.executable, "-c", code, *words], Path.cwd(), "", env)
    return done.stdout + done.stderr


def _run(
    words: tuple[str | Path, ...],
    request: dict[str, Any] | None,
    command: list[str],
    cwd: Path,
    given: str,
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """request: for the nursery, None to leave it alone. command: the same as a process of its own."""
    environment = dict(os.environ) if env is None else env
    is_bare = request is not None and "is_bare" in request
    with tempfile.TemporaryFile() as reads, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        reads.write(given.encode())
        reads.seek(0)
        files = [reads.fileno(), out.fileno(), err.fileno()]
        if request is not None and (hasattr(os, "fork") if is_bare else _fits_nursery()):
            place = nursery("bare") if is_bare else nursery()
            code = ask(place, request | {"cwd": str(cwd), "env": environment}, files)
        else:
            stdin, stdout, stderr = files
            code = subprocess.call(
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=cwd,
                env=environment,
                timeout=TIMEOUT_S,
            )
        out.seek(0)
        err.seek(0)
        output, complaint = out.read().decode(), err.read().decode(errors="backslashreplace")
    return subprocess.CompletedProcess(words, code, output, complaint)


class Program(subprocess.Popen[str]):
    """A process of Python as `subprocess.Popen` starts it, but forked from the nursery where that is the same.

    command: the interpreter of the tests with `-m` or `-c`, perhaps with `-P` before that. ignored: signals that it
    ignores. file_bytes: no file can grow beyond this, as on a full disk. Its streams are text.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        ignored: Sequence[int] = (),
        file_bytes: int | None = None,
        **settings: Any,
    ) -> None:
        words = [*map(str, command)]
        self._ignored = [*ignored, *_ignored_here()]
        self._file_bytes = file_bytes
        prepare = settings.pop("preexec_fn", None)  # what the nursery cannot do
        may_fork = sys.platform.startswith("linux") and prepare is None and _fits_nursery(settings.get("env"))
        self._request = _as_request(words) if may_fork else None

        def begin() -> None:
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            limit_files(file_bytes)
            if prepare is not None:
                prepare()

        if self._request is None:
            settings["preexec_fn"] = begin
        super().__init__(words, text=True, **settings)

    def _execute_child(self, *arguments: Any) -> None:
        """What starts the process. The arguments are those of Python 3.11 to 3.13."""
        if self._request is None:
            super()._execute_child(*arguments)  # type: ignore[misc]
            return
        cwd, env = arguments[5:7]
        request = {"cwd": str(cwd or Path.cwd()), "env": dict(env or os.environ), "ignored": self._ignored}
        request |= {"file_bytes": self._file_bytes}
        pipes = arguments[10:16]
        files = [own if own >= 0 else number for number, own in enumerate((pipes[0], pipes[3], pipes[5]))]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(nursery())
            _take_over_orphans(True)
            try:
                _send(connection, self._request | request | {"is_adopted": True}, files)
                self.pid = int(connection.recv(16))
            finally:
                _take_over_orphans(False)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def __exit__(self, kind: type[BaseException] | None, *others: Any) -> None:
        """Wait for the end, or kill it if the block failed: it may never end."""
        if kind is not None:
            self.kill()
        super().__exit__(kind, *others)


def run(
    command: Sequence[str | Path], given: str | None = None, timeout_s: float = TIMEOUT_S, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` does it, for a `Program`, and with all output."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | settings
    with Program(command, **pipes) as process:
        output, complaint = process.communicate(given, timeout=timeout_s)
    return subprocess.CompletedProcess(process.args, process.returncode, output, complaint)


def _as_request(command: list[str]) -> dict[str, Any] | None:
    """What the nursery is asked for instead of this command."""
    has_safe_path = command[1] == "-P"
    match [*command[:1], *command[1 + has_safe_path :]]:
        case [sys.executable, "-m", "rekkyo", *words]:
            request: dict[str, Any] = {"words": words}
        case [sys.executable, "-m", module, *words]:
            request = {"module": module, "words": words}
        case [sys.executable, "-c", code, *words]:
            request = {"code": code, "words": words}
        case _:
            return None
    return request | {"has_safe_path": has_safe_path}


def _take_over_orphans(whether: bool) -> None:
    """Whether this process becomes the parent of what its descendants leave behind. Linux only."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(whether), 0, 0, 0)


def _ignored_here() -> list[int]:
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) == signal.SIG_IGN]


def _fits_nursery(env: dict[str, str] | None = None) -> bool:
    """Whether nothing is set differently that is read while a program is loaded."""
    return hasattr(os, "fork") and _read_early(env or os.environ) == _AT_START


def _read_early(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(READ_EARLY)}


_AT_START = _read_early(os.environ)


def in_shell(commands: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run lines of a shell. `rekkyo` at the beginning of a command, or after a pipe or `&&`, is that under test."""
    ours = f"{sys.executable} -S {CLIENT} {nursery()}"
    runnable = re.sub(r"(^|[|&] )rekkyo\b", rf"\1{ours}", commands, flags=re.MULTILINE)
    return subprocess.run(runnable, shell=True, capture_output=True, text=True, timeout=TIMEOUT_S, cwd=cwd)


def ask(place: str, request: dict[str, Any], files: list[int]) -> int:
    """Have the nursery at a place run a command; gives its exit code, negative for a signal."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        _send(connection, request, files)
        connection.settimeout(TIMEOUT_S)
        process = int(connection.recv(16))
        try:
            return int(connection.recv(16))
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise


def _send(connection: socket.socket, request: dict[str, Any], files: list[int]) -> None:
    socket.send_fds(connection, [json.dumps(request).encode()], files)
    connection.shutdown(socket.SHUT_WR)


@cache
def nursery(*how: str) -> str:
    """The socket of this process's nursery, which is started for the first command. how: see `nursery.py`."""
    folder = tempfile.mkdtemp(prefix="rekkyo-tests-")
    place = str(Path(folder, "socket"))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.nursery", place, *how],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,  # at its end the nursery ends
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == READY
    atexit.register(process.kill)
    return place
