"""What goes into the three streams, and in which encoding.

What people read is text in the encoding of their terminal; a character that it lacks is escaped, such as
`\\u2026`. A terminal that claims ASCII gets UTF-8. What programs read (solutions, puzzle files, drawings) is
written as UTF-8 with line feeds, so that a command writes the same file on every system.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click


def make_usable() -> None:
    """Closed streams become empty ones, and characters that a stream cannot show are escaped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            told_nothing = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(
                encoding="utf-8" if told_nothing else stream.encoding, errors="backslashreplace"
            )


def write_file_text(text: str) -> None:
    """Write what is meant for a file to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(file_bytes(text))
    sys.stdout.buffer.flush()


def file_bytes(text: str) -> bytes:
    """The content of a text file. What a name of a file had that is no character becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def note(text: str) -> None:
    """Say something beside the data, on stderr. If that is full or gone, it changes no outcome."""
    with suppress(OSError, ValueError):
        click.echo(escaped(text), err=True)


def escaped(text: str) -> str:
    """Lines in which no character moves the cursor of a terminal: names may come from others' files."""
    return "".join(mark if mark.isprintable() or mark == "\n" else ascii(mark)[1:-1] for mark in text)


def print_json(result: Any, **more: Any) -> None:
    """Print a dataclass, and what else is known, as one JSON object."""
    click.echo(json.dumps(asdict(result) | more))


def says_reader_is_gone(error: OSError) -> bool:
    """Whether writing failed because nobody reads. Windows has no error of its own for that."""
    is_vague = sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename
    return isinstance(error, BrokenPipeError) or is_vague


def forget_stdout() -> None:
    """Let the interpreter flush into nothing at exit: the reader is gone, and that is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
