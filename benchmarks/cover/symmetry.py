"""Counting up to symmetry against counting in total: seconds of one process, one worker, medians.

python benchmarks/cover/symmetry.py --repeat 9
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import rekkyo as rk

PUZZLES = ("pentominoes 6 10", "soma", "bedlam")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="*", default=PUZZLES[:2])
    parser.add_argument("--repeat", type=int, default=9)
    arguments = parser.parse_args()
    for words in arguments.puzzles:
        measure(words, arguments.repeat)


def measure(words: str, repeat: int) -> None:
    puzzle = rk.puzzle(words)
    ways = ("none", "symmetry")
    results = {way: [rk.count(puzzle, workers=1, up_to=way)] for way in ways}  # compiles; not counted
    cpu: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(repeat):
        for way in ways:
            started = time.process_time()
            results[way].append(rk.count(puzzle, workers=1, up_to=way))
            cpu[way].append(time.process_time() - started)
    wall = {way: median(result.elapsed_s for result in results[way][1:]) for way in ways}
    nodes = {way: results[way][0].nodes for way in ways}
    print(
        f"{words}: nodes {nodes['none']} / {nodes['symmetry']} = {nodes['none'] / nodes['symmetry']:.2f},"
        f" elapsed {wall['none']:.4f} / {wall['symmetry']:.4f} s = {wall['none'] / wall['symmetry']:.2f},"
        f" CPU {median(cpu['none']):.4f} / {median(cpu['symmetry']):.4f} s"
        f" = {median(cpu['none']) / median(cpu['symmetry']):.2f}"
    )


if __name__ == "__main__":
    main()
