"""Searches that fail on their way, at a moment that does not depend on the clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine


class Stopped(Exception):
    """What the search fails with."""


@contextmanager
def failing_after(engine: str, n_slices: int) -> Iterator[None]:
    """The engine fails in every slice of a search after so many, in every process and thread."""
    kind = type(registry.engine_named(engine))
    name = "advance" if issubclass(kind, ListingEngine) else "count"
    real = getattr(kind, name)
    lock = threading.Lock()
    left = n_slices

    def fail_in_time(*arguments: Any) -> Any:
        nonlocal left
        with lock:
            left -= 1
            if left < 0:
                raise Stopped
        return real(*arguments)

    with mock.patch.object(kind, name, fail_in_time):
        yield
