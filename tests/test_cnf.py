"""Formulas: their shape, and a recount by a solver that is not ours, with blocking clauses."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysat.solvers import Solver

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export import csp_formula
from rekkyo.export.cnf import Cnf, dimacs
from rekkyo.export.formulas import atom_literal, blocking_clause, cnf_of
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Circuit
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from tests import csp_strategies, naive_cover, naive_csp
from tests import naive_coloring as naive
from tests.fuzz.csp_models import draw_csp

Row = tuple[int, ...]

EXAMPLES = Path(__file__).parents[1] / "examples"


def assignments(cnf: Cnf) -> Iterator[list[int]]:
    """Every assignment of the projection that satisfies the formula, found one by one and then blocked."""
    with Solver(name="cadical153", bootstrap_with=[list(clause) for clause in cnf.clauses]) as solver:
        if cnf.n_variables:
            solver.add_clause([cnf.n_variables, -cnf.n_variables])
        while solver.solve():
            shown = [literal for literal in solver.get_model() if abs(literal) in cnf.projection]
            yield shown
            solver.add_clause([-literal for literal in shown])


def coloring_row(model: Coloring, true_literals: Sequence[int]) -> Row:
    """The solution that an assignment says, given as the literals that hold."""
    holds = set(true_literals)
    return tuple(
        next(color for color in range(model.n_colors) if atom_literal(model, cell, color) in holds)
        for cell in range(model.n_cells)
    )


def rows(model: Coloring) -> list[Row]:
    return sorted(coloring_row(model, literals) for literals in assignments(cnf_of(model)))


@pytest.mark.parametrize(
    "words",
    [
        "hip 4",
        "hip 6",
        "hip 6 --any-balance",
        "hip 7",
        "hip 3 --colors 3",
        "rectangle-free 3 3 2",
        "van-der-waerden 3 4 17",
        "schur 3 13",
        "ramsey 3 4 5",
        "sum-free 10",
    ],
)
def test_a_sat_solver_finds_the_same_solutions(words: str) -> None:
    puzzle = rk.puzzle(words)
    assert isinstance(puzzle.model, Coloring)
    assert rows(puzzle.model) == sorted(rk.solve(puzzle))


@given(model=naive.models())
def test_any_colouring(model: Coloring) -> None:
    assert rows(model) == naive.solutions(model)


@given(model=st.one_of(naive.models(), naive_cover.models()))
@example(model=ExactCover(("a",), bounds=((0, 1),)))
@example(model=ExactCover(("a",)))
def test_every_solution_extends_in_one_way(model: Coloring | ExactCover) -> None:
    """So that a counter that knows of no projection counts the same."""
    cnf = cnf_of(model)
    everything = Cnf(cnf.n_variables, cnf.clauses, tuple(range(1, cnf.n_variables + 1)), "")
    rows = naive.solutions(model) if isinstance(model, Coloring) else naive_cover.solutions(model)
    assert len(list(assignments(everything))) == len(rows)


def test_hip_has_210_clauses_of_4_on_36_variables() -> None:
    cnf = cnf_of(rk.puzzle("hip 6 --any-balance").model)
    assert (cnf.n_variables, len(cnf.clauses), {len(clause) for clause in cnf.clauses}) == (36, 210, {4})
    lines = dimacs(cnf, "hip 6 --any-balance").splitlines()
    assert lines[:3] == ["c hip 6 --any-balance", "c variable v: cell v - 1 has colour 1", "p cnf 36 210"]
    shown = [line.split()[3:] for line in lines if line.startswith("c p show")]
    assert [int(v) for words in shown for v in words if v != "0"] == list(range(1, 37))
    assert all(words[-1] == "0" for words in shown)


def test_the_text_says_what_the_formula_says() -> None:
    cnf = cnf_of(Coloring(3, 3, sets=((0, 1, 2),), bounds=((1, 1), (0, 3), (0, 3)), fixed=((2, 1),)))
    lines = dimacs(cnf, "small").splitlines()
    clauses = [tuple(map(int, line.split()[:-1])) for line in lines if line[0] not in "cp"]
    assert tuple(clauses) == cnf.clauses
    assert f"p cnf {cnf.n_variables} {len(clauses)}" in lines
    assert max(abs(literal) for clause in clauses for literal in clause) == cnf.n_variables


def test_exactly_one_colour_holds() -> None:
    cnf = cnf_of(Coloring(1, 3))
    truths = [
        bits
        for bits in product((False, True), repeat=3)
        if all(any(bits[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in cnf.clauses)
    ]
    assert sorted(map(sum, truths)) == [1, 1, 1]


def named_rows(model: Csp, cnf: Cnf) -> list[Row]:
    """What the assignments say, read as the meaning of the formula says it."""
    found = []
    for literals in assignments(cnf):
        holds, row, first = set(literals), [], 1
        for v in model.solution:
            domain = model.domains[v]
            if len(domain) == 2:
                value = domain[first in holds]
            else:
                [value] = [x for at, x in enumerate(domain) if first + at in holds]
            row.append(model.values.index(value))
            first += 1 if len(domain) == 2 else len(domain)
        found.append(tuple(row))
    return sorted(found)


def random_csp(seed: int) -> Csp:
    model = draw_csp(random.Random(seed), is_middle=False)
    assert isinstance(model, Csp)
    return replace(model, objective=None)


def assert_same_solutions(model: Csp) -> None:
    """Also when the formula is told that every solution is blocked; and no extra variable doubles one."""
    cnf, wanted = cnf_of(model), naive_csp.solutions(model)
    assert named_rows(model, cnf) == wanted
    blocked = [blocking_clause(model, row) for row in wanted]
    assert not list(assignments(replace(cnf, clauses=(*cnf.clauses, *blocked))))
    everything = replace(cnf, projection=tuple(range(1, cnf.n_variables + 1)))
    whole = replace(model, solution=tuple(range(len(model.names))), grid=None)
    assert len(list(assignments(everything))) == len(naive_csp.solutions(whole))


class TestConstraints:
    @given(model=csp_strategies.models())
    def test_every_kind_of_constraint(self, model: Csp) -> None:
        assert_same_solutions(replace(model, objective=None))

    @pytest.mark.parametrize("seed", range(60))
    def test_models_of_the_fuzzer(self, seed: int) -> None:
        assert_same_solutions(random_csp(seed))

    @pytest.mark.parametrize(
        "words",
        ["grid-cycles.toml 4", "star-battle.toml", "costas.toml", "nonogram.toml", "skyscrapers.toml"],
    )
    def test_examples(self, words: str) -> None:
        name, *numbers = words.split()
        puzzle = rk.puzzle_from_file(EXAMPLES / name, *map(int, numbers))
        assert isinstance(puzzle.model, Csp)
        assert named_rows(puzzle.model, cnf_of(puzzle.model)) == sorted(rk.solve(puzzle))

    def test_magic_squares_are_stated_as_constraints(self) -> None:
        puzzle = rk.puzzle("semimagic-square 3")
        assert named_rows(as_csp(puzzle.model), cnf_of(puzzle.model)) == sorted(rk.solve(puzzle))

    def test_an_open_objective_is_refused(self) -> None:
        with pytest.raises(BadInput, match="needs the best value of the objective, which `rekkyo certify`"):
            cnf_of(rk.puzzle_from_file(EXAMPLES / "golomb-ruler.toml").model)

    def test_a_formula_that_is_too_large_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(csp_formula, "MAX_USES", 10_000)
        everywhere = tuple(range(100))
        cycle = Csp(tuple(map(str, everywhere)), (everywhere,) * 100, (Circuit(everywhere),))
        with pytest.raises(BadInput, match="a formula with more than 10000 literals is too large"):
            cnf_of(cycle)


def test_unknown_models_have_none() -> None:
    with pytest.raises(BadInput, match="models of type int have no DIMACS text yet"):
        cnf_of(1)  # type: ignore[arg-type]
