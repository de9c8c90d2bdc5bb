"""Formulas: their shape, and a recount by a solver that is not ours, with blocking clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given
from pysat.solvers import Solver

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.formulas import Cnf, atom_literal, cnf_of, dimacs
from rekkyo.model.coloring import Coloring
from tests import naive_coloring as naive

Row = tuple[int, ...]


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


@given(model=naive.models())
def test_every_solution_extends_in_one_way(model: Coloring) -> None:
    """So that a counter that knows of no projection counts the same."""
    cnf = cnf_of(model)
    everything = Cnf(cnf.n_variables, cnf.clauses, tuple(range(1, cnf.n_variables + 1)), "")
    assert len(list(assignments(everything))) == len(naive.solutions(model))


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


def test_other_models_have_none_yet() -> None:
    with pytest.raises(BadInput, match="models of type SumFigure have no DIMACS text yet"):
        cnf_of(rk.puzzle("magic-square 3").model)
