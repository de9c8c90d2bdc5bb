"""Certificates: the list of all solutions, and a proof by a SAT solver that there is no other.

The formula of the puzzle with every listed solution blocked is unsatisfiable if and only if the list is
complete. CaDiCaL (through python-sat) writes a DRAT proof of that, for any checker such as drat-trim: only
the code that writes the formula has to be trusted. Source: N. Wetzler, M. Heule, W. Hunt, "DRAT-trim:
efficient checking and trimming using expressive clausal proofs" (SAT 2014).

    formula.cnf     the puzzle
    solutions.txt   all solutions, a row a line
    blocked.cnf     formula.cnf, and one clause for each line of solutions.txt, in its order
    proof.drat      why blocked.cnf has no solution
    certificate.json  counts, versions, seconds
    README.txt      how to check all that

Left out on purpose: symmetry breaking, which would need a proof of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from rekkyo.ask.solve import solve_blocks
from rekkyo.errors import BadInput, CountsDisagree, RekkyoError
from rekkyo.export.formulas import blocking_clause, cnf_of, dimacs
from rekkyo.export.text import writer
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Row
from rekkyo.search.progress import Watcher

MOST_SOLUTIONS = 200_000
MOST_LITERALS = 20_000_000
"""About 130 MB of text and 1 GB in the solver."""

SOLVER = "cadical195"


class NoProof(RekkyoError):
    """The solver did not finish in time."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate holds. n_steps: lines of the proof. prove_s: seconds of the solver."""

    puzzle: str
    folder: str
    total: int
    n_variables: int
    n_clauses: int
    n_steps: int
    proof_bytes: int
    prove_s: float
    solver: str


def certify(
    puzzle: Puzzle, folder: str | Path, *, limit_s: float = 600.0, watch: Watcher | None = None
) -> Certificate:
    """Write a certificate into a new folder. limit_s: the longest that the solver may take.

    Raises BadInput for a puzzle without a formula, one with too many solutions, or a folder in use; NoProof;
    CountsDisagree when the solver finds a solution that is not on the list.
    """
    target = Path(folder)
    _check(target, limit_s)
    cnf = cnf_of(puzzle.model)
    rows = _all_rows(puzzle, watch)
    blocked = [blocking_clause(puzzle.model, row) for row in rows]
    n_literals = sum(map(len, cnf.clauses)) + sum(map(len, blocked))
    if n_literals > MOST_LITERALS:
        raise BadInput(
            f"{puzzle.name}: the formula with {len(rows):,} solutions blocked has {n_literals:,} literals,"
            f" more than {MOST_LITERALS:,}; certify a part of the puzzle, with something given"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        formula = dimacs(cnf, puzzle.name)
        (draft / "formula.cnf").write_text(formula, encoding="ascii", errors="replace", newline="\n")
        _write_rows(draft / "solutions.txt", puzzle, rows)
        _write_blocked(draft / "blocked.cnf", formula, len(cnf.clauses), blocked)
        steps, seconds = _prove(draft, puzzle, limit_s)
        certificate = Certificate(
            puzzle=puzzle.name,
            folder=str(target),
            total=len(rows),
            n_variables=cnf.n_variables,
            n_clauses=len(cnf.clauses) + len(rows),
            n_steps=steps,
            proof_bytes=(draft / "proof.drat").stat().st_size,
            prove_s=seconds,
            solver=SOLVER,
        )
        (draft / "README.txt").write_bytes(_readme(certificate, cnf.meaning).encode())
        facts = asdict(certificate)
        del facts["folder"]
        (draft / "certificate.json").write_bytes(json.dumps(facts, indent=2).encode() + b"\n")
        draft.chmod(0o777 & ~_umask())
        if target.exists():
            target.rmdir()  # it is empty; Windows puts no folder in the place of another
        os.replace(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return certificate


def _check(target: Path, limit_s: float) -> None:
    if find_spec("pysat") is None:
        raise BadInput("certificates need a SAT solver: pip install 'rekkyo[certify]'")
    if not limit_s > 0:
        raise BadInput(f"the limit must be a number of seconds above 0, not {limit_s!r}")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadInput(f"{target} is in use; name a new folder for the certificate")


def _all_rows(puzzle: Puzzle, watch: Watcher | None) -> list[Row]:
    rows: list[Row] = []
    for block in solve_blocks(puzzle, limit=MOST_SOLUTIONS + 1, watch=watch):
        rows += map(tuple, block.tolist())
    if len(rows) > MOST_SOLUTIONS:
        raise BadInput(
            f"{puzzle.name} has more than {MOST_SOLUTIONS:,} solutions, too many for a certificate; recount"
            " it with another engine instead (rekkyo run, rekkyo recount)"
        )
    return rows


def _write_rows(path: Path, puzzle: Puzzle, rows: list[Row]) -> None:
    import numpy as np

    values = np.array(rows, dtype=np.uint32).reshape(-1, puzzle.model.row_shape.length)
    path.write_bytes(writer("rows", puzzle)(values))


def _write_blocked(path: Path, formula: str, n_clauses: int, blocked: list[tuple[int, ...]]) -> None:
    head, _, tail = formula.partition(f" {n_clauses}\n")
    with path.open("w", encoding="ascii", errors="replace", newline="\n") as file:
        file.write(f"{head} {n_clauses + len(blocked)}\n{tail}")
        file.writelines(" ".join(map(str, (*clause, 0))) + "\n" for clause in blocked)


def _prove(draft: Path, puzzle: Puzzle, limit_s: float) -> tuple[int, float]:
    """Have the solver write the proof, in a process that can be ended; returns its lines and the seconds."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "rekkyo.runs.prove", SOLVER, str(draft)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise NoProof(
            f"{puzzle.name}: {SOLVER} found no proof within {limit_s:g} s; give it longer (--limit-seconds)"
        ) from None
    if done.returncode:
        reason = (done.stderr.strip() or "no message").splitlines()[-1]
        raise NoProof(f"{puzzle.name}: {SOLVER} failed: {reason}")
    verdict = done.stdout.split()
    if verdict[0] == "satisfiable":
        raise CountsDisagree(
            f"{puzzle.name}: {SOLVER} found a solution that is not among those listed; please report this"
        )
    return int(verdict[1]), time.perf_counter() - started


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _readme(certificate: Certificate, meaning: str) -> str:
    return f"""Certificate: {certificate.puzzle} has exactly {certificate.total} solutions.

formula.cnf    the puzzle in DIMACS form; {meaning}.
solutions.txt  all solutions, a row a line.
blocked.cnf    formula.cnf, and after its clauses one more for each line of solutions.txt, which rules it out.
proof.drat     a DRAT proof that blocked.cnf has no solution, written by {certificate.solver}.

1. That formula.cnf says what the puzzle says: read it, or compare it with a formula of your own.
2. That every listed solution is one, and none is listed twice:
       rekkyo verify {certificate.puzzle} < solutions.txt
3. That there is no other, with a checker that is not ours:
       drat-trim blocked.cnf proof.drat
"""
