"""Signals that ask a command to stop: Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed.

The first signal raises a KeyboardInterrupt in the main thread, so that the program ends cleanly; another one
ends the program immediately, by the default action. Signals shortly after the first are the same request:
`timeout` and closing terminals send two signals each. A signal that was ignored when the program began, as by
`nohup`, stays ignored. Windows has no SIGHUP.

Some code ignores an exception: Python during garbage collection or in a callback from C ("Exception ignored
in"), and modules that are written in C, such as those of numpy.random, while they are loaded. So if the
exception is destroyed before the program has handled it, it is raised again a moment later.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SAME_REQUEST_S = 0.5
AGAIN_AFTER_S = 0.05


class StopRequested(KeyboardInterrupt):
    """The exception of the first signal. CPython ends by SIGINT if KeyboardInterrupt itself passes `exec`."""


class StopSignals:
    """The handler of signals with these names, and the signal that was received, if any."""

    def __init__(self, names: Sequence[str] = NAMES) -> None:
        self._names = names
        self._first: int | None = None
        self._asked_s = 0.0
        self._heard: list[int] = []
        self._is_ours = False
        self._has_interrupted = False
        self._raised: weakref.ref[StopRequested] | None = None

    def listen(self) -> None:
        """Install the handlers, in the main thread."""
        wanted = [getattr(signal, name) for name in self._names if hasattr(signal, name)]
        self._heard = [number for number in wanted if signal.getsignal(number) != signal.SIG_IGN]
        for number in self._heard:
            signal.signal(number, self._stop)
        sys.unraisablehook = self._ignored

    def stop_listening(self) -> None:
        """Restore the default actions: the next signal ends the program immediately."""
        self.be_handled()
        for number in self._heard:
            signal.signal(number, signal.SIG_DFL)
        self._heard = []

    def interrupt(self) -> None:
        """Raise StopRequested in the main thread, without a signal from outside."""
        for number in self._heard[:1]:  # another thread may empty the list
            self._is_ours = True
            _send_to_main_thread(number)

    def wait_for_interruption(self) -> NoReturn:
        """Wait in the main thread for the StopRequested of `interrupt`, so that it is raised here."""
        while self._heard:
            time.sleep(1)
        raise StopRequested

    def be_handled(self) -> None:
        """Note that the program stops: the StopRequested that was raised may now be destroyed."""
        self._raised = None

    @property
    def have_come(self) -> bool:
        """Whether a signal was received."""
        return self._first is not None

    @property
    def exit_code(self) -> int:
        """The exit code in shells for a program that the signal ended: 130, 143 or 129."""
        return 128 + (self._first or signal.SIGINT)

    def _ignored(self, what: sys.UnraisableHookArgs) -> None:
        if not self._has_interrupted:  # later, destructors of incomplete objects may raise
            sys.__unraisablehook__(what)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        self._has_interrupted = True
        if self._is_ours:
            self._is_ours = False
            self._raise()
        now_s = time.monotonic()
        if self._first is None:
            self._first, self._asked_s = number, now_s
            self._raise()
        if now_s - self._asked_s >= SAME_REQUEST_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def _raise(self) -> NoReturn:
        stop = StopRequested()
        self._raised = weakref.ref(stop, self._raise_again)
        try:
            raise stop
        finally:
            del stop  # its traceback has this frame, and would keep it

    def _raise_again(self, _: object) -> None:
        again = threading.Timer(AGAIN_AFTER_S, self.interrupt)
        again.daemon = True
        again.start()


def is_interruption(error: BaseException | None) -> bool:
    """Whether an exception is a KeyboardInterrupt, or was raised because of one.

    Python 3.11 changes what a `__set_name__` raises to a RuntimeError, and other code may do the like.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _send_to_main_thread(number: int) -> None:
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:  # this also wakes a waiting main thread
        signal.pthread_kill(threading.main_thread().ident or 0, number)
