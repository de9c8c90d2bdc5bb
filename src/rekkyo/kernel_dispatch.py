"""How a function becomes a kernel of Numba, compiled on its first call or loaded from the cache."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

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

unliteral: Any = types.unliteral
numba_event: Any = event
compile_late: Any = numba.njit

EVENTS = ("numba:compile", KERNEL_FILE)

COMPILERS: dict[tuple[bool, bool], type[CompilerWithFewCollections]] = {
    (True, False): KernelCompiler,
    (False, False): LinkedCompiler,
    (True, True): CompilerWithFewCollections,
    (False, True): LinkedCompilerWithMemory,
}
"""By whether Python calls the function, and whether it makes arrays."""


def dispatcher(function: Callable[..., Any], *, by_python: bool, allocates: bool, inlined: bool) -> Any:
    """What Python or a kernel calls instead of the function.

    Without a wrapper for calls from Python, compiling `cover-bitset` took a fifth less time, and without
    machine code that is linked into no caller another fifth.
    """
    compiler = COMPILERS[by_python, allocates]
    options: dict[str, Any] = {"no_cpython_wrapper": not by_python, "forceinline": inlined}
    if not allocates:
        options["_nrt"] = False  # Numba's name for no memory management
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined] # Numba asks twice
    compiled = compile_late(nogil=True, no_cfunc_wrapper=True, pipeline_class=compiler, **options)(function)
    compiled._compilation_chain_init_hook = _extend_nothing
    compiled.get_call_template = partial(_template_for_any_constants, compiled.get_call_template)
    places = places_of_kernels()
    if places is not None:
        with suppress(OSError):  # a function without a source file cannot be cached
            compiled._cache = KernelCache(places, function, compiler)
    return compiled


def _extend_nothing() -> None:
    """Instead of Numba's search of all installed packages for extensions of Numba; kernels need none."""


def _template_for_any_constants(template_for: Callable[..., Any], arguments: Any, keywords: Any) -> Any:
    """As Numba's method, but a call with a constant does not compile the function for this constant."""
    named = {name: unliteral(kind) for name, kind in keywords.items()}
    return template_for(tuple(map(unliteral, arguments)), named)


def load_cached(compiled: Any, arguments: tuple[Any, ...]) -> bool:
    """Load the cached code of a kernel for these arguments; whether it is loaded now."""
    signature = tuple(map(compiled.typeof_pyval, arguments))
    if signature not in compiled.overloads:
        with global_compiler_lock:
            code = compiled._cache.load_overload(signature, compiled.targetctx)
            if code is not None:
                compiled.targetctx.insert_user_function(code.entry_point, code.fndesc, [code.library])
                compiled.add_overload(code)
    return signature in compiled.overloads


class Listener(event.Listener):
    """Tells what Numba compiles, and which kernels are loaded or stored.

    at_start: called with a function when its compiling begins; at_end: when it has ended. at_file: called
    with the name of the file of a kernel, and whether it is in the package.
    """

    def __init__(
        self,
        at_start: Callable[[Any], object],
        at_end: Callable[[Any], object],
        at_file: Callable[[str, bool], object],
    ) -> None:
        self._at_start, self._at_end, self._at_file = at_start, at_end, at_file
        for kind in EVENTS:
            numba_event.register(kind, self)

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function, which may be nested."""
        self._at_start(event.data["dispatcher"].py_func)

    def on_end(self, event: Any) -> None:
        """Numba has compiled a function, or a kernel was loaded or stored."""
        if event.kind == KERNEL_FILE:
            self._at_file(event.data["name"], event.data["is_shipped"])
        else:
            self._at_end(event.data["dispatcher"].py_func)

    def end(self) -> None:
        """Listen no more."""
        for kind in EVENTS:
            numba_event.unregister(kind, self)
