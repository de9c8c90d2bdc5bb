"""The checks of a certificate of a count: the problem is written again, and the diagram is checked."""

from __future__ import annotations

from rekkyo.export.opb import PseudoBoolean, constraint_lines, opb_of
from rekkyo.runs.certificate import COUNT_PARTS
from rekkyo.runs.certify_count import MOST_DIAGRAM_BYTES, checker_bytes, problem_bytes, proved_total
from rekkyo.runs.inspection import Inspection, Step, Wrong
from rekkyo.wording import several


class CountInspection(Inspection):
    """The checks of a count: its problem, its diagram and its numbers."""

    parts = COUNT_PARTS
    problem: PseudoBoolean
    total: int

    def further_steps(self) -> list[Step]:
        """The checks after that of the puzzle."""
        return [
            ("problem.opb", self.check_problem),
            ("check_count.py", self.check_checker),
            ("diagram.nnf", self.check_diagram),
            ("numbers", self.check_numbers),
        ]

    def check_problem(self) -> str:
        """The file must be the problem that we write for the puzzle."""
        self.problem = opb_of(self.puzzle.model)
        self._expect("problem.opb", problem_bytes(self.problem, self._title), "the problem of this puzzle")
        return f"{several(self.problem.n_variables, 'variable')}, as computed again"

    def check_checker(self) -> str:
        """The copy must be our checker, for users who run it."""
        self._expect("check_count.py", checker_bytes(), "the checker of this version of rekkyo")
        return "the checker of this version of rekkyo; the copy was not run"

    def check_diagram(self) -> str:
        """The diagram must pass our checker."""
        if (self._copies / "diagram.nnf").stat().st_size > MOST_DIAGRAM_BYTES:
            raise Wrong(f"it has more than {MOST_DIAGRAM_BYTES:,} bytes")
        self.total = proved_total(self._copies)
        return f"every way through it is a solution, none is missing, and there are {self.total}"

    def check_numbers(self) -> str:
        """The numbers in certificate.json must be right, except seconds."""
        return self._expect_numbers(
            {
                "total": self.total,
                "n_variables": self.problem.n_variables,
                "n_constraints": len(constraint_lines(self.problem)),
                "n_nodes": sum(1 for _ in self._lines("diagram.nnf")) - 1,  # below a line of sizes
                "diagram_bytes": (self._copies / "diagram.nnf").stat().st_size,
            }
        )
