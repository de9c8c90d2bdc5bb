"""Queens: joining quadrants against the plain mirrored bitmap, in one run.

    python benchmarks/queens.py 14 15 16 --repeat 5
    python benchmarks/queens.py 18 --repeat 3 --baseline-once

The baseline is the engine `queens-bitmap` with its first row restricted to one half (and, on odd boards, with
the middle queen on top added). Seconds of one worker are CPU seconds, medians; those of two workers are wall
clock. Compiling and loading are left out, planning is in.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.model.queens import Queens


def main() -> None:
    parser = argparse.ArgumentParser(description="Queens: joining quadrants against the mirrored bitmap.")
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--baseline-once", action="store_true", help="do not repeat the slow baseline")
    options = parser.parse_args()
    QueensJoin().compile(Queens(5))
    QueensBitmap().compile(Queens(5))
    print("|  n | solutions | mirrored bitmap, s | join, s | ratio | join, 2 workers, s | gain |")
    print("|---|---|---|---|---|---|---|")
    for n in options.sizes:
        print(line(n, options.repeat, 1 if options.baseline_once else options.repeat), flush=True)


def line(n: int, repeat: int, repeat_baseline: int) -> str:
    baseline = [measured(time.process_time, lambda: mirrored(n)) for _ in range(repeat_baseline)]
    rounds = [
        (
            measured(time.process_time, lambda: joined(n, 1)),
            measured(time.perf_counter, lambda: joined(n, 1)),
            measured(time.perf_counter, lambda: joined(n, 2)),
        )
        for _ in range(repeat)
    ]
    found = {count for _, count in baseline} | {count for group in rounds for _, count in group}
    assert len(found) == 1, f"the counts differ: {found}"
    slow_s = median(seconds for seconds, _ in baseline)
    cpu_s, one_s, two_s = (median(group[part][0] for group in rounds) for part in range(3))
    return (
        f"| {n} | {found.pop()} | {slow_s:.3f} | {cpu_s:.3f} | {slow_s / cpu_s:.0f} | {two_s:.3f}"
        f" | {one_s / two_s:.2f} |"
    )


def measured(clock: Callable[[], float], work: Callable[[], int]) -> tuple[float, int]:
    started = clock()
    result = work()
    return clock() - started, result


def mirrored(n: int) -> int:
    """Twice the solutions with the first queen in the left half, and those with it in the middle."""
    half = n // 2
    left = frozenset((0, column) for column in range(half, n))
    middle = frozenset([(0, half)]) if n % 2 else frozenset()
    twice = count_by_rows(Queens(n, blocked=left))
    return 2 * twice + (count_by_rows(Queens(n, given=middle)) if middle else 0)


def count_by_rows(model: Queens) -> int:
    engine = QueensBitmap()
    plan = engine.plan(model)
    room = Room.of(model.row_shape, 1 << 13)
    return sum(
        len(block.rows)
        for shard in engine.split(plan, 1)
        for block in engine.blocks(plan, shard, room, 1 << 40, no_pause)
    )


def joined(n: int, n_workers: int) -> int:
    engine = QueensJoin()
    plan = engine.plan(Queens(n))
    with ThreadPoolExecutor(n_workers) as workers:
        tallies = list(
            workers.map(lambda shard: engine.count(plan, shard, no_pause), engine.split(plan, n_workers))
        )
    return engine.finish(plan, sum(tallies[1:], tallies[0])).total


if __name__ == "__main__":
    main()
