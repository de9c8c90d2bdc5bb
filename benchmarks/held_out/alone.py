"""One solver on one question, alone in its process: `alone.py SOLVER NAME LIMIT` prints a line of JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from peers import COMPILES, SOLVERS, CannotSay
from questions import question_of

sys.path.append(str(Path(__file__).parents[1] / "side_by_side"))
from one import measured


def main(solver: str, name: str, limit: int) -> None:
    question = question_of(name)
    try:
        work = SOLVERS[solver](question)
    except CannotSay:
        print(json.dumps({"cannot": True}))
        return
    answer = measured(*work, limit, compiles=solver in COMPILES)
    if "cpu_s" in answer:
        answer["cpu_s"] /= question.n_counts
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
