"""The model of sum figures: what it refuses, what it sees before a search, and the check of one row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadModel
from rekkyo.model.equations import Equations
from rekkyo.model.figure_sums import common_sums
from rekkyo.model.obstacles import obstacles
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import Line, SumFigure
from tests.engines.figures import expected, small_figures

FITTING: dict[str, Any] = {
    "cells": ("a", "b", "c"),
    "numbers": (1, 2, 3, 4),
    "lines": (Line((0, 1)), Line((1, 2))),
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"cells": ()}, "1 to 128 cells, not 0"),
        ({"cells": tuple(f"c{k}" for k in range(1000))}, "1 to 128 cells, not 1000"),
        ({"cells": ("a", "b", "a")}, 'two cells are named "a"'),
        ({"cells": ("a", "", "c")}, "the cells are a tuple of names, none empty"),
        ({"cells": ["a", "b", "c"]}, "the cells are a tuple of names, none empty"),
        ({"numbers": (1, 2)}, "3 cells cannot be filled with 2 numbers"),
        ({"numbers": (1, 2, 2, 3)}, "number 2 appears twice; all numbers must differ"),
        ({"numbers": (1, 3, 2)}, "the numbers must increase, but 2 comes after 3"),
        ({"numbers": (1, 2.5, 3)}, "the numbers are a tuple of whole numbers, not 2.5"),
        (
            {"numbers": (1, 2, 10**10)},
            "each number is a whole number from -1000000000 to 1000000000, not 10000000000",
        ),
        ({"numbers": tuple(range(2000))}, "at most 1024 numbers, not 2000"),
        ({"numbers": [1, 2, 3]}, "the numbers are a tuple of whole numbers, not [1, 2, 3]"),
        ({"lines": ()}, "there is no line; name the cells of at least one"),
        ({"lines": (Line((0,)),) * 5000}, "at most 1024 lines, not 5000"),
        ({"lines": (Line((0, 1)), Line(()))}, "line 2 has no cells"),
        ({"lines": (Line((0, 1, 0)),)}, "line 1 names cell a twice"),
        ({"lines": (Line((0, 3)),)}, "line 1 names cells from 0 to 2, not 3"),
        ({"lines": (Line((0, -1)),)}, "line 1 names cells from 0 to 2, not -1"),
        ({"lines": ((0, 1),)}, "lines are a tuple of Line, not (0, 1)"),
        ({"orders": ((0, 0),)}, "an order puts cell a before itself"),
        ({"orders": ((0, 7),)}, "an order names cells from 0 to 2, not 7"),
        ({"orders": ((0, 1, 2),)}, "orders are a tuple of pairs of cells (less, greater), not (0, 1, 2)"),
        ({"given": frozenset({(0, 9)})}, "a given number in cell a is among 1 to 4, not 9"),
        ({"given": frozenset({(5, 1)})}, "a given number names cells from 0 to 2, not 5"),
        ({"given": frozenset({(0, 1), (0, 2)})}, "cell a is given both 1 and 2"),
        ({"given": frozenset({(0, 1), (2, 1)})}, "number 1 is given in two cells, a and c"),
        ({"given": frozenset({(0,)})}, "what is given is a frozenset of pairs (cell, number), not (0,)"),
    ],
)
def test_what_a_figure_must_not_be(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        SumFigure(**(FITTING | change))
    assert str(refusal.value).startswith(f"sum figure: {complaint}")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (((0, True),), "the cells of a line are a tuple of whole numbers, such as Line((0, 1, 2)), not True"),
        (((0, 1), 2.5), "the sum of a line is a whole number from -128000000000 to 128000000000, not 2.5"),
        (((0, 1), 10**12), "the sum of a line is a whole number from -128000000000 to 128000000000, not 10"),
    ],
)
def test_what_a_line_must_not_be(arguments: tuple[Any, ...], complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        Line(*arguments)
    assert str(refusal.value).startswith(f"sum figure: {complaint}")


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ({}, []),
        (
            {"lines": (Line((0, 1), 2),)},
            ["line a b cannot have the sum 2: sums of as many different numbers are 3 to 7"],
        ),
        (
            {"lines": (Line((0, 1), 8),)},
            ["line a b cannot have the sum 8: sums of as many different numbers are 3 to 7"],
        ),
        (
            {"lines": (Line((2,)), Line((0, 1, 2)))},
            ["line a b c has a sum of at least 6, line c of at most 4, so they have none in common"],
        ),
        ({"lines": (Line((0, 1), 5), Line((1, 0), 6))}, ["the sums of the lines contradict each other"]),
        (
            {"numbers": (1, 2, 4), "lines": (Line((0, 1)), Line((1, 2)), Line((2, 0)))},
            ["the common sum would have to be 14/3, which is not whole"],
        ),
        ({"numbers": (1, 2, 12), "lines": (Line((0, 1)), Line((1, 2)), Line((2, 0)))}, []),
        ({"orders": ((0, 1), (1, 2), (2, 0))}, ["the orders go round in a circle at cell a"]),
    ],
)
def test_obstacles_are_seen_before_a_search(change: dict[str, Any], seen: list[str]) -> None:
    assert obstacles(SumFigure(**(FITTING | change))) == seen


@given(model=small_figures())
def test_no_figure_with_a_solution_has_an_obstacle_and_its_common_sum_is_possible(model: SumFigure) -> None:
    rows = expected(model)
    if rows:
        assert obstacles(model) == []
    for row in rows:
        for line in model.lines:
            if line.sum is None:
                assert sum(model.numbers[row[cell]] for cell in line.cells) in common_sums(model)


@pytest.mark.parametrize(
    ("words", "total"),
    [("magic-square 5", 65), ("magic-star 6", 26), ("magic-hexagon 3", 38), ("magic-cube 3", 42)],
)
def test_the_common_sum_follows_from_the_figure(words: str, total: int) -> None:
    assert list(common_sums(rk.puzzle(words).model)) == [total]


def test_a_common_sum_that_does_not_follow_stays_open() -> None:
    sides = SumFigure(
        tuple("abcdef"), tuple(range(1, 7)), (Line((0, 1, 2)), Line((2, 3, 4)), Line((4, 5, 0)))
    )
    assert common_sums(sides) == range(6, 16)


@given(model=small_figures(), data=st.data())
def test_verify_finds_nothing_wrong_exactly_with_solutions(model: SumFigure, data: st.DataObject) -> None:
    rows = set(expected(model))
    puzzle = Puzzle("mine", model, "mine")
    value = st.integers(0, len(model.numbers) - 1)
    any_row = st.tuples(*[value] * len(model.cells))
    row = data.draw(st.one_of(any_row, st.sampled_from(sorted(rows))) if rows else any_row)
    assert (rk.verify(puzzle, row) == []) == (row in rows)


@pytest.mark.parametrize(
    ("change", "row", "violation"),
    [
        ({}, (0, 0, 1), "number 1 is in 2 cells"),
        ({}, (0, 1, 2), "line b c has the sum 5, not 3"),
        ({"lines": (Line((0, 1), 4),)}, (0, 1, 2), "line a b has the sum 3, not 4"),
        (
            {"lines": (Line((0,), 1),), "orders": ((2, 1),)},
            (0, 1, 2),
            "cell c with 3 is not less than cell b with 2",
        ),
        (
            {"lines": (Line((0,), 1),), "given": frozenset({(2, 4)})},
            (0, 1, 2),
            "cell c holds 3, not the given 4",
        ),
    ],
)
def test_verify_says_what_is_wrong(change: dict[str, Any], row: tuple[int, ...], violation: str) -> None:
    assert violation in rk.verify(Puzzle("mine", SumFigure(**(FITTING | change)), "mine"), row)


def test_row_meaning_says_how_a_value_becomes_a_number() -> None:
    for numbers, meaning in [
        ((1, 2, 3), "number minus 1"),
        ((-2, -1, 0), "number plus 2"),
        ((0, 1, 2), "value: number"),
        ((1, 3, 4), "which of the numbers it is"),
    ]:
        model = SumFigure(("a", "b", "c"), numbers, (Line((0, 1)),))
        assert meaning in model.row_meaning
        assert model.numbers_of((2, 0, 1)) == [numbers[2], numbers[0], numbers[1]]


@given(data=st.data())
def test_equations_say_what_follows_from_what_is_known(data: st.DataObject) -> None:
    """Against a solution that the equations were made for, and a rank computed with fractions."""
    n = data.draw(st.integers(1, 5))
    small = st.integers(-3, 3)
    solution = [data.draw(small) for _ in range(n)]
    rows = data.draw(st.lists(st.lists(small, min_size=n, max_size=n), max_size=5))
    system = Equations(n)
    for row in rows:
        system.add(row, sum(a * x for a, x in zip(row, solution, strict=True)), range(n))
    assert not system.contradiction
    known: set[int] = set()
    for unknown in data.draw(st.permutations(range(n))):
        determined = dict(system.determined())
        for other in set(range(n)) - known:
            unit = [int(u == other) for u in range(n)]
            columns = [u for u in range(n) if u not in known]
            left = [[row[u] for u in columns] for row in rows]
            follows = rank(left) == rank([*left, [unit[u] for u in columns]])
            assert follows == (other in determined)
        for pivot, equation in determined.items():
            assert equation[pivot] > 0
            assert sum(a * x for a, x in zip(equation, [*solution, -1], strict=True)) == 0
            assert all(u in known or u == pivot or not equation[u] for u in range(n))
        system.make_known(unknown)
        known.add(unknown)


def rank(rows: list[list[int]]) -> int:
    matrix = [[Fraction(x) for x in row] for row in rows]
    count = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(count, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            continue
        matrix[count], matrix[pivot] = matrix[pivot], matrix[count]
        for r in range(count + 1, len(matrix)):
            factor = matrix[r][column] / matrix[count][column]
            matrix[r] = [x - factor * y for x, y in zip(matrix[r], matrix[count], strict=True)]
        count += 1
    return count
