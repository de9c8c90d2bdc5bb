"""The cache of compiled kernels: one sealed file for each kernel and each signature.

Numba's own cache notices an edit in the file of a kernel, but not in another file that the kernel calls.
Here the name of a cached file holds hashes of everything that determines the code: the kernel, its signature
and the processor, the sources of its module and of every module of this package that it imports, the versions
of Numba and Python (its minor version), and the switches that change the code. An edit in one engine
recompiles only that engine.

    kernels-<versions and switches>/<module>.<kernel>-<which>-<sources>.kernel
        | SHA-256 of the rest: 32 bytes | what Numba pickled |

A wheel may hold such folders, `kernels/<level>/kernels-<versions and switches>/`, made by `hatch_build.py`.
A kernel that is not in the user's folder is looked up in the folder of the best level of the processor
(`rekkyo.kernel_levels`), and in no other. A kernel with other hashes has another name, so it is not found
there and is compiled. These folders are never written. Only users who can write the program may be able to
write these files.

A process that writes a file deletes the oldest files with other sources, so that edits do not fill the disk.

A cached file is machine code that will be executed. So it is loaded only if it has its checksum, is a regular
file, belongs to the user or to root, and cannot be written by others. A cache that cannot be written, or that
is damaged, only costs time. Left out on purpose: deleting the folders of other versions.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numba
from numba.core import event, serialize
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.runtime.nrt import rtsys

from rekkyo.errors import BadRun
from rekkyo.held_signals import held_signals
from rekkyo.kernel_compiler import CompilerWithFewCollections
from rekkyo.kernel_folders import CACHE_VARIABLE, FOLDER_BEGIN, PACKAGE, SHIPPED, SUFFIX, user_folder
from rekkyo.kernel_levels import Level, level_here
from rekkyo.safe_files import open_file

LOG = logging.getLogger("rekkyo")

KERNEL_FILE = "rekkyo:kernel-file"
"""The event, in Numba's event system, that a kernel was loaded from a file or stored in one.

Its data are `name`, that of the file, and `is_shipped`, whether the file is in the package.
"""

SEAL_BYTES = hashlib.sha256().digest_size
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH

HASH_LENGTH = 16
N_KEPT = 4
"""The number of files of the same code that are kept, for users who switch between versions."""

IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+rekkyo\b([\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
"""Group 1: the module after `rekkyo`. Group 2: the names that are imported from it, which may be modules."""

config: Any = numba.config
dumps: Any = serialize.dumps
numba_event: Any = event

Complaint: TypeAlias = Callable[[os.stat_result], str | None]
"""A function for the reason why code in a file or folder must not be executed; None if it may be."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of compiled kernels. own: the user's, which also receives new kernels.

    shipped: that of the package, for one level. At least one of them is not None.
    """

    own: Path | None
    shipped: Path | None = None
    level: Level | None = None

    def read_own(self, name: str) -> bytes | None:
        """The content of the user's sealed file of this name; None if it cannot be trusted."""
        return None if self.own is None else read_sealed(self.own / name, complaint_about)

    def read_shipped(self, name: str) -> bytes | None:
        """The same for a file of the package."""
        return None if self.shipped is None else read_sealed(self.shipped / name, complaint_about_shipped)


