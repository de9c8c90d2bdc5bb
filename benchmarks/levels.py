"""Searches with the kernels of a wheel beside those that are compiled for exactly this processor.

    python benchmarks/levels.py PYTHON [--turns N] [--only WORD ...]

PYTHON is the interpreter of an environment with a wheel that holds kernels, made from the sources of the
interpreter that runs this; both need the same Numba. First `rekkyo warm` of these sources fills a folder with
kernels for this processor. Then each puzzle is counted by PYTHON in processes that take turns: with an empty
folder, so that the kernels of the wheel are used, and with the filled one. A process counts once to load the
kernels, and then for half a second; its figure is the least CPU time of a count, of one worker. The ratio of
the medians of N turns (7 unless told) is printed; below 1 the wheel is faster.

Left out on purpose: levels that the processor would not use. NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, as in
`hatch_build.py`, compile for those.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"

PUZZLES = (
    ("queens 13", "queens-bitmap"),
    ("queens 17", "queens-join"),
    ("langford 11", "cover-bitset"),
    ("pentominoes 6 10", "cover-bitset"),
    ("polyominoes 4 5 8 --any-number", "cover-masks"),
    ("langford 9", "cover-cells"),
    ("dominoes 20 20", "cover-frontier"),
    ("dominoes 10 10", "cover-memo"),
    ("digits", "cover-parts"),
    ("magic-square 4", "sum-lines"),
    ("magic-star 9", "sum-lines"),
    ("semimagic-square 4", "sum-lines"),
    ("magic-star 7", "sum-cells"),
    ("magic-star 11", "sum-join"),
    ("schur 4 40", "coloring-masks"),
    ("sum-free 28", "coloring-counters"),
    ("sum-free 40", "csp-frontier"),
    ("knights-tour.toml", "csp"),
    ("magic-star 6", "csp-plain"),
)
"""Puzzles of the catalog or files of `examples/`, with engines. Counts of a millisecond measure Python."""

COUNTING = """
import sys, time
import rekkyo as rk
words, engine = sys.argv[1:]
puzzle = rk.puzzle_from_file(words) if words.endswith(".toml") else rk.puzzle(words)
def timed():
    started = time.process_time()
    rk.count(puzzle, engine=engine, workers=1)
    return time.process_time() - started
timed()
spent = []
while not spent or sum(spent) < 0.5:
    spent.append(timed())
print(min(spent))
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", help="the interpreter of an environment with a wheel")
    parser.add_argument("--turns", type=int, default=7, help="processes of each kind for a puzzle")
    parser.add_argument("--only", nargs="+", default=[], help="only puzzles with one of these in their words")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as filled:
        warm = [sys.executable, "-m", "rekkyo", "warm"]
        subprocess.run(warm, env=_with_cache(filled), check=True, stdout=subprocess.DEVNULL)
        print(f"{'puzzle':31} {'engine':16} {'wheel':>9} {'here':>9} {'ratio':>6}")
        for words, engine in PUZZLES:
            if arguments.only and not any(some in words for some in arguments.only):
                continue
            source = str(EXAMPLES / words) if words.endswith(".toml") else words
            command = [arguments.python, "-c", COUNTING, source, engine]
            turns = [(_seconds(command, empty), _seconds(command, filled)) for _ in range(arguments.turns)]
            wheel, here = (statistics.median(some) for some in zip(*turns, strict=True))
            print(f"{words:31} {engine:16} {wheel:9.4f} {here:9.4f} {wheel / here:6.3f}", flush=True)


def _seconds(command: list[str], cache: str) -> float:
    done = subprocess.run(command, env=_with_cache(cache), check=True, capture_output=True, text=True)
    return float(done.stdout)


def _with_cache(folder: str) -> dict[str, str]:
    return os.environ | {"REKKYO_CACHE_DIR": folder, "REKKYO_QUIET": "1"}


if __name__ == "__main__":
    main()
