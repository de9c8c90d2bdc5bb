"""Our CPU seconds on colourings beside those of clingo, CP-SAT and python-sat, listing all solutions.

    pip install clingo ortools python-sat
    python benchmarks/coloring/peers.py ["hip 5 --any-balance" ...]

Everybody runs alone in a process of its own with one worker, once to warm up and then for the clock; CPU
seconds, medians. Ours: plan, shards and search (`engine`), and the whole of `rekkyo.count` (`count`). The
peers get the problem ready made: clingo grounded, CP-SAT built, python-sat with its clauses loaded; it has
CaDiCaL 1.9.5 and Glucose 4, and blocks each solution with a clause. "> 60" means more than LIMIT seconds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rekkyo as rk
from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.registry import listing_engine
from rekkyo.export.formulas import cnf_of
from rekkyo.model.coloring import Coloring

LIMIT = 60
MOST_ROUNDS = 7
LONG = 3.0

CASES = (
    "hip 5 --any-balance",
    "hip 6",
    "hip 6 --any-balance",
    "hip 7",
    "van-der-waerden 5 5 20",
    "van-der-waerden 3 6 20",
    "schur 3 13",
    "ramsey 3 4 8",
)

Prepared = Callable[[], int]
"""Lists all solutions and returns how many."""


def engine(puzzle: rk.Puzzle) -> tuple[Prepared, Prepared]:
    chosen = listing_engine(puzzle.model)
    chosen.compile(puzzle.model)
    room = Room.of(puzzle.model.row_shape, 1 << 13)

    def run() -> int:
        plan = chosen.plan(puzzle.model)
        return sum(
            len(block.rows)
            for shard in chosen.split(plan, 1)
            for block in chosen.blocks(plan, shard, room, 1 << 21, no_pause)
        )

    return run, run


def count(puzzle: rk.Puzzle) -> tuple[Prepared, Prepared]:
    def run() -> int:
        return rk.count(puzzle, workers=1, up_to="none").total

    return run, run


def clingo(puzzle: rk.Puzzle) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    model = puzzle.model
    assert isinstance(model, Coloring)
    lines = [f"1 {{ c(V,0..{model.n_colors - 1}) }} 1 :- V = 0..{model.n_cells - 1}."]
    for cells in model.sets:
        lines += [":- " + ", ".join(f"c({v},{k})" for v in cells) + "." for k in range(model.n_colors)]
    lines += [":- " + ", ".join(f"c({v},{k})" for v, k in pattern) + "." for pattern in model.patterns]
    for k, (low, high) in enumerate(model.bounds):
        lines.append(f":- not {low} #count {{ V : c(V,{k}) }} {high}.")
    return answer_sets(lines)


def answer_sets(lines: list[str]) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    """Grounds a program; lists its answer sets."""
    import clingo

    def prepare() -> Any:
        control = clingo.Control(["0"])
        control.add("base", [], "\n".join(lines))
        control.ground([("base", [])])
        return control

    def run(control: Any) -> int:
        with control.solve(yield_=True) as handle:
            return sum(1 for _ in handle)

    return prepare, run


def cp_sat(puzzle: rk.Puzzle) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    sys.path.append(str(Path(__file__).parents[1]))
    from ortools.sat.python import cp_model

    from cpsat import enumerated

    model = puzzle.model
    assert isinstance(model, Coloring)

    def prepare() -> Any:
        problem = cp_model.CpModel()
        if model.n_colors == 2:
            ones = [problem.new_bool_var(f"{v}") for v in range(model.n_cells)]
            has = [(one.negated(), one) for one in ones]
        else:
            has = [
                tuple(problem.new_bool_var(f"{v}={k}") for k in range(model.n_colors))
                for v in range(model.n_cells)
            ]
            for choices in has:
                problem.add_exactly_one(choices)
        for cells in model.sets:
            for k in range(model.n_colors):
                problem.add_bool_or([has[v][k].negated() for v in cells])
        for pattern in model.patterns:
            problem.add_bool_or([has[v][k].negated() for v, k in pattern])
        for k, (low, high) in enumerate(model.bounds):
            problem.add_linear_constraint(sum(has[v][k] for v in range(model.n_cells)), low, high)
        return problem

    return prepare, enumerated


def with_blocking(name: str, puzzle: rk.Puzzle) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    from pysat.solvers import Solver

    cnf = cnf_of(puzzle.model)
    n_shown = len(cnf.projection)

    def prepare() -> Any:
        return Solver(name=name, bootstrap_with=[list(clause) for clause in cnf.clauses])

    def run(solver: Any) -> int:
        found = 0
        while solver.solve():
            found += 1
            solver.add_clause([-literal for literal in solver.get_model()[:n_shown]])
        solver.delete()
        return found

    return prepare, run


def cadical(puzzle: rk.Puzzle) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    return with_blocking("cadical195", puzzle)


def glucose(puzzle: rk.Puzzle) -> tuple[Callable[[], Any], Callable[[Any], int]]:
    return with_blocking("glucose4", puzzle)


SOLVERS: dict[str, Any] = {f.__name__: f for f in (engine, count, clingo, cp_sat, cadical, glucose)}
OURS = ("engine", "count")


def time_one(name: str, words: str) -> None:
    """Child process: prints count and median seconds."""
    prepare, run = SOLVERS[name](rk.puzzle(words))
    rounds = once(name, prepare, run), *(() if name not in OURS else (once(name, prepare, run),))
    seconds: list[float] = []
    found = rounds[0][0]
    while len(seconds) < MOST_ROUNDS and sum(seconds) < LONG:
        found, taken = once(name, prepare, run)
        seconds.append(taken)
    print(found, statistics.median(seconds))


def once(name: str, prepare: Callable[[], Any], run: Any) -> tuple[int, float]:
    prepared = None if name in OURS else prepare()
    began = time.process_time()
    found = run() if name in OURS else run(prepared)
    return found, time.process_time() - began


def main(cases: list[str]) -> None:
    print("| case | solutions | " + " | ".join(SOLVERS) + " | fastest peer / engine | / count |")
    print("|" + "---|" * (len(SOLVERS) + 4))
    for words in cases:
        print(line(words), flush=True)


def line(words: str) -> str:
    cells, seconds, counts = [], {}, set()
    for name in SOLVERS:
        try:
            done = subprocess.run(
                [sys.executable, __file__, "--one", name, words],
                capture_output=True, text=True, timeout=LIMIT, check=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            cells.append(f"> {LIMIT}")
            continue
        except subprocess.CalledProcessError as problem:
            cells.append("fails")
            print(problem.stderr, file=sys.stderr)
            continue
        found, taken = done.stdout.split()
        counts.add(int(found))
        seconds[name] = float(taken)
        cells.append(f"{float(taken):.5f}")
    fastest = min(taken for name, taken in seconds.items() if name not in OURS)
    ratios = [f"{fastest / seconds[name]:.1f}" for name in OURS]
    agreed = str(counts.pop()) if len(counts) == 1 else f"DIFFERENT: {sorted(counts)}"
    return f"| {words} | {agreed} | " + " | ".join([*cells, *ratios]) + " |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        time_one(*sys.argv[2:])
    else:
        main(sys.argv[1:] or list(CASES))
