"""The programs `rekkyo` and `fzn-rekkyo`.

They are outside the package, so that Ctrl-C while the package is imported gives no traceback.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code in shells for a program that SIGINT ended."""


def rekkyo() -> None:
    """Run the command line and exit."""
    try:
        from rekkyo.cli.start import start

        start()
    except KeyboardInterrupt:  # before `start` listens
        sys.exit(INTERRUPTED)


def fzn_rekkyo() -> None:
    """Run the solver of MiniZinc and exit."""
    try:
        from rekkyo.cli.fzn import start

        start()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
