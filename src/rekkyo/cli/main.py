"""All commands together, and how errors leave the program.

Exit codes: 0 done; 1 a check failed; 2 bad input (one line, no traceback); 130 interrupted; 141 the reader of
a pipe went away. Commands import what they need inside their functions, so that `--help` needs no compiler.
"""

from __future__ import annotations

import logging
import os
import sys

import click

from rekkyo.cli import (  # noqa: F401 - each adds its commands to the group
    catalog,  # list, info, new
    count,  # count, orbits
    draw,  # draw, gallery
    estimate,
    export,  # export, bfile
    methods,
    run,  # run, resume, status, recount
    sample,  # sample, stats
    solve,
    streams,
    verify,  # verify, certify
    warm,
)
from rekkyo.cli.options import rekkyo
from rekkyo.cli.progress import Interrupted
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput, RekkyoError

QUIET_VARIABLE = "REKKYO_QUIET"
"""When set, nothing is said about compiling."""


def main() -> None:
    """Run the command line and exit."""
    streams.make_usable()
    _show_log()
    try:
        exit_code = rekkyo.main(standalone_mode=False)
        sys.stdout.flush()
    except Interrupted as error:
        exit_code = _complain(error.format_message(), error.exit_code)
    except click.ClickException as error:
        exit_code = _complain(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        exit_code = _complain("interrupted", 130)
    except RekkyoError as error:
        exit_code = _complain(str(error), 2 if isinstance(error, BadInput) else 1)
    except OSError as error:
        if streams.says_reader_is_gone(error):
            streams.forget_stdout()
            exit_code = 141
        else:
            place = f": {error.filename}" if error.filename else ""
            exit_code = _complain(f"{error.strerror or error}{place}", 1)
    sys.exit(exit_code or 0)


def _show_log() -> None:
    """What rekkyo logs, such as that it compiled something, goes to stderr."""
    if os.environ.get(QUIET_VARIABLE):
        return
    log = logging.getLogger("rekkyo")
    log.setLevel(logging.INFO)
    log.addHandler(_Notes())


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())


def _complain(message: str, exit_code: int) -> int:
    note(f"rekkyo: {' '.join(message.split())}")
    return exit_code
