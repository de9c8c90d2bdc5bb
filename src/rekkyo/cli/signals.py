"""Signals that ask a command to stop: Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed.

The first signal raises a KeyboardInterrupt in the main thread, so that the program ends cleanly; another one
ends the program immediately, by the default action. Signals shortly after the first are the same request:
`timeout` and closing terminals send two signals each. A signal that was ignored when the program began, as by
`nohup`, stays ignored. Windows has no SIGHUP.

Python ignores an exception during garbage collection, or in a callback from C ("Exception ignored in"); then
the exception is raised again a moment later.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SAME_REQUEST_S = 0.5
AGAIN_AFTER_S = 0.05


class StopRequested(KeyboardInterrupt):
    """The exception of the first signal. CPython ends by SIGINT if KeyboardInterrupt itself passes `exec`."""


class StopSignals:
    """The handler of signals, and the signal that was received, if any."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._asked_s = 0.0
        self._heard: list[int] = []
        self._is_ours = False
        self._has_interrupted = False
        self._was_raised = False

    def listen(self) -> None:
        """Install the handlers, in the main thread."""
        wanted = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
        self._heard = [number for number in wanted if signal.getsignal(number) != signal.SIG_IGN]
        for number in self._heard:
            signal.signal(number, self._stop)
        sys.unraisablehook = self._swallowed

    def stop_listening(self) -> None:
        """Restore the default actions: the next signal ends the program immediately."""
        for number in self._heard:
            signal.signal(number, signal.SIG_DFL)

    def interrupt(self) -> None:
        """Raise StopRequested in the main thread, without a signal from outside."""
        if self._heard:
            self._is_ours = True
            _send_to_main_thread(self._heard[0])

    def wait_for_interruption(self) -> NoReturn:
        """Wait in the main thread for the StopRequested of `interrupt`, so that it is raised here.

        If it was raised before, other code ignored it, as some modules do while they are loaded.
        """
        while self._heard and not self._was_raised:
            time.sleep(1)
        raise StopRequested

    @property
    def have_come(self) -> bool:
        """Whether a signal was received."""
        return self._first is not None

    @property
    def exit_code(self) -> int:
        """The exit code in shells for a program that the signal ended: 130, 143 or 129."""
        return 128 + (self._first or signal.SIGINT)

    def _swallowed(self, what: sys.UnraisableHookArgs) -> None:
        if issubclass(what.exc_type, StopRequested):
            number, self._is_ours, self._first = self._first or self._heard[0], self._first is None, None
            self._was_raised = False
            threading.Timer(AGAIN_AFTER_S, _send_to_main_thread, (number,)).start()
        elif not self._has_interrupted:  # later, destructors of incomplete objects may raise
            sys.__unraisablehook__(what)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        self._has_interrupted = True
        if self._is_ours:
            self._is_ours = False
            self._was_raised = True
            raise StopRequested
        now_s = time.monotonic()
        if self._first is None:
            self._first, self._asked_s = number, now_s
            raise StopRequested
        if now_s - self._asked_s >= SAME_REQUEST_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)


def _send_to_main_thread(number: int) -> None:
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:  # this also wakes a waiting main thread
        signal.pthread_kill(threading.main_thread().ident or 0, number)
