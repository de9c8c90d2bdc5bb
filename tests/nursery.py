"""A process that has loaded rekkyo and forks another one for each command: python -m tests.nursery SOCKET [bare].

Loading rekkyo takes a second of each of 600 commands. A forked process gets the folder, the environment, the ignored
signals and the standard streams of the asker, runs `rekkyo.cli.start` and ends as any program does, by its own exit code
or a signal. Scripts, modules and code of Python are run in the same way. A bare nursery has loaded Numba alone.

    asker   -> {words, script, module or code; cwd, env, ignored} and three open files      over a Unix socket
    nursery -> the process number, then the exit code

A process that is to be adopted is handed over to the asker as its own child, and only its number is told.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
import time
import traceback
import warnings
import weakref
from contextlib import suppress
from importlib import import_module
from typing import Any

SIGNALS = ("SIGINT", "SIGHUP", "SIGTERM")
MAX_BYTES = 1 << 20
READY = "ready"

LOADED = (
    *("ask.diagram", "ask.estimate", "ask.orbits", "ask.sample", "ask.solve", "search.race", "search.small"),
    *("cli.main", "cli.plain", "cli.start", "export.minizinc_write", "export.tables", "model.obstacles"),
    *("render.svg.drawing", "render.understood", "runs.bfiles", "runs.elaborate", "runs.exporting"),
    *("runs.recount", "runs.repair", "runs.run", "runs.sources", "runs.verify_run"),
)


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
    with suppress(ImportError):
        import_module("distributed")  # would take 0.8 s in each of a dozen processes with Dask


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
