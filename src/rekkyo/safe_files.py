"""Files in a folder from an untrusted source: opened only if they are plain files, never through a link.

The folder itself may be reached through links, because the user named it. If the system cannot refuse a link
while it opens a file (Windows), the name is checked before.

`rekkyo.store.output_file` writes files that a user named, which may be links.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from rekkyo.errors import BadInput, BadRun, in_short, printable

O_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
O_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
O_BINARY: int = getattr(os, "O_BINARY", 0)

PERMISSIONS = 0o777


def path_of(name: str | os.PathLike[str]) -> Path:
    """The path that a user of Python gave. Raises BadInput for anything that names no file or folder."""
    try:
        path = Path(name)
    except TypeError:
        raise BadInput(
            f"a file or folder is named by a text or a path, not by {type(name).__name__}"
        ) from None
    if not os.fspath(name):  # Path("") would be the current folder
        raise BadInput("the name of a file or folder is empty; name one, or . for the folder you are in")
    if "\0" in str(path):
        raise BadInput(f"{printable(str(path))} names no file: it contains a NUL character")
    try:
        path.lstat()
    except OSError as problem:
        if problem.errno == errno.ENAMETOOLONG:
            raise BadInput(f"{in_short(str(path))} names no file: the name is too long") from None
    except UnicodeEncodeError:
        what = "it contains half of a character, which has no bytes"
        raise BadInput(f"{printable(str(path))} names no file: {what}") from None
    return path


def open_plain(path: Path, flags: int = os.O_RDONLY) -> int:
    """The descriptor of a plain file. Raises BadRun for a link or a device, OSError for other failures."""
    if not O_NOFOLLOW:
        check_plain(path)
    try:
        # Without O_NONBLOCK a named pipe would wait for a process at its other end.
        descriptor = os.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_BINARY, 0o644)
    except OSError as problem:
        if problem.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EISDIR):
            raise _not_plain(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_plain(path)
    return descriptor


def open_file(path: Path, mode: str = "rb") -> IO[bytes]:
    """A plain file, open as the built-in `open` opens it. mode: "rb", "r+b" or "xb"."""
    flags = {"rb": os.O_RDONLY, "r+b": os.O_RDWR, "xb": os.O_WRONLY | os.O_CREAT | os.O_EXCL}[mode]
    return os.fdopen(open_plain(path, flags), mode.replace("x", "w"))


def draft_of(path: Path) -> Path:
    """A name beside a path, which nobody else can know, so that no other file is written or deleted."""
    return path.with_name(f".rekkyo-{secrets.token_hex(8)}.new")


@contextmanager
def replaced_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file, which gets the name `path` at the end, if there is no error. A link there is replaced.

    Until then it has the name of a draft. It has the permissions of the file that it replaces, or those that
    `open` gives. Raises OSError.
    """
    with replaced_files(path) as (file,):
        yield file


@contextmanager
def replaced_files(*paths: Path) -> Iterator[list[IO[bytes]]]:
    """New files as that of `replaced_file`; all get their names, or none. All are on the disk before that."""
    drafts = [draft_of(path) for path in paths]
    try:
        with ExitStack() as opened:
            files: list[IO[bytes]] = []
            for path, draft in zip(paths, drafts, strict=True):
                opened.enter_context(naming(path, draft))  # closing fails, too
                files.append(opened.enter_context(draft.open("xb")))
            with naming(paths[0]):
                yield files
            for path, file in zip(paths, files, strict=True):
                with naming(path):
                    file.flush()
                    os.fsync(file.fileno())
        _put_all_in_place(drafts, paths)
    except BaseException:
        for draft in drafts:
            draft.unlink(missing_ok=True)
        raise


def _put_all_in_place(drafts: Sequence[Path], paths: Sequence[Path]) -> None:
    """Rename all drafts. If one cannot be renamed, what was replaced before gets its name again."""
    draft, path = drafts[0], paths[0]
    is_alone, is_new = len(paths) == 1, not os.path.lexists(path)
    second = None if is_alone or is_new else _second_name(path)
    try:
        with naming(path, draft):
            _put_in_place(draft, path)
        if not is_alone:
            try:
                _put_all_in_place(drafts[1:], paths[1:])
            except BaseException:
                with suppress(OSError):  # the first error is told
                    if second is not None:
                        os.replace(second, path)
                    elif is_new:
                        path.unlink()
                raise
    finally:
        if second is not None:
            second.unlink(missing_ok=True)


def _second_name(path: Path) -> Path | None:
    """A second name of a file; None where the file system has none, as on a memory card."""
    second = draft_of(path)
    try:
        os.link(path, second, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return None
    return second


def _put_in_place(draft: Path, path: Path) -> None:
    with suppress(FileNotFoundError):
        before = path.lstat().st_mode
        if stat.S_ISREG(before):
            draft.chmod(before & PERMISSIONS)
    os.replace(draft, path)


@contextmanager
def naming(path: Path, draft: Path | None = None) -> Iterator[None]:
    """Add a path to errors of the system that name none, as those of writing, or that name its draft."""
    try:
        yield
    except OSError as problem:
        if problem.errno is not None and problem.filename in (None, draft, str(draft)):
            problem.filename = str(path)
        raise


def check_plain(path: Path) -> None:
    """Raise BadRun if there is something of that name that is not a plain file."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # opening it gives the message
    if not stat.S_ISREG(mode):
        raise _not_plain(path)


def _not_plain(path: Path) -> BadRun:
    what = "is a link or not a file, and rekkyo opens neither"
    return BadRun(f"{printable(str(path))} {what}; put the file itself there")


def is_still(path: Path, opened: os.stat_result) -> bool:
    """Whether a path still refers to the file that was opened."""
    try:
        return os.path.samestat(path.lstat(), opened)
    except OSError:
        return False
