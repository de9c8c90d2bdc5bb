"""Six decorators that compile kernels. `rekkyo.kernel_cache` stores the code."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, TypeAlias, TypeVar, cast

import numba
from numba.core import event, types
from numba.core.compiler_lock import global_compiler_lock

from rekkyo.kernel_cache import KERNEL_FILE, KernelCache, places_of_kernels
from rekkyo.kernel_compiler import (
    CompilerWithFewCollections,
    KernelCompiler,
    LinkedCompiler,
    LinkedCompilerWithMemory,
)

config: Any = numba.config
unliteral: Any = types.unliteral

IS_COMPILED = not config.DISABLE_JIT
"""Whether kernels are compiled. With NUMBA_DISABLE_JIT=1 they are plain Python, a hundred times slower."""

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
Function: TypeAlias = Any
"""A Python function before it is made a kernel."""

NO_MEMORY_MANAGEMENT = {"_nrt": False}
"""The name of the option in Numba, with Numba's underscore."""

CALLED_BY_PYTHON = NO_MEMORY_MANAGEMENT | {"pipeline_class": KernelCompiler}
CALLED_BY_KERNELS = NO_MEMORY_MANAGEMENT | {"no_cpython_wrapper": True, "pipeline_class": LinkedCompiler}
"""The wrapper for calls from Python took a fifth of the time to compile `cover-bitset`, and machine code that
is linked into no caller another fifth."""

INLINED = {"forceinline": True}


def kernel(function: FunctionT) -> FunctionT:
    """Compile a kernel on first use: cached on disk, releasing the lock, plain Python under DISABLE_JIT.

    A kernel makes no arrays, so Numba's memory management is left out: counting the references to array
    arguments, two locked instructions each, took 57 % of the search for semimagic squares and 40 % of listing
    the magic squares of order 5. `a[i] = b` for two arrays makes an array too; write a loop.
    """
    return _compiled(function, CALLED_BY_PYTHON)


def inner_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for a function that only other kernels call: once compiled, Python cannot call it."""
    return _compiled(function, CALLED_BY_KERNELS)


def inlined_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for a part of a kernel that is called in few places: LLVM inlines it.

    Passing a tuple of a dozen arrays takes a hundred instructions, which matters for a function that is
    called at every node.
    """
    return _compiled(function, CALLED_BY_PYTHON | INLINED)


def inlined_inner_kernel(function: FunctionT) -> FunctionT:
    """As `inlined_kernel`, for a function that only other kernels call."""
    return _compiled(function, CALLED_BY_KERNELS | INLINED)


def allocating_kernel(function: FunctionT) -> FunctionT:
    """As `kernel`, for the few that make or return arrays."""
    return _compiled(function, {"pipeline_class": CompilerWithFewCollections})


def allocating_inner_kernel(function: FunctionT) -> FunctionT:
    """As `allocating_kernel`, for a function that only other kernels call: optimized where it is linked."""
    return _compiled(function, {"no_cpython_wrapper": True, "pipeline_class": LinkedCompilerWithMemory})


def _compiled(function: FunctionT, options: dict[str, Any]) -> FunctionT:
    if not IS_COMPILED:
        return function
    compile_late: Any = numba.njit
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined] # Numba asks twice
    compiled = compile_late(nogil=True, no_cfunc_wrapper=True, **options)(function)
    compiled._compilation_chain_init_hook = _extend_nothing
    compiled.get_call_template = partial(_template_for_any_constants, compiled.get_call_template)
    places = places_of_kernels()
    if places is not None:
        with suppress(OSError):  # a function without a source file cannot be cached
            compiled._cache = KernelCache(places, function, options["pipeline_class"])
    return cast(FunctionT, compiled)


def _extend_nothing() -> None:
    """Instead of Numba's search of all installed packages for extensions of Numba; kernels need none."""


def _template_for_any_constants(template_for: Callable[..., Any], arguments: Any, keywords: Any) -> Any:
    """As Numba's method, but a call with a constant does not compile the function for this constant."""
    named = {name: unliteral(kind) for name, kind in keywords.items()}
    return template_for(tuple(map(unliteral, arguments)), named)


@contextmanager
def interruptible() -> Iterator[None]:
    """A context for calls of kernels that return arrays, from which Ctrl-C comes out as itself.

    If a signal comes while Numba makes the arrays, the exception of its handler becomes the cause of a
    SystemError, "returned a result with an exception set", which may be the cause of others.
    """
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while isinstance(cause, SystemError):
            cause = cause.__cause__
        if isinstance(cause, KeyboardInterrupt):
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
    compiled: Any = function
    if not IS_COMPILED:
        return True
    signature = tuple(map(compiled.typeof_pyval, arguments))
    if signature not in compiled.overloads:
        with global_compiler_lock:
            code = compiled._cache.load_overload(signature, compiled.targetctx)
            if code is not None:
                compiled.targetctx.insert_user_function(code.entry_point, code.fndesc, [code.library])
                compiled.add_overload(code)
    return signature in compiled.overloads


EVENTS = ("numba:compile", KERNEL_FILE)


class Compiled(event.Listener):
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

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function, which may be nested."""
        if self._depth == 0:
            self._started = time.perf_counter()
        self._depth += 1
        self._at_start(event.data["dispatcher"].py_func)

    def on_end(self, event: Any) -> None:
        """Numba has compiled a function, or a kernel was loaded or stored."""
        if event.kind == KERNEL_FILE:
            self.files.append(event.data["name"])
            self.n_shipped += event.data["is_shipped"]
            return
        self._depth -= 1
        self.functions.append(event.data["dispatcher"].py_func)
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._started


@contextmanager
def compiling(at_start: Callable[[Function], object] = lambda _: None) -> Iterator[Compiled]:
    """Record what this process compiles in the block. at_start: called with each function at its
    beginning.
    """
    compiled = _listening(at_start)
    numba_event: Any = event
    try:
        yield compiled
    finally:
        for kind in EVENTS:
            numba_event.unregister(kind, compiled)


@cache
def compiled_so_far() -> Compiled:
    """Everything compiled since the first call, which is cheaper than a new listener for each call."""
    return _listening(lambda _: None)


def _listening(at_start: Callable[[Function], object]) -> Compiled:
    compiled = Compiled(at_start)
    numba_event: Any = event
    for kind in EVENTS:
        numba_event.register(kind, compiled)
    return compiled


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
