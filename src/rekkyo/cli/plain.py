"""The same command in plain Python, in a second process, while the first one compiles kernels.

Compiling takes seconds, and a small puzzle is searched by the uncompiled kernels in less. So when a command
compiles its first kernel, or begins where none is kept, the same command is started once more with
NUMBA_DISABLE_JIT=1, in a process of its own, since a kernel that runs uncompiled would still call compiled
ones. Both run the same code: they find the same solutions in the same order and check them in the same way.
The first to finish answers:

    this process       compiles ... claims ... searches ... answers
    the other process  searches ... ends with code 0: this process is interrupted and prints what it wrote

This process claims the answer when its compiled search reports progress or when it has something to print;
then the other one is killed. The other process answers only with a whole answer of at most MOST_BYTES. It
ends with this process, because its standard input is a pipe of which this process holds the other end. Left
out on purpose: commands that write files; `estimate`, which draws for as many seconds as it is given; and
functions of the library, whose puzzles cannot always be told to another process.
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

if TYPE_CHECKING:
    from rekkyo.search.progress import Progress, Watcher

LOG = logging.getLogger("rekkyo")

SWITCH, OTHER = "REKKYO_PLAIN", "other"
"""When set, nothing but compiled kernels answers; to OTHER, it tells the other process what it is."""

MOST_BYTES = 1 << 20
"""Of an answer. Whoever lists more waits for the compiler."""

HEAD_START_S = 1.2
"""Where no kernel is kept, plain Python has the processor to itself for so long: hardware threads of a core
slow each other by a third, and the smallest puzzles are done by then."""

GIVE_UP_S = 6.0
"""What takes plain Python longer is answered sooner by kernels that are compiled undisturbed."""

BEGIN = b"\0"
"""What the other process writes to standard error where its search begins: this one said all before it."""

PYTHON = (sys.executable, "-P", "-W", "ignore::RuntimeWarning")
"""Hashes are words that overflow, about which NumPy would complain."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other process wrote to its two outputs."""

    out: bytes
    notes: bytes


class Race:
    """A command and the same one in plain Python: the first to claim the answer gives it."""

    def __init__(self, command: Sequence[str], signals: StopSignals) -> None:
        self._command = command
        self._signals = signals
        self._claimed = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting = threading.Thread()
        self._giving_up = threading.Timer(0, lambda: None)
        self.is_ours = False
        self.offer: Answer | None = None

    def begin(self) -> None:
        """Start the other process, unless it runs or comes too late."""
        if self._process is not None or self.is_ours:
            return
        encoding = f"{sys.stdout.encoding}:backslashreplace"
        changes = {"NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": encoding, SWITCH: OTHER}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | changes,
        )
        self._waiting = threading.Thread(target=self._wait_for, args=(self._process,), daemon=True)
        self._waiting.start()
        self._giving_up = threading.Timer(GIVE_UP_S, self._process.kill)
        self._giving_up.daemon = True
        self._giving_up.start()

    def claim(self) -> None:
        """Answer, and stop the other process. Raises StopRequested where that was first."""
        if not self.is_ours:
            self.is_ours = self._claimed.acquire(blocking=False)
            if not self.is_ours:
                self._signals.wait_for_interruption()
            self.end()

    def claiming(self, watch: Watcher) -> Watcher:
        """The same watcher, which claims the answer when the compiled search reports for the first time."""

        def claim_and_watch(progress: Progress) -> None:
            self.claim()
            watch(progress)

        return claim_and_watch

    def end(self) -> None:
        """Stop the other process."""
        if self._process is not None and self._process.stdin is not None:
            self._giving_up.cancel()
            self._process.kill()
            self._process.stdin.close()
            self._waiting.join()
            self._process.wait()

    def _wait_for(self, process: subprocess.Popen[bytes]) -> None:
        out, notes = _read_both(process)
        if max(len(out), len(notes)) < MOST_BYTES and process.wait() == 0:
            self.offer = Answer(out, notes.rpartition(BEGIN)[2])
            if self._claimed.acquire(blocking=False):
                self._signals.interrupt()


def _read_both(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """The beginnings of the two outputs. One that writes more finds its pipe closed."""
    with ThreadPoolExecutor(1) as pool:
        notes = pool.submit(_read, process.stderr)
        return _read(process.stdout), notes.result()


def _read(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    with pipe:
        return pipe.read(MOST_BYTES)


@contextmanager
def plain_meanwhile() -> Iterator[Race]:
    """Have plain Python try the same, if anything is compiled meanwhile.

    Goes around all that searches and around loading it, which loads a compiler; what is written before its
    end needs a `claim` before it. If the other process is first, its answer is printed and the command ends.
    """
    if os.environ.get(SWITCH) == OTHER:
        sys.stderr.buffer.write(BEGIN)
        sys.stderr.buffer.flush()
    signals = click.get_current_context().find_root().obj
    race = Race((*PYTHON, "-m", __name__, *sys.argv[1:]), signals or StopSignals())
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
    return SWITCH not in os.environ and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def _beginning(race: Race) -> AbstractContextManager[object]:
    """Begin at once where no kernel is kept, before a compiler is loaded, or else when one is compiled."""
    if none_are_kept():
        race.begin()
        time.sleep(HEAD_START_S)  # until the other process is done, which interrupts
    from rekkyo.jit import compiling

    return compiling(lambda _: race.begin())


def _print(answer: Answer) -> None:
    sys.stdout.buffer.write(answer.out)
    sys.stdout.buffer.flush()
    for line in answer.notes.decode(sys.stdout.encoding, "backslashreplace").splitlines():
        note(line)
    LOG.info("answered by plain Python before the kernels were compiled; `rekkyo warm` compiles them once")


def _end_with_asker() -> None:
    """Not through sys.stdin: at its end Python waits for a thread that reads there."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_asker, daemon=True).start()
    start()
