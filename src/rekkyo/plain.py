"""How processes of Python are started, and whether this one compiles kernels.

A command that compiles kernels starts a second process, which answers in plain Python (`rekkyo.cli.plain`).
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

PYTHON = (sys.executable, "-P")
"""How every command for such a process begins. Without -P, a folder `rekkyo` in the current folder, which may
be a stranger's, would be run."""

SWITCH, OTHER = "REKKYO_PLAIN", "other"
"""The environment variable, and its value in the process in plain Python. If the variable is set, a command
starts no such process."""

NO_COMPILER = "NUMBA_DISABLE_JIT"
"""The environment variable of Numba that switches its compiler off."""


def answers_in_plain_python() -> bool:
    """Whether this is the process in plain Python."""
    return os.environ.get(SWITCH) == OTHER


def compiler_is_off() -> bool:
    """Whether NUMBA_DISABLE_JIT switches the compiler off. Numba ignores a text that is not a number."""
    with suppress(ValueError):
        return int(os.environ.get(NO_COMPILER, "0")) != 0
    return False
