"""SQLite files of a run: safe opening, and translation of SQLite's errors for users."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from rekkyo.errors import RekkyoError, RunDamaged, RunInUse, RunStopped, RunUnreadable
from rekkyo.safe_files import open_file
from rekkyo.store.lock import WAIT_VARIABLE, wait_s

COMPANIONS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite writes beside a database."""

MOST_BYTES = 1 << 26
"""The most bytes of a value: the checksums of 2^36 rows of a shard."""

END_OF_NAME = bytes.fromhex("d9d505f920a163d7")
"""How a journal ends that names another file (sqlite.org/fileformat2.html: super-journal)."""

FIX = "put back a copy of it, or begin the run again in a new directory"

NOT_ALLOWED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)


@contextmanager
def translated_errors(path: Path, *, writing: bool) -> Iterator[None]:
    """Translate every error of SQLite for the user: locked, full, not allowed, or damaged."""
    try:
        yield
    except sqlite3.DatabaseError as problem:
        raise _meaning(path, problem, writing) from None
    except OSError as problem:
        raise RunUnreadable(f"{path} cannot be read or written: {problem.strerror}") from None


def _meaning(path: Path, problem: sqlite3.DatabaseError, writing: bool) -> RekkyoError:
    how = "written" if writing else "read"
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        seconds = f"{WAIT_VARIABLE} says for how many seconds"
        return RunInUse(f"{path} is locked by another program; wait until that is done ({seconds})")
    if code in NOT_ALLOWED and not (code == sqlite3.SQLITE_CANTOPEN and _may_be_written(path)):
        fix = "see whether you may write it and its folder, or copy the directory of the run elsewhere"
        return RunUnreadable(f"{path} cannot be {how} ({problem}); {fix}")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return RunDamaged(f"{path} is damaged ({problem}); {FIX}")
    if writing or code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN):
        fix = "see whether the disk is full, or too many files are open; then run the same command again"
        return RunStopped(f"{path} cannot be written ({problem}); {fix}")
    if code == sqlite3.SQLITE_IOERR:
        return RunUnreadable(f"{path} cannot be read ({problem}); see whether the disk is failing")
    return RunDamaged(f"{path} is damaged ({problem}); {FIX}")


def _may_be_written(path: Path) -> bool:
    """Whether the permissions are there, so that only the system can refuse a file beside the index."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def check_length(path: Path) -> None:
    """Raise RunDamaged if pages are missing at the end, which SQLite itself would treat as empty pages.

    Bytes 16 to 17 of the file are the size of a page, 28 to 31 the number of pages. A write-ahead log beside
    the file may still hold the last ones.
    """
    if _has_log(path):
        return
    with open_file(path) as file:
        header = file.read(100)
    page_size = int.from_bytes(header[16:18], "big")
    n_pages = int.from_bytes(header[28:32], "big")
    if path.stat().st_size < n_pages * (65536 if page_size == 1 else page_size):
        raise RunDamaged(f"{path} is damaged: its end is missing; {FIX}")


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.is_file() and log.stat().st_size > 0


def _has_journal(path: Path) -> bool:
    """Whether a change was not finished, which SQLite undoes. Raises RunDamaged if that would do more.

    A journal of several databases ends with the name of a file about them all, and SQLite deletes that file.
    It also makes the database as long as the journal says: bytes 16 to 19 are pages, 24 to 27 their size.
    """
    journal = path.with_name(path.name + "-journal")
    try:
        with open_file(journal) as file:
            head = file.read(28)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(END_OF_NAME)))
            end = file.read()
    except FileNotFoundError:
        return False
    if end == END_OF_NAME:
        raise RunDamaged(
            f"{journal} is not from rekkyo: it names another file, which SQLite would delete; {FIX}"
        )
    n_bytes = int.from_bytes(head[16:20], "big") * int.from_bytes(head[24:28], "big")
    if n_bytes > path.stat().st_size:
        raise RunDamaged(f"{journal} is not of {path.name}, which is shorter; {FIX}")
    return size > 0


def connect(path: Path, writing: bool) -> sqlite3.Connection:
    """A connection. To read a read-only folder, the index must have no write-ahead log and no journal."""
    name = f"file:{quote(os.fsencode(path.resolve()))}"  # bytes: a name need not be text
    has_journal = _has_journal(path)
    mode = f"mode={'rw' if writing or has_journal else 'ro'}"
    if not writing and not os.access(path.parent, os.W_OK):
        if has_journal or _has_log(path):
            raise RunUnreadable(
                f"{path} was not closed by its writer, and to read it then its folder must be writable; copy"
                f" {path.parent} elsewhere"
            )
        mode = "immutable=1"
    connection = sqlite3.connect(f"{name}?{mode}", uri=True, isolation_level=None, timeout=wait_s())
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    return connection
