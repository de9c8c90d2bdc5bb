"""The check of one solution, which every other part is measured against."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from rekkyo.verify import violations
from tests import naive, naive_cover


@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_accepts_exactly_the_solutions_among_all_rows(n: int, toroidal: bool) -> None:
    puzzle = rk.queens(n, toroidal=toroidal)
    accepted = [row for row in product(range(n), repeat=n) if not rk.verify(puzzle, row)]
    assert accepted == naive.queens_solutions(n, toroidal=toroidal)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ((0, 0, 1, 2), "queens in rows 0 and 1 share column 0"),
        ((0, 1, 3, 2), "queens in rows 0 and 1 share a diagonal"),
        ((1, 3, 0), "has 3 values, not 4"),
        ((1, 3, 0, 4), "value 4 at position 3 is not a whole number from 0 to 3"),
        ((1, 3, 0, -2), "value -2 at position 3 is not a whole number from 0 to 3"),
        ((1, 3, 0, 2.0), "value 2.0 at position 3 is not a whole number from 0 to 3"),
        ((1, 3, 0, "2"), "value '2' at position 3 is not a whole number from 0 to 3"),
        ((1, 3, 0, True), "value True at position 3 is not a whole number from 0 to 3"),
    ],
)
def test_says_what_is_wrong(row: tuple[object, ...], complaint: str) -> None:
    assert complaint in rk.verify(rk.queens(4), row)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_whole_numbers() -> None:
    assert rk.verify(rk.queens(4), np.array([1, 3, 0, 2])) == []
    assert rk.verify(rk.queens(4), [np.uint8(1), 3, 0, np.int64(2)]) == []


def test_blocked_and_given_squares() -> None:
    solution = (1, 3, 0, 2)
    assert rk.verify(rk.queens(4, blocked=[(0, 1)]), solution) == ["queen on blocked square 0,1"]
    assert rk.verify(rk.queens(4, given=[(0, 2)]), solution) == ["no queen on given square 0,2"]
    assert rk.verify(rk.queens(4, blocked=[(0, 0)], given=[(0, 1)]), solution) == []


def test_a_model_without_a_check_is_never_valid_by_silence() -> None:
    with pytest.raises(TypeError, match="no check is written"):
        violations(object(), (0,))  # type: ignore[arg-type]


@given(naive_cover.models(), st.data())
def test_chosen_options_have_problems_unless_they_are_a_solution(
    model: ExactCover, data: st.DataObject
) -> None:
    numbers = st.sampled_from(range(len(model.options))) if model.options else st.nothing()
    chosen = sorted(data.draw(st.sets(numbers)))
    assert (violations(model, chosen) == []) == naive_cover.is_solution(model, chosen)


@pytest.mark.parametrize(
    "colors", [(0, 0), (0, 1), (1, 0), (1, 2)], ids=["uncoloured twice", "first", "second", "two colours"]
)
def test_options_that_disagree_on_a_secondary_item(colors: tuple[int, int]) -> None:
    options = tuple(((item, 0), (2, color)) for item, color in enumerate(colors))
    model = ExactCover(("a", "b"), ("s",), options)
    assert violations(model, [0, 1]) == ["item s is used 2 times without one common colour"]
    alike = ExactCover(("a", "b"), ("s",), (((0, 0), (2, 3)), ((1, 0), (2, 3))))
    assert violations(alike, [0, 1]) == []
