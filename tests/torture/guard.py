"""Bounds for one case: the seconds that it may take, and the memory."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60
MORE_BYTES = 2 << 30


AGAIN_S = 1
"""Code in C can swallow an exception, such as a callback from the compiler, so it is raised again."""


class TookTooLong(AssertionError):
    """A case did not end."""


@contextmanager
def guarded(seconds: int = SECONDS) -> Iterator[None]:
    """Raise TookTooLong after some seconds, and MemoryError for a case that asks for two gigabytes more."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used_bytes() + MORE_BYTES, before[1]))
    try:
        with ended_after(seconds, TookTooLong(f"more than {seconds} s")):
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def ended_after(seconds: int, problem: Exception) -> Iterator[None]:
    """Raise the problem when the time is over, and again every AGAIN_S."""

    def ring(*_: object) -> None:
        raise problem

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def used_bytes() -> int:
    """The address space of this process."""
    try:
        with Path("/proc/self/statm").open(encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 8 << 30
