"""A block that is interrupted when it takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN_S = 1.0


class TooLong(Exception):
    """Raised in a block that takes too long."""


@contextmanager
def at_most(cpu_s: float) -> Iterator[None]:
    """Raise TooLong after so many CPU seconds. Blocks may be nested.

    Code in C can swallow an exception, such as a callback from the compiler ("Exception ignored in"), so it
    is raised again every AGAIN_S. A kernel or the compiler can turn it into another one, so every exception
    that leaves the block after the first alarm is TooLong.
    """
    n_alarms = 0

    def ring(*_: object) -> None:
        nonlocal n_alarms
        n_alarms += 1
        raise TooLong

    handler = signal.signal(signal.SIGVTALRM, ring)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, cpu_s, AGAIN_S)
    try:
        yield
    except Exception as problem:
        if not n_alarms:
            raise
        raise TooLong from problem
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, handler)
