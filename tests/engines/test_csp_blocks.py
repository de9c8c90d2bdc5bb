"""Families of exchanges as blocks: columns and values that are used up, in Latin squares and sudokus."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations

import pytest
from hypothesis import given

from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.csp.frontier.blocks import MOST_BLOCKS, classes_of
from rekkyo.engines.csp.frontier.colors import AllColors, blocks_of_colors
from rekkyo.engines.frontier.arrange import COLORS, EXCHANGES
from rekkyo.engines.frontier.levels import WORD, Field, Levels
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_counted import ENGINE, alike_of, plan_with_exchanges, planned, total, total_of
from tests.examples import examples


def different(height: int, width: int, n_values: int, box: tuple[int, int] | None = None) -> list[Constraint]:
    """All different in rows, columns and perhaps boxes of a rectangle of cells, numbered row by row."""
    cells = [(row, column) for row in range(height) for column in range(width)]
    units: list[list[int]] = [[] for _ in range(2 * (height + width))]
    for number, (row, column) in enumerate(cells):
        units[row].append(number)
        units[height + column].append(number)
        if box is not None:
            units[height + width + row // box[0] * (width // box[1]) + column // box[1]].append(number)
    return [AllDifferent(tuple(unit)) for unit in units if len(unit) > 1]


def grid(height: int, width: int, n_values: int, constraints: Iterable[Constraint]) -> Csp:
    n_cells = height * width
    return Csp(tuple(map(str, range(n_cells))), (tuple(range(n_values)),) * n_cells, tuple(constraints))


def kinds(plan: FrontierPlan[Csp]) -> set[str]:
    """How states are arranged after some level."""
    named = {int(COLORS): "colours", int(EXCHANGES): "exchanges"}
    return {named.get(int(blocks[0, 0]), "blocks") for blocks in plan.blocks if len(blocks)}


@pytest.mark.parametrize(
    ("model", "count", "most_nodes"),
    [
        pytest.param(grid(5, 5, 5, different(5, 5, 5)), 161_280, 200, id="Latin squares, A002860(5)"),
        pytest.param(grid(6, 6, 6, different(6, 6, 6)), 812_851_200, 700, id="A002860(6)"),
        pytest.param(grid(7, 7, 7, different(7, 7, 7)), 61_479_419_904_000, 7_500, id="A002860(7)"),
        pytest.param(
            grid(3, 6, 6, different(3, 6, 6)), 15_321_600, 450, id="3x6 rectangles, A000186(6) * 6!"
        ),
        pytest.param(grid(6, 6, 6, different(6, 6, 6, (2, 3))), 28_200_960, 450, id="sudokus, A107739(6)"),
    ],
)
def test_published_numbers(model: Csp, count: int, most_nodes: int) -> None:
    """Exchanged one by one, Latin squares of order 7 took 37,993 nodes, and these sudokus 854."""
    plan = plan_with_exchanges(model)
    assert "blocks" in kinds(plan)
    tally = ENGINE.count(plan, WHOLE, no_pause)
    assert tally.total == count
    assert tally.nodes < most_nodes


def test_numbers_of_bits_tell_more_elsewhere() -> None:
    """Of a colour a column has none to all cells."""
    clauses = [
        Clause(tuple((4 * row + column, 0, False) for row in rows for column in columns))
        for rows in combinations(range(4), 2)
        for columns in combinations(range(4), 2)
    ]
    assert "blocks" not in kinds(plan_with_exchanges(grid(4, 4, 2, clauses)))


@st.composite
def nearly_latin(draw: st.DrawFn) -> Csp:
    """Cells of a rectangle that differ in lines and perhaps boxes, some with fewer values, and some clauses."""
    height, width, n_values, box = draw(
        st.sampled_from(
            [
                (2, 3, 3, None),
                (3, 3, 3, None),
                (2, 3, 4, None),
                (4, 3, 4, None),
                (4, 4, 4, (2, 2)),
                (3, 4, 4, None),
            ]
        )
    )
    n_cells = height * width
    literal = st.tuples(st.integers(0, n_cells - 1), st.integers(0, n_values - 1), st.booleans())
    clauses = draw(
        st.lists(st.lists(literal, min_size=1, max_size=3, unique_by=lambda one: one[0]), max_size=2)
    )
    constraints = different(height, width, n_values, box)
    if draw(st.booleans()):
        constraints += [
            Clause(
                tuple((at // width * width + columns[at % width], value, sign) for at, value, sign in clause)
            )
            for clause in clauses
            for columns in permutations(range(width))
        ]
    else:
        constraints += [Clause(tuple(clause)) for clause in clauses]
    model = grid(height, width, n_values, dict.fromkeys(constraints))
    removed = draw(st.sets(st.integers(0, n_cells - 1), max_size=1))
    domains = tuple(domain[: -1 if at in removed else None] for at, domain in enumerate(model.domains))
    return Csp(model.names, domains, model.constraints)


@pytest.mark.kernel
@examples(60)
@given(model=nearly_latin(), order=st.none() | st.permutations(range(16)))
def test_lines_that_differ(model: Csp, order: list[int] | None) -> None:
    """In the order of the engine, or in any order."""
    count = len(naive_csp.solutions(model))
    n_cells = len(model.names)
    some = range(n_cells) if order is None else [at for at in order if at < n_cells]
    assert total_of(planned(model, list(some), alike_of(model))) == count
    assert total(model) == count


PAIRS = [
    ((one, other), [(3 * one + k, 3 * other + k) for k in range(3)])
    for one, other in combinations(range(3), 2)
]


class TestClasses:
    """Bits 0 to 8 are the cells of three columns of three."""

    def test_three_columns(self) -> None:
        found = classes_of([(swaps, things) for things, swaps in PAIRS])
        assert found == [[[0, 1, 2], [3, 4, 5], [6, 7, 8]]]

    def test_columns_of_which_not_any_two_are_exchanged(self) -> None:
        """Three of four have no class of their own: one of them is also exchanged with the fourth."""
        further = [(one, one + 3) for one in range(6, 9)]
        exchanges = [*((swaps, things) for things, swaps in PAIRS), (further, (2, 3))]
        assert classes_of(exchanges) == []
        assert classes_of(exchanges[::2]) == []

    def test_a_column_in_another_order(self) -> None:
        swaps = {
            (0, 1): [(0, 5), (1, 4), (2, 3)],
            (0, 2): [(0, 6), (1, 7), (2, 8)],
            (1, 2): [(5, 6), (4, 7), (3, 8)],
        }
        found = classes_of([(some, things) for things, some in swaps.items()])
        assert found == [[[0, 1, 2], [5, 4, 3], [6, 7, 8]]]

    def test_another_exchange_is_a_class_of_two(self) -> None:
        rows = [(0, 1), (3, 4), (6, 7)]
        found = classes_of([(rows, None), *((swaps, things) for things, swaps in PAIRS)])
        assert found == [[[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[0, 3, 6], [1, 4, 7]]]

    def test_blocks_that_are_exchanged_in_several_ways_are_in_one_class(self) -> None:
        """Any two rows, straight or with the columns in another order."""
        swaps = [
            [(3 * column + one, 3 * to + other) for column, to in enumerate(onto)]
            for onto in ((1, 2, 0), (0, 1, 2), (0, 2, 1))
            for one, other in ((0, 2), (1, 0), (1, 2))
        ]
        columns, rows = classes_of(
            [*((some, things) for things, some in PAIRS), *((some, None) for some in swaps)]
        )
        assert columns == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        assert [{*row} for row in rows] == [{0, 3, 6}, {2, 5, 8}, {1, 4, 7}]

    def test_two_columns_are_no_class(self) -> None:
        assert classes_of([(PAIRS[0][1], (0, 1))]) == []
        assert classes_of([(PAIRS[0][1], None)]) == []

    def test_bits_of_two_things(self) -> None:
        """The edges of a complete graph of four vertices belong to two each."""
        edges = [{*edge} for edge in combinations(range(4), 2)]
        exchanges = []
        for one, other in combinations(range(4), 2):
            moved = [k for k, edge in enumerate(edges) if one in edge and other not in edge]
            swaps = [(k, edges.index(edges[k] ^ {one, other})) for k in moved]
            exchanges.append((swaps, (one, other)))
        assert classes_of(exchanges) == []
        beside = [
            ([(one + 6, other + 6) for one, other in swaps], (some[0] + 4, some[1] + 4))
            for some, swaps in PAIRS
        ]
        assert len(classes_of(beside)) == 1
        assert classes_of([*exchanges, *beside]) == []

    def test_a_column_with_more_bits_than_others(self) -> None:
        """Its exchanges also swap two of its bits."""
        swaps = {(0, 1): [(0, 3), (4, 5)], (0, 2): [(0, 6)], (1, 2): [(3, 6), (4, 5)]}
        assert classes_of([(some, things) for things, some in swaps.items()]) == []

    @pytest.mark.parametrize("n_places", [0, WORD, WORD + 1])
    def test_two_colours(self, n_places: int) -> None:
        """At each place a bit for either; not if there are none, or more than a word has."""
        fields = {AllColors(place): Field(2 * place, 2, 0, 1) for place in range(n_places)}
        ended = {AllColors(WORD + 1): Field(2 * n_places, 2, 0, 0)}
        levels = Levels((), 0, False, (), fields | ended)
        of_colors = [list(range(color, 2 * n_places, 2)) for color in range(2)]
        assert blocks_of_colors(levels, 0, 2) == [of_colors] * (n_places == WORD)

    @pytest.mark.parametrize("n_bits", [WORD, WORD + 1])
    def test_blocks_are_no_larger_than_a_word(self, n_bits: int) -> None:
        """They are sorted as words. More bits have no room in a part."""
        columns = [
            ([(n_bits * one + k, n_bits * other + k) for k in range(n_bits)], things)
            for things in combinations(range(3), 2)
            for one, other in [things]
        ]
        exchange = [(9 + k, 9 + n_bits + k) for k in range(n_bits)]
        fits = n_bits == WORD
        assert len(classes_of(columns)) == fits
        assert len(classes_of([(exchange, None), *((swaps, things) for things, swaps in PAIRS)])) == 1 + fits

    def test_exchanges_that_move_more(self) -> None:
        """A bit that belongs to none of the columns changes with each exchange."""
        assert classes_of([([*swaps, (9, 10)], things) for things, swaps in PAIRS]) == []

    def test_an_exchange_in_another_order_of_the_bits(self) -> None:
        """Together with the others it exchanges bits within a column, so the columns are no blocks."""
        (_, one), (_, other), _ = PAIRS
        turned = [(3, 7), (4, 8), (5, 6)]
        found = classes_of([(one, (0, 1)), (other, (0, 2)), (turned, (1, 2))])
        assert found == [[[0, 1, 2], [3, 4, 5], [6, 7, 8]]]

    def test_not_too_many_blocks(self) -> None:
        others = [([(2 * k, 2 * k + 1)], None) for k in range(10, 60)]
        found = classes_of([*((swaps, things) for things, swaps in PAIRS), *others])
        assert sum(map(len, found)) <= MOST_BLOCKS
        assert len(found) == 1 + (MOST_BLOCKS - 3) // 2
