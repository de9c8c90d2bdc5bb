"""Progress bars: how often the truth lies inside the range of remaining time that a run shows.

    python benchmarks/ranges.py
    python benchmarks/ranges.py --workers 2 "queens 15" bedlam

A moment is a look at the progress, ten a second, from the first range on. The truth is the time that the run
went on for; it counts as inside with a tenth of a second to spare, the time between two looks.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import rekkyo as rk

PUZZLES = (
    "queens 14",
    "queens 15",
    "queens 12 --toroidal",
    "queens 15 --given 0,0",
    "pentominoes 6 10",
    "pentominoes 5 12",
    "pentominoes 8 8 --without-centre",
    "pentominoes-3d 2 5 6",
    "dominoes 8 8",
    "hexiamonds 6 6",
    "langford 12",
    "digits",
    "digits --offset block",
)
SPARE_S = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(
        description="How often the truth lies inside the range of a progress bar."
    )
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    print(
        "| puzzle | workers | seconds | moments | inside | first range / truth |\n|---|---|---|---|---|---|"
    )
    n_moments = n_inside = 0
    for words in options.puzzles:
        for workers in options.workers:
            moments, end_s = looks(words, workers)
            inside = sum(low - SPARE_S <= end_s - at_s <= high + SPARE_S for at_s, low, high in moments)
            n_moments, n_inside = n_moments + len(moments), n_inside + inside
            share = f"{inside / len(moments):.0%}" if moments else "-"
            first = "-"
            if moments:
                at_s, low, high = moments[0]
                first = f"{low:.1f} to {high:.1f} / {end_s - at_s:.1f}"
            print(f"| {words} | {workers} | {end_s:.1f} | {len(moments)} | {share} | {first} |", flush=True)
    print(f"| all | | | {n_moments} | {n_inside / max(1, n_moments):.1%} | |")


def looks(words: str, workers: int) -> tuple[list[tuple[float, float, float]], float]:
    """(second, low, high) for each look with a range, and the second at which the run ended."""
    puzzle = rk.puzzle(words)
    rk.count(puzzle, limit=1)  # compiles
    moments: list[tuple[float, float, float]] = []
    end_s = 0.0
    started = time.perf_counter()

    def watch(progress: rk.Progress) -> None:
        nonlocal end_s
        end_s = time.perf_counter() - started
        if progress.remaining_s is not None and progress.shards_done < progress.n_shards:
            moments.append((end_s, *progress.remaining_s))

    with tempfile.TemporaryDirectory() as folder:
        rk.run(puzzle, Path(folder) / "run", workers=workers, count_only=True, watch=watch)
    return moments, end_s


if __name__ == "__main__":
    main()
