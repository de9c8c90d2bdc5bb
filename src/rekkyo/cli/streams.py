"""What goes into the three streams, and in which encoding.

What people read is text in the encoding of their terminal; a character that it lacks is escaped, such as
`\\u2026`. A terminal that claims ASCII gets UTF-8. What programs read (solutions, puzzle files, drawings) is
written as UTF-8 with line feeds, so that a command writes the same file on every system.

What is wrong with standard output is told from what is wrong with other files: the first write that fails
raises OutputLost, or ReaderGone where nobody reads any more, and everything after it is dropped, so that the
interpreter has nothing left to complain about. Standard error is only dropped: it changes no outcome.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import select
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rekkyo import errors
from rekkyo.errors import OutputLost, ReaderGone

if TYPE_CHECKING:
    from rekkyo.runs.check_certificate import Check

BUFFER_BYTES = 4096
"""What a pipe on Linux takes without waiting once `select` has said yes."""


def make_usable() -> None:
    """Guard both outputs, escape what they cannot show, and make up for streams that were closed."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - stays open
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # what nobody can write to fails, as the closed one would have
            stream = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
        if isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, _guarded(stream, is_needed=name == "stdout"))


def _guarded(stream: io.TextIOWrapper, *, is_needed: bool) -> io.TextIOWrapper:
    if isinstance(stream.buffer, Guarded):
        return stream
    told_nothing = codecs.lookup(stream.encoding).name == "ascii"
    return io.TextIOWrapper(
        Guarded(stream, is_needed=is_needed),
        encoding="utf-8" if told_nothing else stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
    )


class Guarded(io.BufferedWriter):
    """The bytes of a stream. Its first failure is the last, and raises OutputLost where it is needed.

    Not the file under it: a signal between its write and its return would have the buffer write again.
    """

    def __init__(self, stream: io.TextIOWrapper, *, is_needed: bool) -> None:
        raw: Any = getattr(stream.buffer, "raw", stream.buffer)  # one layer less under `python -u`
        super().__init__(raw, BUFFER_BYTES)
        self._stream = stream  # which would close the file if nobody held it
        self._is_needed = is_needed
        self._is_lost = False

    def write(self, data: Any, /) -> int:
        """As in the base class. Raises OutputLost."""
        if not self._is_lost:
            try:
                return super().write(data)
            except OSError as problem:
                self._lose(problem)
        return len(data)

    def flush(self) -> None:
        """As in the base class. Raises OutputLost."""
        if not self._is_lost:
            try:
                super().flush()
            except OSError as problem:
                self._lose(problem)

    def drop_what_waits(self) -> None:
        """Drop what a pipe does not take at once: its reader may never come back."""
        if sys.platform != "win32" and not self.isatty():
            self._is_lost |= not select.select([], [self], [], 0)[1]

    def _lose(self, problem: OSError) -> None:
        self._is_lost = True
        if self._is_needed and says_reader_is_gone(problem):
            raise ReaderGone("nobody reads standard output any more") from None
        if self._is_needed:
            raise OutputLost(f"standard output cannot be written: {problem.strerror or problem}") from None


def finish(*, hurried: bool) -> None:
    """Write what was kept back. hurried: drop what would have to wait for a reader. Raises OutputLost."""
    if hurried and isinstance(sys.stdout.buffer, Guarded):
        sys.stdout.buffer.drop_what_waits()
    sys.stdout.flush()


def write_file_text(text: str) -> None:
    """Write what is meant for a file to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(file_bytes(text))
    sys.stdout.buffer.flush()


def file_bytes(text: str) -> bytes:
    """The content of a text file. What a name of a file had that is not a character becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def note(text: str) -> None:
    """Say something beside the data, on stderr. If that is full or gone, it changes no outcome."""
    with suppress(OSError, ValueError):
        click.echo(escaped(text), err=True)


def say_checks(checks: Iterable[Check]) -> None:
    """A line for each check: passed, wrong, or not done."""
    marks = {True: "+", False: "!", None: " "}
    for check in checks:
        click.echo(escaped(f"{marks[check.passed]} {check.what}: {check.detail}"))


def escaped(text: str) -> str:
    """Lines in which no character moves the cursor of a terminal: names may come from others' files."""
    return errors.escaped(text, keep="\n")


def print_json(result: Any, **more: Any) -> None:
    """Print a dataclass, without what its `repr` hides, and what else is known, as one JSON object."""
    hidden = [field.name for field in fields(result) if not field.repr]
    told = asdict(replace(result, **dict.fromkeys(hidden)))
    click.echo(json.dumps({name: told[name] for name in told if name not in hidden} | more))


def says_reader_is_gone(error: OSError) -> bool:
    """Whether writing failed because nobody reads. Windows has no error of its own for that."""
    is_vague = sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename
    return isinstance(error, BrokenPipeError) or is_vague
