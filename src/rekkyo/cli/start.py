"""Where the program begins: Ctrl-C while the rest is still being loaded is no traceback either."""

from __future__ import annotations

import sys


def start() -> None:
    """Load the command line and run it."""
    try:
        from rekkyo.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()
