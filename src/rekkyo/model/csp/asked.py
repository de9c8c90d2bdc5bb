"""The rows for which a predicate of the user is true. A call that does not end is stopped.

A thread beside the asking one sees whether the number of calls grows. If one call uses LIMIT_S seconds of the
processor, it raises an exception in the asking thread, which Python delivers between two of its instructions.
That works in every thread and on every system; a signal of a timer comes only to the main thread, and not on
Windows. Time of the processor does not depend on how busy the machine is. A call that waits, or that stays
inside one function written in C, is not stopped.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

from rekkyo.errors import BadInput, in_short

LIMIT_S = 10.0
"""Seconds of the processor for one call."""

POLL_S = 0.2
THREAD_NAME = "rekkyo-predicate"


class _Stopped(BaseException):
    """Raised in a call that does not end. It is not an Exception, so few functions catch it."""


def true_rows(function: Callable[..., object], domains: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The combinations of values for which the function is true, in order. Raises BadInput."""
    watch = _Watch(threading.get_ident())
    found: list[tuple[int, ...]] = []
    row: tuple[int, ...] = ()
    try:
        try:
            watch.start()
            for row in product(*domains):
                watch.n_calls += 1
                if _asked(function, row):
                    found.append(row)
        finally:
            watch.end()
    except _Stopped:
        watch.end()
        raise BadInput(
            f"problem: the predicate does not end for {row} within {LIMIT_S:g} seconds of the processor; take"
            " a shorter one, or state the constraint otherwise"
        ) from None
    return found


def _asked(function: Callable[..., object], row: tuple[int, ...]) -> bool:
    """The result of a predicate of the user. Raises BadInput if it fails."""
    try:
        return bool(function(*row))
    except Exception as problem:
        what = in_short(f"{type(problem).__name__}: {problem}", 100)
        raise BadInput(f"problem: the predicate fails for {row}: {what}") from problem


class _Watch:
    """Stops calls of a thread. n_calls: begun until now, counted by that thread."""

    def __init__(self, asking: int) -> None:
        self.n_calls = 0
        self._asking, self._has_raised = asking, False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._see, name=THREAD_NAME, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """End the watch; no exception comes after this. Called by the thread that asks."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._has_raised:
            self._catch_the_last()

    def _catch_the_last(self) -> None:
        """Catch an exception that may not have been delivered, with another one in its place.

        Taking it back instead would make Python look for it between any two instructions from then on, and
        in 3.11 that never ends where a debugger, a profile or a measurement of coverage is on.
        """
        try:
            _raise_in(self._asking)
            while True:
                pass
        except _Stopped:
            self._has_raised = False

    def _see(self) -> None:
        clock = _clock_of(self._asking)
        seen, since = -1, 0.0
        while not self._ended.wait(POLL_S):
            if self.n_calls != seen:
                seen, since = self.n_calls, clock()
            elif clock() - since > LIMIT_S:
                self._has_raised = True
                _raise_in(self._asking)


def _clock_of(thread: int) -> Callable[[], float]:
    """The time of the processor that a thread has used; where that is not known, the whole process."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    posix_time: Any = time  # the types of Windows do not have these two
    return partial(posix_time.clock_gettime, posix_time.pthread_getcpuclockid(thread))


def _raise_in(thread: int) -> None:
    """Raise an exception in a thread. One that was not delivered yet is replaced."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Stopped))
