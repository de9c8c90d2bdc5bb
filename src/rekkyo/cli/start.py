"""The entry point of the command line: Ctrl-C during the imports also gives no traceback."""

from __future__ import annotations

import os
import sys

from rekkyo.cli.signals import StopSignals, is_interruption


def start() -> None:
    """Load the command line and run it."""
    signals = StopSignals()
    signals.listen()
    _occupy_closed_streams()
    try:
        from rekkyo.cli.main import main

        main(signals)
    except (KeyboardInterrupt, Exception) as error:
        if not is_interruption(error):
            raise
        sys.exit(signals.exit_code)
    finally:
        signals.stop_listening()


def _occupy_closed_streams() -> None:
    """Open the numbers of closed streams, so that no file of a run gets one and receives printed text."""
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # writing to standard output must fail, and a new file gets the least free number
            os.set_inheritable(os.open(os.devnull, flags), True)
