"""The program `fzn-rekkyo`, which MiniZinc starts. It reads FlatZinc and writes solutions.

Options and output: MiniZinc Handbook, "Interfacing Solvers to Flattened MiniZinc". For models with an
objective, only solutions with the best value are written.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import click

from rekkyo import __version__
from rekkyo.cli import streams
from rekkyo.cli.endings import exit_code_of
from rekkyo.cli.signals import StopSignals, is_interruption
from rekkyo.errors import OutputLost, ReaderGone

SIGNALS = ("SIGALRM", "SIGINT")
"""Signals that end a search: that of `-t`, and Ctrl-C. In the background of a script SIGINT is ignored, and
Windows has no SIGALRM."""

FAILED = (1, 2, 3)
"""The exit codes for which MiniZinc is told of an error."""

MINIZINC_PREFIX = "mznfile"
"""The beginning of the names of the temporary files that MiniZinc gives to its solvers."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fzn-rekkyo")
@click.option("-a", "every", is_flag=True, help="All solutions; all best ones of an objective.")
@click.option("-n", "number", type=click.IntRange(min=1), metavar="N", help="N solutions; 1 by default.")
@click.option("-p", "threads", type=click.IntRange(min=1), metavar="N", help="Threads; all cores by default.")
@click.option("-t", "limit_ms", type=click.IntRange(min=1), metavar="MS", help="Stop after MS milliseconds.")
@click.option("-s", "statistics", is_flag=True, help="Write statistics.")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE.fzn")
def fzn_command(
    path: Path, every: bool, number: int | None, threads: int | None, limit_ms: int | None, statistics: bool
) -> None:
    """Find solutions of a model in FlatZinc."""
    listing = _Listing(path, number or (None if every else 1), threads)
    signals = click.get_current_context().obj or StopSignals(())
    try:
        with _stopped_after(limit_ms, signals):
            end = listing.write()
    except (KeyboardInterrupt, Exception) as error:
        if not is_interruption(error):
            raise
        signals.stop_listening()  # the interruption may have come while the block ended
        end = listing.end_when_stopped()
    if statistics:
        end += listing.statistics()
    _say(end)


class _Listing:
    """Writes solutions. limit: the most solutions."""

    def __init__(self, path: Path, limit: int | None, threads: int | None) -> None:
        self._path = path
        self._limit = limit
        self._threads = threads
        self._n_written = 0
        self._started = time.perf_counter()

    def write(self) -> str:
        """Write the solutions; returns the text to write after them."""
        from rekkyo.ask.solve import solve_blocks
        from rekkyo.export.flatzinc.reader import flat_from_file, flat_puzzle
        from rekkyo.export.flatzinc.solutions import SEARCH_END, UNSATISFIABLE, solution_writer

        is_flattened = self._path.name.startswith(MINIZINC_PREFIX)
        flat = flat_from_file(self._path, model="the model" if is_flattened else None)
        puzzle = flat_puzzle(flat, str(self._path))
        text_of = solution_writer(flat)
        with closing(solve_blocks(puzzle, limit=self._limit, workers=self._threads)) as blocks:
            for block in blocks:
                _say("".join(map(text_of, block.tolist())))
                self._n_written += len(block)
        if self._n_written == 0:
            return UNSATISFIABLE
        is_complete = self._limit is None or self._n_written < self._limit
        return SEARCH_END if is_complete or flat.model.objective is not None else ""

    def end_when_stopped(self) -> str:
        """The text to write after solutions if the search was stopped."""
        from rekkyo.export.flatzinc.solutions import UNKNOWN

        return "" if self._n_written else UNKNOWN

    def statistics(self) -> str:
        """The statistics for MiniZinc's `-s`."""
        seconds = time.perf_counter() - self._started
        lines = (f"solutions={self._n_written}", f"solveTime={seconds:.3f}")
        return "".join(f"%%%mzn-stat: {line}\n" for line in lines) + "%%%mzn-stat-end\n"


@contextmanager
def _stopped_after(limit_ms: int | None, signals: StopSignals) -> Iterator[None]:
    """Interrupt the block when the time is over, and again where other code ignores the interruption.

    A short time may be over before the block begins.
    """
    if limit_ms is None:
        yield
        return
    timer = threading.Timer(limit_ms / 1000, signals.interrupt)
    timer.daemon = True
    try:
        timer.start()
        yield
    finally:
        timer.cancel()


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def start() -> None:
    """Run the program and exit."""
    signals = StopSignals(SIGNALS)
    signals.listen()
    try:
        exit_code = exit_code_of(partial(_run, signals), signals)
    finally:
        signals.stop_listening()
    if exit_code in FAILED:
        from rekkyo.export.flatzinc.solutions import ERROR

        with suppress(OutputLost, ReaderGone):
            _say(ERROR)
    sys.exit(exit_code)


def _run(signals: StopSignals) -> int | None:
    streams.make_usable()
    exit_code: int | None = fzn_command.main(standalone_mode=False, obj=signals)
    return exit_code