class KernelCache(FunctionCache):
    """The cached code of one kernel, with the interface that Numba's dispatcher expects.

    compiler: that of the kernel.
    """

    def __init__(
        self, places: Places, function: Callable[..., Any], compiler: type[CompilerWithFewCollections]
    ) -> None:
        self._py_func = function
        self._code: Any = _Code(function, compiler.restored)
        self._has_memory = compiler.has_memory
        self._places = places
        self._cache_path = str(places.own or places.shipped)
        # Now, not when it is compiled: the sources may be edited while the program runs.
        self._sources = source_key(function.__code__.co_filename)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None if there is none that can be trusted.

        Handlers of signals wait meanwhile, because llvmlite frees memory twice if one raises an exception at
        that moment: before they waited, some processes that were stopped and went on crashed.
        """
        with held_signals():
            return self._loaded(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code for a signature, if it can be stored."""
        with suppress(Exception):
            name, _ = self._names(sig, data.codegen)
            if self._places.own is not None and self._code.check_cachable(data):
                path = self._places.own / name
                write_sealed(path, dumps(self._code.reduce(data)))
                _tell_of(name, is_shipped=False)
                delete_older(path)

    def flush(self) -> None:
        """Do nothing: a new compilation overwrites the file."""

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        # Not `target_context.refresh()`, which imports all that a compiler needs, in 0.3 s. Compiling does.
        if self._has_memory:
            rtsys.initialize(target_context)
        own, shipped = self._names(sig, target_context.codegen())
        for name, read, is_shipped in (
            (own, self._places.read_own, False),
            (shipped, self._places.read_shipped, True),
        ):
            with suppress(Exception):  # a damaged file is compiled again and overwritten
                content = None if name is None else read(name)
                if name is not None and content is not None:
                    found = self._code.rebuild(target_context, pickle.loads(content))
                    _tell_of(name, is_shipped=is_shipped)
                    return found
        return None

    def _names(self, sig: Any, codegen: Any) -> tuple[str, str | None]:
        """The names of the files for a signature: the user's, and that of the package if it has a level."""
        index_key: Any = self._index_key
        signature, processor, bytecode = index_key(sig, codegen)
        level, shipped = self._places.level, None
        if level is not None:
            shipped = self._name_of(signature, (processor[0], level.cpu, level.features), bytecode)
        return self._name_of(signature, processor, bytecode), shipped

    def _name_of(self, signature: Any, processor: tuple[Any, ...], bytecode: Any) -> str:
        """processor: the kind of system, the name of the processor, its features."""
        function = self._py_func
        which = short_hash(function.__module__, function.__qualname__, signature, processor)
        name = f"{function.__module__.removeprefix('rekkyo.')}.{function.__name__}"
        return f"{name}-{which}-{short_hash(bytecode, self._sources)}{SUFFIX}"


def _tell_of(name: str, *, is_shipped: bool) -> None:
    data = {"name": name, "is_shipped": is_shipped}
    numba_event.broadcast(numba_event.Event(KERNEL_FILE, numba_event.EventStatus.END, data))


