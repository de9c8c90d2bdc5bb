"""Counting domino tilings: rekkyo's frontier, Graphillion's diagrams and a listing engine, in one run.

    pip install graphillion
    python benchmarks/diagram/against.py [SIZE ...]

Every case in a process of its own, with at most 8 GB of memory; CPU seconds of the count alone, medians of
three, one run from n = 12 on. Graphillion (a diagram library in C++, for sets of subgraphs) counts perfect
matchings of the grid: every vertex has degree one.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time

SIZES = (4, 6, 8, 10, 12, 14, 16)
REPEATS = 3
ONCE_FROM = 12
LISTED_UP_TO = 8
MOST_BYTES = 8 << 30
MOST_SECONDS = 1200


def rekkyo(size: int) -> tuple[float, int]:
    from rekkyo.engines.contract import WHOLE, no_pause
    from rekkyo.engines.covers.frontier.engine import CoverFrontier
    from rekkyo.engines.covers.frontier.plan import make_plan

    engine, model = CoverFrontier(), _model(size)
    engine.count(make_plan(_model(2)), WHOLE, no_pause)
    started = time.process_time()
    total = engine.count(engine.plan(model), WHOLE, no_pause).total
    return time.process_time() - started, total


def diagram(size: int) -> tuple[float, int]:
    from rekkyo.engines.diagram.drawing import diagram_of

    assert diagram_of(_model(2)).count == 2
    model = _model(size)
    started = time.process_time()
    total = diagram_of(model).count
    return time.process_time() - started, total


def listing(size: int) -> tuple[float, int]:
    import rekkyo as rk

    rk.count(rk.puzzle("dominoes 4 4"), engine="cover-masks", up_to="none", workers=1)
    started = time.process_time()
    total = rk.count(
        rk.puzzle(f"dominoes {size} {size}"), engine="cover-masks", up_to="none", workers=1
    ).total
    return time.process_time() - started, total


def graphillion(size: int) -> tuple[float, int]:
    from graphillion import GraphSet

    GraphSet.set_universe(_grid(size))
    degrees = {vertex: 1 for edge in _grid(size) for vertex in edge}
    started = time.process_time()
    total = GraphSet.graphs(degree_constraints=degrees).len()
    return time.process_time() - started, int(total)


def _grid(size: int) -> list[tuple[int, int]]:
    cells = range(size * size)
    across = [(cell + 1, cell + 2) for cell in cells if (cell + 1) % size]
    return sorted(across + [(cell + 1, cell + 1 + size) for cell in cells if cell + size < size * size])


def _model(size: int):
    import rekkyo as rk

    return rk.puzzle(f"dominoes {size} {size}").model.cover()


WAYS = {"rekkyo count": rekkyo, "rekkyo diagram": diagram, "graphillion": graphillion, "listing": listing}


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[1] in WAYS:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        seconds, total = WAYS[sys.argv[1]](int(sys.argv[2]))
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps([seconds, str(total), peak_mb]))
        return
    print("| n | tilings of n x n | " + " | ".join(f"{way}, s (MB)" for way in WAYS) + " |")
    for size in map(int, sys.argv[1:] or SIZES):
        cells, totals = [], set()
        for way in WAYS:
            if way == "listing" and size > LISTED_UP_TO:
                cells.append("-")
                continue
            runs = []
            answer = ""
            for _ in range(REPEATS if size < ONCE_FROM else 1):
                command = [sys.executable, __file__, way, str(size)]
                try:
                    done = subprocess.run(
                        command, capture_output=True, text=True, check=False, timeout=MOST_SECONDS
                    )
                except subprocess.TimeoutExpired:
                    answer = f"over {MOST_SECONDS} s"
                    break
                if done.returncode:  # -6: C++ found no more memory
                    answer = "over 8 GB" if done.returncode == -6 else f"ended with {done.returncode}"
                    break
                runs.append(json.loads(done.stdout.splitlines()[-1]))
            if not runs:
                cells.append(answer)
                continue
            totals |= {run[1] for run in runs}
            cells.append(
                f"{statistics.median(run[0] for run in runs):.4f} ({max(run[2] for run in runs):.0f})"
            )
        print(f"| {size} | {' / '.join(sorted(totals))} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
