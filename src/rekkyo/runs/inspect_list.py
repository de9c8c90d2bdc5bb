"""The checks of a certificate of a list: rows, formula and proof are computed again."""

from __future__ import annotations

import io
import subprocess
from functools import partial
from itertools import islice, zip_longest

import numpy as np

from rekkyo.export.cnf import Cnf
from rekkyo.export.formulas import cnf_of
from rekkyo.export.read import read_lines
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.programs import installed_program
from rekkyo.runs.certificate import MOST_SOLUTIONS, MOST_WAIT_S, PARTS
from rekkyo.runs.certify import dimacs_bytes, rows_text, with_best, with_rows_blocked
from rekkyo.runs.inspection import Inspection, NotDone, Step, Wrong
from rekkyo.runs.lrat import check_lrat, read_dimacs
from rekkyo.symmetry.orbits import images_under
from rekkyo.verify import verify
from rekkyo.wording import several

FOREIGN = {
    "drat-trim": ("proof.drat", "s VERIFIED"),
    "lrat-check": ("proof.lrat", "c VERIFIED"),
    "cake_lpr": ("proof.lrat", "s VERIFIED UNSAT"),
}
"""Foreign checkers: the proof that they read, and the line that they print."""


class ListInspection(Inspection):
    """The checks of a list: its rows, formula and proof."""

    parts = PARTS
    known: Puzzle
    cnf: Cnf
    rows: list[Row]
    n_steps: int

    def further_steps(self) -> list[Step]:
        """The checks after that of the puzzle."""
        return [
            ("solutions.txt", self.check_solutions),
            ("formula.cnf", self.check_formula),
            ("symmetry", self.check_symmetry),
            ("blocked.cnf", self.check_blocked),
            ("proof", self.check_proof),
            ("numbers", self.check_numbers),
            *((f"proof by {name}", partial(self.ask_foreign, name)) for name in FOREIGN),
        ]

    def check_solutions(self) -> str:
        """Rows must be valid, different, written as we write them, and as good as the first one."""
        shape = self.puzzle.model.row_shape
        self.rows, self.known = [], with_best(self.puzzle, ())
        with (self._copies / "solutions.txt").open("rb") as binary:
            text = io.TextIOWrapper(binary, "ascii", "replace", newline="\n")
            for line in islice(read_lines(self.puzzle, text), MOST_SOLUTIONS + 1):
                known = self.known if self.rows else self.puzzle
                problems = [line.problem] if line.row is None else verify(known, line.row)
                if problems or line.row is None:
                    raise Wrong(f"line {line.number}: {problems[0]}")
                if not self.rows:
                    self.known = with_best(self.puzzle, [line.row])
                self.rows.append(line.row + (shape.n_values,) * (shape.length - len(line.row)))
        if len(self.rows) > MOST_SOLUTIONS:
            raise Wrong(f"more than {MOST_SOLUTIONS:,} solutions")
        if len(set(self.rows)) < len(self.rows):
            raise Wrong("a solution appears twice")
        self._expect("solutions.txt", rows_text(self.puzzle, self.rows), "as rekkyo writes these rows")
        return f"{several(len(self.rows), 'solution')}, all valid, all different"

    def check_formula(self) -> str:
        """The file must be the formula that we write for the puzzle."""
        self.cnf = cnf_of(self.known.model)
        self._expect("formula.cnf", dimacs_bytes(self.cnf, self._title), "the formula of this puzzle")
        n_variables = several(self.cnf.n_variables, "variable")
        return f"{n_variables}, {several(len(self.cnf.clauses), 'clause')}, as computed again"

    def check_symmetry(self) -> str:
        """All images of the rows must be among them; the generators of the group are enough."""
        generators = self.puzzle.generators
        if not generators:
            raise NotDone("none is known")
        shape = self.puzzle.model.row_shape
        values = np.array(self.rows, dtype=np.uint32).reshape(-1, shape.length)
        rows = {row.tobytes() for row in values}
        for number, generator in enumerate(generators, 1):
            if {row.tobytes() for row in images_under(shape, generator, values)} != rows:
                raise Wrong(f"under symmetry {number} of {len(generators)} some solutions lack their image")
        return f"every image is there, under {several(len(generators), 'generator')} of the group"

    def check_blocked(self) -> str:
        """The file must be formula.cnf and a clause for each solution, in their order."""
        blocked = with_rows_blocked(self.cnf, self.puzzle, self.rows)
        self._expect(
            "blocked.cnf", dimacs_bytes(blocked, self._title), "formula.cnf with each solution ruled out"
        )
        return (
            f"formula.cnf and {several(len(self.rows), 'clause')}, one for each solution, as computed again"
        )

    def check_proof(self) -> str:
        """The proof must pass our checker, and both proofs must have the same steps."""
        _, clauses = read_dimacs(self._lines("blocked.cnf"))
        steps = check_lrat(clauses, self._lines("proof.lrat"))
        self.n_steps = 0
        for step, line in zip_longest(steps, self._lines("proof.drat")):
            self.n_steps += 1
            if step != line:
                raise Wrong(f"line {self.n_steps} of proof.drat is not the step of proof.lrat")
        n_steps = several(self.n_steps, "step")
        return f"{n_steps} by rekkyo's own LRAT checker, in plain Python; the same in proof.drat"

    def check_numbers(self) -> str:
        """The numbers in certificate.json must be right, except seconds."""
        found = {
            "total": len(self.rows),
            "n_variables": self.cnf.n_variables,
            "n_clauses": len(self.cnf.clauses) + len(self.rows),
            "n_steps": self.n_steps,
            "proof_bytes": (self._copies / "proof.drat").stat().st_size,
            "lrat_bytes": (self._copies / "proof.lrat").stat().st_size,
        }
        return self._expect_numbers(found)

    def ask_foreign(self, name: str) -> str:
        """Check the proof with a foreign program."""
        program = installed_program(name)
        if program is None:
            raise NotDone("not installed")
        proof, verdict = FOREIGN[name]
        try:
            done = subprocess.run(
                [program, "blocked.cnf", proof],
                cwd=self._copies,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=min(self._limit_s, MOST_WAIT_S),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotDone(f"not finished within {self._limit_s:g} s") from None
        lines = [line.strip() for line in done.stdout.splitlines()]
        if verdict not in lines:
            raise Wrong(f"{proof} is not verified: {lines[-1] if lines else 'no output'}")
        return f"{proof} verified"