def short_hash(*facts: object) -> str:
    """A part of the name of a file."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:HASH_LENGTH]


def delete_older(path: Path) -> None:
    """Delete the user's files of the same code with other sources, except the newest few.

    A concurrent deletion or write costs only time, because a file is loaded completely or not at all.
    """
    stem = path.name[: -HASH_LENGTH - len(SUFFIX)]
    form = re.compile(rf"{re.escape(stem)}[0-9a-f]{{{HASH_LENGTH}}}{re.escape(SUFFIX)}")
    ages = []
    with os.scandir(path.parent) as entries:
        for entry in entries:
            if form.fullmatch(entry.name) and entry.name != path.name:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode) and _is_own(status):
                        ages.append((status.st_mtime_ns, entry.path))
    for _, older in sorted(ages, reverse=True)[N_KEPT - 1 :]:
        with suppress(OSError):
            os.unlink(older)


def _is_own(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()


class _Code(CompileResultCacheImpl):
    """How Numba turns compiled code into a value that can be pickled, and back."""

    def __init__(self, function: Callable[..., Any], restored: Callable[[Any, Any], Any]) -> None:
        self._restored = restored
        self._lineno = function.__code__.co_firstlineno
        self._locator = self
        self._py_file = function.__code__.co_filename

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """See `CompileResultCacheImpl`."""
        return self._restored(target_context, payload)


def read_sealed(path: Path, complaint: Complaint) -> bytes | None:
    """The content of a sealed file; None if it does not exist, is not ours, or is damaged."""
    try:
        opened = open_file(path)
    except (OSError, BadRun):
        return None
    with opened as file:
        if reason := complaint(os.fstat(file.fileno())):
            _warn_of(path.parent, reason)
            return None
        content = file.read()
    seal, rest = content[:SEAL_BYTES], content[SEAL_BYTES:]
    return rest if hashlib.sha256(rest).digest() == seal else None


@cache
def _warn_of(folder: Path, complaint: str) -> None:
    """Warn once for each complaint, because there may be hundreds of files."""
    LOG.warning("compiled kernels in %s are compiled again: a file there %s", folder, complaint)


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file that `read_sealed` reads, all at once."""
    descriptor, name = tempfile.mkstemp(prefix=path.stem, suffix=".new", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def complaint_about(status: os.stat_result) -> str | None:
    """Why code in a file or folder must not be executed; None when it may."""
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return "is neither a file nor a folder"
    if sys.platform == "win32":
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"belongs to user {status.st_uid}"
    return "can be written by others" if status.st_mode & WRITABLE_BY_OTHERS else None


def complaint_about_shipped(status: os.stat_result) -> str | None:
    """As `complaint_about`, for files of the package: users who can write the program may write its kernels.

    Installers leave files writable by the group if the group has only one user.
    """
    program = (PACKAGE if stat.S_ISDIR(status.st_mode) else Path(__file__)).stat()
    is_alike = (status.st_uid, status.st_gid) == (program.st_uid, program.st_gid)
    more_may_write = status.st_mode & WRITABLE_BY_OTHERS & ~program.st_mode
    return None if is_alike and not more_may_write else complaint_about(status)


@cache
def source_key(module: str) -> str:
    """A hash of the sources of a module and of all modules of this package that it imports, also
    indirectly.
    """
    waiting, sources = [module], {}
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources[path], imported = _source(path)
            waiting += imported
    return hashlib.sha256(b"".join(sources[path] for path in sorted(sources))).hexdigest()


@cache
def _source(path: str) -> tuple[bytes, tuple[str, ...]]:
    """The hash of one source, and the modules of this package that it names in its imports.

    Paths are texts: comparing objects of pathlib took most of the time.
    """
    with open(path, "rb") as file:
        text = file.read()
    imported: list[str] = []
    for match in IMPORT.finditer(text.decode()):
        base = f"{PACKAGE}{match[1].replace('.', os.sep)}"
        names = re.findall(r"\w+", match[2] or "") if os.path.isdir(base) else ()
        places = [base, *(os.path.join(base, name) for name in names)]
        files = (file for place in places for file in (f"{place}.py", os.path.join(place, "__init__.py")))
        imported += [file for file in files if os.path.isfile(file)]
    return hashlib.sha256(text).digest(), tuple(imported)


@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels, created if necessary; None if it cannot be trusted.

    A read-only folder is accepted: an administrator may have filled it with `rekkyo warm`.
    """
    folder = _place_of_kernels()
    # Path.is_dir raises PermissionError for a folder that this user cannot reach.
    if folder is None or (not keeps_kernels() and not os.path.isdir(folder)):
        return None
    if complaint := complaint_about(folder.stat()):
        LOG.warning("compiled kernels in %s are not used: it %s; set %s", folder, complaint, CACHE_VARIABLE)
        return None
    return folder


@cache
def keeps_kernels() -> bool:
    """Whether newly compiled code is stored."""
    folder = _place_of_kernels()
    if folder is None:
        return False
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return complaint_about(folder.stat()) is None
    except OSError:
        return False


def _place_of_kernels() -> Path | None:
    root = user_folder()
    return None if root is None else root / _name_of_folder()


def _name_of_folder() -> str:
    switches = (
        numba.__version__,
        sys.implementation.cache_tag,
        platform.machine(),
        config.BOUNDSCHECK,
        config.OPT,
    )
    return f"{FOLDER_BEGIN}{hashlib.sha256(repr(switches).encode()).hexdigest()[:16]}"


@cache
def places_of_kernels() -> Places | None:
    """The folders of compiled kernels; None if there is none."""
    own, level = cache_folder(), level_here()
    shipped = None if level is None else _shipped_folder(level)
    return None if own is None and shipped is None else Places(own, shipped, level)


def _shipped_folder(level: Level) -> Path | None:
    folder = PACKAGE / SHIPPED / level.name / _name_of_folder()
    if not folder.is_dir():
        return None
    if complaint := complaint_about_shipped(folder.stat()):
        LOG.warning("kernels that came with rekkyo in %s are not used: it %s", folder, complaint)
        return None
    return folder
