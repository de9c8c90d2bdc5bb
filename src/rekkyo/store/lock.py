"""The lock of a run directory, which allows one writer and ends with its process.

The operating system releases the lock of an open file when its process ends; a mere lock file would remain
after a crash. A process that the owner forks closes its copy.
Left out on purpose: locks between computers. File systems that are shared over a network may not have them.
"""

from __future__ import annotations

import os
import socket
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path

from rekkyo.errors import BadInput, BadRun, RunInUse, RunUnreadable
from rekkyo.model.checks import shown
from rekkyo.safe_files import open_file, open_plain

WAIT_VARIABLE = "REKKYO_WAIT_S"
"""The environment variable for the seconds that a command waits for another writer of the same run."""

DEFAULT_WAIT_S = 0.3
"""The least wait of a writer, because a test of the lock by another process holds it for an instant."""

MAX_WAIT_S = 86_400.0

OWNER = "process "
"""The beginning of the text in the file of a lock."""

LOCKED_BYTE = 1 << 30
"""The byte that is locked on Windows: after the text, which other processes must be able to read."""


class Lock:
    """A lock, held from `acquire` to `release`. Raises RunInUse if another process holds it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def acquire(self) -> None:
        """Take the lock, and write the owner into its file. Raises RunInUse, RunUnreadable, BadRun."""
        deadline = time.monotonic() + wait_s()
        try:
            descriptor = open_plain(self._path, os.O_RDWR | os.O_CREAT)
        except OSError as problem:
            raise RunUnreadable(f"{self._path} cannot be written: {problem.strerror}") from None
        while not self._try_to_take(descriptor):
            if time.monotonic() >= deadline:
                owner = _owner(descriptor)
                os.close(descriptor)
                raise RunInUse(
                    f"{self._path.parent} is being written by {owner}; stop it there, or wait for it"
                    f" ({WAIT_VARIABLE} says for how many seconds; rekkyo status shows how far it is)"
                )
            time.sleep(0.02)
        self._descriptor = descriptor
        _open_locks.add(self)
        with suppress(OSError):  # the lock is held on a full disk too
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{OWNER}{os.getpid()} on {socket.gethostname()}\n".encode())

    def _try_to_take(self, descriptor: int) -> bool:
        """Try to take the lock. Raises RunUnreadable if the file system has no locks."""
        try:
            return _try_to_lock(descriptor)
        except OSError as problem:
            os.close(descriptor)
            raise RunUnreadable(
                f"{self._path} cannot be locked: {problem.strerror}; put the run on a disk of this computer"
            ) from None

    def release(self) -> None:
        """Release the lock. The file is kept: after its removal two processes could lock two files."""
        _open_locks.discard(self)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


_open_locks: weakref.WeakSet[Lock] = weakref.WeakSet()


def _release_after_fork() -> None:
    for lock in list(_open_locks):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_after_fork)


def wait_s() -> float:
    """How long to wait for another writer, in seconds. Raises BadInput."""
    text = os.environ.get(WAIT_VARIABLE, "")
    try:
        seconds = float(text) if text else DEFAULT_WAIT_S
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_WAIT_S:
        raise BadInput(
            f"{WAIT_VARIABLE} is a number of seconds from 0 to {MAX_WAIT_S:.0f}, not {shown(text)}"
        )
    return seconds


def is_held(path: Path) -> bool:
    """Whether some process, this one included, holds the lock."""
    try:
        descriptor = open_plain(path)  # the run of another user may only be read
    except (OSError, BadRun):
        return False
    try:
        return not _try_to_lock(descriptor)
    except OSError:  # no process can hold a lock here
        return False
    finally:
        os.close(descriptor)


def is_lock(path: Path) -> bool:
    """Whether a file is that of a lock, rather than one of the user with its name. It may be incomplete."""
    try:
        with open_file(path) as file:
            text = file.read(len(OWNER)).decode(errors="replace")
    except (OSError, BadRun):
        return False
    return OWNER.startswith(text)


def _owner(descriptor: int) -> str:
    with suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_SET)
        text = os.read(descriptor, 200).decode(errors="replace").strip()
        if text:
            return "".join(letter if letter.isprintable() else "?" for letter in text)
    return "another process"


if sys.platform == "win32":
    import msvcrt

    def _try_to_lock(descriptor: int) -> bool:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_to_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
