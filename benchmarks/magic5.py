"""Magic squares of order 5: CPU seconds to count all, to list one of each class, and to write them as text.

python benchmarks/magic5.py [workers]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import rekkyo as rk
from rekkyo.engines.contract import Rows
from rekkyo.export.text import writer

PUZZLE = rk.puzzle("magic-square 5")


def main() -> None:
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rk.count(PUZZLE, up_to="none", workers=workers)  # compiles
    report("count", lambda: rk.count(PUZZLE, up_to="none", workers=workers).total // 8)
    report("list", lambda: sum(len(block) for block in blocks(workers)))
    write = writer("compact", PUZZLE)
    report("compact text", lambda: sum(len(write(block)) // 26 for block in blocks(workers)))


def blocks(workers: int) -> Iterator[Rows]:
    return rk.solve_blocks(PUZZLE, up_to="symmetry", workers=workers)


def report(name: str, work: Callable[[], int]) -> None:
    cpu_s, wall_s = time.process_time(), time.perf_counter()
    unique = work()
    cpu_s, wall_s = time.process_time() - cpu_s, time.perf_counter() - wall_s
    print(f"{name}: {unique:,} squares, {cpu_s:.1f} s of CPU, {wall_s:.1f} s")


if __name__ == "__main__":
    main()
