"""The exceptions of rekkyo.

Every exception that rekkyo raises on purpose is a `RekkyoError`. Its message is one line that says what is
wrong, where, and how to fix it; the command line prints it without a traceback.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from difflib import get_close_matches
from errno import EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOLCK, ENOSPC, EOPNOTSUPP, ESTALE

FAILURES = (EIO, ENOSPC, EDQUOT, EFBIG, ESTALE, EMFILE, ENFILE, ENOLCK, EOPNOTSUPP)
"""Errors of the system that no other input avoids: a disk that fails, is full or has no locks, a limit of the
size of files or of the number of open ones."""


class RekkyoError(Exception):
    """Base of every exception that rekkyo raises on purpose. Unprintable characters are escaped."""

    def __init__(self, message: str = "") -> None:
        super().__init__(escaped(message))


class BadInput(RekkyoError):
    """An argument or file of the user cannot be used. The command line exits with code 2."""


class BadModel(BadInput):
    """A model that contradicts itself or is larger than rekkyo accepts."""


class BadFile(BadInput):
    """A puzzle file that cannot be used; the message begins with the place, such as `mine.toml:12:5:`."""


class BadDrawing(BadInput):
    """A drawing with a mark in a place where none is allowed. line, column: of the mark, both from 0."""

    def __init__(self, mark: str, line: int, column: int, problem: str) -> None:
        super().__init__(f'drawing: "{mark}" in line {line + 1}, column {column + 1} {problem}')
        self.line, self.column = line, column
        self.without_place = f'"{mark}" {problem}'


class UnknownPuzzle(BadInput):
    """No puzzle of that name is in the catalog."""


class UnknownEngine(BadInput):
    """No engine of that name exists."""


class EngineRefuses(BadInput):
    """The requested engine does not accept the model."""


class NeedsMemory(EngineRefuses):
    """The engine would need more memory than it may use on this computer."""


class BadSolution(BadInput):
    """A text or row that is not a row of the puzzle (wrong length, not a number, …)."""


class GroupTooLarge(BadInput):
    """The group has more elements than may be listed."""


class BadRun(BadInput):
    """A directory without a run, or a run that cannot continue with this request."""


class RunInUse(BadRun):
    """Another process is writing the run."""


class RunUnreadable(BadRun):
    """Files of a run cannot be read or written now (permissions, another program's lock, a failing disk)."""


class RunDamaged(RekkyoError):
    """Files of a run were changed or damaged; the message says which, and the consequence."""


class RunStopped(RekkyoError):
    """A run could not continue (full disk, lost workers); finished shards are safe and `resume` continues.

    The command line exits with code 3.
    """


class OutputLost(RekkyoError):
    """Standard output cannot be written. The command line exits with code 3."""


class ReaderGone(OutputLost):
    """The reader of standard output, or of another pipe, closed it.

    The command line exits with code 141 without a message.
    """


class Undecided(RekkyoError):
    """A check would take too long, so its result is not known."""


class CountsDisagree(RekkyoError):
    """Two computations of the same number differ, which is always reported as a defect, never as a result."""


def fix_for_name(name: str, known: Sequence[str]) -> str:
    """The end of a message about an unknown name: those that begin so, the nearest one, or all of them."""
    return meant_by(name, known) or f"known: {', '.join(known) or 'none'}"


def meant_by(name: str, known: Sequence[str]) -> str:
    """A question whether a name that begins so was meant, or the nearest one; empty if none is near."""
    near = [one for one in known if one.startswith(f"{name.lower()}-")]
    near = near or get_close_matches(name.lower(), known, n=1, cutoff=0.65)  # at 0.6 "river" would be "cover"
    quoted = " or ".join(f'"{one}"' for one in near)
    return f"did you mean {quoted}?" if near else ""


def in_short(text: str, most: int = 30) -> str:
    """A text shortened to `most` characters and escaped to be printable."""
    return escaped(text if len(text) <= most else text[: most - 3] + "...")


def escaped(text: str, keep: str = "") -> str:
    """The text with unprintable characters escaped, except those in `keep`."""
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() or mark in keep else ascii(mark)[1:-1] for mark in text)


def in_shell(path: str | os.PathLike[str]) -> str:
    """A path as it is typed in a command: with quotes where a shell would divide or replace it."""
    name = os.fspath(path)
    if os.name == "nt":
        return f'"{name}"' if " " in name else name
    from shlex import quote  # most commands print no path

    return quote(name)


def printable(text: str) -> str:
    """The text, escaped if it is not printable."""
    return text if text.isprintable() else json.dumps(text)
