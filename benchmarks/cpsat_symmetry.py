"""Does CP-SAT find every solution? Hip 4 x 4 with any balance: 5,006 boards without a square of one colour.

    pip install ortools
    python benchmarks/cpsat_symmetry.py

Enumerates all solutions with one to four workers, with the default symmetry level and with level 0, and
compares the set that was found with ours. The same puzzle is stated in two forms, as clauses ("not all four
corners are 0", "not all are 1") and as sums ("one to three corners are 1"). Every run is repeated: with
several workers it need not go the same way twice.
"""

from __future__ import annotations

from importlib.metadata import version
from itertools import product
from typing import Any

from ortools.sat.python import cp_model

import rekkyo as rk
from rekkyo.model.coloring import Coloring

WORDS = "hip 4 --any-balance"
WORKERS = (1, 2, 4)
LEVELS = (None, 0)
FORMS = ("clauses", "sums")
ROUNDS = 3


class Found(cp_model.CpSolverSolutionCallback):
    """Keeps every solution, so that one reported twice is seen as well."""

    def __init__(self, cells: list[Any]) -> None:
        super().__init__()
        self.cells = cells
        self.rows: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.rows.append(tuple(int(self.value(cell)) for cell in self.cells))


def enumerate_all(
    coloring: Coloring, form: str, n_workers: int, symmetry_level: int | None
) -> tuple[str, list[tuple[int, ...]]]:
    problem = cp_model.CpModel()
    ones = [problem.new_bool_var(str(cell)) for cell in range(coloring.n_cells)]
    for cells in coloring.sets:
        if form == "clauses":
            problem.add_bool_or([ones[cell] for cell in cells])
            problem.add_bool_or([ones[cell].negated() for cell in cells])
        else:
            problem.add_linear_constraint(sum(ones[cell] for cell in cells), 1, len(cells) - 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = n_workers
    solver.parameters.enumerate_all_solutions = True
    if symmetry_level is not None:
        solver.parameters.symmetry_level = symmetry_level
    found = Found(ones)
    status = solver.solve(problem, found)
    return solver.status_name(status), found.rows


def main() -> None:
    puzzle = rk.puzzle(WORDS)
    coloring = puzzle.model
    assert isinstance(coloring, Coloring)
    ours = set(rk.solve(puzzle, up_to="none"))
    print(f"OR-Tools {version('ortools')}, `{WORDS}`: ours {len(ours)}\n")
    print("| form | workers | symmetry_level | status | reported | different | valid | missing |")
    print("|" + "---|" * 8)
    for form, n_workers, level in product(FORMS, WORKERS, LEVELS):
        for _ in range(ROUNDS):
            status, rows = enumerate_all(coloring, form, n_workers, level)
            different = set(rows)
            print(
                f"| {form} | {n_workers} | {'default' if level is None else level} | {status} | {len(rows)}"
                f" | {len(different)} | {len(different & ours)} | {len(ours - different)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
