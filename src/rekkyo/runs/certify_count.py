"""Certificates of counts that are too large for a list: a diagram of all solutions, which proves the count.

The engine that counts by merging equal states writes its states as a diagram, including dead ends.
`check_count.py`, plain Python that imports nothing of rekkyo, proves from the diagram and the problem alone
that every path through the diagram is a solution and that none is missing, and counts them. Its docstring
names the source.

    problem.opb     the puzzle, as sums of variables that are 0 or 1, for counters of pseudo-Boolean problems
    diagram.nnf     all solutions, as a deterministic decomposable diagram, for counters of such
    check_count.py  a copy of the checker
    puzzle.*        a copy of the puzzle's file, where it came from one
    certificate.json  the count, the seconds that it took, and the hashes of the other files
    README.txt, SHA256SUMS  how to check it by hand

`check_certificate.py` checks the whole folder. Left out on purpose: puzzles without a solution, and puzzles
for which `export/opb.py` writes no problem: queens, coloured items, hidden variables, and constraints with
too many assignments, such as cells that must be connected.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rekkyo.engines.covers.frontier.plan import make_plan as make_cover_plan
from rekkyo.engines.csp.frontier.plan import make_plan as make_csp_plan
from rekkyo.engines.diagram.nnf import nnf
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.errors import EngineRefuses
from rekkyo.export.opb import PseudoBoolean, constraint_lines, opb, opb_of
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model, Puzzle, check_puzzle
from rekkyo.runs import check_count
from rekkyo.runs.certificate import CountCertificate
from rekkyo.runs.certificate_folder import NoProof, check_unused, drafted, seal, write_readme

MOST_DIAGRAM_BYTES = 1 << 28
"""Checking takes 15 times as much memory."""

MOST_STATE_BYTES = 1 << 31
"""The most memory for the states of the diagram and their successors."""


def certify_count(puzzle: Puzzle, folder: str | Path) -> CountCertificate:
    """Write a certificate of the count into a new folder, and check it there.

    Raises BadInput for a puzzle that has no pseudo-Boolean form, or a folder in use; EngineRefuses if there
    is no solution, the states take too much memory or the diagram is too large; NoProof if the diagram does
    not prove the count.
    """
    check_puzzle(puzzle)
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
        n_lines = len(checker_bytes().splitlines())
        write_readme(draft, "count", certificate=certificate, meaning=problem.meaning, n_lines=n_lines)
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
        fix = "a list of all solutions, without --count, may be proved"
        raise NoProof(f"the diagram does not prove the count: {reason}; {fix}") from None


def plan_of_proof(model: Model) -> FrontierPlan[Any]:
    """The levels of the diagram. No domain is narrowed before, as each value must be seen to fail."""
    if isinstance(model, ExactCover):
        return make_cover_plan(model)
    return make_csp_plan(as_csp(model), handicap=0.0)


def _write_diagram(path: Path, puzzle: Puzzle, problem: PseudoBoolean) -> int:
    """Write diagram.nnf; returns its number of nodes."""
    model = lower(puzzle.model)
    plan = plan_of_proof(model)
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
