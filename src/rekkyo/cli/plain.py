"""The same command in plain Python, in a second process, while the first one compiles kernels.

Compiling takes seconds, and the uncompiled kernels search a small puzzle in less time. So when a command
compiles its first kernel, or begins with an empty cache, the same command is also started with
NUMBA_DISABLE_JIT=1, in another process, because an uncompiled kernel would still call compiled ones in this
one. Both run the same code: they find the same solutions in the same order and check them in the same way.
The first to finish answers:

    this process       compiles ... claims ... searches ... answers
    the other process  searches ... ends with code 0: this process is interrupted and prints what it wrote

This process claims the answer when its compiled search reports progress or when it has output; then the other
process is killed. The other process answers only with a complete answer of at most MOST_BYTES. It ends with
this process, because this process holds the other end of its standard input, a pipe. Left out on purpose:
commands that write files; `estimate`, which always draws for a given time; and functions of the library,
whose puzzles cannot always be sent to another process.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import click

from rekkyo.cli.progress import Interrupted
from rekkyo.cli.signals import StopSignals
from rekkyo.cli.start import start
from rekkyo.cli.streams import note
from rekkyo.kernel_folders import none_are_kept
from rekkyo.plain import NO_COMPILER, OTHER, PYTHON, SWITCH, answers_in_plain_python, compiler_is_off

if TYPE_CHECKING:
    from rekkyo.search.progress import Progress, Watcher

LOG = logging.getLogger("rekkyo")

MOST_BYTES = 1 << 20
"""The most bytes of an answer in plain Python. A longer answer waits for the compiler."""

HEAD_START_S = 1.2
"""With an empty cache, plain Python runs alone for this time: hardware threads of a core slow each other by a
third, and the smallest puzzles finish in this time."""

ANSWER_WITHIN_S = 6.0
"""The longest time for plain Python; longer searches finish earlier if compiling is not disturbed."""

BEGIN = b"\0"
"""The other process writes this to standard error when its search begins; earlier output is dropped."""

QUIET_PYTHON = (*PYTHON, "-W", "ignore::RuntimeWarning")
"""Silences NumPy's warnings about overflow, which is intended in hashes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The two outputs of the other process."""

    out: bytes
    notes: bytes


class Race:
    """A command and the same command in plain Python: the first to claim the answer gives it."""

    def __init__(self, command: Sequence[str], signals: StopSignals) -> None:
        self._command = command
        self._signals = signals
        self._claimed = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: threading.Thread | None = None
        self._timer = threading.Timer(0, lambda: None)
        self.is_ours = False
        self.offer: Answer | None = None

    def begin(self) -> None:
        """Start the other process, unless it runs or the answer is claimed."""
        if self._process is not None or self.is_ours:
            return
        encoding = f"{sys.stdout.encoding}:backslashreplace"
        changes = {NO_COMPILER: "1", "PYTHONIOENCODING": encoding, SWITCH: OTHER}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | changes,
        )
        self._timer = threading.Timer(ANSWER_WITHIN_S, self._process.kill)
        self._timer.daemon = True
        self._timer.start()
        waiting = threading.Thread(target=self._wait_for, args=(self._process,), daemon=True)
        waiting.start()  # joined only once it runs: the system may refuse threads
        self._waiting = waiting

    def claim(self) -> None:
        """Claim the answer, and stop the other process. Raises StopRequested if that claimed it first."""
        if not self.is_ours:
            if not self._claimed.acquire(blocking=False):
                self._signals.wait_for_interruption()
            self.is_ours = True
            self.end()

    def claiming(self, watch: Watcher) -> Watcher:
        """The watcher, changed to claim the answer at the first report of the compiled search."""

        def claim_and_watch(progress: Progress) -> None:
            self.claim()
            watch(progress)

        return claim_and_watch

    def end(self) -> None:
        """Stop the other process."""
        if self._process is not None and self._process.stdin is not None:
            self._timer.cancel()
            self._process.kill()
            self._process.stdin.close()
            if self._waiting is not None:
                self._waiting.join()
            self._process.wait()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe is not None:  # open where the system refused the threads that read
                    pipe.close()

    def _wait_for(self, process: subprocess.Popen[bytes]) -> None:
        try:
            out, notes = _read_both(process)
        except RuntimeError:  # the system refuses another thread, so nobody would read all of the answer
            return
        except ValueError:  # a signal ended this process while the thread started, and the pipes are closed
            return
        if max(len(out), len(notes)) < MOST_BYTES and process.wait() == 0:
            self.offer = Answer(out, notes.rpartition(BEGIN)[2])
            if self._claimed.acquire(blocking=False):
                self._signals.interrupt()


def _read_both(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """The beginnings of the two outputs. If one is too long, its pipe is closed."""
    with ThreadPoolExecutor(1) as pool:
        notes = pool.submit(_read, process.stderr)
        return _read(process.stdout), notes.result()


def _read(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    with pipe:
        return pipe.read(MOST_BYTES)


@contextmanager
def plain_meanwhile() -> Iterator[Race]:
    """Run the same command in plain Python if the block compiles anything.

    The block contains the search and the imports for it, which load a compiler; output in the block needs a
    `claim` before it. If the other process is first, its answer is printed and the command ends.
    """
    if answers_in_plain_python():
        sys.stderr.buffer.write(BEGIN)
        sys.stderr.buffer.flush()
    signals = click.get_current_context().find_root().obj
    race = Race((*QUIET_PYTHON, "-m", __name__, *sys.argv[1:]), signals or StopSignals())
    try:
        with _beginning(race) if signals and _may_be_compiled() else nullcontext():
            yield race
            race.claim()
    except (KeyboardInterrupt, Interrupted):
        if race.offer is None or race.is_ours or signals.have_come:
            raise
        race.end()
        _print(race.offer)
        sys.exit(0)
    finally:
        race.end()


def _may_be_compiled() -> bool:
    return SWITCH not in os.environ and not compiler_is_off()


def _beginning(race: Race) -> AbstractContextManager[object]:
    """Begin now if the cache is empty, before a compiler is loaded, or else when a kernel is compiled."""
    if none_are_kept():
        race.begin()
        time.sleep(HEAD_START_S)  # the end of the other process interrupts this
    from rekkyo.jit import compiling

    return compiling(lambda _: race.begin())


def _print(answer: Answer) -> None:
    sys.stdout.buffer.write(answer.out)
    sys.stdout.buffer.flush()
    for line in answer.notes.decode(sys.stdout.encoding, "backslashreplace").splitlines():
        note(line)
    LOG.info("answered by plain Python before the kernels were compiled; `rekkyo warm` compiles them once")


def _end_with_asker() -> None:
    """End this process with its parent. At exit Python would wait for a thread that reads sys.stdin."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_asker, daemon=True).start()
    start()
