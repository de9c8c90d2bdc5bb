"""Certificates: checked by a checker that is not ours, and with a fault at each step."""

from __future__ import annotations

import errno
import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dratify import check_proof, parse_dimacs
from hypothesis import given
from pysat.solvers import Solver

import rekkyo as rk
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.export.cnf import Cnf
from rekkyo.export.formulas import blocking_clause, cnf_of
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.queens import Queens
from rekkyo.runs import certify as module
from rekkyo.runs.certificate_folder import check_unused, drafted
from rekkyo.runs.certify import NoProof, certify
from tests import made_once as st
from tests import naive, naive_cover
from tests.programs import rekkyo

EXAMPLES = Path(__file__).parents[2] / "examples"


def is_proved(folder: Path, blocked: str) -> bool:
    return bool(check_proof(parse_dimacs(blocked), (folder / "proof.drat").read_text()).ok)


class TestCertificates:
    @pytest.mark.parametrize(
        ("words", "total"),
        [
            ("queens 6", 4),
            ("queens 3", 0),
            ("queens 5 --toroidal", 10),
            ("queens 7 --blocked 1,3 --given 0,1", None),
            ("langford 7", 52),
            ("hip 3 --any-balance", 248),  # of 2^9 colourings, those with no square of one colour
            ("hip 7", 0),
            ("dominoes 4 4", 36),
            ("magic-square 3", 8),
        ],
    )
    def test_a_foreign_checker_accepts_them(self, words: str, total: int | None, tmp_path: Path) -> None:
        certificate = certify(rk.puzzle(words), tmp_path / "cert")
        assert total in (None, certificate.total)
        folder = tmp_path / "cert"
        assert is_proved(folder, (folder / "blocked.cnf").read_text())
        assert len((folder / "solutions.txt").read_text().splitlines()) == certificate.total
        facts = json.loads((folder / "certificate.json").read_text())
        assert (facts["puzzle"], facts["total"]) == (words, certificate.total)

    def test_what_it_says_about_its_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        prove = module._prove
        monkeypatch.setattr(module, "_prove", lambda *arguments: (prove(*arguments)[0], 1.5, 2.5))
        folder = tmp_path / "cert"
        certificate = certify(rk.puzzle("queens 6"), folder)
        head = next(
            line for line in (folder / "blocked.cnf").read_text().splitlines() if line.startswith("p cnf ")
        )
        assert head.split() == ["p", "cnf", str(certificate.n_variables), str(certificate.n_clauses)]
        assert certificate.n_steps == len((folder / "proof.drat").read_bytes().splitlines())
        sizes = [(folder / f"proof.{kind}").stat().st_size for kind in ("drat", "lrat")]
        assert [certificate.proof_bytes, certificate.lrat_bytes] == sizes
        assert (certificate.prove_s, certificate.elaborate_s) == (1.5, 2.5)
        assert certificate.folder == str(folder)

    def test_without_one_of_the_solutions_the_proof_proves_nothing(self, tmp_path: Path) -> None:
        folder = tmp_path / "cert"
        certify(rk.puzzle("queens 6"), folder)
        lines = (folder / "blocked.cnf").read_text().splitlines()
        clauses = [line for line in lines if not line.startswith(("c", "p"))]
        for left_out in clauses[-4:]:
            fewer = [clause for clause in clauses if clause != left_out]
            assert not is_proved(folder, "\n".join([f"p cnf 36 {len(fewer)}", *fewer]) + "\n")

    def test_a_solution_that_the_engine_missed_is_found(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def all_but_one(puzzle: Any, **_: Any) -> Any:
            yield np.array(list(rk.solve(puzzle))[1:])

        monkeypatch.setattr(module, "solve_blocks", all_but_one)
        with pytest.raises(CountsDisagree, match="found a solution that is not among those listed"):
            certify(rk.puzzle("queens 6"), tmp_path / "cert")
        assert list(tmp_path.iterdir()) == []


class TestConstraints:
    """Puzzles of variables and constraints; with an objective the proof says that nothing is better, too."""

    @pytest.mark.parametrize(
        ("words", "total"),
        [
            ("skyscrapers.toml", 1),
            ("grid-cycles.toml 4", 6),
            ("golomb-ruler.toml", 4),
            ("bishops.toml 4", 16),
        ],
    )
    def test_examples(self, words: str, total: int, tmp_path: Path) -> None:
        """Cycles: A003763; rulers: twice A036501; bishops: 2 to the power of n (Yaglom and Yaglom)."""
        name, *numbers = words.split()
        puzzle = rk.puzzle_from_file(EXAMPLES / name, *map(int, numbers))
        folder = tmp_path / "cert"
        assert certify(puzzle, folder).total == total
        assert is_proved(folder, (folder / "blocked.cnf").read_text())
        assert rk.check_certificate(folder).passed

    def test_no_solution_at_all(self, tmp_path: Path) -> None:
        puzzle = self.sum_of_two(total=19)
        assert certify(puzzle, tmp_path / "cert").total == 0
        assert rk.check_certificate(tmp_path / "cert", puzzle=puzzle).passed

    def test_a_list_of_second_best_solutions_is_no_certificate(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The best product is 20, and a list of those with 18 misses it."""
        puzzle = self.sum_of_two(total=9)
        [best] = {row[-1] for row in rk.solve(puzzle)}
        assert isinstance(puzzle.model, rk.Csp)
        everything = replace(puzzle, model=replace(puzzle.model, objective=None))
        worse = [row for row in rk.solve(everything) if row[-1] == best - 2]
        assert worse
        monkeypatch.setattr(module, "solve_blocks", lambda *_, **__: iter([np.array(worse)]))
        with pytest.raises(CountsDisagree, match="found a solution that is not among those listed"):
            certify(puzzle, tmp_path / "cert")

    def test_worse_solutions_beside_the_best_are_found(self, tmp_path: Path) -> None:
        puzzle = self.sum_of_two(total=9)
        assert certify(puzzle, tmp_path / "cert").total == 2
        solutions = tmp_path / "cert" / "solutions.txt"
        solutions.write_text(solutions.read_text() + "2 5 17\n", newline="\n")
        checks = {
            check.what: check for check in rk.check_certificate(tmp_path / "cert", puzzle=puzzle).checks
        }
        assert checks["solutions.txt"].passed is False
        assert "product is not 20, its best value" in checks["solutions.txt"].detail

    @staticmethod
    def sum_of_two(total: int) -> rk.Puzzle:
        problem = rk.Problem()
        a, b = problem.variables("ab", range(1, 10))
        product = problem.variable("product", range(1, 82))
        problem.linear((1, 1), (a, b), "=", total)
        problem.product((a, b), product)
        problem.maximize(product)
        return problem.puzzle()


class TestRefusals:
    def test_a_folder_in_use(self, tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("keep me")
        with pytest.raises(BadInput, match="is in use; name a new folder"):
            certify(rk.puzzle("queens 6"), tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

    def test_a_name_of_the_greatest_length(self, tmp_path: Path) -> None:
        folder = tmp_path / ("n" * 255)
        assert certify(rk.puzzle("queens 3"), folder).total == 0
        assert rk.check_certificate(folder).passed

    @pytest.mark.parametrize("exists", [True, False])
    def test_a_link_leads_to_the_new_folder(self, exists: bool, tmp_path: Path) -> None:
        """It stays, and its folder may be there or not."""
        if exists:
            (tmp_path / "cert").mkdir()
        (tmp_path / "link").symlink_to("cert")
        assert certify(rk.puzzle("queens 3"), tmp_path / "link").total == 0
        assert (tmp_path / "link").is_symlink()
        assert rk.check_certificate(tmp_path / "cert").passed
        assert sorted(path.name for path in tmp_path.iterdir()) == ["cert", "link"]

    @pytest.mark.parametrize(
        ("name", "complaint"),
        [
            ("loop", "loop is in use; name a new folder"),
            ("file", "file is in use; name a new folder"),
            ("to-file", "to-file is in use; name a new folder"),
            ("full", "full is in use; name a new folder"),
            ("to-full", "to-full is in use; name a new folder"),
            ("file/new/cert", "file is not a folder that you may write; name another"),
            (".", "is the current folder, which cannot be replaced; name a new folder"),
        ],
    )
    def test_folders_that_cannot_be_made_are_refused_before_the_work(
        self, name: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "file").write_text("")
        (tmp_path / "file").write_text("")
        for link, target in (("loop", "loop"), ("to-file", "file"), ("to-full", "full")):
            (tmp_path / link).symlink_to(target)
        for check in (check_unused, lambda folder: rk.publish([], folder, statement="none")):
            with pytest.raises(BadInput, match=complaint):
                check(name if name == "." else tmp_path / name)

    def test_too_many_solutions(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST_SOLUTIONS", 91)
        with pytest.raises(BadInput, match="queens 8 has more than 91 solutions, too many for a list"):
            certify(rk.puzzle("queens 8"), tmp_path / "cert")

    def test_too_many_literals(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST_LITERALS", 1000)
        with pytest.raises(BadInput, match=r"92 solutions blocked has .* literals, more than 1,000"):
            certify(rk.puzzle("queens 8"), tmp_path / "cert")

    def test_no_time(self, tmp_path: Path) -> None:
        with pytest.raises(NoProof, match=r"found no proof within 0.01 s; give it longer"):
            certify(rk.puzzle("queens 6"), tmp_path / "cert", limit_s=0.01)
        assert list(tmp_path.iterdir()) == []

    def test_a_limit_that_is_longer_than_systems_wait(self, tmp_path: Path) -> None:
        assert certify(rk.puzzle("queens 6"), tmp_path / "cert", limit_s=1e300).total == 4

    @pytest.mark.parametrize("limit_s", [-1.0, 0.0, math.inf, math.nan])
    def test_limits_that_are_none(self, limit_s: float, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=f"a finite number of seconds above 0, not {limit_s}"):
            certify(rk.puzzle("queens 6"), tmp_path / "cert", limit_s=limit_s)

    @pytest.mark.parametrize("limit_s", [1e9, 1e300])
    def test_limits_longer_than_the_system_waits_at_a_time(self, limit_s: float, tmp_path: Path) -> None:
        assert certify(rk.puzzle("queens 4"), tmp_path / "cert", limit_s=limit_s).total == 2

    def test_nothing_in_the_current_folder_is_executed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        trap = f"open({str(tmp_path / 'executed')!r}, 'w', newline='').close()\n"
        for name in ("pysat", "rekkyo", "numpy"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "__init__.py").write_text(trap, newline="\n")
        monkeypatch.chdir(tmp_path)
        certify(rk.puzzle("queens 6"), tmp_path / "cert")
        assert not (tmp_path / "executed").exists()

    def test_a_solver_in_the_current_folder_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "pysat").mkdir()
        (tmp_path / "pysat" / "solvers.py").write_text("", newline="\n")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(module, "PYTHON", (*module.PYTHON, "-S"))  # no installed packages
        with pytest.raises(BadInput, match="certificates of lists need a SAT solver: pip install"):
            certify(rk.puzzle("queens 6"), tmp_path / "cert")


def models_of(cnf: Cnf) -> list[list[int]]:
    """What holds of the projection in every solution of the formula, one by one."""
    found = []
    with Solver(name="cadical153", bootstrap_with=[list(clause) for clause in cnf.clauses]) as solver:
        solver.add_clause([cnf.n_variables, -cnf.n_variables])
        while solver.solve():
            shown = [literal for literal in solver.get_model() if abs(literal) in cnf.projection]
            found.append(shown)
            solver.add_clause([-literal for literal in shown])
    return found


@st.composite
def covers(draw: st.DrawFn) -> ExactCover:
    """Up to four primary and three secondary items, eight options, with colours and bounds."""
    n_primary, n_secondary = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    options = []
    for _ in range(draw(st.integers(1, 8))):
        primary = draw(st.sets(st.integers(0, n_primary - 1), min_size=1, max_size=2))
        secondary = draw(st.sets(st.integers(0, n_secondary - 1))) if n_secondary else set()
        uses = [(item, 0) for item in sorted(primary)]
        uses += [(n_primary + item, draw(st.integers(0, 2))) for item in sorted(secondary)]
        options.append(tuple(uses))
    bounds = [draw(st.sampled_from([(1, 1), (1, 1), (0, 1), (1, 2), (2, 2)])) for _ in range(n_primary)]
    names = [f"i{item}" for item in range(n_primary + n_secondary)]
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), tuple(options), tuple(bounds))


@given(model=covers())
def test_the_formula_of_a_cover_has_its_solutions(model: ExactCover) -> None:
    chosen = [[literal - 1 for literal in one if literal > 0] for one in models_of(cnf_of(model))]
    assert sorted(naive_cover.padded(model, one) for one in chosen) == naive_cover.solutions(model)


@given(model=covers())
def test_a_blocking_clause_rules_out_its_solution_and_no_other(model: ExactCover) -> None:
    rows = naive_cover.solutions(model)
    n_options = len(model.options)
    for row in rows[:5]:
        clause = set(blocking_clause(model, row))
        for other in rows:
            holds = {o + 1 if o in other else -(o + 1) for o in range(n_options)}
            assert bool(clause & holds) == (other != row)


@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_formula_of_queens_has_their_solutions(n: int, toroidal: bool) -> None:
    model = Queens(n, toroidal=toroidal)
    rows = [
        tuple((literal - 1) % n for literal in sorted(one) if literal > 0) for one in models_of(cnf_of(model))
    ]
    assert sorted(rows) == naive.queens_solutions(n, toroidal=toroidal)


class TestCommand:
    @pytest.mark.parametrize("limit", ["inf", "nan", "-1", "0"])
    @pytest.mark.parametrize("words", [("queens", "4", "-o", "cert"), ("--check", "cert")])
    def test_limits(
        self, words: tuple[str, ...], limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        done = rekkyo("certify", *words, "--limit-seconds", limit)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "a finite number of seconds above 0" in done.stderr

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("queens", "4"), "name a new folder for the certificate, with -o"),
            (("queens", "4", "--check", "cert"), "give --check and nothing else"),
            (("--check", "cert", "-o", "cert"), "give --check and nothing else"),
            (("--check", "cert", "--count"), "give --check and nothing else"),
            (
                ("dominoes", "2", "2", "--count", "--limit-seconds", "5", "-o", "cert"),
                "leave out --limit-seconds",
            ),
            ((), "name a new folder for the certificate, with -o"),
        ],
    )
    def test_what_is_asked_for(self, words: tuple[str, ...], message: str) -> None:
        done = rekkyo("certify", *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr


def test_all_files_are_on_the_disk_before_the_folder_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_ino))
    with drafted(tmp_path / "new") as draft:
        (draft / "inside").mkdir()
        for name in ("a", "inside/b"):
            (draft / name).write_text(name)
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert sorted(synced) == sorted(path.stat().st_ino for path in files)
    assert len(files) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not replace a folder")
def test_an_empty_folder_stays_when_the_new_one_cannot_get_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target = tmp_path / "new"
    target.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space left"), drafted(target) as draft:
            (draft / "a").write_text("a")
    assert list(tmp_path.rglob("*")) == [target]
    with drafted(target) as draft:
        (draft / "a").write_text("a")
    assert list(tmp_path.rglob("*")) == [target, target / "a"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_new_folder_is_private_until_it_gets_its_name(tmp_path: Path) -> None:
    """The folders above it are made, too."""
    target = tmp_path / "a" / "b" / "new"
    with drafted(target) as draft:
        assert draft.stat().st_mode & 0o777 == 0o700
        (draft / "a").write_text("a")
    (tmp_path / "plain").mkdir()
    assert target.stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("code", "out", "said", "error", "message"),
    [
        (1, "", "Traceback\nMemoryError\n", NoProof, r"^queens 6: cadical195 failed: MemoryError$"),
        (-9, "", "", NoProof, r"^queens 6: cadical195 failed: no message$"),
        (0, f"failed {errno.ENOSPC}", "", OSError, "No space left"),
    ],
)
def test_a_solver_that_fails(
    code: int,
    out: str,
    said: str,
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = subprocess.CompletedProcess([], code, out, said)
    monkeypatch.setattr(module, "_check_solver", lambda: None)
    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(error, match=message):
        certify(rk.puzzle("queens 6"), tmp_path / "cert")
    assert list(tmp_path.iterdir()) == []
