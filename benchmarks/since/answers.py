"""The answers of one version, in a process of its own: a question on each line of standard input.

The version is that of the `rekkyo` on the path, which knows its own caches; the corpus is that of this
checkout. The first line of the output lists the names. A question is the number of a name, a kind, and the
most seconds; an answer has CPU seconds.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import rekkyo as rk

CHECKOUT = Path(rk.__file__).parents[2]
HERE = Path(__file__).parents[1]
sys.path += [str(CHECKOUT / "benchmarks"), str(HERE / "choice"), str(HERE)]

from corpus import corpus  # noqa: E402

from forgetting import forget  # noqa: E402
from patience import TooLong, at_most  # noqa: E402

KINDS: Mapping[str, Callable[[rk.Puzzle], rk.Count]] = {
    "total": lambda puzzle: rk.count(puzzle, workers=1, up_to="none"),
    "unique": lambda puzzle: rk.count(puzzle, workers=1),
    "digest": lambda puzzle: rk.count(puzzle, workers=1, digest=True),
}


def main() -> None:
    """Answer until the input ends."""
    puzzles = dict(corpus())
    names = list(puzzles)
    print(json.dumps(names), flush=True)
    forget()  # an earlier version looks for its caches among the objects that `gc` lists: none after this
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        number, kind, most_s = line.split()
        print(json.dumps(answer(puzzles[names[int(number)]], kind, float(most_s))), flush=True)


def answer(puzzle: rk.Puzzle, kind: str, most_s: float) -> dict[str, Any]:
    """The total and what was needed for it; or why there is none. most_s: of CPU."""
    forget()
    began = time.process_time()
    try:
        with at_most(most_s):
            found = KINDS[kind](puzzle)
    except TooLong:
        return {"failed": "it takes too long"}
    except (rk.RekkyoError, MemoryError) as problem:
        return {"failed": str(problem)}
    seconds = time.process_time() - began
    return {"total": str(found.total), "engine": found.engine, "nodes": found.nodes, "s": seconds}


if __name__ == "__main__":
    main()
