"""Our own checks of one FlatZinc file: orbits against `unique`, and the digest in one of four ways.

    python benchmarks/general/checks.py FILE unique|orbits|csp|csp-cover|csp-plain|diagram

Prints one value. Each runs in a process of its own, as each may be the one that takes too long. If no
symmetry is known, `unique` is left out, and every solution is an orbit. No two of the ways to a digest share
search code: three engines, of which `csp-cover` takes models that are exact covers, and the rows of the
diagram that `csp-frontier` draws.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rekkyo as rk
from rekkyo.engines.digest import Digest, digest_of

QUESTIONS = ("unique", "orbits", "csp", "csp-cover", "csp-plain", "diagram")


def main(path: Path, question: str) -> None:
    puzzle = rk.puzzle_from_file(path)
    if question == "unique":
        found = rk.count(puzzle, workers=1)
        print(found.total if found.unique is None else found.unique)
    elif question == "orbits":
        print(rk.orbits(puzzle, workers=1).unique)
    elif question == "diagram":
        print(sum(map(digest_of, rk.diagram(puzzle).blocks()), Digest()))
    else:
        print(rk.count(puzzle, engine=question, workers=1, up_to="none", digest=True).digest)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
