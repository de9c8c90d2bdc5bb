"""Further processes of Python: how they are started, and whether this is the one that answers in plain
Python, beside one that compiles kernels; see `rekkyo.cli.plain`.
"""

from __future__ import annotations

import os
import sys

PYTHON = (sys.executable, "-P")
"""How every command for such a process begins. Without -P, a folder `rekkyo` in the current folder, which may
be a stranger's, would be run."""

SWITCH, OTHER = "REKKYO_PLAIN", "other"
"""The environment variable: if set, only compiled kernels answer; OTHER marks the process in plain Python."""


def answers_in_plain_python() -> bool:
    """Whether this is the process in plain Python."""
    return os.environ.get(SWITCH) == OTHER
