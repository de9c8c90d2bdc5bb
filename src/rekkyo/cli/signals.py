"""Signals that ask a command to stop: Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed.

The first one raises a KeyboardInterrupt where the program is, so that everything is left in good order;
another one ends the program at once, as if nobody had listened. Signals that come shortly after the first are
the same request: `timeout` and closing terminals send each two of them. A signal that was ignored when the
program began, as by `nohup`, stays ignored. Windows has no SIGHUP.

A request that arises while Python collects garbage, or in a callback from C, is swallowed there ("Exception
ignored in"); it is made again a moment later.
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
    """What the first signal raises: CPython ends by SIGINT when KeyboardInterrupt itself passes `exec`."""


class StopSignals:
    """Which signal, if any, has asked the program to stop."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._asked_s = 0.0
        self._heard: list[int] = []
        self._is_ours = False
        self._has_interrupted = False

    def listen(self) -> None:
        """Begin to listen, in the main thread."""
        wanted = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
        self._heard = [number for number in wanted if signal.getsignal(number) != signal.SIG_IGN]
        for number in self._heard:
            signal.signal(number, self._stop)
        sys.unraisablehook = self._swallowed

    def stop_listening(self) -> None:
        """Nothing is left that needs good order: the next signal ends the program at once."""
        for number in self._heard:
            signal.signal(number, signal.SIG_DFL)

    def interrupt(self) -> None:
        """Have the main thread raise StopRequested, although nobody asked the program to stop."""
        if self._heard:
            self._is_ours = True
            _send_to_main_thread(self._heard[0])

    def wait_for_interruption(self) -> NoReturn:
        """Raise StopRequested when `interrupt` does, so that it comes nowhere else; for the main thread."""
        while self._heard:
            time.sleep(1)
        raise StopRequested

    @property
    def have_come(self) -> bool:
        """Whether one has."""
        return self._first is not None

    @property
    def exit_code(self) -> int:
        """What shells make of a program that the signal ended: 130, 143 or 129."""
        return 128 + (self._first or signal.SIGINT)

    def _swallowed(self, what: sys.UnraisableHookArgs) -> None:
        if issubclass(what.exc_type, StopRequested):
            number, self._is_ours, self._first = self._first or self._heard[0], self._first is None, None
            threading.Timer(AGAIN_AFTER_S, _send_to_main_thread, (number,)).start()
        elif not self._has_interrupted:  # by then objects may be half made, which their ends complain about
            sys.__unraisablehook__(what)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        self._has_interrupted = True
        if self._is_ours:
            self._is_ours = False
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
    else:  # so that it also wakes a main thread that waits for something
        signal.pthread_kill(threading.main_thread().ident or 0, number)
