"""The record of a complete `warm`: for each job its kernels, so that the next one only checks their files.

Loading all kernels takes several seconds, and checking their files a tenth of one. A record is a sealed file
in the folder of the kernels, so a wheel with kernels has one for each level. Its name is a hash of the
processor and of all sources of the package, so a record of other sources is not found. All jobs are done
again if the file of a kernel is missing or damaged.

    kernels-<versions and switches>/<hash>.warmed      | SHA-256 of the rest: 32 bytes | JSON |
    {"cover-bitset": ["engines.covers.bitset.kernel_search.search_frame-….kernel", …], …}

Left out on purpose: loading the kernels, which `warm` is not for, and deleting records of other sources, of
some ten kilobytes each.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
from llvmlite import binding

from rekkyo.kernel_cache import Places, places_of_kernels, short_hash, write_sealed
from rekkyo.kernel_folders import PACKAGE, SUFFIX
from rekkyo.kernel_levels import features_here

config: Any = numba.config

RECORD_SUFFIX = ".warmed"
FILE_NAME = re.compile(rf"[\w.]+-[0-9a-f]{{16}}-[0-9a-f]{{16}}{re.escape(SUFFIX)}")
"""The name of the file of a kernel, see `rekkyo.kernel_cache`."""


@dataclass(frozen=True, slots=True)
class Warmed:
    """The cost of one job. n_functions: compiled functions; n_shipped: kernels that are in the package.

    files: the names of the files of kernels that were loaded, stored, or checked.
    """

    name: str
    n_functions: int
    n_shipped: int
    compile_s: float
    elapsed_s: float
    files: tuple[str, ...] = ()


def recorded() -> tuple[Warmed, ...] | None:
    """All jobs of an earlier `warm`, if a record has them and the files of all their kernels are intact."""
    places = places_of_kernels()
    if places is None:
        return None
    for content in _records(places):
        with suppress(ValueError, AttributeError, TypeError):  # what is sealed is not a record
            return tuple(_checked(places, name, files) for name, files in json.loads(content).items())
    return None


def keep_record(jobs: Iterable[Warmed]) -> None:
    """Write the record of a complete `warm`; nothing if it cannot be written.

    It has the kernels that this process and its helpers loaded or compiled since the first job began.
    """
    places = places_of_kernels()
    if places is not None and places.own is not None:
        content = json.dumps({job.name: job.files for job in jobs}).encode()
        with suppress(OSError):
            write_sealed(places.own / _own_name(), content)


def _records(places: Places) -> Iterator[bytes]:
    """The records in the user's folder and in the package, for this processor."""
    found = [places.read_own(_own_name())]
    if places.level is not None:
        found.append(places.read_shipped(_name_for(places.level.cpu, places.level.features)))
    return (content for content in found if content is not None)


def _checked(places: Places, name: str, files: list[str]) -> Warmed:
    """A job of a record; ValueError if the file of one of its kernels is not intact."""
    started = time.perf_counter()
    n_shipped = sum(_is_shipped(places, file) for file in files)
    return Warmed(name, 0, n_shipped, 0.0, time.perf_counter() - started)


def _is_shipped(places: Places, file: str) -> bool:
    """Whether the file of a kernel is in the package and not the user's; ValueError if none is intact."""
    is_name = FILE_NAME.fullmatch(file) is not None
    if is_name and places.read_own(file) is not None:
        return False
    if is_name and places.read_shipped(file) is not None:
        return True
    raise ValueError(file)


def _own_name() -> str:
    """The name of the record of kernels that are compiled here."""
    cpu = binding.get_host_cpu_name() if config.CPU_NAME is None else config.CPU_NAME
    features = ",".join(sorted(features_here())) if config.CPU_FEATURES is None else config.CPU_FEATURES
    return _name_for(cpu, features)


def _name_for(cpu: str, features: str) -> str:
    return short_hash(platform.machine(), cpu, features, _all_sources()) + RECORD_SUFFIX


@cache
def _all_sources() -> str:
    """A hash of all sources of the package. `warm` asks first of all, so a later edit does not change it."""
    whole = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        whole.update(repr((path.relative_to(PACKAGE).as_posix(), path.stat().st_size)).encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()
