"""A line about the kernels that are being compiled: the engine, the number of kernels, and the time left.

Numba compiles a kernel inside the one that calls it, so all kernels that the outermost one calls are known at
the beginning. The time left is estimated by the length of the functions' bytecode. Left out on purpose:
repeated compilation for arrays of other types, which is not known before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

KNOWN_AFTER = 3
"""The number of compiled kernels after which the time of the others is estimated."""


@contextmanager
def lines_while_compiling(say: Callable[..., object]) -> Iterator[None]:
    """Call `say` with such a line as `text` at the beginning of each kernel."""
    from rekkyo.jit import called_kernels, compiling

    expected: set[Any] = set()
    whose = ""
    started = time.monotonic()

    def tell(function: Any) -> None:
        nonlocal whose
        if not function.__module__.startswith("rekkyo."):  # Numba also compiles parts of Numba
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
    """The name of the engine that the kernel belongs to, or else of its module."""
    from rekkyo.engines.registry import all_engines

    package = function.__module__.rpartition(".")[0]
    names = {type(engine).__module__.rpartition(".")[0]: engine.name for engine in all_engines()}
    return names.get(package, str(function.__module__))
