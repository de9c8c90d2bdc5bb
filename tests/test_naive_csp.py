"""The oracle for constraint satisfaction: counts that are known, and the definitions of the package."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from rekkyo.model.csp.constraints import CONSTRAINTS
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds
from rekkyo.model.csp.problem import Problem
from tests import csp_strategies, naive_csp


def by_definition(model: Csp) -> list[naive_csp.Row]:
    """All assignments, one by one."""
    good = [
        values
        for values in product(*model.domains)
        if all(holds(constraint, values) for constraint in model.constraints)
    ]
    if model.objective is not None and good:
        choose = max if model.objective.maximize else min
        best = choose(values[model.objective.variable] for values in good)
        good = [values for values in good if values[model.objective.variable] == best]
    return sorted({tuple(model.values.index(values[v]) for v in model.solution) for values in good})


@given(csp_strategies.models())
@settings(max_examples=150)
def test_the_oracle_and_the_definitions_agree(model: Csp) -> None:
    assert naive_csp.solutions(model) == by_definition(model)


def test_the_oracle_and_the_random_problems_have_every_kind() -> None:
    """Tests of readers, writers and engines go through these kinds."""
    assert set(naive_csp.KINDS) == set(csp_strategies.MAKERS) == set(CONSTRAINTS)


@pytest.mark.parametrize("kind", naive_csp.KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_constraint(kind: type) -> None:
    @given(csp_strategies.models((kind,), max_variables=4))
    @settings(max_examples=30)
    def check(model: Csp) -> None:
        assert naive_csp.solutions(model) == by_definition(model)

    check()


@pytest.mark.parametrize(("n", "total"), [(1, 1), (2, 2), (3, 12), (4, 576)])
def test_latin_squares(n: int, total: int) -> None:
    """OEIS A002860."""
    problem = Problem()
    cells = problem.variables((f"{row},{column}" for row in range(n) for column in range(n)), range(n))
    for line in range(n):
        problem.all_different(cells[line * n : line * n + n])
        problem.all_different(cells[line::n])
    assert len(naive_csp.solutions(problem.model())) == total


@pytest.mark.parametrize(("n", "total"), [(4, 2), (5, 10), (6, 4)])
def test_queens(n: int, total: int) -> None:
    """OEIS A000170, with a hidden variable for each diagonal."""
    problem = Problem()
    columns = problem.variables(map(str, range(n)), range(n))
    for sign in (1, -1):
        diagonals = [problem.hidden(range(-n, 2 * n)) for _ in range(n)]
        for row, (column, diagonal) in enumerate(zip(columns, diagonals, strict=True)):
            problem.linear((1, -1), (column, diagonal), "=", sign * row)
        problem.all_different(diagonals)
    problem.all_different(columns)
    assert len(naive_csp.solutions(problem.model())) == total


@pytest.mark.parametrize(("n", "subcircuit", "total"), [(4, False, 6), (5, False, 24), (4, True, 21)])
def test_cycles(n: int, subcircuit: bool, total: int) -> None:
    """(n - 1)! cycles through all; with some left out: 1 + 6 pairs + 4 * 2 triangles + 6."""
    problem = Problem()
    problem.circuit(problem.variables(map(str, range(n)), range(n)), subcircuit=subcircuit)
    assert len(naive_csp.solutions(problem.model())) == total


def test_an_objective_leaves_the_best() -> None:
    problem = Problem()
    a, b = problem.variables("ab", range(5))
    total = problem.hidden(range(9))
    problem.linear((1, 1, -1), (a, b, total), "=", 0)
    problem.linear((1, 2), (a, b), "<=", 6)
    problem.maximize(total)
    assert naive_csp.solutions(problem.model()) == [(4, 1)]
