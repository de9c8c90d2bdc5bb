"""Memoised branching against the frontier and against the engine that would list, one process for each.

python benchmarks/diagram/memo.py [NAME ...]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time

WAYS = ("cover-memo", "cover-frontier", "listing")
MOST_SECONDS = 45

GRID = "295743861431865927876192543387459216612387495549216738763524189928671354154938672"


def catalog(words: str):
    from rekkyo.catalog import index
    from rekkyo.model.lower import lower

    return lower(index.puzzle(words).model)


def sudoku(n_clues: int, seed: int):
    """Random clues of a fixed grid."""
    kept = random.Random(seed).sample(range(81), n_clues)
    return catalog("sudoku " + "".join(GRID[cell] if cell in kept else "." for cell in range(81)))


def cover(n_items: int, sets):
    from rekkyo.model.exact_cover import ExactCover

    options = tuple(tuple((item, 0) for item in sorted(one)) for one in sorted(map(sorted, sets)))
    return ExactCover(tuple(map(str, range(n_items))), (), options)


def cubic(n: int, seed: int):
    """A random graph whose vertices have degree three, none of its edges double."""
    rng = random.Random(seed)
    ends = [vertex for vertex in range(n) for _ in range(3)]
    while True:
        rng.shuffle(ends)
        edges = {frozenset(ends[at : at + 2]) for at in range(0, 3 * n, 2)}
        if len(edges) == 3 * n // 2 and all(len(edge) == 2 for edge in edges):
            return cover(n, edges)


def triples(n: int, n_sets: int, seed: int):
    """Random sets of three, among them one solution."""
    rng = random.Random(seed)
    items = list(range(n))
    rng.shuffle(items)
    sets = {tuple(sorted(items[at : at + 3])) for at in range(0, n, 3)}
    while len(sets) < n_sets:
        sets.add(tuple(sorted(rng.sample(range(n), 3))))
    return cover(n, sets)


def side_by_side(model, times: int):
    """Copies of a cover that share no item."""
    from rekkyo.model.exact_cover import ExactCover

    return ExactCover(
        tuple(f"{name} {copy}" for name in model.primary for copy in range(times)),
        (),
        tuple(
            tuple((times * item + copy, 0) for item, _ in one)
            for one in model.options
            for copy in range(times)
        ),
    )


CASES = {
    "dominoes 12 12": lambda: catalog("dominoes 12 12"),
    "dominoes 16 16": lambda: catalog("dominoes 16 16"),
    "polyominoes 5 5 10 --any-number": lambda: catalog("polyominoes 5 5 10 --any-number"),
    "pentominoes 6 10": lambda: catalog("pentominoes 6 10"),
    "soma": lambda: catalog("soma"),
    "langford 12": lambda: catalog("langford 12"),
    "latin-square 5": lambda: catalog("latin-square 5"),
    "cubic 100": lambda: cubic(100, 1),
    "200 triples of 60": lambda: triples(60, 200, 1),
    "sudoku, 20 clues": lambda: sudoku(20, 1),
    "sudoku, 24 clues": lambda: sudoku(24, 3),
    "two sudokus, 24 clues": lambda: side_by_side(sudoku(24, 3), 2),
    "five sudokus, 24 clues": lambda: side_by_side(sudoku(24, 3), 5),
}


def measured(case: str, way: str) -> tuple[str, int, float]:
    from rekkyo.engines.contract import CountingEngine, Room, no_pause
    from rekkyo.engines.registry import engine_named, listing_engine

    model = CASES[case]()
    engine = listing_engine(model) if way == "listing" else engine_named(way)
    engine.compile(model)
    started = time.process_time()
    plan = engine.plan(model)
    total = nodes = 0
    for shard in engine.split(plan, 1):
        if isinstance(engine, CountingEngine):
            tally = engine.count(plan, shard, no_pause)
            total, nodes = total + tally.total, nodes + tally.nodes
            continue
        for block in engine.blocks(plan, shard, Room.of(model.row_shape, 4096), 1 << 20, no_pause):
            total, nodes = total + len(block.rows), nodes + block.nodes
    return str(total), nodes, time.process_time() - started


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[2] in WAYS:
        print(json.dumps(measured(sys.argv[1], sys.argv[2])))
        return
    print("| puzzle | solutions | cover-memo (nodes) | cover-frontier | listing |\n|---|---|---|---|---|")
    for case in sys.argv[1:] or CASES:
        cells, totals = [], set()
        for way in WAYS:
            command = [sys.executable, __file__, case, way]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, check=True, timeout=MOST_SECONDS
                )
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
                cells.append("-")
                continue
            total, nodes, seconds = json.loads(done.stdout)
            totals.add(total)
            cells.append(f"{seconds:.3f}" + (f" ({nodes:,})" if way == "cover-memo" else ""))
        print(f"| {case} | {' / '.join(sorted(totals))} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
