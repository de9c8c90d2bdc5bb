"""Six decorators that compile kernels, and what was compiled. `rekkyo.kernel_dispatch` has the part of Numba.

Left out on purpose: compiled kernels and kernels in plain Python in one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast

from rekkyo.kernel_switches import IS_COMPILED

if IS_COMPILED:
    from rekkyo.kernel_dispatch import Listener, dispatcher, load_cached

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
Function: TypeAlias = Any
"""A Python function before it is made a kernel."""


def kernel(function: FunctionT) -> FunctionT:
    """Compile a kernel on first use: cached on disk, releasing the lock, plain Python under DISABLE_JIT.

    A kernel makes no arrays, so Numba's memory management is left out: counting the references to array
    arguments, two locked instructions each, took 57 % of the search for semimagic squares and 40 % of listing
    the magic squares of order 5. `a[i] = b` for two arrays makes an array too; write a loop.
    """
    return _compiled(function)


def inner_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for a function that only other kernels call: once compiled, Python cannot call it."""
    return _compiled(function, by_python=False)


def inlined_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for a part of a kernel that is called in few places: LLVM inlines it.

    Passing a tuple of a dozen arrays takes a hundred instructions, which matters for a function that is
    called at every node.
    """
    return _compiled(function, inlined=True)


def inlined_inner_kernel(function: FunctionT) -> FunctionT:
    """As `inlined_kernel`, for a function that only other kernels call."""
    return _compiled(function, by_python=False, inlined=True)


def allocating_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for the few that make or return arrays."""
    return _compiled(function, allocates=True)


def allocating_inner_kernel(function: FunctionT) -> FunctionT:
    """As `allocating_kernel`, for a function that only other kernels call: optimized where it is linked."""
    return _compiled(function, by_python=False, allocates=True)


def _compiled(
    function: FunctionT, *, by_python: bool = True, allocates: bool = False, inlined: bool = False
) -> FunctionT:
    if not IS_COMPILED:
        return function
    return cast(FunctionT, dispatcher(function, by_python=by_python, allocates=allocates, inlined=inlined))


@contextmanager
def interruptible() -> Iterator[None]:
    """A context for calls of kernels that return arrays, from which exceptions of signals come out.

    If a signal comes before Numba has made the arrays, the exception of its handler, such as that of Ctrl-C
    or a time limit, becomes the cause of a SystemError, "returned a result with an exception set", which may
    be the cause of others.
    """
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while isinstance(cause, SystemError):
            cause = cause.__cause__
        if cause is not None:
            raise cause from None
        raise


def is_loaded(function: Callable[..., Any], n_dimensions: int | None = None) -> bool:
    """Whether a kernel has compiled code for some arguments, or for a first one with so many dimensions."""
    if not IS_COMPILED:
        return True
    # An OrderedDict hashes each key when it is walked, 40 us for the types of a kernel; a dict does not.
    overloads: dict[Any, Any] = function.overloads  # type: ignore[attr-defined]
    if n_dimensions is None:
        return bool(overloads)
    return any(first.ndim == n_dimensions for first, *_ in dict.__iter__(overloads))


def load(function: Callable[..., Any], *arguments: Any) -> bool:
    """Load the cached code of a kernel for these arguments; whether it is loaded now."""
    return load_cached(function, arguments) if IS_COMPILED else True


class Compiled:
    """Records the functions that Numba compiles, and the seconds. Loading does not count as compiling.

    files: the names of the files of kernels that were loaded or stored. n_shipped: how many of them are in
    the package. Numba compiles under a lock, with nested functions inside, so a depth identifies the
    outermost function.
    """

    def __init__(self, at_start: Callable[[Function], object]) -> None:
        self.functions: list[Function] = []
        self.files: list[str] = []
        self.n_shipped = 0
        self.seconds = 0.0
        self._at_start = at_start
        self._depth = 0
        self._started = 0.0
        self._listener = Listener(self._begin, self._end, self._note_file) if IS_COMPILED else None

    def stop(self) -> None:
        """Record no more."""
        if self._listener is not None:
            self._listener.end()

    def _begin(self, function: Function) -> None:
        if self._depth == 0:
            self._started = time.perf_counter()
        self._depth += 1
        self._at_start(function)

    def _end(self, function: Function) -> None:
        self._depth -= 1
        self.functions.append(function)
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._started

    def _note_file(self, name: str, is_shipped: bool) -> None:
        self.files.append(name)
        self.n_shipped += is_shipped


@contextmanager
def compiling(at_start: Callable[[Function], object] = lambda _: None) -> Iterator[Compiled]:
    """Record what this process compiles in the block. at_start: called with each function at its
    beginning.
    """
    compiled = Compiled(at_start)
    try:
        yield compiled
    finally:
        compiled.stop()


@cache
def compiled_so_far() -> Compiled:
    """Everything compiled since the first call, which is cheaper than a new listener for each call."""
    return Compiled(lambda _: None)


def called_kernels(function: Function) -> set[Function]:
    """A kernel and all kernels that it calls, directly or indirectly."""
    found, waiting = {function}, [function]
    while waiting:
        caller = waiting.pop()
        for name in caller.__code__.co_names:
            called = getattr(caller.__globals__.get(name), "py_func", None)
            if called is not None and called not in found:
                found.add(called)
                waiting.append(called)
    return found
