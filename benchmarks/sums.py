"""Sum figures: CPU seconds of `rekkyo.count`, up to symmetry, compiling left out, with one or two engines.

python benchmarks/sums.py [--repeat 5] [--engine sum-lines] [--second sum-cells] ["magic-square 4" ...]
"""

from __future__ import annotations

import argparse
import statistics
import time

import rekkyo as rk
from rekkyo.engines.sums.join.engine import plan_or_reason

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
    parser.add_argument("--engine", default="sum-lines")
    parser.add_argument("--second", metavar="ENGINE", help="also with this engine, once each")
    arguments = parser.parse_args()
    more = f" {arguments.second}: nodes | CPU, s |" if arguments.second else ""
    print(f"| puzzle | total | unique | {arguments.engine}: nodes | CPU, s |{more}")
    print("|---|---|---|---|---|" + ("---|---|" if more else ""))
    for words in arguments.cases:
        puzzle = rk.puzzle(words)
        first, seconds = measured(puzzle, arguments.engine, arguments.repeat)
        line = f"| {words} | {first.total:,} | {first.unique:,} | {first.nodes:,} | {seconds:.3f} |"
        if arguments.second:
            second, seconds = measured(puzzle, arguments.second, 1)
            assert (second.total, second.unique) == (first.total, first.unique)
            line += f" {second.nodes:,} | {seconds:.2f} |"
        print(line, flush=True)


def measured(puzzle: rk.Puzzle, engine: str, repeat: int) -> tuple[rk.Count, float]:
    rk.count(rk.puzzle("magic-square 3"), engine=engine, workers=1)  # compiles
    times = []
    for _ in range(repeat):
        plan_or_reason.cache_clear()
        started = time.process_time()
        result = rk.count(puzzle, engine=engine, workers=1)
        times.append(time.process_time() - started)
    return result, statistics.median(times)


if __name__ == "__main__":
    main()
