"""A block that is interrupted when it takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooLong(Exception):
    """Raised in a block that takes too long."""


@contextmanager
def at_most(cpu_s: float) -> Iterator[None]:
    """Raise TooLong after so many CPU seconds, also if the alarm rings in a kernel. Blocks may be nested."""
    signal.signal(signal.SIGVTALRM, _stop)
    before = signal.getitimer(signal.ITIMER_VIRTUAL)[0]
    signal.setitimer(signal.ITIMER_VIRTUAL, cpu_s)
    try:
        yield
    except SystemError as problem:  # a kernel that is interrupted
        if not isinstance(problem.__cause__, TooLong | SystemError):
            raise
        raise TooLong from problem
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, before)


def _stop(signum: int, frame: object) -> None:
    raise TooLong
