"""Counts the steps of one family, alone in its process: `one.py FAMILY LIMIT`; a line of JSON for each."""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from series import SERIES, Series

import rekkyo as rk
from rekkyo.search.cutting import by_length
from rekkyo.search.question import ask
from rekkyo.search.search import prepare

sys.path.append(str(Path(__file__).parents[1]))

from patience import TooLong, at_most

PATIENCE = 6
"""A step that is not over after so many limits of CPU time is left out, and the family ends there."""

PATIENCE_IF_FEW = 30
"""The same where the sizes do not grow: all of them are counted."""

ROUNDS_IF_SHORT, ROUNDS, SHORT_S = 5, 3, 0.1
TOGETHER_S = 0.02
MOST_TOGETHER = 100


def main(family: str, limit: float) -> None:
    series = next(one for one in SERIES if one.family == family)
    for step in steps_of(series, limit):
        print(json.dumps(step), flush=True)


def steps_of(series: Series, limit: float) -> Any:
    """Yield the time of each step, and at the end the reason why a step was abandoned."""
    for label, at, words in series.steps:
        puzzle = rk.puzzle(words)
        prepare(ask(puzzle, up_to="symmetry", hands_on_rows=False, takes_large=True), by_length)  # compiles
        patience = (PATIENCE if series.grows else PATIENCE_IF_FEW) * limit
        try:
            with at_most(patience):
                began = time.perf_counter()
                found = rk.count(puzzle, workers=1)  # loads what is loaded late
                lasts_s = time.perf_counter() - began
        except TooLong:
            yield {"given_up": f"{label}: over {patience:g} s"}
            return
        n_rounds = ROUNDS_IF_SHORT if lasts_s < SHORT_S else ROUNDS if lasts_s < limit else 1
        one, two = (measured(puzzle, workers, lasts_s, n_rounds) for workers in (1, 2))
        published = puzzle.published
        yield {
            "label": label,
            "at": at,
            "words": words,
            "engine": found.engine,
            "published": published and published.agrees_with(found.total, found.unique),
            "one": one,
            "two": two,
        }
        if series.grows and one["wall_s"] > limit:
            return


def measured(puzzle: rk.Puzzle, workers: int, lasts_s: float, n_rounds: int) -> dict[str, Any]:
    """Medians of `rk.count`; short ones several times in a row, because clocks are coarse.

    What earlier counts have kept of the puzzle, such as its plan and its group, is not made again.
    """
    n_together = max(1, min(MOST_TOGETHER, math.ceil(TOGETHER_S / lasts_s)))
    cpu_s, wall_s = [], []
    counted = set()
    for _ in range(n_rounds):
        began, used = time.perf_counter(), time.process_time()
        found = [rk.count(puzzle, workers=workers) for _ in range(n_together)]
        wall_s.append((time.perf_counter() - began) / n_together)
        cpu_s.append((time.process_time() - used) / n_together)
        counted |= {(str(each.total), None if each.unique is None else str(each.unique)) for each in found}
    assert len(counted) == 1, f"{puzzle.name}: {counted}"
    total, unique = counted.pop()
    nodes, engine = found[-1].nodes, found[-1].engine
    return {
        "engine": engine,
        "total": total,
        "unique": unique,
        "nodes": nodes,
        "cpu_s": round(statistics.median(cpu_s), 7),
        "wall_s": round(statistics.median(wall_s), 7),
        "rounds": n_rounds,
    }


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
