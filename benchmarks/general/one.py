"""One solver on one FlatZinc file, alone in its process: prints the total and the CPU seconds of the search.

The seconds of the search leave out importing, reading the file and building the model. Ours are those of
`rekkyo.count` with one worker, plan included and compiling or loading kernels left out. Short ones are the
median of three.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rekkyo.export.flatzinc.reader import flat_from_file, flat_puzzle

SHORT_S = 1.0
Work = Callable[[], Callable[[], int]]


def main(solver: str, path: Path) -> None:
    make = ours(path) if solver == "rekkyo" else peer(solver, path)
    gc.freeze()  # a collection goes through all that was imported, in 0.08 s, and falls into any search
    total, seconds = timed(make)
    every = [seconds, *(timed(make)[1] for _ in range(2 if seconds < SHORT_S else 0))]
    print(json.dumps({"total": total, "search_s": statistics.median(every)}))


def timed(make: Work) -> tuple[int, float]:
    count = make()
    began = time.process_time()
    return count(), time.process_time() - began


def ours(path: Path) -> Work:
    import rekkyo as rk
    from rekkyo.engines.csp.propagating.rewriting import rewritten
    from rekkyo.engines.registry import listing_engine
    from rekkyo.model.lower import lower

    puzzle = flat_puzzle(flat_from_file(path), path.stem)
    model = lower(puzzle.model)
    engine = listing_engine(model)
    engine.compile(model)
    engine.compile_for_long(model)

    def make() -> Callable[[], int]:
        rewritten.cache_clear()  # a part of the plan, which the kernels were compiled by
        return lambda: int(rk.count(puzzle, workers=1, up_to="none").total)

    return make


def peer(solver: str, path: Path) -> Work:
    model = flat_from_file(path).model
    if solver == "CP-SAT":
        from cp_sat import counter
    else:
        from choco import counter
    return lambda: counter(model)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
