"""The process that searches for the design page: `python -m rekkyo.designer.worker`.

It reads jobs and stops from standard input, a JSON object on each line, and writes stages to standard output
in the same way. One thread reads; the main thread works, so that a stop can interrupt it as Ctrl-C does. When
standard input ends, the server is gone, and the process ends, even during a search.

A search takes at most MEMORY_BYTES of data, if the system supports such limits.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Any

from rekkyo.errors import RekkyoError
from rekkyo.warm.compiling_line import lines_while_compiling

MEMORY_BYTES = int(os.environ.get("REKKYO_DESIGN_MEMORY", "") or 4 << 30)


class Stopped(KeyboardInterrupt):
    """The job was stopped."""


class Worker:
    """Reads jobs and writes stages."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)  # printed text must not come between the stages
        self._number: int | None = None
        self._stopped = -1
        self._is_saying = False

    def work(self) -> None:
        """Do jobs until standard input ends."""
        _limit_memory(MEMORY_BYTES)
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._listen, daemon=True).start()
        from rekkyo.designer.jobs import JOBS, get_ready

        with lines_while_compiling(self._say_compiling):
            get_ready()
        gc.collect()
        gc.freeze()  # a collection of all objects left by compiling sometimes added 0.2 s to an answer
        self._say({"stage": "ready"})
        while True:
            with suppress(Stopped):
                job = self._jobs.get()
                self._run_job(JOBS, job)

    def _run_job(self, jobs: dict[str, Any], job: dict[str, Any]) -> None:
        number = job["number"]
        end: dict[str, Any] = {"stage": "end"}
        try:
            self._number = number
            if number > self._stopped:
                with lines_while_compiling(self._say_compiling):
                    jobs[job["do"]](job, lambda message: self._say(message | {"number": number}))
        except Stopped:
            end["why"] = "stopped"
        except RekkyoError as problem:
            end |= {"why": "problem", "message": " ".join(str(problem).split())}
        except MemoryError:
            end |= {"why": "memory", "message": "it needs more memory than a search here may take"}
        except Exception as problem:  # a defect must not keep the page waiting
            end |= {"why": "defect", "message": f"{type(problem).__name__}: {problem}"}
        self._number = None
        self._say(end | {"number": number})

    def _listen(self) -> None:
        with suppress(OSError, ValueError):
            for line in sys.stdin.buffer:
                job = json.loads(line)
                if job["do"] == "stop":
                    self._stopped = max(self._stopped, job["number"])
                    _interrupt_main_thread()
                else:
                    self._jobs.put(job)
        os._exit(0)

    def _interrupted(self, _number: int, _frame: FrameType | None) -> None:
        if self._number is not None and self._number <= self._stopped and not self._is_saying:
            self._number = None
            raise Stopped

    def _say_compiling(self, text: str) -> None:
        if threading.current_thread() is threading.main_thread():
            self._say({"stage": "compiling", "text": text, "number": self._number})

    def _say(self, message: dict[str, Any]) -> None:
        """Write a whole line; a stop that comes meanwhile takes effect after it."""
        self._is_saying = True
        try:
            line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
            while line:
                line = line[self._out.write(line) or 0 :]
        except OSError:
            os._exit(0)
        finally:
            self._is_saying = False
        self._interrupted(0, None)


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


def _limit_memory(n_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, n_bytes))


if __name__ == "__main__":
    Worker().work()
