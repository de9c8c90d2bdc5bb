"""Unique solutions against all solutions: how much faster, and how that compares to the order of the group.

    python benchmarks/coloring/symmetry.py ["rectangle-free 3 3 4" ...]

CPU seconds of one worker, medians. `list`: plan and search of all solutions. `unique`: plan and search of the
representatives with their stabilizers. `group`: listing the group, once for each puzzle, not in `unique`.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

import rekkyo as rk
from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.registry import listing_engine
from rekkyo.symmetry.group import close

ROUNDS = 5

CASES = (
    ("hip 4 --colors 3 --any-balance", "symmetry"),
    ("hip 4 --colors 3 --any-balance", "symmetry,exchange-colours"),
    ("rectangle-free 2 3 8", "symmetry"),
    ("rectangle-free 2 4 6", "symmetry"),
    ("rectangle-free 3 3 7", "symmetry"),
    ("rectangle-free 3 3 8", "symmetry"),
    ("rectangle-free 3 3 4", "symmetry"),
    ("rectangle-free 3 3 5", "symmetry,exchange-colours"),
    ("rectangle-free 3 4 4", "symmetry"),
    ("rectangle-free 4 4 3", "symmetry"),
    ("rectangle-free 4 4 3", "symmetry,exchange-colours"),
    ("ramsey 3 4 7", "symmetry"),
    ("schur 4 42", "exchange-colours"),
)


def main() -> None:
    cases = [(words, "symmetry") for words in sys.argv[1:]] or CASES
    print("| case | up to | order | total | unique | list, s | unique, s | ratio | order / 4 | group, s |")
    print("|" + "---|" * 10)
    for words, up_to in cases:
        print(line(words, up_to), flush=True)


def line(words: str, up_to: str) -> str:
    puzzle = rk.puzzle(words)
    engine = listing_engine(puzzle.model)
    engine.compile(puzzle.model)
    generators = puzzle.generators_up_to(up_to)
    assert generators is not None
    group, group_s = timed(lambda: close(puzzle.model.row_shape, generators))
    everything = [timed(lambda: search(engine, engine.plan(puzzle.model), puzzle)) for _ in range(ROUNDS)]
    some = [
        timed(lambda: search(engine, engine.plan_for_representatives(puzzle.model, group), puzzle))
        for _ in range(ROUNDS)
    ]
    (total, _), (unique, held) = everything[0][0], some[0][0]
    assert held // group.order == total, f"the orbits hold {held / group.order}, not {total}"
    list_s, unique_s = (statistics.median(taken for _, taken in runs) for runs in (everything, some))
    return (
        f"| {words} | {up_to} | {group.order} | {total} | {unique} | {list_s:.4f} | {unique_s:.5f}"
        f" | {list_s / unique_s:.1f} | {group.order / 4:.0f} | {group_s:.3f} |"
    )


def timed(work: Any) -> tuple[Any, float]:
    began = time.process_time()
    result = work()
    return result, time.process_time() - began


def search(engine: Any, plan: Any, puzzle: rk.Puzzle) -> tuple[int, int]:
    """Rows found, and the sum of |G|^2 / |stabilizer|, which is |G| times the total."""
    room = Room.of(puzzle.model.row_shape, 1 << 13)
    found = held = 0
    order = plan.least.paths.shape[0] if plan.least is not None else 1
    for shard in engine.split(plan, 1):
        for block in engine.blocks(plan, shard, room, 1 << 21, no_pause):
            found += len(block.rows)
            if block.stabilizers is not None:
                orders = np.bincount(block.stabilizers)
                held += sum(int(n) * order * (order // s) for s, n in enumerate(orders) if n)
    return found, held


if __name__ == "__main__":
    main()
