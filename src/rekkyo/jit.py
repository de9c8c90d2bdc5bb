"""How kernels are compiled: three decorators, one cache folder keyed by all kernel sources.

Numba's own cache notices an edit in the file of the kernel, but not in another file that the kernel calls.
So the folder's name holds a hash of every module that can be compiled, of the versions of Numba and Python,
and of the switches that change the code that Numba makes. A cache that cannot be written, or that is damaged,
only costs time.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from platformdirs import user_cache_path

config: Any = numba.config

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

CACHE_VARIABLE = "REKKYO_CACHE_DIR"
SEARCH_PARTS = ("jit.py", "bits.py", "engines", "symmetry")
"""What decides which rows a search gives, and in which order."""

COMPILED_PARTS = (*SEARCH_PARTS, "export/kernel.py")


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
    folder = cache_folder()
    if folder is not None and not config.DISABLE_JIT:
        with suppress(RuntimeError):  # a function without a source file cannot be cached
            compiled._cache = _forgiving_cache(folder, function)
    return cast(FunctionT, compiled)


class Compiled(event.Listener):
    """What Numba compiles while it listens: how many functions, in how many seconds. Loading is no compiling.

    Numba compiles under a lock, one function inside the other, so that a depth tells which is the outermost.
    """

    def __init__(self) -> None:
        self.n_functions = 0
        self.seconds = 0.0
        self._depth = 0
        self._started = 0.0

    def on_start(self, event: Any) -> None:
        """A function, perhaps one that another one calls."""
        if self._depth == 0:
            self._started = time.perf_counter()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """The same."""
        self._depth -= 1
        self.n_functions += 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._started


@contextmanager
def compiling() -> Iterator[Compiled]:
    """What is compiled meanwhile, by this process."""
    compiled = Compiled()
    install: Any = event.install_listener
    with install("numba:compile", compiled):
        yield compiled


def _forgiving_cache(folder: Path, function: Callable[..., Any]) -> Any:
    """Numba's cache of one function, made so that a damaged file or a full disk only costs time."""
    function_cache = _cache_in(folder, function)
    load, save = function_cache.load_overload, function_cache.save_overload

    def load_overload(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever is in a damaged file: compile again, and write it anew
            with suppress(Exception):
                function_cache.flush()
            return None

    def save_overload(*arguments: Any) -> None:
        with suppress(Exception):
            save(*arguments)

    function_cache.load_overload, function_cache.save_overload = load_overload, save_overload
    return function_cache


def _cache_in(folder: Path, function: Callable[..., Any]) -> Any:
    # Numba reads CACHE_DIR while the cache is made; it is put back at once, because it belongs to the whole
    # process and the user may have kernels of their own.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        make: Any = _CacheThatMayBeReadOnly
        return make(function)
    finally:
        config.CACHE_DIR = before


class _Locator(UserProvidedCacheLocator):
    """Numba's, for a folder that is known to be right: it would refuse one that can only be read."""

    def ensure_cache_path(self) -> None:
        if keeps_kernels():
            ensure: Any = super().ensure_cache_path
            ensure()


class _CacheFiles(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - so it is in Numba


class _CacheThatMayBeReadOnly(FunctionCache):
    _impl_class = _CacheFiles


@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels, made if need be; None when there is none and none can be made.

    One that can only be read will do: an administrator may have filled it with `rekkyo warm`.
    """
    folder = _place_of_kernels()
    return folder if keeps_kernels() or any(folder.glob("*/*.nbi")) else None


@cache
def keeps_kernels() -> bool:
    """Whether what is compiled now is there the next time."""
    folder = _place_of_kernels()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _place_of_kernels() -> Path:
    root = os.environ.get(CACHE_VARIABLE)
    base = Path(root) if root else user_cache_path("rekkyo", appauthor=False)
    return base / f"kernels-{source_key()}"


def source_key() -> str:
    """A short hash of everything that decides what the compiled kernels do."""
    switches = (numba.__version__, sys.version, platform.machine(), config.BOUNDSCHECK, config.OPT)
    digest = _source_hash(COMPILED_PARTS)
    digest.update(repr(switches).encode())
    return digest.hexdigest()[:16]


@cache
def source_digest() -> str:
    """A hash of the sources of engines and symmetry, the same on every computer."""
    return _source_hash(SEARCH_PARTS).hexdigest()


def _source_hash(parts: tuple[str, ...]) -> hashlib._Hash:
    package = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for part in parts:
        path = package / part
        for source in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    return digest
