"""OR-Tools CP-SAT as a peer: how every benchmark has it list all solutions."""

from __future__ import annotations

from typing import Any


def enumerated(problem: Any) -> int:
    """How many solutions CP-SAT lists, with one worker."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    counter = Counter()
    solver.solve(problem, counter)
    return counter.found
