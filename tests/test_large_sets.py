"""Groups of any size that permute the options of a cover find the least sets that a list of all elements
gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import GroupTooLarge
from rekkyo.model.exact_cover import ExactCover, Use
from rekkyo.model.lower import lower
from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry import large_group, large_survey, set_tables
from rekkyo.symmetry.automorphisms import ABOUT_A_SECOND
from rekkyo.symmetry.by_definition import lesser_image
from rekkyo.symmetry.chain import complete_chain
from rekkyo.symmetry.group import close
from rekkyo.symmetry.large_group import LargeGroup, large_group_of_cover
from rekkyo.symmetry.large_survey import LargeSurvey
from rekkyo.symmetry.least_tables import TablesTooLarge
from rekkyo.symmetry.model_graphs import cover_graph
from rekkyo.symmetry.orbits import OrbitSurvey
from tests import naive_cover
from tests.engines.test_cover_exchanges import alike_in_blocks

pytestmark = pytest.mark.kernel


def renaming(edges: list[tuple[int, int]], order: Sequence[int]) -> AtomPermutation:
    """The image of each edge if point p is renamed order[p]."""
    number = {edge: place for place, edge in enumerate(edges)}
    return tuple(number[min(order[a], order[b]), max(order[a], order[b])] for a, b in edges)


def group_of(cover: ExactCover, generators: tuple[AtomPermutation, ...]) -> LargeGroup:
    made = large_group_of_cover(cover, generators)
    assert made is not None
    return made


def any_edges(n: int) -> ExactCover:
    """Every set of edges between n points is a solution: the points are items without bounds."""
    options = tuple(tuple((point, 0) for point in pair) for pair in combinations(range(n), 2))
    return ExactCover(tuple(f"p{point}" for point in range(n)), options=options, bounds=((0, n),) * n)


def rows_of(cover: ExactCover, sets: list[tuple[int, ...]]) -> np.ndarray:
    """The sets as rows, with fillers."""
    shape = cover.row_shape
    rows = np.full((len(sets), shape.length), shape.n_values, dtype=np.uint8)
    for row, some in zip(rows, sets, strict=True):
        row[: len(some)] = sorted(some)
    return rows


class TestLeastSets:
    @given(
        generators=st.lists(st.permutations(range(5)), min_size=1, max_size=2),
        sets=st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=20),
    )
    @settings(max_examples=100, deadline=None)
    def test_stabilizers_are_those_of_the_listed_group(
        self, generators: list[list[int]], sets: list[set[int]]
    ) -> None:
        cover = any_edges(5)
        edges = list(combinations(range(5), 2))
        moves = tuple(renaming(edges, order) for order in generators)
        listed = close(cover.row_shape, moves)
        if listed.order == 1:
            return
        group = group_of(cover, moves)
        rows = rows_of(cover, [tuple(some) for some in sets])
        right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
        assert group.order == listed.order
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()

    @given(model=alike_in_blocks())
    @example(model=ExactCover(("a",), ("s",), (((0, 0),),) * 3 + (((0, 0), (1, 0)),), bounds=((0, 2),)))
    @settings(deadline=None)
    def test_solutions_of_covers_with_bounds_and_colors(self, model: ExactCover) -> None:
        """The items rule out beginnings, but no least solution. Sets are those of the definition."""
        found = cover_graph(model).automorphisms(ABOUT_A_SECOND)
        moves = () if found is None else tuple(one[: len(model.options)] for one in found.generators)
        solutions = naive_cover.solutions(model) if moves and len(model.options) <= 14 else []
        if not solutions:
            return
        listed, group = close(model.row_shape, moves), group_of(model, moves)
        rows = np.array(solutions, dtype=np.uint8)
        right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
        assert group.order == listed.order
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()

    def test_graphs_up_to_isomorphism(self) -> None:
        """Graphs with 5 vertices have 34 classes (OEIS A000088), each with 5! / |Aut| members."""
        cover, edges = any_edges(5), list(combinations(range(5), 2))
        group = group_of(cover, (renaming(edges, (1, 0, 2, 3, 4)), renaming(edges, (1, 2, 3, 4, 0))))
        sets = [some for size in range(11) for some in combinations(range(10), size)]
        orders = LargeSurvey(group).stabilizer_orders(rows_of(cover, sets))
        assert (group.order, np.count_nonzero(orders)) == (120, 34)
        assert sum(120 // int(order) for order in orders if order) == 1024

    def test_symmetries_of_one_set_that_are_too_many_for_a_number(self) -> None:
        """Any of 30 things are chosen: the first ones are the least set, and 30 things have 30! exchanges."""
        n = 30
        cover = ExactCover(
            tuple(map(str, range(n))), options=tuple(((k, 0),) for k in range(n)), bounds=((0, 1),) * n
        )
        swaps = tuple((*range(k), k + 1, k, *range(k + 2, n)) for k in range(n - 1))
        sets = [(), (0,), tuple(range(15)), tuple(range(30)), (1,), (0, 2)]
        orders = LargeSurvey(group_of(cover, swaps)).stabilizer_orders(rows_of(cover, sets))
        right = [factorial(30), factorial(29), factorial(15) ** 2, factorial(30), 0, 0]
        assert orders.tolist() == right

    @pytest.mark.parametrize("copies", [1, 2])
    def test_the_order_is_proved_by_the_items(self, monkeypatch: pytest.MonkeyPatch, copies: int) -> None:
        """The pairs of 10 points distinguish the 210 sets of 4, unless each set is there twice."""
        monkeypatch.setattr(large_group, "MOST_PRODUCTS", 1 << 20)
        fours, pairs = list(combinations(range(10), 4)), list(combinations(range(10), 2))
        options = tuple(tuple((pairs.index(pair), 0) for pair in combinations(four, 2)) for four in fours)
        cover = ExactCover(tuple(map(str, pairs)), options=copies * options)
        moves = []
        for to in ((1, 0, *range(2, 10)), (*range(1, 10), 0)):
            moved = [fours.index(tuple(sorted(to[point] for point in four))) for four in fours]
            moves.append(tuple(210 * copy + place for copy in range(copies) for place in moved))
        group = large_group_of_cover(cover, tuple(moves))
        assert (group.order if group else None) == (factorial(10) if copies == 1 else None)

    @pytest.mark.parametrize(
        "more",
        [
            pytest.param(lambda edge: ((7, 0),) if edge == (0, 1) else (), id="an item of one edge"),
            pytest.param(lambda edge: tuple((7 + vertex, 0) for vertex in edge), id="each vertex twice"),
        ],
    )
    def test_items_that_tell_no_order(self, more: Callable[[tuple[int, int]], tuple[Use, ...]]) -> None:
        """They forbid no set. The first one is not permuted, and others are alike."""
        cover, edges = any_edges(7), list(combinations(range(7), 2))
        options = tuple(option + more(edge) for option, edge in zip(cover.options, edges, strict=True))
        n_items = 1 + max(item for option in options for item, _ in option)
        items = tuple(f"item {item}" for item in range(n_items))
        moves = tuple(renaming(edges, order) for order in ((1, 0, *range(2, 7)), (*range(1, 7), 0)))
        group = group_of(ExactCover(items, options=options, bounds=((0, 7),) * n_items), moves)
        assert group.order == factorial(7)

    def test_least_sets_come_first_in_the_order_of_comparison(self) -> None:
        """The empty set is its own orbit; of sets with one edge, the first edge in comparison order is least."""
        cover, edges = any_edges(5), list(combinations(range(5), 2))
        group = group_of(cover, (renaming(edges, (1, 0, 2, 3, 4)), renaming(edges, (1, 2, 3, 4, 0))))
        orders = LargeSurvey(group).stabilizer_orders(rows_of(cover, [(), *((edge,) for edge in range(10))]))
        assert orders[0] == 120
        assert np.flatnonzero(orders[1:]).tolist() == [group.compared[0]]

    def test_a_comparison_that_takes_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(large_survey, "MOST_NODES", 5)
        cover, edges = any_edges(5), list(combinations(range(5), 2))
        group = group_of(cover, (renaming(edges, (1, 0, 2, 3, 4)), renaming(edges, (1, 2, 3, 4, 0))))
        with pytest.raises(GroupTooLarge, match="too many to compare"):
            LargeSurvey(group).stabilizer_orders(rows_of(cover, [tuple(range(10))]))

    @pytest.mark.parametrize(
        "limit", ["MOST_WORDS", "MOST_NODES", "MOST_CHOSEN", "MOST_OPTIONS", "MOST_USES"]
    )
    def test_tables_that_become_too_large_are_refused(
        self, limit: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(f"rekkyo.symmetry.set_tables.{limit}", 2)
        large_group_of_cover.cache_clear()
        puzzle = rk.puzzle("steiner-triples 7")
        assert large_group_of_cover(lower(puzzle.model), puzzle.generators) is None
        large_group_of_cover.cache_clear()

    def test_no_chain_is_made_for_too_many_options(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rekkyo.symmetry.set_tables.MOST_OPTIONS", 2)
        monkeypatch.delattr("rekkyo.symmetry.large_group.complete_chain")
        large_group_of_cover.cache_clear()
        puzzle = rk.puzzle("steiner-triples 7")
        assert large_group_of_cover(lower(puzzle.model), puzzle.generators) is None
        large_group_of_cover.cache_clear()

    def test_some_images_by_definition(self) -> None:
        """Of two edges at one point, an image is less unless they are the first two that meet."""
        cover, edges = any_edges(5), list(combinations(range(5), 2))
        group = group_of(cover, (renaming(edges, (1, 0, 2, 3, 4)), renaming(edges, (1, 2, 3, 4, 0))))
        orders = LargeSurvey(group).stabilizer_orders(
            rows := rows_of(cover, list(combinations(range(10), 2)))
        )
        for row, order in zip(rows, orders, strict=True):
            image = lesser_image(group, row)
            assert (image is None) == (order > 0)
            assert image is None or sorted(image.tolist()) == image.tolist()


class TestBeginnings:
    def test_the_tables_of_steiner_triple_systems_are_small(self) -> None:
        """There is a node for each beginning of a system of 9 points, up to renaming, that some renaming
        keeps.
        """
        puzzle = rk.puzzle("steiner-triples 9")
        tables = group_of(lower(puzzle.model), puzzle.generators).tables
        assert len(tables.orders) == 10  # one of them stands for all that only the identity keeps

    @pytest.mark.parametrize(("bounds", "n_nodes"), [((1, 1), 3), ((0, 2), 4)])
    def test_options_that_fill_an_item_rule_out_others(self, bounds: tuple[int, int], n_nodes: int) -> None:
        """An item has four options that can all be exchanged. One of them may be chosen, or up to two."""
        cover = ExactCover(("a",), options=(((0, 0),),) * 4, bounds=(bounds,))
        tables = group_of(cover, ((1, 0, 2, 3), (1, 2, 3, 0))).tables
        assert len(tables.orders) == n_nodes

    @pytest.mark.parametrize(
        ("colors", "n_nodes"), [((0, 0, 0, 0), 3), ((1, 1, 1, 1), 4), ((1, 1, 1, 2, 2, 2), 8)]
    )
    def test_options_that_share_a_secondary_item(self, colors: tuple[int, ...], n_nodes: int) -> None:
        """Without a colour one of the options may be chosen, with colours all that have the same one."""
        options = tuple(((0, 0), (1, color)) for color in colors)
        cover = ExactCover(("a",), ("b",), options, bounds=((0, len(options)),))
        alike = [k for k in range(len(options) - 1) if colors[k] == colors[k + 1]]
        swaps = tuple((*range(k), k + 1, k, *range(k + 2, len(options))) for k in alike)
        tables = group_of(cover, swaps).tables
        assert len(tables.orders) == n_nodes


class TestDives:
    """Steiner triple systems of 13 points have tables of 93 nodes."""

    def built(self) -> tuple[set_tables._Builder, bool]:
        """A builder of these tables, and whether they became too large."""
        puzzle = rk.puzzle("steiner-triples 13")
        cover = lower(puzzle.model)
        assert isinstance(cover, ExactCover)
        elements = [np.array(one, dtype=np.uint32) for one in puzzle.generators]
        chain = complete_chain(elements, large_group.MOST_PRODUCTS)
        builder = set_tables._Builder(cover, range(len(cover.options)))
        try:
            builder.built(chain)
        except TablesTooLarge:
            return builder, True
        return builder, False

    def test_they_foresee_tables_that_become_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(set_tables, "NODES_BEFORE_DIVES", 1)
        monkeypatch.setattr(set_tables, "MOST_NODES", 20)
        builder, is_too_large = self.built()
        assert (builder.n_nodes, is_too_large) == (1, True)

    def test_tables_that_just_fit_are_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(set_tables, "NODES_BEFORE_DIVES", 1)
        monkeypatch.setattr(set_tables, "MOST_NODES", 93)
        builder, is_too_large = self.built()
        assert (builder.n_nodes, is_too_large) == (93, False)

    def test_they_are_right_on_average(self) -> None:
        dice, (builder, _) = Random(0), self.built()
        expected = [builder._expected_nodes(dice) for _ in range(300)]
        assert 84 < sum(expected) / len(expected) < 102
