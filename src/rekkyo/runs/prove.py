"""Run by `certify` as a separate program, so that it can be ended: SOLVER FOLDER.

Reads blocked.cnf, writes proof.drat and proof.lrat, prints `unsatisfiable` with the lines of proof.drat and
the seconds of solver and elaboration, or `satisfiable`, or `failed` with the number of a system error.
"""

from __future__ import annotations

import errno
import sys
import time
from pathlib import Path

from rekkyo.errors import RekkyoError
from rekkyo.runs.elaborate import elaborate


def main(solver_name: str, folder: Path) -> None:
    """Prove that the formula in the folder has no solution."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    started = time.perf_counter()
    formula = CNF(from_file=str(folder / "blocked.cnf"))
    with Solver(name=solver_name, bootstrap_with=formula.clauses, with_proof=True) as solver:
        if solver.solve():
            print("satisfiable")
            return
        steps = solver.get_proof()
    proved = time.perf_counter()
    n_lines = elaborate(formula.nv, formula.clauses, steps, folder / "proof.drat", folder / "proof.lrat")
    print("unsatisfiable", n_lines, proved - started, time.perf_counter() - proved)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except RekkyoError as problem:
        sys.exit(str(problem))
    except OSError as problem:
        print("failed", problem.errno or errno.EIO)
    except MemoryError:
        sys.exit("there is not enough memory for its proof")
