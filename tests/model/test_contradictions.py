"""Reasons for no solution that are seen without a search: each is true, and the ones that people make are seen."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.constraints import AllDifferent, Clause, Linear, Product, Table
from rekkyo.model.csp.contradictions import MOST, contradictions
from rekkyo.model.csp.csp import Csp
from rekkyo.model.obstacles import obstacles
from tests import csp_strategies, naive_csp

BOARD = 'kind = "grid"\nvalues = "1..9"\nboard = """\n...\n...\n"""\n'
CAGE = '[[cage]]\nregions = """\nAAA\n...\n"""\nA = "{}"\n'
PAIR = '[[cage]]\ncells = "0,0 0,1"\neach = "{}"\n'
ORDER = '[[compare]]\ncells = "{}"\n'


@given(csp_strategies.models((Linear, Product, Table, AllDifferent, Clause), max_variables=4))
@settings(max_examples=100)
def test_a_model_with_a_contradiction_has_no_solution(model: Csp) -> None:
    """About one model in eight has one."""
    if contradictions(model):
        assert naive_csp.solutions(model) == []


@pytest.mark.parametrize(
    ("clauses", "seen"),
    [
        (CAGE.format("sum 100"), ["0,0 + 0,1 + 0,2 is from 3 to 27, but must be 100"]),
        (CAGE.format("sum 2"), ["0,0 + 0,1 + 0,2 is from 3 to 27, but must be 2"]),
        (CAGE.format("sum 27"), []),
        (CAGE.format("sum 3"), []),
        (CAGE.format("sum 5, sum 6"), ["0,0 + 0,1 + 0,2 must be both 5 and 6"]),
        (CAGE.format("sum 5, sum 5"), []),
        (PAIR.format("sum 3") + PAIR.format("sum 4"), ["0,0 + 0,1 must be both 3 and 4"]),
        (PAIR.format("product 100"), ["0,0 * 0,1 is from 1 to 81, but must be 100"]),
        (PAIR.format("product 81"), []),
        (PAIR.format("odd") + PAIR.format("sum 7"), ["0,0 + 0,1 is never 7"]),
        (PAIR.format("from 258") + PAIR.format("sum 10"), []),
        (PAIR.format("from 258") + PAIR.format("sum 9"), ["0,0 + 0,1 is never 9"]),
        (PAIR.format("odd") + ORDER.format("0,0 0,1 = 1,1 1"), []),
        (PAIR.format("product 11"), ["0,0 * 0,1 is never 11"]),
        (CAGE.format("product 22"), ["0,0 * 0,1 * 0,2 is never 22"]),
        (PAIR.format("squares 500"), ["a sum of 2 numbers is from 2 to 162, but must be 500"]),
        (PAIR.format("difference 9"), ["no values of 0,0 and 0,1 fit together"]),
        (PAIR.format("difference 8"), []),
        (ORDER.format("0,0 < 0,1 < 0,0"), ["0,1 < 0,0 < 0,1 is a circle"]),
        (ORDER.format("0,0 > 0,1 > 1,1 > 0,0"), ["0,0 < 1,1 < 0,1 < 0,0 is a circle"]),
        (CAGE.format("sum 10") + ORDER.format("0,0 < 0,1 < 0,0"), ["0,1 < 0,0 < 0,1 is a circle"]),
        (ORDER.format("0,0 < 0,1 < 1,1"), []),
        (ORDER.format("0,0 <= 0,1 <= 0,0"), []),
        (ORDER.format("0,0 0,1 = 1,1 50"), ["0,0 + 0,1 - 1,1 is from -7 to 17, but must be 50"]),
        (ORDER.format("0,0 0,0 0,1 <= 2"), ["2*0,0 + 0,1 is from 3 to 27, but must be at most 2"]),
    ],
)
def test_what_is_seen_in_a_grid(clauses: str, seen: list[str]) -> None:
    puzzle = read_toml(BOARD + clauses, "mine.toml")
    assert obstacles(puzzle.model) == seen
    if seen:
        assert rk.count(puzzle).total == 0
    else:
        assert rk.count(puzzle, limit=1).total == 1


@pytest.mark.parametrize("relation", ["=", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("values", [(2,), (1, 2)])
def test_a_sum_is_refused_only_if_no_value_fits(relation: str, values: tuple[int, ...]) -> None:
    """For each constant around the values, compared in Python."""
    for constant in range(5):
        problem = rk.Problem()
        problem.linear((1,), problem.variables("x", values), relation, constant)
        compared = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}[relation]
        assert bool(contradictions(problem.model())) != any(compared(x, constant) for x in values)


def test_given_values_count() -> None:
    text = BOARD.replace("...", "9..", 1) + PAIR.format("sum 9")
    assert obstacles(read_toml(text, "mine.toml").model) == ["0,0 + 0,1 is from 10 to 18, but must be 9"]


def test_hidden_variables_are_not_named() -> None:
    """Numbers among variables are hidden variables with one value."""
    problem = rk.Problem()
    x, y = problem.variables(("x", "y"), (0, 1))
    zero, one, free = (problem.hidden(domain) for domain in ((0,), (1,), (0, 1)))
    problem.all_different((x, y, zero, one))
    problem.all_different((one, problem.variable("z", (1,))))
    problem.table((y, free), [(2, 2)])
    assert contradictions(problem.model()) == [
        "1 and z are both 1, but must differ",
        "x and y and 0 and 1 must differ, but have 2 values",
        "1 and z must differ, but have 1 value",
        "no values of y and a hidden value fit together",
    ]


def test_of_many_reasons_some_are_told() -> None:
    problem = rk.Problem()
    for x in problem.variables([f"x{number}" for number in range(2 * MOST)], (1, 2)):
        problem.linear((1,), (x,), "!=", 1)
        problem.linear((1,), (x,), "=", 3)
    told = contradictions(problem.model())
    assert told == [f"x{number} is from 1 to 2, but must be 3" for number in range(MOST)]


def test_rules_of_a_member_of_a_family_that_cannot_hold() -> None:
    text = 'kind = "grid"\nvalues = "1..2"\nboard = "rectangle 1 {n}"\n{clause}\n[family]\nn = "1..4"\n'
    different = text.replace("{clause}", '[[different]]\nregions = "rows"')
    count = text.replace("{clause}", "[[count]]\nvalue = 1\ntimes = 3")
    said = [obstacles(read_toml(each, "x", values=("2",)).model) for each in (different, count)]
    assert said == [[], ["one of its conditions can never hold"]]
    said = [obstacles(read_toml(each, "x", values=("3",)).model) for each in (different, count)]
    assert said == [["0,0 and 0,1 and 0,2 must differ, but have 2 values"], []]
