"""Reads whole files up to a limit of size."""

from __future__ import annotations

import stat
from pathlib import Path

from rekkyo.errors import BadInput, printable


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes. Raises BadInput."""
    shown = printable(str(path))
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadInput(f"{shown} is not a file; name a file that holds a puzzle")
        if status.st_size > most:
            raise BadInput(f"{shown} has {status.st_size} bytes; at most {most} are read")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as problem:
        raise BadInput(f"{shown} cannot be read: {problem.strerror}") from None
    except ValueError:  # a null character in the name
        raise BadInput(f"{shown} is not the name of a file") from None
    if len(content) > most:
        raise BadInput(f"{shown} grows while it is read; at most {most} bytes are read")
    return content


def decoded(content: bytes, name: str) -> str:
    """The text of bytes in UTF-8, with or without a byte order mark. Raises BadInput."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        where = f"byte {problem.start} is not UTF-8"
        raise BadInput(f"{printable(name)} is not text: {where}; save the file as UTF-8") from None
