"""Certificates of counts that are too large for a list: a diagram of all solutions, which proves the count.

The engine that counts by merging equal states writes its states as a diagram, including dead ends.
`check_count.py`, plain Python that imports nothing of rekkyo, proves from the diagram and the problem alone
that every path through the diagram is a solution and that none is missing, and counts them. Source: see
there.

    problem.opb     the puzzle, as sums of variables that are 0 or 1, for counters of pseudo-Boolean problems
    diagram.nnf     all solutions, as a deterministic decomposable diagram, for counters of such
    check_count.py  a copy of the checker
    puzzle.*        a copy of the puzzle's file, where it came from one
    certificate.json  the count, seconds, and the hashes of all that
    README.txt, SHA256SUMS  how to check it by hand

`check_certificate.py` checks it. Left out on purpose: puzzles with coloured items, hidden variables or cells
that must be connected, for which we write no pseudo-Boolean form.
"""

from __future__ import annotations

import time
from pathlib import Path

from rekkyo.engines.covers.frontier.plan import make_plan as make_cover_plan
from rekkyo.engines.csp.frontier.plan import make_plan as make_csp_plan
from rekkyo.engines.diagram.nnf import nnf
from rekkyo.errors import EngineRefuses
from rekkyo.export.opb import PseudoBoolean, constraint_lines, opb, opb_of
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.runs import check_count
from rekkyo.runs.certificate import SUMS, CountCertificate
from rekkyo.runs.certificate_folder import NoProof, check_unused, drafted, seal

MOST_DIAGRAM_BYTES = 1 << 28
"""Checking takes 15 times as much memory."""

MOST_STATE_BYTES = 1 << 31


def certify_count(puzzle: Puzzle, folder: str | Path) -> CountCertificate:
    """Write a certificate of the count into a new folder, and check it there.

    Raises BadInput for a puzzle that has no pseudo-Boolean form, or a folder in use; EngineRefuses if the
    states take too much memory; NoProof if the diagram is too large or does not prove the count.
    """
    check_unused(folder)
    problem = opb_of(puzzle.model)
    with drafted(folder) as draft:
        started = time.perf_counter()
        (draft / "problem.opb").write_bytes(problem_bytes(problem, puzzle.name))
        n_nodes = _write_diagram(draft / "diagram.nnf", puzzle, problem)
        (draft / "check_count.py").write_bytes(checker_bytes())
        written = time.perf_counter()
        total = proved_total(draft)
        certificate = CountCertificate(
            puzzle=puzzle.name,
            folder=str(folder),
            total=total,
            n_variables=problem.n_variables,
            n_constraints=len(constraint_lines(problem)),
            n_nodes=n_nodes,
            diagram_bytes=(draft / "diagram.nnf").stat().st_size,
            write_s=written - started,
            check_s=time.perf_counter() - written,
        )
        (draft / "README.txt").write_bytes(_readme(certificate, problem.meaning).encode("utf-8", "replace"))
        seal(draft, certificate, puzzle)
    return certificate


def problem_bytes(problem: PseudoBoolean, title: str) -> bytes:
    """The content of problem.opb."""
    return opb(problem, title).encode("ascii", "replace")


def checker_bytes() -> bytes:
    """The content of check_count.py."""
    return Path(check_count.__file__).read_bytes()


def proved_total(folder: Path) -> int:
    """The count that problem.opb and diagram.nnf prove. Raises NoProof."""
    try:
        with (folder / "problem.opb").open("rb") as one, (folder / "diagram.nnf").open("rb") as other:
            return check_count.count(check_count.read_problem(one), *check_count.read_diagram(other))
    except check_count.NotProved as reason:
        raise NoProof(f"the diagram does not prove the count: {reason}") from None


def _write_diagram(path: Path, puzzle: Puzzle, problem: PseudoBoolean) -> int:
    """Write diagram.nnf; returns its number of nodes."""
    model = lower(puzzle.model)
    plan = make_cover_plan(model) if isinstance(model, ExactCover) else make_csp_plan(as_csp(model))
    n_bytes, n_lines = 0, 0
    with path.open("wb") as file:
        for line in nnf(plan, problem.variable_of, model.row_shape, MOST_STATE_BYTES):
            n_bytes += file.write(line.encode("ascii"))
            n_lines += 1
            if n_bytes > MOST_DIAGRAM_BYTES:
                raise EngineRefuses(
                    f"{puzzle.name}: the diagram of all solutions has more than"
                    f" {MOST_DIAGRAM_BYTES >> 20} MB; recount the puzzle with another engine instead"
                )
    return n_lines - 1


def _readme(certificate: CountCertificate, meaning: str) -> str:
    return f"""Certificate: {certificate.puzzle} has exactly {certificate.total} solutions.

problem.opb     the puzzle in the OPB format of pseudo-Boolean problems; {meaning}.
diagram.nnf     all solutions, as a decision diagram in the NNF format: smooth, deterministic, decomposable.
check_count.py  a program that finds out from these two that the count is right, of 299 lines of plain Python.
puzzle.*        a copy of the puzzle's file, where it came from one.

All of the following at once, where rekkyo is installed; this changes nothing here:
       rekkyo certify --check .

By hand, and with programs that are not ours:

1. That no file has changed by accident:
       sha256sum -c {SUMS}
2. That problem.opb says what the puzzle says: read it, or compare it with a problem of your own.
3. That it has {certificate.total} solutions: read check_count.py, and
       python check_count.py problem.opb diagram.nnf
   Or count the solutions of problem.opb by any counter of pseudo-Boolean problems, where one gets through.
"""
