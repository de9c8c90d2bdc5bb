"""Groups of any size: a proved order, and the least rows of orbits compared with a list of all elements."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations, product
from math import factorial, lcm, prod
from unittest import mock

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, Room, no_pause
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.errors import GroupTooLarge
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lower import lower
from rekkyo.model.row import AtomPermutation, Layout, RowShape
from rekkyo.symmetry import chain as chains
from rekkyo.symmetry import large_group as large_groups
from rekkyo.symmetry import large_survey, least_tables
from rekkyo.symmetry.by_definition import lesser_image
from rekkyo.symmetry.chain import chain_from, complete_chain, least_of_cycles, order_of
from rekkyo.symmetry.group import close
from rekkyo.symmetry.large_group import LargeGroup, _most_elements, _moves_positions_too_much, large_group
from rekkyo.symmetry.large_survey import LargeSurvey
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.symmetry.permutations import cycles_of
from rekkyo.symmetry.stabilizers import order_of as order_of_element

pytestmark = pytest.mark.kernel


def group_of(shape: RowShape, generators: tuple[AtomPermutation, ...]) -> LargeGroup:
    """The group, where every value is possible."""
    made = large_group(shape, generators, (tuple(range(shape.n_values)),) * shape.length)
    assert made is not None
    return made


def moved(shape: RowShape, positions: list[int], values: list[int]) -> AtomPermutation:
    """The symmetry that moves positions and exchanges values."""
    return tuple(
        positions[position] * shape.n_values + values[value]
        for position in range(shape.length)
        for value in range(shape.n_values)
    )


@given(st.integers(0, 20).flatmap(lambda n: st.permutations(range(n))))
def test_cycles_by_their_least_points(permutation: list[int]) -> None:
    least = least_of_cycles(np.array(permutation, dtype=np.uint32)).tolist()
    assert least == [
        min(cycle) for at in range(len(permutation)) for cycle in cycles_of(permutation) if at in cycle
    ]
    assert order_of_element(np.array(permutation, dtype=np.uint32)) == lcm(*map(len, cycles_of(permutation)))


class TestChains:
    @given(st.lists(st.permutations(range(7)), min_size=1, max_size=3))
    @settings(max_examples=60, deadline=None)
    def test_the_order_is_that_of_the_listed_group(self, generators: list[list[int]]) -> None:
        shape = RowShape(7, 7, Layout.BY_OPTION)
        chain = complete_chain([np.array(generator, dtype=np.uint32) for generator in generators], 1 << 20)
        assert chain is not None
        order = close(shape, [tuple(generator) for generator in generators]).order
        assert order_of(chain) == order
        for point in range(7):
            if chain:
                again = chain_from(chain, point)
                assert (again[0].point, order_of(again)) == (point, order)

    @given(st.lists(st.permutations(range(7)), min_size=1, max_size=3))
    @settings(max_examples=60, deadline=None)
    def test_a_chain_of_few_random_elements_is_completed(self, generators: list[list[int]]) -> None:
        elements = [np.array(generator, dtype=np.uint32) for generator in generators]
        with mock.patch.multiple(chains, N_MIXED=0, N_SIFTED_THROUGH=0, N_ROUNDS=0):
            chain = complete_chain(elements, 1 << 20)
        assert chain is not None
        shape = RowShape(7, 7, Layout.BY_OPTION)
        assert order_of(chain) == close(shape, [tuple(generator) for generator in generators]).order

    @pytest.mark.parametrize("points_at_a_time", [1, 1 << 20])
    def test_a_chain_that_random_elements_leave_incomplete_is_completed(
        self, points_at_a_time: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All permutations of 9 points, from two generators and nearly no random elements."""
        monkeypatch.setattr(chains, "MOST_PRODUCTS", points_at_a_time)
        monkeypatch.setattr(chains, "N_SIFTED_THROUGH", 0)
        monkeypatch.setattr(chains, "N_ROUNDS", 0)
        generators = [np.array([1, 0, *range(2, 9)], np.uint32), np.array([*range(1, 9), 0], np.uint32)]
        assert order_of(chains.chain_of(generators)) < factorial(9)
        chain = complete_chain(generators, 1 << 20)
        assert chain is not None
        assert order_of(chain) == factorial(9)

    def test_a_level_with_other_names_can_grow(self) -> None:
        """Point 0 is named 2, and so on; then a generator takes the orbit of 0 and 1 to all points."""
        level = chains.Level(0, 4)
        level.add(np.array([1, 0, 2, 3], dtype=np.uint32), [1, 0, 2, 3])
        renamed = level.renamed(np.array([2, 3, 0, 1]))
        assert sorted(renamed.to_point) == [2, 3]
        renamed.add(np.array([1, 2, 3, 0], dtype=np.uint32), [1, 2, 3, 0])
        assert len(renamed.to_point) == 4
        assert all(back[point] == renamed.point for point, back in renamed.to_point.items())

    @given(st.data())
    @settings(max_examples=100, deadline=None)
    def test_no_group_has_more_elements_than_its_bound(self, data: st.DataObject) -> None:
        """One is known of elements that keep the values of a position together."""
        shape = RowShape(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)), Layout.BY_POSITION)
        positions, values = (st.permutations(range(n)) for n in (shape.length, shape.n_values))
        moves_positions = positions.map(lambda order: moved(shape, order, list(range(shape.n_values))))
        moves_both = st.builds(moved, st.just(shape), positions, values)
        of_each_value = st.lists(positions, min_size=shape.n_values, max_size=shape.n_values).map(
            lambda orders: tuple(
                order[position] * shape.n_values + value
                for position in range(shape.length)
                for value, order in enumerate(orders)
            )
        )
        kinds = [moves_positions, moves_both, of_each_value]
        kind = data.draw(st.integers(0, 2))
        generators = data.draw(st.lists(kinds[kind], min_size=1, max_size=3))
        most = _most_elements([np.array(generator) for generator in generators], shape)
        assert most is not None or kind == 2
        assert most is None or close(shape, generators).order <= most

    def test_exchanges_of_free_variables_reach_their_bound(self) -> None:
        """Then nothing is left to prove: for ten variables of ten values that took ten seconds."""
        shape = RowShape(3, 4, Layout.BY_POSITION)
        turned = tuple((atom + 1) % 4 if atom < 4 else atom for atom in range(12))
        exchanged = (1, 0, *range(2, 12))
        moves = [moved(shape, order, [0, 1, 2, 3]) for order in ([1, 0, 2], [1, 2, 0])]
        generators = [np.array(one, dtype=np.uint32) for one in (turned, exchanged, *moves)]
        assert _most_elements(generators, shape) == factorial(4) ** 3 * factorial(3)
        chain = complete_chain(generators, 0, factorial(4) ** 3 * factorial(3))
        assert chain is not None
        assert order_of(chain) == factorial(4) ** 3 * factorial(3)

    def test_a_proof_that_is_too_long_is_refused(self) -> None:
        generators = [np.array([1, 0, *range(2, 9)], np.uint32), np.array([*range(1, 9), 0], np.uint32)]
        assert complete_chain(generators, 100) is None


