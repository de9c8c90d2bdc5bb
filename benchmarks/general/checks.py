"""Our own checks of one FlatZinc file: orbits against `unique`, and the digest of one of two engines.

    python benchmarks/general/checks.py FILE unique|orbits|csp|csp-plain

Prints one value. Each runs in a process of its own, as each may be the one that takes too long.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rekkyo as rk

QUESTIONS = ("unique", "orbits", "csp", "csp-plain")


def main(path: Path, question: str) -> None:
    puzzle = rk.puzzle_from_file(path)
    if question == "unique":
        print(rk.count(puzzle, workers=1).unique)
    elif question == "orbits":
        print(rk.orbits(puzzle, workers=1).unique)
    else:
        print(rk.count(puzzle, engine=question, workers=1, up_to="none", digest=True).digest)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
