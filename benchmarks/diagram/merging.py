"""Counting by merging: `csp-frontier`, `csp-values`, Graphillion and Ganak on the same puzzles, in one run.

    pip install graphillion pyganak
    python benchmarks/diagram/merging.py [PUZZLE ...] [--most SECONDS]

Every case in a process of its own; CPU seconds of the count with its plan, compiling and importing left
out, medians of three, or one run of more than five seconds. Graphillion (diagrams in C++, for sets of
subgraphs) has the cycles and the trees. Ganak, a model counter, has the formula that `rekkyo info --dimacs`
prints; making it is left out. Counts are compared; ends with exit code 1 where two differ. Saves
`results/merging.json`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results" / "merging.json"
LONG_S = 5.0
WAYS = ("csp-frontier", "csp-values", "Graphillion", "Ganak")


def _grid(rows: int, columns: int, kind: str = "grid") -> Any:
    import rekkyo as rk

    return rk.graph(named=f"{kind} {rows} {columns}")


def _one_coloured(n: int) -> Any:
    import rekkyo as rk

    corners = range(n - 1)
    sets = tuple(tuple(n * (r + i) + c + j for i in (0, 1) for j in (0, 1)) for r in corners for c in corners)
    return rk.Coloring(n * n, 2, sets=sets, grid=(n, n))


def _sum_free(n: int) -> Any:
    import rekkyo as rk

    sums = {frozenset({a, b, a + b}) for a in range(1, n + 1) for b in range(a, n - a + 1)}
    patterns = tuple(tuple((x - 1, 1) for x in sorted(some)) for some in sorted(sums, key=sorted))
    return rk.Coloring(n, 2, patterns=patterns)


def _magic_sums(n: int) -> Any:
    import rekkyo as rk

    problem = rk.Problem()
    cells = [problem.variables([f"{r},{c}" for c in range(n)], range(n + 1)) for r in range(n)]
    for line in (*cells, *zip(*cells, strict=True)):
        problem.sum(line, "=", n)
    return problem.model()


def _without_rectangles(n: int) -> Any:
    import rekkyo as rk

    return rk.puzzle(f"rectangle-free {n} {n} 3").model


def _different(n: int, height: int = 0, width: int = 0) -> Any:
    """All different in rows, columns and perhaps boxes."""
    import rekkyo as rk

    problem = rk.Problem()
    cells = [problem.variables([f"{r},{c}" for c in range(n)], range(n)) for r in range(n)]
    for line in (*cells, *zip(*cells, strict=True)):
        problem.all_different(line)
    for r, c in ((r, c) for r in range(0, n, height) for c in range(0, n, width)) if height else ():
        problem.all_different([cells[r + i][c + j] for i in range(height) for j in range(width)])
    return problem.model()


MODELS: dict[str, Callable[[], Any]] = {
    "no 2x2 of one colour, 16x16": lambda: _one_coloured(16),
    "independent sets, grid 20x20": lambda: _grid(20, 20).independent_sets().model,
    "independent sets, kings 20x20": lambda: _grid(20, 20, "king").independent_sets().model,
    "3-colourings, grid 14x14": lambda: _grid(14, 14).colorings(3).model,
    "sum-free sets of 48": lambda: _sum_free(48),
    "dominating sets, grid 9x9": lambda: _grid(9, 9).dominating_sets(minimum=False).model,
    "no rectangle of one colour, 5x5 in 3": lambda: _without_rectangles(5),
    "no rectangle of one colour, 6x6 in 3": lambda: _without_rectangles(6),
    "rows and columns of sum 6, 6x6": lambda: _magic_sums(6),
    "Latin squares, 7x7": lambda: _different(7),
    "sudokus, 6x6": lambda: _different(6, 2, 3),
    "sudokus, 9x9": lambda: _different(9, 3, 3),
    "cycles, grid 8x8": lambda: _grid(8, 8).cycles(hamiltonian=False).model,
    "Hamiltonian cycles, grid 8x8": lambda: _grid(8, 8).cycles().model,
    "Hamiltonian cycles, grid 12x12": lambda: _grid(12, 12).cycles().model,
    "Hamiltonian cycles, grid 14x14": lambda: _grid(14, 14).cycles().model,
    "spanning trees, grid 8x8": lambda: _grid(8, 8).spanning_trees().model,
}


def _subgraphs(puzzle: str) -> Any:
    """The question for Graphillion; None where it has no words for the puzzle."""
    from graphillion import GraphSet

    kind, _, board = puzzle.partition(", grid ")
    if not board:
        return None
    n = int(board.split("x")[0])
    vertices = [(r, c) for r in range(n) for c in range(n)]
    universe = [
        ((r, c), (r + i, c + j)) for r, c in vertices for i, j in ((0, 1), (1, 0)) if max(r + i, c + j) < n
    ]
    GraphSet.set_universe(universe)
    return {
        "cycles": GraphSet.cycles,
        "Hamiltonian cycles": lambda: GraphSet.cycles(is_hamilton=True),
        "spanning trees": lambda: GraphSet.trees(is_spanning=True),
    }.get(kind)


def _by_ganak(puzzle: str) -> tuple[float, int]:
    from pyganak import Counter

    from rekkyo.export.formulas import cnf_of

    cnf = cnf_of(MODELS[puzzle]())
    counter = Counter()
    counter.new_vars(cnf.n_variables)
    counter.add_clauses(cnf.clauses)
    counter.set_sampling_set(cnf.projection)
    started = time.process_time()
    total = counter.count()
    return time.process_time() - started, int(total)


def measured(way: str, puzzle: str) -> tuple[float, int] | None:
    """CPU seconds and the count; None where the way does not take the puzzle."""
    if way == "Graphillion":
        asked = _subgraphs(puzzle)
        if asked is None:
            return None
        started = time.process_time()
        total = asked().len()
        return time.process_time() - started, int(total)
    if way == "Ganak":
        return _by_ganak(puzzle)
    from rekkyo.engines.contract import no_pause
    from rekkyo.engines.registry import engine_named

    engine, model = engine_named(way), MODELS[puzzle]()
    if not engine.accepts(model):
        return None
    engine.compile(model)
    started = time.process_time()
    plan = engine.plan(model)
    found = [engine.count(plan, shard, no_pause).total for shard in engine.split(plan, 1)]
    return time.process_time() - started, sum(found)


def median(way: str, puzzle: str, most_s: float) -> dict[str, Any] | None:
    """A way on a puzzle in processes of its own; None where it does not take it or takes too long."""
    times: list[float] = []
    total = None
    while len(times) < 3 and (not times or times[0] < LONG_S):
        command = [sys.executable, __file__, "--one", way, puzzle]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=most_s)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
        found = json.loads(done.stdout)
        if found is None:
            return None
        times.append(found[0])
        total = str(found[1])
    return {"seconds": round(statistics.median(times), 4), "total": total}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "puzzles", nargs="*", metavar="PUZZLE", help="words in the names of puzzles; all of them"
    )
    parser.add_argument("--most", type=float, default=120.0, help="seconds for one count")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured(*arguments.one)))
        return 0
    chosen = [
        name for name in MODELS if not arguments.puzzles or any(word in name for word in arguments.puzzles)
    ]
    saved: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    differ = []
    print("| puzzle | digits | " + " | ".join(WAYS) + " |\n|---|" + "---:|" * (1 + len(WAYS)))
    for name in chosen:
        found = {way: median(way, name, arguments.most) for way in WAYS}
        saved[name] = found
        totals = {one["total"] for one in found.values() if one is not None}
        differ += [name] if len(totals) != 1 else []
        times = ["-" if found[way] is None else f"{found[way]['seconds']:.3f}" for way in WAYS]
        print(f"| {name} | {max(map(len, totals), default=0)} | " + " | ".join(times) + " |", flush=True)
    RESULTS.write_text(
        json.dumps({name: saved[name] for name in MODELS if name in saved}, indent=1) + "\n", "utf-8"
    )
    for name in differ:
        print(f"{name}: counts differ, or there is none", file=sys.stderr)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
