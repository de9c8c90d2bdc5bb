"""How kernels are compiled: three decorators. Where the code is kept: `rekkyo.kernel_cache`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from rekkyo.kernel_cache import LOADED_SHIPPED, KernelCache, places_of_kernels

config: Any = numba.config

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

NO_MEMORY_MANAGEMENT = {"_nrt": False}
"""How Numba itself spells it; the underscore is Numba's."""


def kernel(function: FunctionT) -> FunctionT:
    """Compile a kernel on first use: cached on disk, releasing the lock, plain Python under DISABLE_JIT.

    A kernel makes no arrays, so Numba's memory management is left out: counting the references to arrays that
    are handed on, two locked instructions each, took 57 % of the search for semimagic squares and 40 % of
    listing the magic squares of order 5. `a[i] = b` for two arrays makes an array too; write a loop.
    """
    return _compiled(function, NO_MEMORY_MANAGEMENT)


def inlined_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for a part of another one that is called in few places: LLVM puts it there.

    Handing over a tuple of a dozen arrays takes a hundred instructions, which counts for a part that is
    called at every node.
    """
    return _compiled(function, NO_MEMORY_MANAGEMENT | {"forceinline": True})


def allocating_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for the few that make or return arrays."""
    return _compiled(function, {})


def _compiled(function: FunctionT, options: dict[str, bool]) -> FunctionT:
    compile_late: Any = numba.njit
    compiled = compile_late(nogil=True, **options)(function)
    places = None if config.DISABLE_JIT else places_of_kernels()
    if places is not None:
        with suppress(OSError):  # a function without a source file cannot be cached
            compiled._cache = KernelCache(places, function)
    return cast(FunctionT, compiled)


class Compiled(event.Listener):
    """What Numba compiles while it listens: how many functions, in how many seconds. Loading is no compiling.

    n_shipped: kernels that were loaded from the package. Numba compiles under a lock, one function inside the
    other, so that a depth tells which is the outermost.
    """

    def __init__(self) -> None:
        self.n_functions = 0
        self.n_shipped = 0
        self.seconds = 0.0
        self._depth = 0
        self._started = 0.0

    def on_start(self, event: Any) -> None:
        """A function, perhaps one that another one calls."""
        if self._depth == 0:
            self._started = time.perf_counter()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """The same, or a kernel that was loaded."""
        if event.kind == LOADED_SHIPPED:
            self.n_shipped += 1
            return
        self._depth -= 1
        self.n_functions += 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._started


@contextmanager
def compiling() -> Iterator[Compiled]:
    """What is compiled meanwhile, by this process."""
    compiled = Compiled()
    install: Any = event.install_listener
    with install("numba:compile", compiled), install(LOADED_SHIPPED, compiled):
        yield compiled
