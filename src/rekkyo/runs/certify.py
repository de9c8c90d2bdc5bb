"""Certificates: the list of all solutions, and a proof by a SAT solver that there is no other.

The formula of the puzzle with every listed solution blocked is unsatisfiable if and only if the list is
complete. CaDiCaL (through python-sat) writes a DRUP proof of that, which `elaborate.py` trims and writes as
DRAT and as LRAT, for any checker: only the code that writes the formula has to be trusted. Source:
N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal proofs"
(SAT 2014).

    formula.cnf     the puzzle
    solutions.txt   all solutions, a row a line
    blocked.cnf     formula.cnf, and one clause for each line of solutions.txt, in its order
    proof.drat      why blocked.cnf has no solution
    proof.lrat      the same, with hints
    puzzle.*        a copy of the puzzle's file, if it came from one
    certificate.json  counts, seconds, and the hashes of these files
    README.txt, SHA256SUMS  how to check it by hand

`check_certificate.py` checks it. Left out on purpose: symmetry breaking, which would need a proof of its own.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rekkyo.ask.solve import solve_blocks
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.export.cnf import Clause, Cnf, dimacs
from rekkyo.export.formulas import blocking_clause, cnf_of
from rekkyo.export.text import writer
from rekkyo.model.csp.completion import with_best_value
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle, check_puzzle
from rekkyo.model.row import Row
from rekkyo.plain import PYTHON
from rekkyo.runs.certificate import MOST_SOLUTIONS, MOST_WAIT_S, Certificate, checked_limit
from rekkyo.runs.certificate_folder import NoProof, check_unused, drafted, seal, write_readme
from rekkyo.search.progress import Watcher

MOST_LITERALS = 20_000_000
"""About 130 MB of text and 1 GB in the solver."""

SOLVER = "cadical195"


class NoSolver(BadInput):
    """No SAT solver is installed."""


class ProofTooLong(NoProof):
    """No proof was found in time."""


class TooManySolutions(BadInput):
    """More solutions than a certificate lists."""


def certify(
    puzzle: Puzzle, folder: str | Path, *, limit_s: float = 600.0, watch: Watcher | None = None
) -> Certificate:
    """Write a certificate into a new folder. limit_s: the longest that solver and elaboration may take.

    Raises BadInput for a puzzle without a formula, one with too many solutions, or a folder in use; NoProof;
    CountsDisagree if the solver finds a solution that is not on the list.
    """
    check_puzzle(puzzle)
    limit_s = checked_limit(limit_s)
    check_unused(folder)
    _check_solver()
    cnf = cnf_of(with_best(puzzle, ()).model)  # raises before the search
    rows = _all_rows(puzzle, watch)
    known = with_best(puzzle, rows)
    if known is not puzzle:
        cnf = cnf_of(known.model)
    blocked = with_rows_blocked(cnf, puzzle, rows)
    n_literals = sum(map(len, blocked.clauses))
    if n_literals > MOST_LITERALS:
        raise TooManySolutions(
            f"{puzzle.name}: the formula with {len(rows):,} solutions blocked has {n_literals:,} literals,"
            f" more than {MOST_LITERALS:,}; certify the count (--count), or a part, with something given"
        )
    with drafted(folder) as draft:
        (draft / "formula.cnf").write_bytes(dimacs_bytes(cnf, puzzle.name))
        (draft / "solutions.txt").write_bytes(rows_text(puzzle, rows))
        (draft / "blocked.cnf").write_bytes(dimacs_bytes(blocked, puzzle.name))
        n_steps, prove_s, elaborate_s = _prove(draft, puzzle, limit_s)
        certificate = Certificate(
            puzzle=puzzle.name,
            folder=str(folder),
            total=len(rows),
            n_variables=blocked.n_variables,
            n_clauses=len(blocked.clauses),
            n_steps=n_steps,
            proof_bytes=(draft / "proof.drat").stat().st_size,
            lrat_bytes=(draft / "proof.lrat").stat().st_size,
            prove_s=prove_s,
            elaborate_s=elaborate_s,
            solver=SOLVER,
        )
        write_readme(draft, "list", certificate=certificate, meaning=cnf.meaning)
        seal(draft, certificate, puzzle)
    return certificate


def with_best(puzzle: Puzzle, rows: Sequence[Row]) -> Puzzle:
    """The puzzle with the best value of its objective, from a row; without rows, without objective."""
    if not isinstance(puzzle.model, Csp) or puzzle.model.objective is None:
        return puzzle
    return replace(puzzle, model=with_best_value(puzzle.model, rows[0] if rows else None))


def with_rows_blocked(cnf: Cnf, puzzle: Puzzle, rows: list[Row]) -> Cnf:
    """The formula with a further clause for each row, in their order, that excludes it."""
    blocked: list[Clause] = [blocking_clause(puzzle.model, row) for row in rows]
    return replace(cnf, clauses=(*cnf.clauses, *blocked))


def dimacs_bytes(cnf: Cnf, title: str) -> bytes:
    """The content of a file with a formula."""
    return dimacs(cnf, title).encode("ascii", "replace")


def rows_text(puzzle: Puzzle, rows: list[Row]) -> bytes:
    """The content of solutions.txt. rows: with their filler."""
    values = np.array(rows, dtype=np.uint32).reshape(-1, puzzle.model.row_shape.length)
    return writer("rows", puzzle)(values)


def _check_solver() -> None:
    has_solver = subprocess.run([*PYTHON, "-c", "import pysat.solvers"], capture_output=True, check=False)
    if has_solver.returncode:
        raise NoSolver(
            "certificates of lists need a SAT solver: pip install 'rekkyo[certify]';"
            " or certify the count (--count)"
        )


def _all_rows(puzzle: Puzzle, watch: Watcher | None) -> list[Row]:
    rows: list[Row] = []
    for block in solve_blocks(puzzle, limit=MOST_SOLUTIONS + 1, watch=watch):
        rows += map(tuple, block.tolist())
    if len(rows) > MOST_SOLUTIONS:
        raise TooManySolutions(
            f"{puzzle.name} has more than {MOST_SOLUTIONS:,} solutions, too many for a list; certify the"
            " count (--count), or recount it with another engine (rekkyo run, rekkyo recount)"
        )
    return rows


def _prove(draft: Path, puzzle: Puzzle, limit_s: float) -> tuple[int, float, float]:
    """Write both proofs, in a process that can be ended; returns the lines and the seconds of both parts."""
    command = [*PYTHON, "-m", "rekkyo.runs.prove", SOLVER, str(draft.resolve())]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=min(limit_s, MOST_WAIT_S),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ProofTooLong(
            f"{puzzle.name}: {SOLVER} found no proof within {limit_s:g} s; give it longer (--limit-seconds)"
        ) from None
    if done.returncode:
        reason = (done.stderr.strip() or "no message").splitlines()[-1]
        raise NoProof(f"{puzzle.name}: {SOLVER} failed: {reason}")
    verdict = done.stdout.split()
    if verdict[0] == "failed":
        raise OSError(int(verdict[1]), os.strerror(int(verdict[1])))
    if verdict[0] == "satisfiable":
        raise CountsDisagree(
            f"{puzzle.name}: {SOLVER} found a solution that is not among those listed; please report this"
        )
    return int(verdict[1]), float(verdict[2]), float(verdict[3])
