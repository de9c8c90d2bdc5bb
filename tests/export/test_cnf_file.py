"""Formulas from files in DIMACS form: counts against all assignments, every refusal, and any text at all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.registry import all_engines
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.export import cnf_file
from rekkyo.export.cnf_file import read_cnf
from rekkyo.export.puzzle_files import write_dimacs
from rekkyo.model.csp.csp import MAX_CONSTRAINTS, MAX_VARIABLES
from rekkyo.model.puzzle import Puzzle
from tests.programs import rekkyo

Formula = list[list[int]]

COUNTING = ("csp", "csp-plain", "csp-cover", "csp-frontier", "csp-diagram", "csp-values")
"""The engines of constraints."""


def puzzle_of(text: str) -> Puzzle:
    model = read_cnf(text, "f.cnf")
    return Puzzle("f.cnf", model, "a formula")


def text_of(n: int, clauses: Formula, shown: Sequence[int] | None = None) -> str:
    show = "" if shown is None else f"c p show {' '.join(map(str, (*shown, 0)))}\n"
    return f"p cnf {n} {len(clauses)}\n{show}" + "".join(f"{' '.join(map(str, (*c, 0)))}\n" for c in clauses)


def models(n: int, clauses: Formula, shown: Sequence[int] | None = None) -> set[tuple[bool, ...]]:
    """What the shown variables are in the assignments that satisfy all clauses."""
    seen = range(1, n + 1) if shown is None else sorted(set(shown))
    return {
        tuple(values[v - 1] for v in seen)
        for values in product((False, True), repeat=n)
        if all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
    }


def random_formula(dice: random.Random) -> tuple[int, Formula, list[int] | None]:
    n = dice.randint(0, 8)
    literals = [x for v in range(1, n + 1) for x in (v, -v)]
    sizes = [dice.choice((1, 2, 2, 3, 3, 4)) if n else 0 for _ in range(dice.randint(0, 2 * n))]
    clauses = [dice.choices(literals, k=size) for size in sizes]
    shown = [v for v in range(1, n + 1) if dice.random() < 0.6] if dice.random() < 0.5 else None
    return n, clauses, shown


@pytest.mark.parametrize("seed", range(40))
def test_counts_are_those_of_all_assignments_by_every_engine(seed: int) -> None:
    formula = random_formula(random.Random(seed))
    puzzle, expected = puzzle_of(text_of(*formula)), models(*formula)
    found = {frozenset(enumerate(row)) for row in rk.solve(puzzle, workers=1)}
    if puzzle.model.names[-1] != "~constant":
        assert found == {frozenset((at, int(value)) for at, value in enumerate(row)) for row in expected}
    assert rk.count(puzzle, workers=1).total == len(expected)
    n_counted = 0
    for engine in COUNTING:
        try:
            assert rk.count(puzzle, engine=engine, workers=1).total == len(expected), engine
        except EngineRefuses:
            continue
        n_counted += 1
    assert n_counted >= 2


def test_no_engine_of_constraints_is_left_out() -> None:
    puzzle = puzzle_of(text_of(3, [[1, 2], [-2, 3]]))
    assert {engine.name for engine in all_engines() if engine.accepts(puzzle.model)} <= {*COUNTING}


def fibonacci(n: int) -> int:
    one, other = 1, 1
    for _ in range(n):
        one, other = other, one + other
    return one


@pytest.mark.parametrize("n", [45, 60])
def test_a_path_of_clauses_is_merged(n: int, tmp_path: Path) -> None:
    """No two neighbours are true: Fibonacci numbers. Listed, 60 variables would have 4e12 solutions."""
    path = tmp_path / "path.cnf"
    path.write_text(text_of(n, [[-v, -v - 1] for v in range(1, n)]), encoding="utf-8")
    puzzle = rk.puzzle_from_file(path)
    for workers, up_to in product((1, 2), ("none", "symmetry")):
        counted = rk.count(puzzle, workers=workers, up_to=up_to)
        assert counted.total == fibonacci(n + 1)
        assert counted.engine == "csp-frontier"
    status = rk.run(puzzle, tmp_path / "run", engine="csp-frontier", workers=1, count_only=True)
    assert (status.total, status.state) == (fibonacci(n + 1), "finished")
    assert rekkyo("recount", tmp_path / "run", ok=True).returncode == 0


def random_chain(dice: random.Random) -> tuple[int, Formula]:
    """Clauses of two or three variables that are not farther than two from each other. More than 1e11 models."""
    n = dice.randint(45, 60)
    clauses = []
    for first in range(1, n - 1):
        near = sorted(dice.sample(range(first, first + 3), dice.choice((2, 3))))
        if dice.random() < 0.7:
            clauses.append([dice.choice((-1, 1)) * v for v in near])
    return n, clauses


def models_of_chain(n: int, clauses: Formula) -> int:
    """From variable to variable, the assignments of the last two are counted."""
    ways = {(False, False): 1}
    for last in range(1, n + 1):
        before, ways = ways, {}
        for (two_before, one_before), number in before.items():
            for value in (False, True):
                known = {last - 2: two_before, last - 1: one_before, last: value}
                ending = (clause for clause in clauses if max(map(abs, clause)) == last)
                if all(any(known[abs(x)] == (x > 0) for x in clause) for clause in ending):
                    ways[one_before, value] = ways.get((one_before, value), 0) + number
    return sum(ways.values())


@pytest.mark.parametrize("seed", range(6))
def test_a_chain_is_merged(seed: int) -> None:
    n, clauses = random_chain(random.Random(seed))
    puzzle, expected = puzzle_of(text_of(n, clauses)), models_of_chain(n, clauses)
    for workers, up_to in product((1, 2), ("none", "symmetry")):
        counted = rk.count(puzzle, workers=workers, up_to=up_to)
        assert (counted.total, counted.engine) == (expected, "csp-frontier")


def test_a_run_keeps_the_file_and_goes_on_without_it(tmp_path: Path) -> None:
    path = tmp_path / "f.cnf"
    path.write_text(text_of(4, [[1, 2], [-3, 4]], [1, 3]), encoding="utf-8")
    rekkyo("run", path, "--out", tmp_path / "run", ok=True)
    path.unlink()
    assert (tmp_path / "run" / "puzzle.cnf").is_file()
    assert "total 4" in rekkyo("status", tmp_path / "run", ok=True).stdout


@pytest.mark.parametrize("words", ["queens 5", "langford 4", "schur 2 4", "dominoes 2 3"])
def test_what_is_written_is_read_and_has_as_many_models(words: str) -> None:
    puzzle = rk.puzzle(words)
    assert rk.count(puzzle_of(write_dimacs(puzzle)), workers=1).total == rk.count(puzzle, workers=1).total


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("c a comment\nc p showing is a comment\np cnf 2 1\n1 2 0\n", 3),
        ("p  cnf\t2 1 \r\n1\r\n 2\r\n0\r\n", 3),
        ("p cnf 2 2\n1 0 2 0", 1),
        ("p cnf 2 1\n1 2 0\n%\n0\n", 3),
        ("c shows 3 of 10\nc 1 2 0\np cnf 2 1\n1 2 0\n", 3),
        ("c p show 2 0\np cnf 3 1\n1 2 0\nc p show 2 3 0\n", 4),
        ("c ind 1 0\np cnf 3 1\n1 2 0\n", 2),
        ("c ind is a word\np cnf 3 1\n1 2 0\n", 6),
        ("c---\ncomment 1 0\np cnf 2 1\nc-1 0\n1 2 0\n", 3),
        ("c t foo\nc t\nc t wmc of a competition\np cnf 2 1\n1 2 0\n", 3),
        ("c t mc\np cnf 2 1\n1 2 0\n", 3),
        ("c t pmc\np cnf 3 1\nc p show 0\n1 2 0\n", 1),
        ("p cnf 1 2\nc p show 0\n1 0\n-1 0\n", 0),
        ("p cnf 2 1\n1 -1 0\n", 4),
        ("p cnf 2 1\n1 1 0\n", 2),
        ("p cnf 2 1\n0\n", 0),
        ("p cnf 0 0\n", 1),
        ("p cnf 200 1\n-1 0\n", 1 << 199),
    ],
)
def test_forms_of_files(text: str, total: int) -> None:
    assert rk.count(puzzle_of(text), workers=1).total == total


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r'1: there is no line "p cnf VARIABLES CLAUSES"; write one before the clauses'),
        ("c\n1 2 0\n", r'2: a clause before the line "p cnf VARIABLES CLAUSES"; write that line first'),
        ("p cnf 2 0\np cnf 2 0\n", r'2: there is a line "p cnf" before; leave one out'),
        ("p wcnf 2 1 9\n9 1 0\n", r'1: weights \("p wcnf"\) are not counted; write "p cnf"'),
        ("p cnf 2\n", r'1: the line is not "p cnf VARIABLES CLAUSES"; write that'),
        ("p col 2 1\n", r'1: the line is not "p cnf'),
        ("p cnf -2 1\n", r"1: a formula cannot have -2 variables; write how many it has"),
        ("p cnf 2 -1\n", r"1: a formula cannot have -1 clauses"),
        ("p cnf two 1\n", r'1: "two" is not a whole number'),
        ("p cnf ² 1\n", r'1: "²" is not a whole number'),
        (
            f"p cnf {MAX_VARIABLES} 0\n",
            rf"1: {MAX_VARIABLES} variables are more than the {MAX_VARIABLES - 1} that",
        ),
        (f"p cnf 1 {MAX_CONSTRAINTS + 1}\n", rf"1: {MAX_CONSTRAINTS + 1} clauses are more than the"),
        (f"p cnf {'9' * 5000} 1\n", r"1: 9{27}\.\.\. has more than 9 digits; make it smaller"),
        ("p cnf 2 1\n1 2\n\n", r"2: this clause has no 0 at its end; write it, or the file is cut off"),
        ("p cnf 2 2\n1 0\n", r'3: "p cnf" speaks of 2 clauses, and there are 1; correct that line'),
        ("p cnf 2 1\n1 0\n2 0\n", r'3: there are more than the 1 clauses of "p cnf"; correct that line'),
        ("p cnf 2 1\n1 -3 0\n", r"2: there is no variable 3; they go from 1 to 2"),
        ("p cnf 2 1\n1 x2 0\n", r'2: "x2" is not a whole number; write variables, and 0 after each clause'),
        ("p cnf 2 1\n1 1.5 0\n", r'2: "1\.5" is not a whole number'),
        ("p cnf 2 1\n1 -- 0\n", r'2: "--" is not a whole number'),
        ("c p show 3 0\np cnf 2 0\n", r"1: there is no variable 3; they go from 1 to 2"),
        ("c p show 1\np cnf 2 0\n", r"1: shown variables are numbers from 1, and 0 at the end of the line"),
        ("c p show\np cnf 2 0\n", r"1: shown variables are numbers from 1"),
        ("c p show -1 0\np cnf 2 0\n", r"1: shown variables are numbers from 1"),
        (
            "c P SHOW 1 0\np cnf 2 0\n",
            r"1: this comment names shown variables, but none are read from it; write c p",
        ),
        ("p cnf 2 0\ncp shows 1 2 0\n", r"2: this comment names shown variables"),
        ("c show 0\np cnf 2 0\n", r"1: this comment names shown variables"),
        ("c t wmc\np cnf 2 0\n", r"1: weights are not counted; without this line, models are counted"),
        ("c t pwmc\np cnf 2 0\n", r"1: weights are not counted"),
        ("p cnf 2 0\nc p weight 1 0.4 0\n", r"2: weights are not counted"),
    ],
)
def test_refusals_name_the_line(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=rf"^f\.cnf:{complaint}") as refused:
        read_cnf(text, "f.cnf")
    assert len(str(refused.value).splitlines()) == 1


def test_too_many_literals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf_file, "MAX_USES", 3)
    assert read_cnf("p cnf 2 2\n1 2 0\n1 0\n", "f.cnf").names == ("x1", "x2")
    with pytest.raises(BadInput, match=r"^f\.cnf:3: more than the 3 literals that rekkyo takes on"):
        read_cnf("p cnf 2 2\n1 2 0\n1 2 0\n", "f.cnf")


@given(st.text() | st.text("pcnf show-%0123\n "))
@example("p cnf 1 1\n-0")
@example("c p show \x1c1 0\np cnf 1 0")
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        read_cnf(text, "f.cnf")
    except BadInput as problem:
        assert len(str(problem).splitlines()) == 1


def test_a_refused_file_ends_the_command_with_code_2(tmp_path: Path) -> None:
    path = tmp_path / "f.cnf"
    path.write_text("p cnf 2 1\n1 2\n", encoding="utf-8")
    done = rekkyo("count", path)
    said = "rekkyo: f.cnf:2: this clause has no 0 at its end; write it, or the file is cut off\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