def test_what_is_no_large_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """One element, or an order that takes too long to prove: three turns, of at most six permutations."""
    shape = RowShape(3, 2, Layout.BY_POSITION)
    possible = ((0, 1),) * 3
    still, turn = moved(shape, [0, 1, 2], [0, 1]), moved(shape, [1, 2, 0], [0, 1])
    assert large_group(shape, (still,), possible) is None
    assert group_of(shape, (turn,)).order == 3
    large_group.cache_clear()
    monkeypatch.setattr(large_groups, "MOST_PRODUCTS", 1)
    assert large_group(shape, (turn,), possible) is None
    large_group.cache_clear()


@st.composite
def groups_and_rows(draw: st.DrawFn) -> tuple[RowShape, tuple[AtomPermutation, ...], np.ndarray]:
    """A few random symmetries that move positions and exchange values, and random rows."""
    shape = RowShape(draw(st.integers(1, 6)), draw(st.integers(1, 3)), Layout.BY_POSITION)
    generators = tuple(
        moved(shape, draw(st.permutations(range(shape.length))), draw(st.permutations(range(shape.n_values))))
        for _ in range(draw(st.integers(1, 3)))
    )
    value = st.integers(0, shape.n_values - 1)
    rows = draw(st.lists(st.lists(value, min_size=shape.length, max_size=shape.length), min_size=1))
    return shape, generators, np.array(rows, dtype=np.uint8)


