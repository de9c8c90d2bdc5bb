"""Seconds of a whole command: the first time, with no compiled kernel of the user's, and after that.

    python benchmarks/cold_start [--repeat N] [--only WORD ...] [--python PATH]

Every command starts with an empty folder for compiled kernels, and again with what it left there. Medians of
N (3 unless told); the seconds of `python -c "import numba"`, measured in between, are what no command can go
below. --python: the interpreter of an environment that has rekkyo, such as one with a wheel that holds
kernels; without it the one that runs this. A first command that compiled something is marked with *.
For `warm` the CPU seconds of all its processes are printed as well.

Left out on purpose: what Python itself has to compile (`__pycache__`) and read from the disk the first time;
one command runs before the others.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

COMMANDS = (
    "count queens 8",
    "count hip 6",
    "count langford 8",
    "count dominoes 8 8",
    "count magic-square 4",
    "count sudoku",
    "count soma",
    "count queens 16",
    "count pentominoes 6 10",
    "count digits",
    "count magic-square 5",
    *(
        f"{question} {puzzle}"
        for puzzle in ("pentominoes 6 10", "queens 8", "soma")
        for question in ("estimate", "sample", "orbits")
    ),
    "warm",
)
"""`sudoku` stands for one with its clues."""

CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOR_A_TENTH = ("--seconds", "0.1")
"""An estimate goes on for as long as it is told."""


@dataclass(frozen=True, slots=True)
class Timing:
    """elapsed_s: by the clock; cpu_s: of all processes. has_compiled: whether it said so."""

    elapsed_s: float
    cpu_s: float
    has_compiled: bool


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=3, help="how often each is measured")
    parser.add_argument("--only", nargs="+", default=[], help="only commands with one of these in them")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure with")
    arguments = parser.parse_args()
    chosen = [line for line in COMMANDS if not arguments.only or any(word in line for word in arguments.only)]
    timed([arguments.python, "-m", "rekkyo", "list"], None)
    imports = []
    print(f"{'':26} {'first':>8}  {'CPU':>6} {'again':>8} {'CPU':>7}")
    for line in chosen:
        imports.append(timed([arguments.python, "-c", "import numba"], None).elapsed_s)
        first, again = measured([arguments.python, "-m", "rekkyo", *words_of(line)], arguments.repeat)
        mark = "*" if any(timing.has_compiled for timing in first) else " "
        print(
            f"{line:26} {middle(first):8.2f}{mark} {middle_cpu(first):6.1f}"
            f" {middle(again):8.2f} {middle_cpu(again):7.1f}",
            flush=True,
        )
    print(f"{'import numba':26} {statistics.median(imports):8.2f}")


def words_of(line: str) -> list[str]:
    """The arguments of a command."""
    more = [CLUES] if line.endswith("sudoku") else []
    return [*line.split(), *more, *(FOR_A_TENTH if line.startswith("estimate") else ())]


def measured(command: Sequence[str], repeat: int) -> tuple[list[Timing], list[Timing]]:
    """What the first runs took, each with an empty folder, and the runs after them."""
    first, again = [], []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            first.append(timed(command, folder))
            again.append(timed(command, folder))
    return first, again


def timed(command: Sequence[str], cache: str | None) -> Timing:
    settings = {name: value for name, value in os.environ.items() if name != "REKKYO_QUIET"}
    if cache is not None:
        settings["REKKYO_CACHE_DIR"] = cache
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=False, env=settings, capture_output=True, text=True)
    elapsed_s, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timing(elapsed_s, cpu_s, "compiled" in done.stderr or "compiled in" in done.stdout)


def middle(timings: Sequence[Timing]) -> float:
    return statistics.median(timing.elapsed_s for timing in timings)


def middle_cpu(timings: Sequence[Timing]) -> float:
    return statistics.median(timing.cpu_s for timing in timings)


if __name__ == "__main__":
    main()
