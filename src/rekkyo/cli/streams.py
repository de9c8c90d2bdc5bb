"""The three standard streams, and their encodings.

Text for people is in the encoding of the terminal; a character that it lacks is escaped, such as `\\u2026`. A
terminal that claims ASCII gets UTF-8. Text for programs (solutions, puzzle files, drawings) is UTF-8 with
line feeds, so that a command writes the same file on every system.

Errors of standard output are distinguished from those of other files: the first write that fails raises
OutputLost, or ReaderGone if the reader has closed the pipe, and later output is dropped, so that the
interpreter reports no further error. Errors of standard error are ignored, because it changes no outcome.
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
"""The bytes that a pipe on Linux accepts without waiting after `select` returns it."""


def make_usable() -> None:
    """Guard both outputs, escape characters that they cannot show, and replace closed streams."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - stays open
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # writing fails, as to the closed stream
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
    """The bytes of a stream. Only the first failure counts; it raises OutputLost if the stream is needed.

    This is not the raw file, because after a signal between its write and its return the buffer would write
    the bytes again.
    """

    def __init__(self, stream: io.TextIOWrapper, *, is_needed: bool) -> None:
        raw: Any = getattr(stream.buffer, "raw", stream.buffer)  # `python -u` has one layer less
        super().__init__(raw, BUFFER_BYTES)
        self._stream = stream  # without a reference it would close the file
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
        """Drop output that a pipe does not accept immediately, because its reader may have stopped."""
        if sys.platform != "win32" and not self.isatty():
            self._is_lost |= not select.select([], [self], [], 0)[1]

    def _lose(self, problem: OSError) -> None:
        self._is_lost = True
        if self._is_needed and says_reader_is_gone(problem):
            raise ReaderGone("the reader of standard output closed it") from None
        if self._is_needed:
            raise OutputLost(f"standard output cannot be written: {problem.strerror or problem}") from None


def finish(*, hurried: bool) -> None:
    """Write buffered output. hurried: drop output that would wait for a reader. Raises OutputLost."""
    if hurried and isinstance(sys.stdout.buffer, Guarded):
        sys.stdout.buffer.drop_what_waits()
    sys.stdout.flush()


def write_file_text(text: str) -> None:
    """Write the content of a file to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(file_bytes(text))
    sys.stdout.buffer.flush()


def file_bytes(text: str) -> bytes:
    """The content of a text file. Undecodable bytes of a file name become question marks."""
    return text.encode("utf-8", errors="replace")


def note(text: str) -> None:
    """Print a note on stderr. An error of stderr is ignored."""
    with suppress(OSError, ValueError):
        click.echo(errors.escaped(text, keep="\n"), err=True)


def say(*lines: str) -> None:
    """Print lines. Unprintable characters are escaped, because names may come from foreign files."""
    click.echo("\n".join(map(errors.escaped, lines)))


def say_checks(checks: Iterable[Check]) -> None:
    """Print a line for each check: passed, wrong, or not done."""
    marks = {True: "+", False: "!", None: " "}
    for check in checks:
        say(f"{marks[check.passed]} {check.what}: {check.detail}")


def print_json(result: Any, **more: Any) -> None:
    """Print a dataclass, without the fields that its `repr` hides, and `more`, as one JSON object."""
    hidden = [field.name for field in fields(result) if not field.repr]
    values = asdict(replace(result, **dict.fromkeys(hidden)))
    click.echo(json.dumps({name: values[name] for name in values if name not in hidden} | more))


def says_reader_is_gone(error: OSError) -> bool:
    """Whether writing failed because the reader closed the pipe. Windows has no separate error for that."""
    is_vague = sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename
    return isinstance(error, BrokenPipeError) or is_vague
