"""Whether this process answers in plain Python, beside one that compiles kernels; see `rekkyo.cli.plain`."""

from __future__ import annotations

import os

SWITCH, OTHER = "REKKYO_PLAIN", "other"
"""The environment variable: if set, only compiled kernels answer; OTHER marks the process in plain Python."""


def answers_in_plain_python() -> bool:
    """Whether this is the process in plain Python."""
    return os.environ.get(SWITCH) == OTHER
