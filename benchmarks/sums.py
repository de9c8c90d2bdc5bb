"""Sum figures: CPU seconds of `rekkyo.count`, up to symmetry, compiling left out, with both engines.

python benchmarks/sums.py [--repeat 5] [--second] ["magic-square 4" ...]
"""

from __future__ import annotations

import argparse
import statistics
import time

import rekkyo as rk

CASES = (
    "magic-square 3",
    "magic-square 4",
    "semimagic-square 4",
    "pandiagonal-square 4",
    "pandiagonal-square 5",
    "associative-square 4",
    "associative-square 5",
    "magic-star 6",
    "magic-star 7",
    "magic-star 8",
    "magic-hexagon 3",
    "magic-cube 3",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--second", action="store_true", help="also with sum-cells, once each")
    arguments = parser.parse_args()
    print("| puzzle | total | unique | nodes | CPU, s | sum-cells: nodes | CPU, s |")
    print("|---|---|---|---|---|---|---|")
    for words in arguments.cases:
        puzzle = rk.puzzle(words)
        first, seconds = measured(puzzle, "sum-lines", arguments.repeat)
        line = f"| {words} | {first.total:,} | {first.unique:,} | {first.nodes:,} | {seconds:.3f} |"
        if arguments.second:
            second, seconds = measured(puzzle, "sum-cells", 1)
            assert (second.total, second.unique) == (first.total, first.unique)
            line += f" {second.nodes:,} | {seconds:.2f} |"
        print(line, flush=True)


def measured(puzzle: rk.Puzzle, engine: str, repeat: int) -> tuple[rk.Count, float]:
    rk.count(rk.puzzle("magic-square 3"), engine=engine, workers=1)  # compiles
    times = []
    for _ in range(repeat):
        started = time.process_time()
        result = rk.count(puzzle, engine=engine, workers=1)
        times.append(time.process_time() - started)
    return result, statistics.median(times)


if __name__ == "__main__":
    main()
