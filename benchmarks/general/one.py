"""One solver on one FlatZinc file, alone in its process: prints the total and the CPU seconds of the search.

The seconds of the search leave out importing, reading the file and building the model. Ours are those of
`rekkyo.count` with one worker, plan included and compiling or loading kernels left out; nothing is kept from
one count to the next. Under a limit of CPU seconds the clock ticks in steps of 4 ms, so a short search is
repeated for LEAST_S; the median of three such means.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from rekkyo.export.flatzinc.reader import flat_from_file, flat_puzzle

SHORT_S = 1.0
LEAST_S = 0.2
Work = Callable[[], Callable[[], int]]


def main(solver: str, path: Path) -> None:
    make = ours(path) if solver == "rekkyo" else peer(solver, path)
    gc.freeze()  # a collection goes through all that was imported, in 0.08 s, and falls into any search
    total, seconds = timed(make)
    every = [seconds, *(timed(make)[1] for _ in range(2 if seconds < SHORT_S else 0))]
    print(json.dumps({"total": total, "search_s": statistics.median(every)}))


def timed(make: Work) -> tuple[int, float]:
    """The total, and the mean of as many searches as take LEAST_S."""
    total, n_searches, spent_s = 0, 0, 0.0
    while spent_s < LEAST_S:
        count = make()
        began = time.process_time()
        total = count()
        spent_s += time.process_time() - began
        n_searches += 1
    return total, spent_s / n_searches


def ours(path: Path) -> Work:
    import rekkyo as rk
    from forgetting import forget
    from rekkyo.engines.registry import listing_engine, quick_engine
    from rekkyo.model.lower import lower

    puzzle = flat_puzzle(flat_from_file(path), path.stem)
    model = lower(puzzle.model)
    for engine in (quick_engine(model), listing_engine(model)):
        if engine is not None:
            engine.compile(model)
            engine.compile_for_long(model)

    def make() -> Callable[[], int]:
        forget()
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
