"""The ends of the programs: one line for an error, and an exit code by the table in docs/formats.md."""

from __future__ import annotations

from collections.abc import Callable
from errno import ENAMETOOLONG
from typing import Any

import click

from rekkyo.cli.progress import Interrupted
from rekkyo.cli.signals import StopSignals, is_interruption
from rekkyo.cli.streams import note
from rekkyo.errors import FAILURES, BadInput, OutputLost, ReaderGone, RekkyoError, RunStopped, in_short

SQLITE_IOERR = 10
"""As in the module sqlite3, which most commands do not import."""


def exit_code_of(work: Callable[[], Any], signals: StopSignals) -> int:
    """Call `work`, and print one line for an error; returns the exit code."""
    try:
        return work() or 0
    except SystemExit as end:  # a command that failed after it printed its results
        signals.be_handled()
        return int(end.code or 0)
    except (KeyboardInterrupt, click.Abort, click.ClickException, RekkyoError, OSError, MemoryError) as error:
        signals.be_handled()  # before the end of the block destroys the exception
        if not isinstance(error, ReaderGone):
            note(f"rekkyo: {' '.join(_message(error).split())}")
        return _exit_code(error, signals)
    except Exception as error:
        if _is_lack_of_threads(error):
            note("rekkyo: no more threads can be started; allow fewer with --workers, or end other programs")
            return 3
        if not is_interruption(error):
            raise
        signals.be_handled()
        note("rekkyo: interrupted")
        return signals.exit_code


def _is_lack_of_threads(error: Exception) -> bool:
    """Whether the system has refused a thread, for which Python has no error of its own."""
    return isinstance(error, RuntimeError) and str(error) == "can't start new thread"


def _message(error: BaseException) -> str:
    if isinstance(error, OSError):
        if error.errno == ENAMETOOLONG:
            return f"{in_short(str(error.filename))} names no file: the name is too long"
        place = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{place}"
    if isinstance(error, click.UsageError):
        return _of_wrong_usage(error)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "there is not enough memory; allow less with REKKYO_MEMORY or --workers"
    return str(error) if isinstance(error, RekkyoError) else "interrupted"


def _of_wrong_usage(error: click.UsageError) -> str:
    """What click says, and what to write instead."""
    message = error.format_message()
    message = message[:1].lower() + message[1:]
    if message.endswith("?") or error.ctx is None:  # it names the right option
        return message
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        name, help_text = error.param.opts[-1], (error.param.help or "").rstrip(".")
        return f"{error.ctx.info_name}: {name} is missing; add {name} {error.param.metavar} ({help_text})"
    return f"{message.rstrip('.')}; see {error.ctx.command_path} --help"


def _exit_code(error: BaseException, signals: StopSignals) -> int:
    """The exit code by the table in docs/formats.md. A failure of the system has a code of its own."""
    if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
        return 2
    if isinstance(error, BadInput) and _comes_from_system(error):
        return 3
    exit_codes: tuple[tuple[type[BaseException], int], ...] = (
        (Interrupted, signals.exit_code),
        (KeyboardInterrupt, signals.exit_code),
        (click.Abort, signals.exit_code),
        (click.ClickException, 2),
        (BadInput, 2),
        (ReaderGone, 141),
        (OutputLost, 3),
        (RunStopped, 3),
        (OSError, 3),
        (MemoryError, 3),
    )
    return next((exit_code for kind, exit_code in exit_codes if isinstance(error, kind)), 1)


def _comes_from_system(error: BaseException) -> bool:
    """Whether an error was raised while a failure of the system was handled, as that of a disk."""
    cause = error.__context__
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in FAILURES:
            return True
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF == SQLITE_IOERR:
            return True
        cause = cause.__context__
    return False
