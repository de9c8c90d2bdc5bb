"""`rekkyo` as a program, forked from a process that has loaded it: loading takes a second of each of 600 commands.

One such process, the nursery, stands beside each process of the tests. For a command it forks one that gets the
folder, the environment, the ignored signals and the standard streams of the asker, runs `rekkyo.cli.start` and ends as
any program does, by its own exit code or a signal. Scripts, modules and code of Python may be run in the same way.
Tests of starting, of encodings and of Numba's settings start real processes instead. Code for which it matters when
and from where rekkyo is loaded is forked from a second nursery, which has loaded Numba alone.

    asker   -> {words, script, module or code; cwd, env, ignored} and three open files      over a Unix socket
    nursery -> the process number, then the exit code

A `Program` is a `subprocess.Popen` that is forked in this way: the process is handed over to the asker as its own child,
so that it can be killed, stopped and waited for.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import re
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

TIMEOUT_S = 300
PR_SET_CHILD_SUBREAPER = 36
SIGNALS = ("SIGINT", "SIGHUP", "SIGTERM")
MAX_BYTES = 1 << 20
CLIENT = Path(__file__).with_name("program_client.py")
READY = "ready"
REKKYO = (sys.executable, "-m", "rekkyo")
READ_BY_REKKYO = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "REKKYO_CACHE_DIR", "REKKYO_POISON")
"""What a process reads that has not loaded rekkyo yet."""

LOADED = (
    *("ask.diagram", "ask.estimate", "ask.orbits", "ask.sample", "ask.solve", "search.race", "search.small"),
    *("cli.main", "cli.plain", "cli.start", "export.minizinc_write", "export.tables", "model.obstacles"),
    *("render.svg.drawing", "render.understood", "runs.bfiles", "runs.elaborate", "runs.exporting"),
    *("runs.recount", "runs.repair", "runs.run", "runs.sources", "runs.verify_run"),
)

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


def run(
    command: Sequence[str | Path], given: str | None = None, timeout_s: float = TIMEOUT_S, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` does it, for a `Program`, and with all output."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | settings
    with Program(command, **pipes) as process:
        try:
            output, complaint = process.communicate(given, timeout=timeout_s)
        except BaseException:
            process.kill()
            raise
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


def in_shell(commands: str, cwd: Path, timeout_s: float = TIMEOUT_S) -> subprocess.CompletedProcess[str]:
    """Run lines of a shell. `rekkyo` at the beginning of a command, or after a pipe or `&&`, is that under test."""
    ours = f"{sys.executable} -S {CLIENT} {nursery()}"
    runnable = re.sub(r"(^|[|&] )rekkyo\b", rf"\1{ours}", commands, flags=re.MULTILINE)
    return subprocess.run(runnable, shell=True, capture_output=True, text=True, timeout=timeout_s, cwd=cwd)


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
    """The socket of this process's nursery, which is started for the first command. how: see `serve`."""
    folder = tempfile.mkdtemp(prefix="rekkyo-tests-")
    place = str(Path(folder, "socket"))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.programs", place, *how],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,  # at its end the nursery ends
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == READY
    atexit.register(process.kill)
    return place


def serve(place: str, *how: str) -> dict[str, Any]:
    """Fork a process for each command. Only such a process ever returns: with what it was asked for.

    how: "bare", to load Numba alone, or nothing.
    """
    if not how:
        load()
        load_kernels()
    load_numba()
    _freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen()
    ends = _told_of_ends()
    askers: dict[int, socket.socket] = {}
    print(READY, flush=True)
    while True:
        ready, _, _ = select.select([listener, ends, 0], [], [])
        if 0 in ready:
            os._exit(0)
        if ends in ready:
            os.read(ends, MAX_BYTES)
            _tell_ends(askers)
        if listener in ready:
            connection, _ = listener.accept()
            request = _forked(connection, askers)
            if request is not None:
                listener.close()
                return request


def load_kernels() -> None:
    """Those of short searches, which each of these commands would load in 15 ms.

    Those of merging remain: a search waits longer before it races against merging where they are not loaded.
    """
    rk = import_module("rekkyo")
    for words in ("queens 4", "dominoes 2 2"):
        rk.count(rk.puzzle(words))


