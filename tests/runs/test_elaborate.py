"""Proofs with hints: what the elaborator writes, our own checker accepts, and it accepts nothing that is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from dratify import check_proof, parse_dimacs
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

import rekkyo as rk
from rekkyo.runs import elaborate as module
from rekkyo.runs import lrat
from rekkyo.runs.elaborate import BadProof, elaborate
from rekkyo.runs.lrat import Clause, NotProved, check_lrat, read_dimacs

PAIRS = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
"""No values of two variables satisfy all four."""


def elaborated(formula: list[Clause], proof: list[str], folder: Path) -> tuple[list[bytes], list[bytes]]:
    """The lines of both files."""
    n_variables = max((abs(literal) for clause in formula for literal in clause), default=0)
    drat, lrat = folder / "proof.drat", folder / "proof.lrat"
    n_lines = elaborate(n_variables, formula, proof, drat, lrat)
    lines = drat.read_bytes().splitlines(keepends=True)
    assert len(lines) == n_lines
    return lines, lrat.read_bytes().splitlines(keepends=True)


def is_checked(formula: list[Clause], lrat: list[bytes]) -> bool:
    try:
        list(check_lrat(formula, lrat))
    except NotProved:
        return False
    return True


literals = st.integers(1, 6).flatmap(lambda variable: st.sampled_from([variable, -variable]))
clauses = st.sets(literals, max_size=4).filter(
    lambda clause: not any(-literal in clause for literal in clause)
)
formulas = st.lists(clauses.map(lambda clause: tuple(sorted(clause))), min_size=6, max_size=40)


def has_solution(formula: list[Clause]) -> bool:
    assignments = product(*((v, -v) for v in range(1, 7)))
    return any(all(set(clause) & set(one) for clause in formula) for one in assignments)


@pytest.mark.kernel
class TestElaborate:
    @given(formula=formulas)
    def test_what_a_solver_proves(
        self, formula: list[Clause], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        if has_solution(formula):
            return
        filled = [clause for clause in formula if clause]
        with Solver(name="cadical195", bootstrap_with=filled, with_proof=True) as solver:
            proof = [] if solver.solve() else solver.get_proof()
        drat, lrat = elaborated(formula, proof, tmp_path_factory.mktemp("proof"))
        assert list(check_lrat(formula, lrat)) == drat

    def test_only_steps_that_are_needed_stay_and_what_is_used_up_goes(self, tmp_path: Path) -> None:
        formula = [*PAIRS, (3, 4), (3, -4)]
        drat, lrat = elaborated(formula, ["3 0", "1 0", "0"], tmp_path)
        assert drat == [b"1 0\n", b"d 1 -2 0\n", b"d 1 2 0\n", b"-2 0\n", b"d -1 -2 0\n", b"0\n"]
        assert lrat == [b"7 1 0 2 1 0\n", b"7 d 2 1 0\n", b"8 -2 0 7 4 0\n", b"8 d 4 0\n", b"9 0 7 8 3 0\n"]
        text = "p cnf 4 6\n" + "".join(f"{' '.join(map(str, clause))} 0\n" for clause in formula)
        assert check_proof(parse_dimacs(text), b"".join(drat).decode()).ok

    def test_what_was_deleted_is_not_used(self, tmp_path: Path) -> None:
        with pytest.raises(BadProof, match=r"step 2 of its proof does not follow"):
            elaborated(PAIRS, ["d 2 1 0", "1 0", "0"], tmp_path)

    def test_a_clause_that_is_there_twice_is_deleted_once(self, tmp_path: Path) -> None:
        drat, _ = elaborated([*PAIRS, (1, 2)], ["d 1 2 0", "1 0", "0"], tmp_path)
        assert drat[-1] == b"0\n"

    def test_what_a_unit_clause_made_true_stays_true_when_it_is_deleted(self, tmp_path: Path) -> None:
        formula = [(1,), (-1, 2), (-2, 3, 4), (-2, 3, -4), (-2, -3, 4), (-3, -4)]
        _, lrat = elaborated(formula, ["d 1 0", "d -1 2 0", "3 0", "0"], tmp_path)
        assert is_checked(formula, lrat)

    def test_a_step_that_does_not_follow(self, tmp_path: Path) -> None:
        with pytest.raises(BadProof, match="step 1 of its proof does not follow"):
            elaborated(PAIRS[:3], ["-1 0", "0"], tmp_path)

    def test_a_proof_without_an_end(self, tmp_path: Path) -> None:
        with pytest.raises(BadProof, match="ends without a contradiction"):
            elaborated(PAIRS[:3], ["1 0"], tmp_path)

    def test_a_proof_that_is_too_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST_NUMBERS", 4)
        with pytest.raises(BadProof, match="too large: more than 4 hints for the first"):
            elaborated(PAIRS, ["1 0", "0"], tmp_path)

    def test_two_equal_clauses_are_deleted_by_two_deletions(self, tmp_path: Path) -> None:
        formula, proof = [*PAIRS, (1, 2)], ["d 2 1 0", "d 1 2 0", "1 0", "0"]
        with pytest.raises(BadProof, match="step 3 of its proof does not follow"):
            elaborated(formula, proof, tmp_path)

    def test_steps_are_deleted_too(self, tmp_path: Path) -> None:
        formula = [(1, 2, 3), (1, 2, -3), (1, -2, 4), (1, -2, -4), (-1, 2), (-1, -2)]
        proof = ["1 2 0", "1 -2 0", "d 1 2 3 0", "d 1 2 0", "1 0", "0"]
        with pytest.raises(BadProof, match="step 5 of its proof does not follow"):
            elaborated(formula, proof, tmp_path)

    def test_a_step_that_is_a_clause_of_the_formula_is_deleted_alone(self, tmp_path: Path) -> None:
        _, lrat = elaborated(PAIRS, ["1 2 0", "d 1 2 0", "1 0", "0"], tmp_path)
        assert is_checked(PAIRS, lrat)
        with pytest.raises(BadProof, match="step 4 of its proof does not follow"):
            elaborated(PAIRS, ["1 2 0", "d 1 2 0", "d 1 2 0", "1 0", "0"], tmp_path)

    def test_deletions_of_what_is_not_there(self, tmp_path: Path) -> None:
        formula = [*PAIRS, (3, 4)]
        _, lrat = elaborated(formula, ["d 3 4 0", "d 4 3 0", "d 5 6 0", "1 0", "0"], tmp_path)
        assert is_checked(formula, lrat)

    @pytest.mark.parametrize("step", ["1 3 0", "3 1 0"])
    def test_a_step_with_a_literal_that_is_false_already(self, step: str, tmp_path: Path) -> None:
        formula = [(-3,), (1, 2, 3), (1, -2, 4), (-4, 3), (-1, 2), (-1, -2)]
        drat, lrat = elaborated(formula, [step, "0"], tmp_path)
        assert list(check_lrat(formula, lrat)) == drat
        with pytest.raises(BadProof, match="step 1 of its proof does not follow"):
            elaborated([(-3,), (1, 2)], [step, "0"], tmp_path)

    def test_a_step_with_a_literal_that_is_true_already(self, tmp_path: Path) -> None:
        formula = [(3,), *PAIRS]
        drat, lrat = elaborated(formula, ["-2 3 0", "1 0", "0"], tmp_path)
        assert list(check_lrat(formula, lrat)) == drat

    @pytest.mark.parametrize("chunk", [4, 1 << 22])
    def test_pigeons(self, chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Five do not fit into four holes. Steps share clauses, and the records come in one or more pieces."""
        monkeypatch.setattr(module, "CHUNK", chunk)
        sizes: list[int] = []
        follow = module._follow

        def counted(given: module._Input) -> Iterator[module.Numbers]:
            for piece in follow(given):
                sizes.append(len(piece))
                yield piece

        monkeypatch.setattr(module, "_follow", counted)
        at = [[4 * pigeon + hole for hole in range(1, 5)] for pigeon in range(5)]
        formula = [*map(tuple, at), (21,)]
        formula += [
            (-21, -one, -other) for hole in zip(*at, strict=True) for one, other in combinations(hole, 2)
        ]
        with Solver(name="cadical195", bootstrap_with=formula, with_proof=True) as solver:
            assert not solver.solve()
            proof = solver.get_proof()
        drat, lrat = elaborated(formula, proof, tmp_path)
        assert list(check_lrat(formula, lrat)) == drat
        assert (len(sizes) > 3) == (chunk == 4)
        monkeypatch.setattr(module, "MOST_NUMBERS", sum(sizes) - 1)
        with pytest.raises(BadProof, match="its proof is too large"):
            elaborated(formula, proof, tmp_path)


