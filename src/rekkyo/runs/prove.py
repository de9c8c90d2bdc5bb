"""Run by `certify` as a program of its own, so that it can be ended: SOLVER FOLDER.

Reads blocked.cnf, writes proof.drat, prints `unsatisfiable` and the number of steps, or `satisfiable`.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(solver_name: str, folder: Path) -> None:
    """Prove that the formula in the folder has no solution."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    formula = CNF(from_file=str(folder / "blocked.cnf"))
    with Solver(name=solver_name, bootstrap_with=formula.clauses, with_proof=True) as solver:
        if solver.solve():
            print("satisfiable")
            return
        steps = solver.get_proof()
    with (folder / "proof.drat").open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{step}\n" for step in steps)
    print("unsatisfiable", len(steps))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
