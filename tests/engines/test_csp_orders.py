"""Orders of variables for merging: line by line, hidden variables, which ones are neighbours, and how guesses add up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2

import pytest

from rekkyo.engines.csp.frontier import order
from rekkyo.engines.csp.frontier.order import Block, Guess
from rekkyo.engines.csp.frontier.plan import tables_of
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.model.csp.constraints import AllDifferent, Connected, Constraint, Linear
from rekkyo.model.csp.csp import Csp


def alone(n: int) -> list[Block]:
    return [(v,) for v in range(n)]


def test_orders_line_by_line() -> None:
    """For the rows, from the middle one on, and for the columns; not for lines of two, nor diagonals, which are
    families without some of the cells. What is in no line comes last.
    """
    cell = [[4 * row + column for column in range(4)] for row in range(4)]
    rows = [tuple(cell[row]) for row in (2, 0, 3, 1)]
    columns = [tuple(cell[row][column] for row in range(4)) for column in range(4)]
    diagonals = [tuple(cell[k][k] for k in range(4)), tuple(cell[k][3 - k] for k in range(4))]
    lines = [(16, 0), (1, 2), *rows, *columns, *diagonals]
    model = Csp(
        tuple(map(str, range(18))), ((0, 1, 2, 3),) * 18, tuple(map(AllDifferent, lines)), tuple(range(16))
    )
    placed = [17, *range(16), 16]
    found = [*order._by_lines(model, rules_of(model), placed, alone(18))]
    assert found == [[*sum(rows, ()), 17, 16], [*sum(columns, ()), 17, 16]]


def beside_on(path: Sequence[int], hidden: int) -> list[set[int]]:
    """The neighbours of the variables on a path; the hidden one is beside all of them."""
    beside: list[set[int]] = [{hidden} for _ in range(hidden)] + [set(range(hidden))]
    for one, other in pairwise(path):
        beside[one].add(other)
        beside[other].add(one)
    return beside


def test_orders_from_both_ends_of_a_path_and_reversed() -> None:
    """The path begins with 2 and ends with 1. The hidden variable comes last."""
    path, n = [2, 0, 3, 8, 5, 4, 7, 6, 1], 9
    model = Csp(tuple("abcdefghij"), ((0, 1),) * (n + 1), (), tuple(range(n)))
    found = [*order._from_both_ends(model, beside_on(path, n), range(n + 1), alone(n + 1))]
    first, mirrored, *others = found
    assert sorted([first, mirrored]) == [[*path[::-1], n], [*path, n]]
    assert others == [mirrored, first]


def test_no_ends_where_a_variable_is_beside_a_fourth_of_all_others() -> None:
    """On a path of six variables there are ten pairs of neighbours, in either order, and 40 is more than 36."""
    model = Csp(tuple("abcdefg"), ((0, 1),) * 7, (), tuple(range(6)))
    assert [*order._from_both_ends(model, beside_on(range(6), 6), range(7), alone(7))] == []


@pytest.mark.parametrize(("n_lines", "is_found"), [(3, True), (4, False)])
def test_orders_line_by_line_in_four_families(n_lines: int, is_found: bool) -> None:
    """Rules that all have the first cell, and a cell of each column, are a family each; the columns come after."""
    cells = range(9)
    columns = [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    stars = [(0, 1, 2), (0, 4, 8), (0, 7, 5), (0, 1, 5)][:n_lines]
    model = Csp(
        tuple(map(str, cells)),
        ((0, 1, 2),) * 9,
        tuple(map(AllDifferent, [*stars, *columns])),
        tuple(range(9)),
    )
    found = [*order._by_lines(model, rules_of(model), range(9), alone(9))]
    assert found == [[*sum(columns, ())]] * is_found


def test_hidden_variables_come_first_or_where_they_are_determined() -> None:
    model = Csp(tuple("abcde"), ((0, 1),) * 5, (), (1, 3))
    assert order._hidden_first(model, [4, 3, 2, 1, 0], alone(5)) == [4, 2, 0, 3, 1]
    determined = {3: {0, 1}, 4: {0, 3}, 5: set[int]()}
    assert order._hidden_after(determined, [4, 3, 0, 1, 2, 5], alone(6)) == [5, 0, 1, 3, 4, 2]
    assert order._hidden_after(determined, [2, 0, 1, 3, 4, 5], alone(6)) == [5, 2, 0, 1, 3, 4]


@pytest.mark.parametrize(
    ("n_of_rule", "n", "are_beside"),
    [(4, 5, True), (5, 9, False), (5, 10, True), (6, 12, True), (7, 13, False)],
)
def test_a_rule_for_more_than_half_of_all_variables_makes_no_neighbours(
    n_of_rule: int, n: int, are_beside: bool
) -> None:
    """Rules for four variables do in any case."""
    found = order._neighbors([range(n_of_rule)], alone(n))
    expected = [set(range(n_of_rule)) - {v} if v < n_of_rule and are_beside else set() for v in range(n)]
    assert found == expected


@pytest.mark.parametrize(("most", "are_beside"), [(2 * 9, True), (2 * 9 - 1, False)])
def test_large_rules_make_no_neighbours(most: int, are_beside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "MOST_BESIDE", most)
    found = order._neighbors([(0, 3)], alone(9))
    assert (found[0], found[3]) == (({3}, {0}) if are_beside else (set(), set()))


def test_variables_of_one_block_are_one_neighbour() -> None:
    assert order._neighbors([(0, 2), (1, 3)], [(0, 1), (2,), (3,)]) == [{1, 2}, {0}, {0}]


def test_guesses_are_logarithms_of_sums() -> None:
    guess = Guess((0, 1, 2, 3), (1.0, 3.0, 2.0))
    assert guess.in_total() == round(log2(2 + 8 + 4), 6)
    assert guess.in_total(share=2.0) == round(log2(4 + 64 + 16), 6)
    assert Guess((0, 1, 2), (5000.0, 5000.0)).in_total() == 5001
    assert Guess((0, 1, 2), (5000.0, 0.0)).in_total() == 5000
    assert guess.with_last(1).order == (0, 2, 3, 1)


def binary(p: float) -> float:
    """The entropy of a literal that holds with this probability."""
    return -p * log2(p) - (1 - p) * log2(1 - p)


CYCLE = tuple(map(AllDifferent, [(0, 1), (1, 2), (2, 3), (0, 3)]))
STAR = tuple(AllDifferent((v, 3)) for v in range(3))
SUM = (Linear((1, 1, 1, 1), (0, 1, 2, 3), "=", 20),)
RING = (Connected((0, 1, 2, 3), ((0, 1), (1, 2), (2, 3), (0, 3)), (1,)),)


@pytest.mark.parametrize(
    ("n_values", "constraints", "is_read", "bits"),
    [
        pytest.param((4, 4, 4, 4), CYCLE, True, [2, 4, 4], id="values that others must differ from"),
        pytest.param((4, 4, 4, 2), STAR, True, [2, 2, 2], id="values that are left of one variable"),
        pytest.param(
            (3,) * 4, (AllDifferent((0, 1, 2)),), True, [3 * binary(1 / 3)] * 2 + [0], id="used values"
        ),
        pytest.param((10,) * 4, SUM, True, [log2(10), log2(17), log2(10)], id="sums"),
        pytest.param((10,) * 4, SUM, False, [8, 8, 8], id="sums that are too many to list"),
        pytest.param((2,) * 4, RING, True, [2 * 1.5] * 3, id="labels of two places"),
    ],
)
def test_what_a_state_has_to_hold(
    n_values: tuple[int, ...], constraints: tuple[Constraint, ...], is_read: bool, bits: list[float]
) -> None:
    """After each level but the last."""
    model = Csp(tuple("abcd"), tuple(tuple(range(n)) for n in n_values), constraints, (0, 1, 2, 3))
    rules = rules_of(model)
    scopes = {frozenset(v for v, _ in pattern) for pattern in rules.patterns}
    read = tables_of(rules) if is_read else [None] * len(rules.readers)
    sizes = [order._reader_bits(tables, 4) for tables in read]
    found = order._bits(model, rules, scopes, sizes, range(4))
    assert found[:3] == pytest.approx(bits)
    assert found[3:] == pytest.approx([0, 0])


def test_the_order_with_the_fewest_states_is_first_unless_the_given_one_is_nearly_as_good() -> None:
    """A path whose vertices are far apart in the given order."""
    path = [0, 4, 1, 5, 2, 6, 3, 7]
    model = Csp(
        tuple("abcdefgh"), ((0, 1, 2),) * 8, tuple(map(AllDifferent, pairwise(path))), tuple(range(8))
    )
    best, *others = order.guesses(model, rules_of(model), [], alone(8), None)
    totals = [guess.in_total() for guess in (best, *others)]
    assert best.order in (tuple(path), tuple(path[::-1]))
    assert best.bits[:7] == pytest.approx([log2(3)] * 7)
    assert totals == sorted(totals)
    [given] = [guess for guess in others if guess.order == tuple(range(8))]
    worse = given.in_total() - best.in_total()
    assert order.guesses(model, rules_of(model), [], alone(8), worse + 0.1) == [given]
    assert order.guesses(model, rules_of(model), [], alone(8), worse - 0.1)[0] == best