class TestLeastRows:
    @given(groups_and_rows())
    @settings(max_examples=150, deadline=None)
    def test_stabilizers_are_those_of_the_listed_group(
        self, drawn: tuple[RowShape, tuple[AtomPermutation, ...], np.ndarray]
    ) -> None:
        shape, generators, rows = drawn
        listed = close(shape, generators)
        if listed.order == 1:
            return
        group = group_of(shape, generators)
        assert group.order == listed.order
        right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()

    @pytest.mark.parametrize(
        ("turns", "order"),
        [
            ([[1, 2, 0, 4, 5, 3], [1, 0, 2, 4, 3, 5]], 6),
            ([[1, 2, 0, 3, 4, 5], [1, 0, 2, 3, 4, 5], [0, 1, 2, 4, 5, 3], [0, 1, 2, 4, 3, 5]], 36),
            ([[1, 0, 2, 3], [0, 1, 3, 2]], 4),
        ],
    )
    def test_values_in_two_orbits_of_one_size(self, turns: list[list[int]], order: int) -> None:
        """What keeps a value of the first orbit keeps none of the second, unless both are exchanged alike."""
        shape = RowShape(3, len(turns[0]), Layout.BY_POSITION)
        generators = tuple(moved(shape, [0, 1, 2], turn) for turn in turns)
        group, listed = group_of(shape, generators), close(shape, generators)
        rows = np.array(list(product(range(shape.n_values), repeat=3)), dtype=np.uint8)
        right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
        assert group.order == order
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()

    def test_graphs_up_to_isomorphism(self) -> None:
        """Graphs with 5 vertices: 34 classes (OEIS A000088), of which each has 5! / |Aut| members."""
        pairs = list(combinations(range(5), 2))
        shape = RowShape(len(pairs), 2, Layout.BY_POSITION)

        def renamed(order: tuple[int, ...]) -> AtomPermutation:
            images = [pairs.index(tuple(sorted((order[a], order[b])))) for a, b in pairs]  # type: ignore[arg-type]
            return moved(shape, images, [0, 1])

        group = group_of(shape, (renamed((1, 0, 2, 3, 4)), renamed((1, 2, 3, 4, 0))))
        rows = np.array([[n >> k & 1 for k in range(10)] for n in range(1024)], dtype=np.uint8)
        orders = LargeSurvey(group).stabilizer_orders(rows)
        least = rows[orders > 0]
        assert (group.order, len(least)) == (120, 34)
        assert sum(120 // int(order) for order in orders if order) == 1024
        elements = [np.array(renamed(order)) for order in permutations(range(5))]
        for row, order in zip(least, orders[orders > 0], strict=True):
            atoms = np.arange(10) * 2 + row
            assert sum(set(element[atoms]) == set(atoms) for element in elements) == order

    def test_a_group_far_too_large_to_list(self) -> None:
        """All exchanges of 20 positions: a row is least if its values increase."""
        shape = RowShape(20, 3, Layout.BY_POSITION)
        swaps = [[*range(i), i + 1, i, *range(i + 2, 20)] for i in range(19)]
        group = group_of(shape, tuple(moved(shape, swap, [0, 1, 2]) for swap in swaps))
        draw = random.Random(0)
        rows = [sorted(draw.choices(range(3), k=20)) for _ in range(20)]
        shuffled = [draw.sample(row, 20) for row in rows]
        orders = LargeSurvey(group).stabilizer_orders(np.array(rows + shuffled, dtype=np.uint8))
        assert group.order == factorial(20)
        assert orders[:20].tolist() == [prod(factorial(row.count(v)) for v in range(3)) for row in rows]
        assert orders[20:].tolist() == [0] * 20

    def test_symmetries_of_one_row_that_are_too_many_for_a_number(self) -> None:
        shape = RowShape(30, 2, Layout.BY_POSITION)
        swaps = [[*range(i), i + 1, i, *range(i + 2, 30)] for i in range(29)]
        group = group_of(shape, tuple(moved(shape, swap, [0, 1]) for swap in swaps))
        rows = np.array([[0] * 30, [0] * 29 + [1], [0] * 15 + [1] * 15, [1] + [0] * 29], dtype=np.uint8)
        orders = LargeSurvey(group).stabilizer_orders(rows)
        assert orders.tolist() == [factorial(30), factorial(29), factorial(15) ** 2, 0]

    def test_a_comparison_that_takes_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(large_survey, "MOST_NODES", 5)
        puzzle = rk.puzzle("ramsey 4 4 8")
        group = group_of(lower(puzzle.model).row_shape, puzzle.generators)
        with pytest.raises(GroupTooLarge, match="too many to compare"):
            LargeSurvey(group).stabilizer_orders(np.zeros((1, 28), dtype=np.uint8))

    def test_no_chain_is_made_for_tables_that_would_be_too_large(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """For a thousand variables that can be exchanged it took two minutes and 4.5 GB."""
        monkeypatch.delattr(large_groups, "complete_chain")
        n = 600
        shape = RowShape(n, 4, Layout.BY_POSITION)
        orders = [[1, 0, *range(2, n)], [*range(1, n), 0]]
        generators = tuple(moved(shape, order, [0, 1, 2, 3]) for order in orders)
        assert large_group(shape, generators, ((0, 1, 2, 3),) * n) is None

    def test_the_order_of_a_group_that_permutes_no_positions_is_not_bounded(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A turned board takes the values of a position to those of different positions."""
        monkeypatch.setattr(large_groups, "MOST_WORDS", 0)
        turn = np.array([3 * value + 2 - position for position, value in product(range(3), repeat=2)])
        assert not _moves_positions_too_much([turn], RowShape(3, 3, Layout.BY_POSITION), ((0, 1, 2),) * 3)

    @given(st.data())
    @settings(max_examples=100, deadline=None)
    def test_only_tables_that_would_be_too_large_are_not_begun(self, data: st.DataObject) -> None:
        shape = RowShape(data.draw(st.integers(2, 7)), data.draw(st.integers(1, 3)), Layout.BY_POSITION)
        positions, values = (st.permutations(range(n)) for n in (shape.length, shape.n_values))
        made = data.draw(st.lists(st.builds(moved, st.just(shape), positions, values), max_size=3))
        exchanged = moved(shape, [1, 0, *range(2, shape.length)], list(range(shape.n_values)))
        generators, possible = (exchanged, *made), (tuple(range(shape.n_values)),) * shape.length
        elements = [np.array(one, dtype=np.uint32) for one in generators]
        with pytest.MonkeyPatch.context() as patch:
            most = shape.n_atoms * data.draw(st.integers(0, shape.length))
            patch.setattr(large_groups, "MOST_WORDS", most)
            patch.setattr(least_tables, "MOST_WORDS", most)
            is_refused = _moves_positions_too_much(elements, shape, possible)
            event(f"refused: {is_refused}")
            patch.setattr(large_groups, "_moves_positions_too_much", lambda *_: False)
            large_group.cache_clear()
            assert not is_refused or large_group(shape, generators, possible) is None
        large_group.cache_clear()

    @pytest.mark.parametrize("limit", ["MOST_EDGES", "MOST_WORDS"])
    def test_tables_that_become_too_large_are_refused(
        self, limit: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(f"rekkyo.symmetry.least_tables.{limit}", 10)
        large_group.cache_clear()
        shape = RowShape(8, 2, Layout.BY_POSITION)
        swaps = [[*range(i), i + 1, i, *range(i + 2, 8)] for i in range(7)]
        generators = tuple(moved(shape, swap, [0, 1]) for swap in swaps)
        assert large_group(shape, generators, ((0, 1),) * 8) is None

    def test_some_images_by_definition(self) -> None:
        """Of a sorted row no image is less; of a row that is not sorted one is found soon."""
        shape = RowShape(6, 3, Layout.BY_POSITION)
        swaps = [[*range(i), i + 1, i, *range(i + 2, 6)] for i in range(5)]
        group = group_of(shape, tuple(moved(shape, swap, [0, 1, 2]) for swap in swaps))
        least = np.array([0, 0, 1, 1, 2, 2], dtype=np.uint8)
        assert lesser_image(group, least) is None
        image = lesser_image(group, least[::-1])
        assert image is not None
        assert sorted(image.tolist()) == least.tolist()
        assert image.tolist() < least[::-1].tolist()

    def test_some_images_by_definition_where_the_last_position_is_compared_first(self) -> None:
        """Of rows whose positions can all be exchanged, those that do not decrease in that order are least."""
        shape = RowShape(4, 3, Layout.BY_POSITION)
        swaps = ([1, 0, 2, 3], [1, 2, 3, 0])
        group = group_of(shape, tuple(moved(shape, swap, [0, 1, 2]) for swap in swaps))
        group = replace(group, compared=(3, 0, 2, 1))
        for row in product(range(3), repeat=4):
            in_order = [row[position] for position in group.compared]
            image = lesser_image(group, np.array(row, dtype=np.uint8))
            assert (image is None) == (in_order == sorted(in_order))

    def test_a_search_by_constraints(self) -> None:
        """Two rows of four zeros and ones, without two columns that are equal, up to exchanges of both."""
        problem = rk.Problem()
        cells = problem.variables([f"{row}{column}" for row in "ab" for column in range(4)], (0, 1))
        for one, other in combinations(range(4), 2):
            for values in product((0, 1), repeat=2):
                columns = zip(cells[one::4] + cells[other::4], values * 2, strict=True)
                problem.clause([(cell, value, False) for cell, value in columns])
        model = problem.model()
        columns = [[*range(i), i + 1, i, *range(i + 2, 4)] for i in range(3)]
        both = [[*swap, *(4 + i for i in swap)] for swap in columns]
        group = group_of(
            model.row_shape,
            tuple(moved(model.row_shape, p, [0, 1]) for p in [*both, [*range(4, 8), *range(4)]]),
        )
        engine = CspSearch()
        plan = engine.make_plan_for_large_group(model, group)
        rows = np.concatenate(
            [block.rows for block in engine.blocks(plan, WHOLE, Room.of(model.row_shape, 2), 100, no_pause)]
        )
        orders = LargeSurvey(group).stabilizer_orders(rows)
        assert (group.order, np.count_nonzero(orders)) == (48, 1)
        assert sum(group.order // int(order) for order in orders if order) == factorial(4)

    def test_positions_are_decided_in_the_order_of_comparison(self) -> None:
        """The last three have fewer values, so they would be decided first otherwise."""
        model = Csp(tuple("abcdef"), ((0, 1, 2),) * 3 + ((0, 1),) * 3, ())
        swaps = [[*range(i), i + 1, i, *range(i + 2, 6)] for i in (0, 1, 3, 4)]
        group = group_of(model.row_shape, tuple(moved(model.row_shape, swap, [0, 1, 2]) for swap in swaps))
        engine = CspSearch()
        plans = engine.make_plan_for_large_group(model, group), engine.make_plan(model)
        assert [engine.split(plan, 2)[0].prefix[0] for plan in plans] == [group.compared[0], 3]

    def test_it_is_estimated_by_the_search_of_all_rows(self) -> None:
        """Any six zeros and ones, in any order: of the search without symmetry a part, one of 720."""
        problem = rk.Problem()
        problem.variables([*"abcdef"], (0, 1))
        model, engine = problem.model(), CspSearch()
        swaps = [[*range(i), i + 1, i, *range(i + 2, 6)] for i in range(5)]
        group = group_of(model.row_shape, tuple(moved(model.row_shape, swap, [0, 1]) for swap in swaps))
        room = Room.of(model.row_shape, 64)
        blocks = list(engine.blocks(engine.make_plan(model), WHOLE, room, 1000, no_pause))
        plan = engine.make_plan_for_large_group(model, group)
        assert sum(len(block.rows) for block in blocks) == 64
        assert engine.estimated_nodes(plan) * 720 == pytest.approx(sum(block.nodes for block in blocks))
        beyond_floats = replace(plan, n_elements=factorial(200))
        assert 0 < engine.estimated_nodes(beyond_floats) < 1e-290
