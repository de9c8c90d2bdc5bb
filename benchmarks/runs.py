"""Runs with a directory: what they cost beside the search itself, and how they scale.

    python benchmarks/runs.py workers          two workers against one
    python benchmarks/runs.py rows             storing rows against counting
    python benchmarks/runs.py overhead         a run against `count`, on small puzzles
    python benchmarks/runs.py resume           finding the place among 100,000 shards
    python benchmarks/runs.py memory           resident memory from 1 % to 99 % of one run

Times are medians of interleaved repetitions; compiling is left out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from statistics import median
from typing import Any

import rekkyo as rk
from rekkyo.engines.digest import Digest
from rekkyo.store.index import Finished
from rekkyo.store.run_directory import RunDirectory


def main() -> None:
    parser = argparse.ArgumentParser(description="What runs with a directory cost.")
    parser.add_argument("what", choices=sorted(MEASUREMENTS))
    parser.add_argument("puzzles", nargs="*")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    MEASUREMENTS[options.what](options.puzzles, options.repeat)


def timed(clock: Callable[[], float], puzzle: rk.Puzzle, **settings: Any) -> float:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        started = clock()
        rk.run(puzzle, Path(folder) / "run", **settings)
        return clock() - started


def workers(puzzles: list[str], repeat: int) -> None:
    print("| puzzle, count-only | one worker, s | two, s | gain |\n|---|---|---|---|")
    for words in puzzles or ["queens 17", "pentominoes 6 10"]:
        puzzle = rk.puzzle(words)
        rk.count(puzzle, limit=1)
        rounds = [
            [timed(time.perf_counter, puzzle, count_only=True, workers=n) for n in (1, 2)]
            for _ in range(repeat)
        ]
        one, two = (median(times) for times in zip(*rounds, strict=True))
        gain = median(one / two for one, two in rounds)
        print(f"| {words} | {one:.2f} | {two:.2f} | {gain:.2f} |", flush=True)


def rows(puzzles: list[str], repeat: int) -> None:
    print("| puzzle, one worker | rows | counting, CPU s | storing, CPU s | ratio |\n|---|---|---|---|---|")
    for words in puzzles or ["queens 14", "dominoes 8 8", "pentominoes 6 10", "langford 12"]:
        puzzle = rk.puzzle(words)
        n_rows = rk.count(puzzle, up_to="none").total
        rounds = [
            [timed(time.process_time, puzzle, count_only=only, workers=1) for only in (True, False)]
            for _ in range(repeat)
        ]
        counting, storing = (median(times) for times in zip(*rounds, strict=True))
        ratio = median(storing / counting for counting, storing in rounds)
        print(f"| {words} | {n_rows} | {counting:.2f} | {storing:.2f} | {ratio:.2f} |", flush=True)


def overhead(puzzles: list[str], repeat: int) -> None:
    print("| puzzle | count, s | run --count-only, s | run, s | more, s |\n|---|---|---|---|---|")
    for words in puzzles or ["queens 8", "queens 12", "queens 14", "pentominoes 6 10", "soma"]:
        puzzle = rk.puzzle(words)
        timed(time.perf_counter, puzzle)
        rounds = []
        for _ in range(repeat):
            started = time.perf_counter()
            rk.count(puzzle, digest=True)
            counted_s = time.perf_counter() - started
            both = [timed(time.perf_counter, puzzle, count_only=only) for only in (True, False)]
            rounds.append((counted_s, *both))
        counted, counts, stored = (median(times) for times in zip(*rounds, strict=True))
        more = median(stored_s - counted_s for counted_s, _, stored_s in rounds)
        print(f"| {words} | {counted:.2f} | {counts:.2f} | {stored:.2f} | {more:.2f} |", flush=True)


def resume(_: list[str], repeat: int) -> None:
    """All shards but one are entered as finished, without searching them."""
    with tempfile.TemporaryDirectory(dir=".") as parent:
        folder = Path(parent) / "run"
        puzzle = rk.puzzle("dominoes 8 8")
        with suppress(KeyboardInterrupt):
            rk.run(puzzle, folder, count_only=True, shards=100_000, watch=stop_at_first_shards)
        with closing(RunDirectory.open(folder)) as run:
            n_shards = run.manifest.n_shards
            left = [number for number in range(n_shards - 1) if number not in run.sums.done]
            records = [Finished(n, 7, 7, 1000, 0.01, Digest(n, n), {1: 7}, None) for n in left]
            run.index.commit(records, 1.0)
        seconds: dict[str, list[float]] = {"open": [], "status": []}
        for _ in range(repeat):
            started = time.process_time()
            with closing(RunDirectory.open(folder)) as run:
                run.index.shards()
                assert len(run.sums.done) == n_shards - 1
            seconds["open"].append(time.process_time() - started)
            started = time.process_time()
            rk.Run(folder).status()
            seconds["status"].append(time.process_time() - started)
        opened_s, status_s = median(seconds["open"]), median(seconds["status"])
        print(f"{n_shards} shards, CPU: place found in {opened_s:.2f} s, status in {status_s:.2f} s")


def stop_at_first_shards(progress: rk.Progress) -> None:
    """Stop a run that has begun: before it has shards there is nothing to resume."""
    if progress.n_shards:
        raise KeyboardInterrupt


def memory(puzzles: list[str], _: int) -> None:
    for words in puzzles or ["dominoes 8 8", "queens 15"]:
        puzzle = rk.puzzle(words)
        rk.count(puzzle, limit=1)
        curve: list[tuple[float, float]] = []

        def watch(progress: rk.Progress, curve: list[tuple[float, float]] = curve) -> None:
            curve.append((progress.shards_done / progress.n_shards, resident_mib()))

        timed(time.perf_counter, puzzle, watch=watch)
        shown = [
            f"{percent} %: {next((mib for share, mib in curve if share >= percent / 100), curve[-1][1]):.0f}"
            for percent in (1, 10, 25, 50, 75, 90, 99)
        ]
        print(f"{words}, rows stored, resident MiB at {', '.join(shown)}", flush=True)


def resident_mib() -> float:
    """As /proc has it: pages of 4 KiB."""
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) / 256


MEASUREMENTS: dict[str, Callable[[list[str], int], None]] = {
    "workers": workers,
    "rows": rows,
    "overhead": overhead,
    "resume": resume,
    "memory": memory,
}

if __name__ == "__main__":
    sys.exit(main())
