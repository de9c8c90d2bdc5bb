"""The programs `rekkyo` and `fzn-rekkyo`.

They are outside the package, so that Ctrl-C while the package is imported gives no traceback: until a program
handles signals there is nothing to clean up, and SIGINT has its default action.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable

FEW_COLLECTIONS = (100_000, 20, 20)
"""When Python looks for cyclic garbage: a hundred times as rarely as by itself. The modules that a count
imports make 80,000 objects and hardly any garbage."""


def rekkyo() -> None:
    """Run the command line and exit."""
    _run(_start_rekkyo)


def fzn_rekkyo() -> None:
    """Run the solver of MiniZinc and exit."""
    _run(_start_fzn)


def _run(start: Callable[[], None]) -> None:
    """Run a program, with few collections of garbage.

    Freezing at the end exempts all objects from the collections of an interpreter that exits. So an open
    file in a reference cycle is not flushed; files are closed where they are written. The collections that
    are left out took a fifth of the CPU time of a short count.
    """
    gc.set_threshold(*FEW_COLLECTIONS)
    # A signal that is ignored, as in the background of a script, stays so.
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        start()
    finally:
        gc.freeze()


def _start_rekkyo() -> None:
    from rekkyo.cli.start import start

    start()


def _start_fzn() -> None:
    from rekkyo.cli.fzn import start

    start()
