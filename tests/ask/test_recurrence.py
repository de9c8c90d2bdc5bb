"""Linear recurrences of sequences of counts, and their generating functions."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask.recurrence import LEAST_CHECKED, PRIME
from rekkyo.errors import BadInput

DOMINOES_4 = [1, 5, 11, 36, 95, 281, 781, 2245, 6336, 18061, 51205, 145601]
"""A005178, from n = 1."""

X = 1 << 4000
"""Where polynomials are compared: their coefficients are far smaller."""


def value(polynomial: str) -> int:
    found: int = eval(polynomial.replace("^", "**"), {"x": X})
    return found


def test_dominoes_on_boards_of_four_rows() -> None:
    """The recurrence in A005178: a(n) = a(n-1) + 5*a(n-2) + a(n-3) - a(n-4)."""
    found = rk.recurrence(DOMINOES_4[:11])
    assert found is not None
    assert str(found) == "a(n) = a(n-1) + 5*a(n-2) + a(n-3) - a(n-4)"
    assert (found.coefficients, found.first, found.begins, found.n_checked) == ((1, 5, 1, -1), 1, 5, 3)
    assert found.generating_function == "(x + 4*x^2 + x^3 - x^4)/(1 - x - 5*x^2 - x^3 + x^4)"
    assert list(islice(found.further(), 2)) == [145601, 413351]


@pytest.mark.parametrize(
    ("terms", "first", "rule", "series"),
    [
        ([3, 3, 3, 3, 3], 0, "a(n) = a(n-1)", "(3)/(1 - x)"),
        ([1, 2, 3, 4, 5, 6, 7], 1, "a(n) = 2*a(n-1) - a(n-2)", "(x)/(1 - 2*x + x^2)"),
        ([7, 1, 1, 2, 3, 5, 8, 13, 21], 1, "a(n) = a(n-1) + a(n-2) for n >= 4", None),
        ([0, 0, 5, 0, 0, 0, 0, 0, 0], 2, "a(n) = 0 for n >= 5", "(5*x^4)/(1)"),
        ([0, 0, 0], 1, "a(n) = 0", "(0)/(1)"),
        ([1, 0, -1, 0, 1, 0, -1], 1, "a(n) = -a(n-2)", "(x)/(1 + x^2)"),
    ],
)
def test_short_ones(terms: list[int], first: int, rule: str, series: str | None) -> None:
    found = rk.recurrence(terms, first)
    assert str(found) == rule
    assert found is not None
    assert series in (None, found.generating_function)


@pytest.mark.parametrize(
    "terms", [[], [5], [1, 1, 1, 1], DOMINOES_4[:10], [1, 2, 12, 576, 161280, 812851200]]
)
def test_none_without_terms_that_confirm_it(terms: list[int]) -> None:
    assert rk.recurrence(terms) is None


def test_a_term_that_does_not_fit() -> None:
    assert rk.recurrence([*DOMINOES_4[:11], 145602]) is None


@pytest.mark.parametrize("terms", [[1, 1, 1, 1, 1 + PRIME], [1, *[1 + PRIME] * 4]])
def test_terms_that_fit_modulo_the_prime_alone(terms: list[int]) -> None:
    assert rk.recurrence(terms) is None


@pytest.mark.parametrize("factor", [PRIME // 2, -(PRIME // 2)])
def test_coefficients_up_to_half_of_the_prime(factor: int) -> None:
    found = rk.recurrence([factor**n for n in range(5)])
    assert found is not None
    assert found.coefficients == (factor,)


def test_integers_of_other_types() -> None:
    found = rk.recurrence(np.array(DOMINOES_4), np.int64(1))
    assert found is not None
    assert found == rk.recurrence(DOMINOES_4)
    assert {type(number) for number in (*found.terms, found.first, found.begins)} == {int}


numbers = st.integers(-1, 1) | st.integers(-(10**30), 10**30)


@given(st.lists(numbers, max_size=4), st.lists(numbers, max_size=3), st.integers(0, 40), st.data())
def test_every_recurrence_is_found(rule: list[int], odd: list[int], first: int, data: st.DataObject) -> None:
    terms = odd + data.draw(st.lists(numbers, min_size=len(rule), max_size=len(rule)))
    while len(terms) < 2 * (len(odd) + len(rule)) + LEAST_CHECKED + 4:
        terms.append(sum(c * a for c, a in zip(rule, reversed(terms), strict=False)))
    found = rk.recurrence(terms[:-4], first)
    assert found is not None
    assert found.order <= len(rule)
    assert list(islice(found.further(), 4)) == terms[-4:]
    above, below = found.generating_function.split("/")
    series = sum(term * X**n for n, term in enumerate(terms))
    assert (value(below) * series * X**first - value(above)) % X ** (first + len(terms)) == 0


@pytest.mark.parametrize("terms", ["1 2 3", [1.5], [True], 7, [1, "2"]])
def test_terms_are_whole_numbers(terms: object) -> None:
    with pytest.raises(BadInput, match="terms are whole numbers"):
        rk.recurrence(terms)  # type: ignore[arg-type]


def test_the_first_index_is_a_whole_number() -> None:
    with pytest.raises(BadInput, match="first is the index"):
        rk.recurrence([1, 2, 3], 1.5)  # type: ignore[arg-type]
