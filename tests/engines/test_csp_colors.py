"""States that differ by an exchange of colours are merged: the definition, and which colours are compared."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import comb, perm

import pytest
from hypothesis import given

from rekkyo.engines.contract import no_pause
from rekkyo.engines.csp.frontier.colors import _Groups
from rekkyo.engines.csp.frontier.levels import NOTHING_ALIKE, Alike
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import AllDifferent, Clause, GlobalCardinality, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from tests import naive_coloring, naive_csp
from tests.engines.csp_counted import ENGINE, WHOLE, alike_of, grid, planned, total, total_of
from tests.examples import examples


@pytest.mark.kernel
@examples(50)
@given(model=naive_coloring.models(one_colored=True))
def test_colours_that_can_be_exchanged(model: Coloring) -> None:
    csp = as_csp(replace(model, patterns=(), fixed=(), bounds=()))
    assert alike_of(csp).colors == tuple(range(model.n_colors))
    assert total(csp) == len(naive_csp.solutions(csp))


@pytest.mark.kernel
@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 1, 3, 0, 2)])
def test_three_cells_of_two_colours(order: tuple[int, ...]) -> None:
    """What a state has to remember about two different colours is of no single colour."""
    triples = [(0, 1, 2), (1, 2, 3), (0, 3, 4), (1, 3, 4)]
    forbidden = [(x, x, x) for x in range(3)] + list(permutations(range(3)))
    clauses = [
        Clause(tuple((v, x, False) for v, x in zip(triple, colors, strict=True)))
        for triple in triples
        for colors in forbidden
    ]
    model = Csp(tuple("abcde"), ((0, 1, 2),) * 5, tuple(clauses))
    alike = alike_of(model)
    assert alike.colors == (0, 1, 2)
    expected = len(naive_csp.solutions(model))
    assert expected
    assert total_of(planned(model, order, Alike(alike.colors))) == expected


def test_more_colours_than_a_word_has_bits() -> None:
    """A path of three vertices."""
    path = (AllDifferent((0, 1)), AllDifferent((1, 2)))
    assert total(Csp(tuple("abc"), (tuple(range(65)),) * 3, path)) == 65 * 64 * 64


def test_a_value_that_may_come_again_is_no_colour_beside_those_that_may_not() -> None:
    """Some of five cells have different numbers from 1 to 4: k of them in C(5, k) 4! / (4 - k)! ways."""
    model = Csp(tuple("abcde"), (tuple(range(5)),) * 5, (AllDifferent(tuple(range(5)), excepted=(0,)),))
    assert alike_of(model).colors == (1, 2, 3, 4)
    assert total(model) == sum(comb(5, k) * perm(4, k) for k in range(5))


@pytest.mark.kernel
def test_a_value_that_must_come_is_not_exchanged_with_one_that_need_not() -> None:
    """Of three cells one is 1, and at most one is 2: three times four ways for the others, but for 2 and 2."""
    once, at_most_once = (1, 1, 1), (2, 0, 1)
    model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (GlobalCardinality((0, 1, 2), (once, at_most_once)),))
    assert alike_of(model).colors == ()
    assert total(model) == 3 * (4 - 1) == len(naive_csp.solutions(model))


def test_exchanging_colours_saves_states() -> None:
    model = as_csp(grid(8).colorings(3).model)
    tallies = [
        ENGINE.count(planned(model, range(64), alike), WHOLE, no_pause)
        for alike in (NOTHING_ALIKE, Alike((0, 1, 2)))
    ]
    assert tallies[0].total == tallies[1].total
    assert tallies[1].nodes < tallies[0].nodes / 5


def test_values_that_domains_or_sums_tell_apart_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing any two of the 1,500 values of an objective took minutes."""
    compared: list[tuple[int, int]] = []

    def can_be_exchanged(_: object, one: int, other: int) -> bool:
        compared.append((one, other))
        return True

    monkeypatch.setattr(_Groups, "can_be_exchanged", can_be_exchanged)
    free = Csp(tuple("abc"), (tuple(range(4)), tuple(range(9)), (0, 1, 7, 8)), ())
    assert alike_of(free).colors == (4, 5, 6)
    assert compared == [(0, 1), (2, 3), (4, 5), (4, 6), (7, 8)]
    compared.clear()
    added = Csp(tuple("abc"), (tuple(range(9)),) * 3, (Linear((1, 1, 1), (0, 1, 2), "=", 8),))
    assert alike_of(added).colors == ()
    assert not compared
