"""How kernels are compiled: one decorator, one cache folder keyed by all kernel sources.

Numba's own cache notices an edit in the file of the kernel, but not in another file that the kernel calls.
So the folder's name holds a hash of every module that can be compiled, of the versions of Numba and Python,
and of the switches that change the code that Numba makes. A cache that cannot be written only costs time.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from platformdirs import user_cache_path

config: Any = numba.config

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

CACHE_VARIABLE = "REKKYO_CACHE_DIR"
COMPILED_PARTS = ("bits.py", "engines", "symmetry")


def kernel(function: FunctionT) -> FunctionT:
    """Compile a kernel on first use: cached on disk, releasing the lock, plain Python under DISABLE_JIT."""
    folder = cache_folder()
    if folder is None:
        return cast(FunctionT, numba.njit(nogil=True)(function))
    # Numba reads CACHE_DIR while it decorates; it is put back at once, because it belongs to the whole
    # process and the user may have kernels of their own.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return cast(FunctionT, numba.njit(nogil=True, cache=True)(function))
    finally:
        config.CACHE_DIR = before


@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels, made if need be; None when no folder can be written."""
    root = os.environ.get(CACHE_VARIABLE)
    base = Path(root) if root else user_cache_path("rekkyo", appauthor=False)
    folder = base / f"kernels-{source_key()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def source_key() -> str:
    """A short hash of everything that decides what the compiled kernels do."""
    package = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for part in COMPILED_PARTS:
        path = package / part
        for source in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    switches = (numba.__version__, sys.version, platform.machine(), config.BOUNDSCHECK, config.OPT)
    digest.update(repr(switches).encode())
    return digest.hexdigest()[:16]