def _freeze() -> None:
    """Leave what was made until now as it is: each process would have to copy what it looks at or takes apart.

    Looking for garbage is one reason for that. Numba would take apart 432 objects when a process ends, in 6 ms.
    """
    gc.freeze()
    for taken_apart in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        taken_apart.atexit = False


def _told_of_ends() -> int:
    """A pipe that gets a byte when a process ends."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reads


def _tell_ends(askers: dict[int, socket.socket]) -> None:
    """Tell the askers of processes that have ended; there may be several, or none."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            asker = askers.pop(ended[0], None)
            if asker is not None:
                with asker, suppress(OSError):  # it may be gone
                    asker.send(str(os.waitstatus_to_exitcode(ended[1])).encode())


def load_numba() -> None:
    """Numba, and what it sets up before its first function."""
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def load() -> None:
    """What most commands import. Loading the rest in each process took a quarter of the time of all of them."""
    for name in LOADED:
        import_module(f"rekkyo.{name}")
    all_engines = import_module("rekkyo.engines.registry").all_engines
    tuple(all_engines())


def _forked(connection: socket.socket, askers: dict[int, socket.socket]) -> dict[str, Any] | None:
    """Fork the process of a command, whose asker is told of its number and, later, of its end.

    Only that process is given the request, and has become what it asks for.
    """
    text, files, _, _ = socket.recv_fds(connection, MAX_BYTES, 3)
    while part := connection.recv(MAX_BYTES):
        text += part
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for other in askers.values():
            other.close()
        request: dict[str, Any] = json.loads(text)
        if request.get("is_adopted"):
            _change_parent(connection)
        connection.close()
        become(request, files)
        return request
    for file in files:
        os.close(file)
    if b'"is_adopted"' not in text:
        connection.send(f"{child}\n".encode().ljust(16))
        askers[child] = connection
    else:
        connection.close()
    return None


def _change_parent(connection: socket.socket) -> None:
    """Go on in a process that belongs to the asker, and tell it its number."""
    between = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == between:  # until it belongs to the asker
        time.sleep(0.001)
    connection.send(str(os.getpid()).encode())


def become(request: dict[str, Any], files: list[int]) -> None:
    """Take over the asker's streams, folder, environment, words and ignored signals."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = _stream(0, "r"), _stream(1, "w")
    sys.stderr = _stream(2, "w", errors="backslashreplace", buffering=1)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    os.chdir(request["cwd"])
    for name in os.environ.keys() - request["env"].keys():
        del os.environ[name]
    os.environ.update(request["env"].items() - os.environ.items())
    limit_files(request.get("file_bytes"))
    sys.argv = [request.get("script", "-c" if "code" in request else "rekkyo"), *request.get("words", ())]
    sys.path[:1] = [] if request.get("has_safe_path") else [request["cwd"]]
    if request.get("is_bare"):
        sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    for number in (getattr(signal, name) for name in SIGNALS):
        heard = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, signal.SIG_IGN if number in request.get("ignored", ()) else heard)


def limit_files(n_bytes: int | None) -> None:
    """Let no file of this process grow further. Python would write and use incomplete files of bytecode."""
    if n_bytes is not None:
        import resource  # not on Windows

        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def _stream(number: int, mode: str, **how: Any) -> Any:
    return open(number, mode, encoding="utf-8", **how)


def run_to_end(request: dict[str, Any]) -> int:
    """Run the command, script, module or code in this process; gives its exit code."""
    try:
        match request:
            case {"script": script}:
                warnings.simplefilter("error")
                runpy.run_path(script, run_name="__main__")
            case {"module": module}:
                runpy.run_module(module, run_name="__main__", alter_sys=True)
            case {"code": code}:
                exec(
                    compile(code, "<string>", "exec"),
                    vars(sys.modules["__main__"]) | {"__name__": "__main__"},
                )
            case _:
                from rekkyo.cli.start import start

                start()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    exit_code = run_to_end(serve(*sys.argv[1:]))
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(ValueError, OSError):  # closed, or its reader is gone
            stream.flush()
    os._exit(exit_code)  # taking all modules apart takes longer than most commands
