"""A bound of the order of a group, and groups that it refuses before they are listed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import GroupTooLarge
from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry import group as groups
from rekkyo.symmetry.chain import MOST_RESIDUES, Element
from rekkyo.symmetry.group import close, order_if_listable
from rekkyo.symmetry.order import order_at_least


def permutations_of(n: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.permutations(range(n)), min_size=1, max_size=4)


def bound_of(generators: Sequence[Sequence[int]]) -> int:
    return order_at_least([np.array(one, dtype=np.uint32) for one in generators])


def exchanges(n: int) -> list[tuple[int, ...]]:
    """Generators of all n! exchanges."""
    return [(1, 0, *range(2, n)), (*range(1, n), 0)]


@pytest.mark.parametrize("n", [2, 3, 8, 12, 20])
def test_all_exchanges(n: int) -> None:
    assert bound_of(exchanges(n)) == math.factorial(n)


def in_pairs(generator: Sequence[int]) -> list[int]:
    """The same permutation of pairs of points: no two points are exchanged alone."""
    return [2 * image + side for image in generator for side in range(2)]


def test_a_group_whose_order_nobody_needs_takes_no_longer() -> None:
    """All even permutations, among which no two points are exchanged alone."""
    even = [[1, 2, 0, *range(3, 200)], [0, *range(2, 200), 1]]
    assert 1 << MOST_RESIDUES <= bound_of(even) < math.factorial(200) // 2


def test_values_that_are_exchanged_with_their_variables_add_nothing() -> None:
    assert bound_of([in_pairs(one) for one in exchanges(200)]) == math.factorial(200)
    turn = [1, 2, 3, 0]
    assert bound_of([[*turn, 5, 6, 7, 4], [*range(4), *(4 + image for image in turn)]]) == 16
    assert bound_of([[1, 2, 3, 0, 6, 7, 4, 5], [2, 3, 0, 1, 5, 6, 7, 4]]) == 16, "orbits that are not alike"


@settings(max_examples=150)
@given(st.integers(1, 7).flatmap(permutations_of))
def test_points_in_pairs_have_the_same_order(generators: list[list[int]]) -> None:
    assert bound_of([in_pairs(one) for one in generators]) == bound_of(generators)


def neighbours_exchanged(first: int, n: int, n_points: int) -> list[list[int]]:
    """Exchanges of neighbours among n points from the first one on."""
    points = list(range(n_points))
    return [[*points[:k], k + 1, k, *points[k + 2 :]] for k in range(first, first + n - 1)]


def test_the_order_is_exact_where_points_can_be_exchanged_alone() -> None:
    """A chain of a level for each point took minutes, and did not count all exchanges of 200 points."""
    assert bound_of(neighbours_exchanged(0, 1000, 1000)) == math.factorial(1000)
    assert bound_of(exchanges(200)) == math.factorial(200)


def test_the_order_where_sets_of_points_are_permuted() -> None:
    """All permutations inside each of four sets of three points, the sets in a ring, and three other points."""
    ring = [*((point + 3) % 12 for point in range(12)), 13, 14, 12]
    inside = [[1, 0, *range(2, 15)], [0, 2, 1, *range(3, 15)]]
    assert bound_of([ring, *inside]) == 6**4 * 12
    assert bound_of([ring, *inside, [*range(12), 13, 12, 14]]) == 6**4 * 4 * 6


@settings(max_examples=150)
@given(
    st.integers(2, 7).flatmap(permutations_of),
    st.integers(0, 200),
)
def test_a_bound_that_is_enough_tells_whether_the_whole_one_exceeds_a_number(
    generators: list[list[int]], enough: int
) -> None:
    arrays = [np.array(one, dtype=np.uint32) for one in generators]
    bound, whole = order_at_least(arrays, enough), order_at_least(arrays)
    assert bound <= whole
    assert (bound > enough) == (whole > enough)


def test_a_bound_that_only_equals_what_is_enough_is_made_better() -> None:
    """All 24 exchanges of four points, and a turn of three others."""
    turn = [*range(4), 5, 6, 4]
    generators = [np.array([*one, 4, 5, 6], dtype=np.uint32) for one in exchanges(4)]
    assert order_at_least([*generators, np.array(turn, dtype=np.uint32)], 24) > 24


@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_all_exchanges_of_rows_of_columns_and_of_symbols(n: int) -> None:
    """Many generators that each move few points: it takes a while until their products are random."""
    generators = [one for first in (0, n, 2 * n) for one in neighbours_exchanged(first, n, 3 * n)]
    assert bound_of(generators) == math.factorial(n) ** 3


def test_the_symmetry_of_regular_tournaments() -> None:
    """Of the players, and of who wins each match if all are exchanged."""
    problem = rk.Problem()
    wins = {pair: problem.variable(f"{pair}", (0, 1)) for pair in combinations(range(7), 2)}
    for player in range(7):
        matches = [(pair, match) for pair, match in wins.items() if player in pair]
        signs = [1 if pair[0] == player else -1 for pair, _ in matches]
        problem.linear(signs, [match for _, match in matches], "=", 3 - signs.count(-1))
    tournaments, found = rk.with_own_symmetry(problem.puzzle("regular tournaments"))
    counted = rk.count(tournaments)
    assert found.order == 2 * math.factorial(7)
    assert (counted.total, counted.unique) == (2640, 3)  # OEIS A007079, A096368


@pytest.mark.parametrize(
    ("words", "up_to", "order"),
    [
        ("soma", "symmetry", 48),
        ("semimagic-square 4", "exchanges", 2 * 24 * 24),
        ("rectangle-free 6 6 3", "symmetry", 2 * 720 * 720),
        ("queens 11 --toroidal", "symmetry", 8 * 121),
    ],
)
def test_groups_of_the_catalog(words: str, up_to: str, order: int) -> None:
    generators = rk.puzzle(words).generators_up_to(up_to)
    assert generators is not None
    assert bound_of(generators) == order


@settings(max_examples=150)
@given(st.integers(1, 7).flatmap(permutations_of))
def test_it_is_never_above_the_order(generators: list[list[int]]) -> None:
    shape = RowShape(1, len(generators[0]), Layout.BY_OPTION)
    order = close(shape, [tuple(one) for one in generators]).order
    assert bound_of(generators) <= order


@pytest.mark.parametrize("generators", [exchanges(12), neighbours_exchanged(0, 12, 12)])
def test_a_group_that_is_too_large_is_refused_before_it_is_listed(
    generators: list[Sequence[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One look is enough, also if each generator alone makes the group only somewhat larger."""
    groups._close.cache_clear()
    looks: list[int] = []

    def look(steps: Sequence[Element], enough: float) -> int:
        looks.append(order_at_least(steps, enough))
        return looks[-1]

    monkeypatch.setattr(groups, "LARGE", 24)
    monkeypatch.setattr(groups, "order_at_least", look)
    shape = RowShape(1, 12, Layout.BY_OPTION)
    with pytest.raises(GroupTooLarge, match="more than 100000 elements on 12 atoms"):
        close(shape, [tuple(one) for one in generators], 100_000)
    assert looks == [math.factorial(12)]
    few = [(1, 0, *range(2, 12)), (*range(1, 6), 0, *range(6, 12))]
    assert close(shape, few, 720).order == 720
    assert looks[1:] == [720]


def test_the_order_of_a_large_group_is_found_without_a_list_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puzzle files of grids without rules took a second, in which all of 645,120 elements were listed."""
    asked: list[int] = []

    def recorded(shape: RowShape, generators: Sequence[tuple[int, ...]], most: int) -> groups.Group:
        asked.append(most)
        return close(shape, generators, most)

    monkeypatch.setattr(groups, "LARGE", 24)
    monkeypatch.setattr(groups, "close", recorded)
    orders = [order_if_listable(RowShape(1, n, Layout.BY_OPTION), tuple(exchanges(n))) for n in (3, 8, 10)]
    assert orders == [6, math.factorial(8), None]
    assert asked == [23] * 3
