"""Our CPU seconds on exact covers beside those of other packages.

    pip install xcover exact-cover exact_cover_py dxz ortools
    python benchmarks/cover/peers.py ["Soma cube" "queens 12" ...]

Everybody runs alone in a process of its own, once to compile and once (or more often, if it is quick) for the
clock; CPU seconds without compiling, medians, building the input included for nobody. exact_cover and dxz
only count, the others list. Solvers without secondary items get slack options instead; only xcover and CP-SAT
take colours. CP-SAT enumerates with one worker. "> 40" means that the
process used more than LIMIT CPU seconds, compiling included.
"""

from __future__ import annotations

import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from cases import CASES, queens

from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.registry import listing_engine
from rekkyo.model.exact_cover import ExactCover

LIMIT = 40
MOST_ROUNDS = 5
LONG = 3.0


def ours(model: ExactCover) -> Callable[[], int]:
    engine = listing_engine(model)
    engine.compile(model)
    engine.compile_for_long(model)
    plan = engine.plan(model)
    room = Room.of(model.row_shape, 1 << 13)

    def count() -> int:
        return sum(
            len(block.rows)
            for shard in engine.split(plan, 1)
            for block in engine.blocks(plan, shard, room, 1 << 21, no_pause)
        )

    return count


def with_slack(model: ExactCover) -> list[list[int]]:
    """The options, and one more for each secondary item: then all items are primary. No colours."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    return [[item for item, _ in option] for option in model.options] + [
        [item] for item in range(n_primary, n_items)
    ]


def matrix(model: ExactCover, dtype: type) -> Any:
    options = with_slack(model)
    rows = np.zeros((len(options), len(model.primary) + len(model.secondary)), dtype=dtype)
    for number, option in enumerate(options):
        rows[number, option] = 1
    return rows


def xcover(model: ExactCover) -> Callable[[], int]:
    from xcover import algorithm_c

    options = [[item for item, _ in option] for option in model.options]
    flat = np.array([item for option in options for item in option], dtype=np.uint32)
    pointers = np.zeros(len(options) + 1, dtype=np.uint32)
    pointers[1:] = np.cumsum([len(option) for option in options])
    colors = np.array([color for option in model.options for _, color in option], dtype=np.uint32)
    n_items, n_secondary = len(model.primary) + len(model.secondary), len(model.secondary)
    return lambda: sum(1 for _ in algorithm_c(flat, pointers, colors, n_items, n_secondary))


def exact_cover(model: ExactCover) -> Callable[[], int]:
    from exact_cover import get_solution_count

    rows = matrix(model, np.int32)
    return lambda: int(get_solution_count(rows))


def exact_cover_py(model: ExactCover) -> Callable[[], int]:
    from exact_cover_py import exact_covers

    rows = matrix(model, np.int32)
    return lambda: sum(1 for _ in exact_covers(rows))


def dxz(model: ExactCover) -> Callable[[], int]:
    from dxz import dxz_count

    rows = matrix(model, np.int32)
    flat = rows.ravel().tolist()
    return lambda: int(dxz_count(rows.shape[0], rows.shape[1], flat))


def cp_sat(model: ExactCover) -> Callable[[], int]:
    sys.path.append(str(Path(__file__).parents[1]))
    from ortools.sat.python import cp_model

    from cpsat import enumerated

    def count() -> int:
        problem = cp_model.CpModel()
        chosen = [problem.new_bool_var(str(number)) for number in range(len(model.options))]
        uses: dict[int, dict[int, list[Any]]] = {}
        for variable, option in zip(chosen, model.options, strict=True):
            for item, color in option:
                uses.setdefault(item, {}).setdefault(color, []).append(variable)
        for item, by_color in uses.items():
            if item < len(model.primary):
                problem.add_exactly_one(by_color[0])
                continue
            colors = {color: problem.new_bool_var(f"{item}:{color}") for color in by_color if color}
            problem.add_at_most_one([*by_color.get(0, []), *colors.values()])
            for color, seen in colors.items():
                problem.add_max_equality(seen, by_color[color])
        return enumerated(problem)

    return count


SOLVERS = {f.__name__: f for f in (ours, xcover, exact_cover, exact_cover_py, dxz, cp_sat)}
TAKE_COLORS = ("ours", "xcover", "cp_sat")


def time_one(solver: str, case: str) -> None:
    """Child process: prints count and median seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    model = CASES[case][0]()
    SOLVERS[solver](queens(6))()
    run = SOLVERS[solver](model)
    seconds: list[float] = []
    count = 0
    while len(seconds) < MOST_ROUNDS and sum(seconds) < LONG:
        began = time.process_time()
        count = run()
        seconds.append(time.process_time() - began)
    print(count, statistics.median(seconds))


def main(cases: list[str]) -> None:
    print("| case | solutions | " + " | ".join(SOLVERS) + " | fastest peer / ours |")
    print("|" + "---|" * (len(SOLVERS) + 3))
    for case in cases:
        print(line(case), flush=True)


def line(case: str) -> str:
    make, expected = CASES[case]
    colored = any(color for option in make().options for _, color in option)
    cells, seconds, counts = [], {}, set() if expected is None else {expected}
    for solver in SOLVERS:
        if colored and solver not in TAKE_COLORS:
            cells.append("no colours")
            continue
        try:
            done = subprocess.run(
                [sys.executable, __file__, "--one", solver, case], capture_output=True, text=True, check=True
            )
        except subprocess.CalledProcessError as problem:
            cells.append(f"> {LIMIT}" if problem.returncode == -signal.SIGXCPU else "fails")
            continue
        count, taken = done.stdout.split()
        counts.add(int(count))
        seconds[solver] = float(taken)
        cells.append(f"{float(taken):.4f}")
    peers = [taken for solver, taken in seconds.items() if solver != "ours"]
    ratio = f"{min(peers) / max(seconds['ours'], 1e-5):.1f}" if peers and "ours" in seconds else "-"
    agreed = str(counts.pop()) if len(counts) == 1 else f"DIFFERENT: {sorted(counts)}"
    return f"| {case} | {agreed} | " + " | ".join(cells) + f" | {ratio} |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        time_one(*sys.argv[2:])
    else:
        main(sys.argv[1:] or list(CASES))
