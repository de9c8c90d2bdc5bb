"""All commands. They import what they need inside their functions, so that `--help` needs no compiler."""

from __future__ import annotations

import logging
import os
import sys
from functools import partial

from rekkyo.cli import (  # noqa: F401 - each adds its commands to the group
    catalog,  # list, info, new
    count,  # count, orbits
    design,
    draw,
    estimate,
    export,  # export, bfile
    gallery,
    growth,
    methods,
    minizinc,
    publish,
    run,  # run, resume, status, recount
    sample,  # sample, stats
    solve,
    streams,
    verify,  # verify, certify
    warm,
)
from rekkyo.cli.endings import exit_code_of
from rekkyo.cli.options import rekkyo
from rekkyo.cli.signals import StopSignals
from rekkyo.cli.streams import note

MOST_DIGITS = 1 << 17
"""The most digits of a number that is printed or read; Python refuses more than 4,300 by default. A cover of
the most options that `cover-frontier` accepts has fewer than 2^(2^18) solutions, which are 78,914 digits. To
read the longest takes 0.1 s, so that a file of numbers cannot take long."""

QUIET_VARIABLE = "REKKYO_QUIET"
"""The environment variable that silences notes about compiling."""


def main(signals: StopSignals | None = None) -> None:
    """Run the command line and exit. signals: the installed handler of signals."""
    signals = signals or StopSignals()
    streams.make_usable()
    sys.set_int_max_str_digits(MOST_DIGITS)
    _show_log()

    def finish() -> None:
        streams.finish(hurried=signals.have_come)

    # Finishing may wait for a reader forever; if a signal ends that, the second call does not wait.
    works = (partial(rekkyo.main, standalone_mode=False, obj=signals), finish, finish)
    exit_codes = [exit_code_of(work, signals) for work in works]
    sys.exit(next(filter(None, exit_codes), 0))


def _show_log() -> None:
    """Print the log of rekkyo, such as notes about compiling, on stderr."""
    if os.environ.get(QUIET_VARIABLE):
        return
    log = logging.getLogger("rekkyo")
    log.setLevel(logging.INFO)
    log.addHandler(_Notes())


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())
