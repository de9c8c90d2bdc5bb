"""The memory that a search may use for its states, tables and diagrams.

REKKYO_MEMORY in the environment sets it, such as 16G. Otherwise it is 4 GB, or half of the memory of the
machine or of its container (Linux control groups) if that is less.

Left out on purpose: the memory that other programs use at the moment. The same command should count in the
same way each time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from rekkyo.errors import BadInput
from rekkyo.model.checks import shown

VARIABLE = "REKKYO_MEMORY"
DEFAULT_BYTES = 4 << 30
LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""The files in which Linux gives the memory of a container; versions 2 and 1 of control groups."""

ALLOW_MORE = f"or allow more with {VARIABLE}"
"""Ends the message of an engine that refuses."""

_SIZE = re.compile(r"([0-9]{1,6})([MGT])(i?B)?", re.IGNORECASE)
_SHIFTS = {"M": 20, "G": 30, "T": 40}


class WithMemory:
    """An engine with a limit on its memory; it refuses a search that needs more.

    most_bytes: the limit; by default that of `memory_bytes`.
    """

    def __init__(self, most_bytes: int | None = None) -> None:
        self._most_bytes = most_bytes

    @property
    def most_bytes(self) -> int:
        """The limit in bytes. Raises BadInput."""
        return memory_bytes(self._most_bytes)


def memory_bytes(most_bytes: int | None = None) -> int:
    """The given limit, or else the memory that a search may use. Raises BadInput for a bad REKKYO_MEMORY."""
    if most_bytes is not None:
        return most_bytes
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return _default_bytes()
    size = _SIZE.fullmatch(wanted.strip())
    if size is None or not int(size[1]):
        raise BadInput(f"{VARIABLE} is a size such as 16G or 500M, not {shown(wanted)}")
    return int(size[1]) << _SHIFTS[size[2].upper()]


def size_in_words(n_bytes: int) -> str:
    """The size for a message: 2,048 GB, 1.5 GB, 16 MB, 0.5 MB."""
    unit = "GB" if n_bytes >= 1 << 30 else "MB"
    size = f"{n_bytes / (1 << _SHIFTS[unit[0]]):,.2f}"
    return f"{size.rstrip('0').rstrip('.')} {unit}"


@cache
def _default_bytes() -> int:
    """The limit without REKKYO_MEMORY. It is cached, because some counts ask for it many times."""
    return min((DEFAULT_BYTES, *(size // 2 for size in _sizes())))


def _sizes() -> Iterator[int]:
    """The bytes of the machine and of its container, as far as the system gives them."""
    if hasattr(os, "sysconf"):
        with suppress(OSError, ValueError):
            yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for name in LIMITS:
        with suppress(OSError, ValueError):
            yield int(Path(name).read_text(encoding="ascii"))