class TestChecker:
    LRAT = (b"5 1 0 1 2 0\n", b"5 d 1 2 0\n", b"6 2 0 5 3 0\n", b"7 0 5 6 4 0\n")

    def test_a_proof(self) -> None:
        drat = [b"1 0\n", b"d 1 2 0\n", b"d 1 -2 0\n", b"2 0\n", b"0\n"]
        assert list(check_lrat(PAIRS, self.LRAT)) == drat

    @pytest.mark.parametrize(
        ("line", "wrong", "message"),
        [
            (0, b"5 1 0 1 0\n", "its hints lead to no contradiction"),
            (0, b"5 1 0 3 1 2 0\n", "hint 3 says nothing"),
            (0, b"5 3 0 1 3 4 0\n", "hint 1 says nothing"),
            (0, b"5 1 0 1 2 3 0\n", "hint 3 comes after the contradiction"),
            (0, b"5 1 0 1 9 0\n", "there is no clause 9"),
            (0, b"5 -1 0 1 2 0\n", "says nothing"),
            (0, b"5 1 0 0\n", "is not a step"),
            (0, b"5 1 0 1 -2 0\n", "is not a step"),
            (0, b"5 1 0 1 2 0", "is not a step"),
            (0, b"5 1 0 1 2 0\r\n", "is not a step"),
            (0, b"5 1 0 1 +2 0\n", "is not a step"),
            (0, b"5 1 0 1 0_2 0\n", "is not a step"),
            (0, b"5 1 0 1 " + b"9" * 5000 + b" 0\n", "is not a step"),
            (0, b"\xff\n", "is not a step"),
            (0, b"6 1 0 1 2 0\n", "has a wrong number"),
            (1, b"4 d 1 2 0\n", "has a wrong number"),
            (1, b"5 d 5 5 0\n", "there is no clause 5"),
            (1, b"5 d 3 0\n", "there is no clause 3"),
            (3, b"7 -1 0 5 6 4 0\n", "hint 5 says nothing"),
            (3, b"7 3 0 5 6 4 0\n", "ends without the empty clause"),
        ],
    )
    def test_what_is_wrong(self, line: int, wrong: bytes, message: str) -> None:
        lines = [*self.LRAT[:line], wrong, *self.LRAT[line + 1 :]]
        with pytest.raises(NotProved, match=message):
            list(check_lrat(PAIRS, lines))

    @pytest.mark.parametrize("more", [b"7 d 5 0\n", b"8 1 0 7 0\n"])
    def test_nothing_comes_after_the_empty_clause(self, more: bytes) -> None:
        with pytest.raises(
            NotProved, match=r"line 5 of the proof is not a step, or has a wrong number or place"
        ):
            list(check_lrat(PAIRS, [*self.LRAT, more]))

    @pytest.mark.parametrize("line", [0, 2, 3])
    def test_a_step_left_out_or_there_twice(self, line: int) -> None:
        lines = list(self.LRAT)
        assert not is_checked(PAIRS, lines[:line] + lines[line + 1 :])
        assert not is_checked(PAIRS, lines[: line + 1] + lines[line:])

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (b"", "the formula has no header"),
            (b"c x\n1 0\n", r"line 2 of the formula is not `p cnf VARIABLES CLAUSES`"),
            (b"p cnf 1 99999999999999999999\n", "line 1 of the formula is not"),
            (b"p cnf 2 1\n1 2\n", "line 2 of the formula is not a clause"),
            (b"p cnf 2 1\n1 0 2 0\n", "line 2 of the formula is not a clause"),
            (b"p cnf 2 2\n1 2 0\n", "the header says 2 clauses, but there are 1"),
            (b"p cnf 1 1\n1 2 0\n", "a variable is greater than 1"),
        ],
    )
    def test_texts_that_are_no_dimacs(self, text: bytes, message: str) -> None:
        with pytest.raises(NotProved, match=message):
            read_dimacs(text.splitlines(keepends=True))

    def test_a_formula_without_variables(self) -> None:
        assert read_dimacs([b"p cnf 0 1\n", b"0\n"]) == (0, [()])

    def test_as_a_program(self, tmp_path: Path) -> None:
        """Without rekkyo, from a folder of its own; whatever is wrong is said in one line."""
        (tmp_path / "pairs.cnf").write_text("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n")
        (tmp_path / "proof.lrat").write_bytes(b"".join(self.LRAT))
        command = [sys.executable, "-I", lrat.__file__]

        def run(*names: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*command, *names], cwd=tmp_path, capture_output=True, text=True, check=False
            )

        done = run("pairs.cnf", "proof.lrat")
        assert (done.returncode, done.stdout, done.stderr) == (0, "proved in 5 steps\n", "")
        for names in (("proof.lrat", "pairs.cnf"), ("pairs.cnf", "no.lrat"), ("pairs.cnf",), ()):
            done = run(*names)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr.startswith("not proved: ")
            assert done.stderr.count("\n") == 1

    def test_it_imports_nothing_of_ours(self) -> None:
        source = Path(module.__file__).with_name("lrat.py").read_text(encoding="utf-8")
        imports = [line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))]
        assert imports == ["__future__", "re", "sys", "collections.abc", "pathlib"]


@pytest.mark.parametrize("n_impossible", [1, 2, 3])
def test_constraints_that_are_impossible_alone(n_impossible: int, tmp_path: Path) -> None:
    """The formula has an empty clause for each, and the solver deletes one of two."""
    problem = rk.Problem()
    cells = problem.variables("abc", range(2))
    for cell in cells[:n_impossible]:
        problem.table([cell], [])
    puzzle = problem.puzzle("none")
    assert rk.certify(puzzle, tmp_path / "cert").total == 0
    assert rk.check_certificate(tmp_path / "cert", puzzle=puzzle).passed
