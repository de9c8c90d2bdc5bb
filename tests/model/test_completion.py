"""Rows of models with an objective: the best value follows from one best row, and other rows lack it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from rekkyo.model.csp.completion import problems_of, with_best_value
from rekkyo.model.csp.constraints import Diagram, Linear, Regular, Table
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.csp.definition import holds, left_by
from tests import made_once as st
from tests.csp_strategies import VALUES, constraint_of


def doubled(*, maximize: bool, shown: tuple[int, ...] = (0,)) -> Csp:
    """A number x from 1 to 3, and twice x, which is sought."""
    constraint = Linear((2, -1), (0, 1), "=", 0)
    return Csp(
        ("x", "twice"), ((1, 2, 3), tuple(range(10))), (constraint,), shown, Objective(1, maximize=maximize)
    )


@pytest.mark.parametrize(("maximize", "x", "best"), [(False, 1, 2), (True, 3, 6)])
def test_a_hidden_objective(maximize: bool, x: int, best: int) -> None:
    model = doubled(maximize=maximize)
    known = with_best_value(model, (x - 1,))
    assert known.objective == Objective(1, maximize, best)
    assert [problems_of(model, (index,)) for index in range(3)] == [[], [], []]
    wrong = [f"Linear of x, twice does not hold for the best value {best}"]
    assert [problems_of(known, (index,)) for index in range(3)] == [
        [] if index + 1 == x else wrong for index in range(3)
    ]


def test_an_objective_that_is_shown() -> None:
    model = doubled(maximize=False, shown=(0, 1))
    known = with_best_value(model, (1, 2))
    assert known.objective == Objective(1, False, 2)
    assert problems_of(known, (1, 2)) == []
    assert problems_of(known, (2, 4)) == ["twice is not 2, its best value"]


def test_a_value_of_another_variable_is_a_problem() -> None:
    """0 is a value of `twice` alone, and twice 0 is 0."""
    model = replace(doubled(maximize=False, shown=(0, 1)), objective=None)
    assert problems_of(model, (0, 0)) == ["x = 0 is not in its domain"]


def test_without_an_objective_or_a_row_there_is_no_best_value() -> None:
    model = doubled(maximize=True)
    plain = replace(model, objective=None)
    assert with_best_value(model, None) == with_best_value(plain, (0,)) == plain


def test_a_guess_that_failed_leaves_no_value_behind() -> None:
    """With a = 0 there are b = d = 0, and no e; with a = 1, b and d would be both equal and different."""
    bits, (x, a, b, d, e) = (0, 1), range(5)
    pairs = list(product(bits, repeat=2))
    constraints = (
        Linear((1, -1), (b, a), "<=", 0),
        Linear((1, -1), (d, a), "<=", 0),
        Table((a, b, d, e), tuple((1, *row) for row in product(bits, repeat=3))),
        Table(
            (a, b, d), tuple((one, *pair) for one in bits for pair in pairs if not one or len({*pair}) == 1)
        ),
        Table(
            (a, b, d), tuple((one, *pair) for one in bits for pair in pairs if not one or len({*pair}) == 2)
        ),
    )
    model = Csp(tuple("xabde"), (bits,) * 5, constraints, (x,))
    assert problems_of(model, (0,)) == ["the other variables can have no values"]
    assert problems_of(replace(model, constraints=constraints[:-1]), (0,)) == []


class Rows(tuple[tuple[int, ...], ...]):
    """Rows that count how often someone goes through them."""

    times = 0

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        self.times += 1
        return super().__iter__()

    def __contains__(self, row: Any) -> bool:
        self.times += 1
        return super().__contains__(row)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_table_is_gone_through_once_for_all_values_of_a_variable(allowed: bool) -> None:
    """It may have as many rows as there are pairs of values."""
    table = Table((0, 1, 2, 2), tuple((x, y, x, y) for x in range(40) for y in range(40)), allowed)
    rows = Rows(table.rows)
    object.__setattr__(table, "rows", rows)
    domains = (tuple(range(40)), tuple(range(40)), tuple(range(40)))
    model = Csp(tuple("xyz"), domains, (table,), (0, 1))
    rows.times = 0
    assert problems_of(model, (7, 7)) == []
    assert problems_of(model, (7, 8)) == (["the other variables can have no values"] if allowed else [])
    assert rows.times <= 4


def test_an_automaton_is_gone_through_once_for_each_of_its_variables() -> None:
    """The first of them may have many values. A word is such a value and its two digits to base 7."""
    moves = [(0, x, 1 + x) for x in range(40)] + [(1 + x, x // 7, 41 + x % 7) for x in range(40)]
    moves += [(41 + x, x, 48) for x in range(7)]
    automaton = Regular((0, 1, 2), 49, tuple(moves), (48,))
    edges = Rows(automaton.transitions)
    object.__setattr__(automaton, "transitions", edges)
    model = Csp(tuple("xyz"), (tuple(range(40)), tuple(range(7)), tuple(range(7))), (automaton,), (1, 2))
    edges.times = 0
    assert problems_of(model, (1, 2)) == []
    assert edges.times <= 3


@pytest.mark.parametrize("n_shown", [49, 50])
def test_a_long_word_does_not_go_through_the_automaton_again_and_again(n_shown: int) -> None:
    """The state is the number of ones, of which there are 25."""
    n = 50
    moves = tuple((state, bit, state + bit) for state in range(n) for bit in (0, 1))
    automaton = Regular(tuple(range(n)), n + 1, moves, (n // 2,))
    edges = Rows(automaton.transitions)
    object.__setattr__(automaton, "transitions", edges)
    model = Csp(tuple(map(str, range(n))), ((0, 1),) * n, (automaton,), tuple(range(n_shown)))
    edges.times = 0
    assert problems_of(model, ((0, 1) * n)[:n_shown]) == []
    assert edges.times <= 3


@given(st.integers(1, 4).flatmap(lambda n: constraint_of(Regular, n) | constraint_of(Diagram, n)), st.data())
@settings(max_examples=100)
def test_the_values_that_an_automaton_or_diagram_leaves_by_definition(
    constraint: Regular | Diagram, data: Any
) -> None:
    """Each value is tried. A variable may be there twice."""
    variables = sorted(set(constraint.variables))
    known = {v: data.draw(VALUES) for v in variables}
    for v in variables:
        wanted = [x for x in range(-2, 6) if holds(constraint, known | {v: x})]
        assert left_by(constraint, v, known, range(-2, 6)) == wanted
