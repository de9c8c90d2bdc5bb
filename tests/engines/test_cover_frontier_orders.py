"""Orders of the items when covers are merged: each gives the same count, and narrow ones are found."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.covers.frontier import levels as cover_levels
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.covers.frontier.levels import levels_in_all_orders, make_levels
from rekkyo.engines.covers.frontier.plan import plan_by_levels
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover

ENGINE = CoverFrontier()


def counts_in_all_orders(model: ExactCover) -> list[int]:
    """The count with the levels of each order."""
    plans = [plan_by_levels(model, levels) for levels in levels_in_all_orders(model)]
    return [
        sum(ENGINE.count(plan, shard, no_pause).total for shard in ENGINE.split(plan, 1)) for plan in plans
    ]


@pytest.fixture
def _all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover_levels, "LONG", -1.0)


@pytest.mark.kernel
@pytest.mark.usefixtures("_all_orders")
@given(model=naive_cover.models())
def test_the_count_is_the_same_in_every_order(model: ExactCover) -> None:
    assert set(counts_in_all_orders(model)) == {len(naive_cover.solutions(model))}


def matchings(edges: list[tuple[int, int]]) -> ExactCover:
    """An option is an edge, and a vertex is covered once at most."""
    n = max(map(max, edges)) + 1
    options = tuple(((a, 0), (b, 0)) for a, b in edges)
    return ExactCover(tuple(f"v{v}" for v in range(n)), (), options, ((0, 1),) * n)


@pytest.mark.kernel
@pytest.mark.usefixtures("_all_orders")
def test_items_that_may_stay_uncovered_have_levels() -> None:
    """The matchings of a path are Fibonacci numbers (OEIS A000045). In the given order an edge has a level."""
    model = matchings([(0, 3), (1, 4), (3, 1), (4, 2)])
    given_order, *others = levels_in_all_orders(model)
    assert given_order.level_of == tuple(range(len(model.options)))
    assert min(len(levels.levels) for levels in others) < len(model.options)
    assert counts_in_all_orders(model) == [8] * (1 + len(others))


@pytest.mark.kernel
@pytest.mark.usefixtures("_all_orders")
def test_options_of_colours_and_of_counted_items_keep_levels_of_their_own() -> None:
    """Two options that agree on a colour, and three of an item that is covered twice, may be chosen together."""
    options = (((0, 0), (1, 1)), ((0, 0), (1, 1)), ((0, 0), (1, 2)))
    colored = ExactCover(("any",), ("colour",), options, ((0, 3),))
    assert set(counts_in_all_orders(colored)) == {len(naive_cover.solutions(colored))} == {5}
    counted = ExactCover(("n", "a"), (), (((0, 0), (1, 0)), ((0, 0),), ((0, 0),)), ((0, 2), (0, 1)))
    assert set(counts_in_all_orders(counted)) == {len(naive_cover.solutions(counted))} == {7}


def caterpillar(n: int) -> list[tuple[int, int]]:
    """A path of n vertices, each with a leaf, in a random order of the edges."""
    edges = [*pairwise(range(n)), *((v, n + v) for v in range(n))]
    random.Random(1).shuffle(edges)
    return edges


def test_matchings_of_a_caterpillar_have_narrow_states() -> None:
    """They are Pell numbers (OEIS A000129): m(n) = 2 m(n - 1) + m(n - 2)."""
    n, pell = 150, [1, 2]
    while len(pell) <= n:
        pell.append(2 * pell[-1] + pell[-2])
    model = matchings(caterpillar(n))
    assert make_levels(model).widest == 1
    found = rk.count(rk.Puzzle("caterpillar", model, "matchings"), engine="cover-frontier", up_to="none")
    assert found.total == pell[n]


def renamed(edges: list[tuple[int, int]], names: list[int]) -> list[tuple[int, int]]:
    """The edges of the graph with these names, in a random order."""
    found = [(names[a], names[b]) for a, b in edges]
    return random.Random(2).sample(found, len(found))


def test_a_side_of_a_graph_is_not_taken_for_names_alone() -> None:
    """A cycle, every second vertex of which has a low number, in random order: the edges name those first."""
    n = 40
    low, high = random.Random(3).sample(range(n), n), random.Random(4).sample(range(n, 2 * n), n)
    names = [name for both in zip(low, high, strict=True) for name in both]
    model = matchings(renamed([*pairwise(range(2 * n)), (2 * n - 1, 0)], names))
    assert make_levels(model).widest == 2


def test_king_s_order_begins_at_an_end() -> None:
    """A ladder whose first vertex is in the middle: an order from there on remembers both of its ends."""
    n = 30
    edges = [*pairwise(range(n)), *pairwise(range(n, 2 * n)), *((v, n + v) for v in range(n))]
    others = random.Random(5).sample(range(1, 2 * n), 2 * n - 1)
    names = [*others[: n // 2], 0, *others[n // 2 :]]
    assert make_levels(matchings(renamed(edges, names))).widest == 2
