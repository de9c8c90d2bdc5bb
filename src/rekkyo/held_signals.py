"""Handlers of signals that wait until code has run which an exception would break, such as calls of LLVM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], object]


@contextmanager
def held_signals() -> Iterator[None]:
    """A context after which the handlers of signals are called that came in it.

    Python calls handlers in the main thread, so other threads need not wait. Actions of the operating system,
    such as the end of the program by SIGTERM, do not wait either.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers: dict[int, Handler] = {}
    came: list[tuple[int, FrameType | None]] = []
    holds = True

    def hold(number: int, frame: FrameType | None) -> None:
        if holds:
            came.append((number, frame))
        else:
            handlers[number](number, frame)

    try:
        for number in _numbers():
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, hold)
        yield
    finally:
        holds = False  # a handler may raise before all of them are restored
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in came:
            handlers[number](number, frame)


@cache
def _numbers() -> tuple[int, ...]:
    """Of all signals. Asking Python takes longer than to look at their handlers."""
    return tuple(map(int, signal.valid_signals()))
