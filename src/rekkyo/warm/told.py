"""A line about the kernels that are being compiled: of which engine, how many of how many, how long still.

Numba compiles a kernel inside the one that calls it, so all that the outermost one calls is known when it
begins. What is left is estimated by the length of the functions' bytecode. Left out on purpose: that some are
compiled several times, for arrays of other types, which is not known before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

KNOWN_AFTER = 3
"""As many kernels tell how long the others take."""


@contextmanager
def told_while_compiling(say: Callable[..., object]) -> Iterator[None]:
    """Hand over such a line as `text` whenever another kernel is begun."""
    from rekkyo.jit import called_kernels, compiling

    expected: set[Any] = set()
    whose = ""
    started = time.monotonic()

    def tell(function: Any) -> None:
        nonlocal whose
        if not function.__module__.startswith("rekkyo."):  # Numba compiles parts of its own, too
            return
        if function not in expected:
            expected.update(called_kernels(function))
            whose = _whose(function)
        finished = expected.intersection(compiled.functions)
        line = f"compiling {whose}: kernel {len(finished) + 1} of {len(expected)}"
        if len(finished) >= KNOWN_AFTER:
            left_s = (time.monotonic() - started) * _length(expected - finished) / _length(finished)
            line += f", about {left_s:.0f} s left"
        say(text=line)

    with compiling(tell) as compiled:
        yield


def _length(functions: Iterable[Any]) -> int:
    return sum(len(function.__code__.co_code) for function in functions)


def _whose(function: Any) -> str:
    """The name of the engine whose kernel it is, or else that of its module."""
    from rekkyo.engines.registry import ENGINES

    package = function.__module__.rpartition(".")[0]
    names = {type(engine).__module__.rpartition(".")[0]: engine.name for engine in ENGINES}
    return names.get(package, str(function.__module__))
