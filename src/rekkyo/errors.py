"""One tree of exceptions.

Everything that rekkyo raises on purpose is a `RekkyoError`. Its message is one line that says what is
wrong, where, and how to fix it; the command line prints it as it is and never shows a traceback for it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches


class RekkyoError(Exception):
    """Base of every exception that rekkyo raises on purpose."""


class BadInput(RekkyoError):
    """Something that the user gave cannot be used. The command line exits with code 2."""


class BadModel(BadInput):
    """A model that contradicts itself or is larger than rekkyo takes on."""


class BadFile(BadInput):
    """A puzzle file that cannot be used; the message begins with the place, such as `mine.toml:12:5:`."""


class BadDrawing(BadInput):
    """A drawing with a mark where none may be. line, column: of the mark, both from 0."""

    def __init__(self, mark: str, line: int, column: int, problem: str) -> None:
        super().__init__(f'drawing: "{mark}" in line {line + 1}, column {column + 1} {problem}')
        self.line, self.column = line, column
        self.without_place = f'"{mark}" {problem}'


class UnknownPuzzle(BadInput):
    """No puzzle of that name is in the catalog."""


class UnknownEngine(BadInput):
    """No engine of that name exists."""


class EngineRefuses(BadInput):
    """The engine that was asked for does not accept the model."""


class BadSolution(BadInput):
    """A text or row that is not a solution row of the puzzle at all (wrong length, not a number, …)."""


class GroupTooLarge(BadInput):
    """The generators make more elements than may be listed."""


class BadRun(BadInput):
    """A directory that holds no run, or a run that cannot go on in this way."""


class RunInUse(BadRun):
    """Another process is writing the run."""


class RunUnreadable(BadRun):
    """Files of a run cannot be read or written now (permissions, another program's lock, a failing disk)."""


class RunDamaged(RekkyoError):
    """Files of a run are not what was written; the message says which, and what it means."""


class RunStopped(RekkyoError):
    """A run could not go on (a full disk, workers gone); finished shards are safe and `resume` goes on.

    The command line exits with code 3.
    """


class OutputLost(RekkyoError):
    """Standard output cannot be written. The command line exits with code 3."""


class ReaderGone(OutputLost):
    """Whoever read standard output reads no more. The command line exits with code 141 and says nothing."""


class Undecided(RekkyoError):
    """A check that would take too long: nothing is known either way."""


class CountsDisagree(RekkyoError):
    """Two ways to the same number differ: never shown as a result, always reported as a defect."""


def mend_for_name(name: str, known: Sequence[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, or all of them."""
    near = get_close_matches(name.lower(), known, n=1)
    return f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known) or 'none'}"


def in_short(text: str, most: int = 30) -> str:
    """At most so many characters of a text, all printable."""
    return escaped(text if len(text) <= most else text[: most - 3] + "...")


def escaped(text: str, keep: str = "") -> str:
    """The text without a character that moves the cursor of a terminal, unless it is to be kept."""
    return "".join(mark if mark.isprintable() or mark in keep else ascii(mark)[1:-1] for mark in text)


def printable(text: str) -> str:
    """The text as it is, or escaped when a terminal could not show it."""
    return text if text.isprintable() else json.dumps(text)
