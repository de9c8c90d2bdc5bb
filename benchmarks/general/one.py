"""One solver on one FlatZinc file, alone in its process: prints the total and the CPU seconds of the search."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rekkyo.export.flatzinc.reader import flat_from_file, flat_puzzle


def main(solver: str, path: Path) -> None:
    count = ours(path) if solver == "rekkyo" else of_peer(solver, path)
    began = time.process_time()
    total = count()
    print(json.dumps({"total": total, "search_s": time.process_time() - began}))


def ours(path: Path) -> Callable[[], int]:
    """The whole of `rekkyo.count`, one worker; what it needs was compiled or loaded by a first count."""
    import rekkyo as rk

    puzzle = flat_puzzle(flat_from_file(path), path.stem)

    def count() -> int:
        return int(rk.count(puzzle, workers=1, up_to="none").total)

    count()
    return count


def of_peer(solver: str, path: Path) -> Callable[[], int]:
    model = flat_from_file(path).model
    if solver == "CP-SAT":
        from cp_sat import counter
    else:
        from choco import counter
    return counter(model)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
