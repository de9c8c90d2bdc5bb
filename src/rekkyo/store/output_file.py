"""Files that a user named for output.

A file is written under another name in the same folder and renamed at the end, so that a failure leaves the
earlier file as it was. The name may be a link, because the user chose it: the file behind the link is
written, as every program does, and the link stays. A device, a pipe and an open file, such as /dev/stdout,
are written directly, because a renamed file would replace them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rekkyo.errors import BadInput, ReaderGone, printable
from rekkyo.safe_files import naming, path_of, replaced_file
from rekkyo.store import index as indexing
from rekkyo.store.run_directory import holds_run

OPEN_FILES = ("/proc/self/fd", "/dev/fd")
"""Folders with the open files of this process, by their numbers."""

MOST_DIGITS = 9
"""The most digits of the number of an open file, which fits into 32 bits."""

MOST_LINKS = 40
"""The longest chain of links that Linux follows."""


@contextmanager
def output_file(name: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """The file of this name, to be written from its beginning.

    Raises BadInput, as `file_to_write`, and ReaderGone if the reader closes a pipe.
    """
    path = file_to_write(name)
    if path is not None:
        with replaced_file(path) as file:
            yield file
        return
    number = number_of_open_file(path_of(name))
    try:
        with (
            naming(path_of(name)),
            open(path_of(name) if number is None else os.dup(number), "wb") as file,
        ):
            yield file
    except BrokenPipeError:
        raise ReaderGone(f"the reader of {printable(str(name))} closed it") from None


def write_output(name: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file. Raises BadInput, as `file_to_write`."""
    with output_file(name) as file:
        file.write(content)


def file_to_write(
    name: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = ()
) -> Path | None:
    """The plain file behind a name, which need not exist; None for what is written directly.

    inputs: names of files that are read. Raises BadInput for one of them, a folder, a file in the directory
    of a run, and a file that cannot be written. A command calls this before it searches.
    """
    path, shown = path_of(name), printable(str(name))
    if number_of_open_file(path) is not None:
        return None
    path = Path(os.path.realpath(path))
    if path.is_symlink():
        raise BadInput(f"{shown} cannot be written: it is a link that leads back to itself; remove it")
    try:
        before = path.stat()
    except OSError:
        before = None
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise BadInput(f"{shown} is a folder; name a file in it")
    if before is not None and not stat.S_ISREG(before.st_mode):
        return None
    if not path.parent.is_dir():
        folder = printable(str(path.parent))
        raise BadInput(f"{shown} cannot be written: there is no folder {folder}; make it")
    if before is not None and any(_is_same(before, other) for other in inputs):
        raise BadInput(f"{shown} is the file that is read; name another one for output")
    # Other programs have files named manifest.json, too.
    if holds_run(path.parent) and (path.parent / indexing.NAME).exists():
        raise BadInput(f"{shown} would be among the files of a run; name a file in another folder")
    if not os.access(path.parent, os.W_OK) or (before is not None and not os.access(path, os.W_OK)):
        raise BadInput(f"{shown} cannot be written: the permission is missing; name another file")
    return path


def _is_same(file: os.stat_result, other: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samestat(file, os.stat(other))
    except (OSError, ValueError):
        return False


def number_of_open_file(path: Path) -> int | None:
    """The number of the open file of this process that a name, such as /dev/stdout, refers to."""
    folders = {os.path.realpath(folder) for folder in OPEN_FILES}
    for _ in range(MOST_LINKS):
        folder = os.path.realpath(path.parent)
        if folder in folders:
            return int(path.name) if path.name.isdecimal() and len(path.name) <= MOST_DIGITS else None
        try:
            path = Path(folder, os.readlink(Path(folder, path.name)))
        except OSError:
            return None
    return None
