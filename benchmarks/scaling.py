"""How counts scale with the number of workers: wall clock of 1, 2, 4, … of them, up to all cores.

    python benchmarks/scaling.py [--workers N ...] [--repeat N] [WORDS ...]

WORDS name puzzles of the catalog, or files of `examples/` with their values. The figure of a number of
workers is the least of `--repeat` counts, without compiling; the turns are interleaved. Meant for an idle
machine with many cores.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import rekkyo as rk

EXAMPLES = Path(__file__).parents[1] / "examples"
PUZZLES = (
    "queens 17",
    "magic-square 5",
    "magic-star 12",
    "bedlam",
    "pentominoes 6 10",
    "langford 12",
    "dominoes 20 20",
    "sum-free 48",
    "schur 4 44",
    "bishops.toml 8",
)
"""Searches, merging and joins of most engines, from a tenth of a second to half a minute on one core."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, nargs="+", default=powers_of_two())
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("puzzles", nargs="*", metavar="WORDS", default=PUZZLES)
    options = parser.parse_args()
    head = " | ".join(f"{n}" for n in options.workers)
    print(f"| puzzle | engine | {head} | gain |\n|---|---|{'---:|' * (len(options.workers) + 1)}")
    for words in options.puzzles:
        print(row(words, options.workers, options.repeat), flush=True)


def powers_of_two() -> list[int]:
    """1, 2, 4, … up to the number of cores."""
    n_cores = os.cpu_count() or 1
    return [1 << power for power in range(n_cores.bit_length())]


def row(words: str, workers: list[int], repeat: int) -> str:
    """A row of the table, with the seconds for each number of workers and the last gain."""
    name, *values = words.split()
    puzzle = rk.puzzle_from_file(EXAMPLES / name, *values) if name.endswith(".toml") else rk.puzzle(words)
    engine = rk.count(puzzle, workers=workers[-1]).engine
    turns = [[rk.count(puzzle, workers=n).elapsed_s for n in workers] for _ in range(repeat)]
    least = [min(times) for times in zip(*turns, strict=True)]
    seconds = " | ".join(f"{value:.3g}" for value in least)
    return f"| {words} | `{engine}` | {seconds} | {least[0] / least[-1]:.1f} |"


if __name__ == "__main__":
    main()
