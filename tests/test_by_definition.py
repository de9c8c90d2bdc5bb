"""Stabilizers by their definition: a second way to what surveys say of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.contract import row_dtype
from rekkyo.model.row import AtomPermutation, Layout, Row, RowShape
from rekkyo.symmetry.by_definition import stabilizer_order
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests import made_once as st


@dataclass(frozen=True, slots=True)
class Case:
    """All rows of a small shape, generators of a group that acts on them, and an order of comparing."""

    shape: RowShape
    generators: tuple[AtomPermutation, ...]
    rows: tuple[Row, ...]
    order: tuple[int, ...] | None


def assert_both_ways_agree(
    shape: RowShape, generators: Sequence[AtomPermutation], rows: Sequence[Row], order: Sequence[int] | None
) -> list[int]:
    group = close(shape, generators)
    array = np.array(rows, dtype=row_dtype(shape.n_symbols)).reshape(-1, shape.length)
    said = OrbitSurvey(group, order).stabilizer_orders(array).tolist()
    assert [stabilizer_order(group, row, order) for row in array] == said
    return said


def some_order(draw: st.DrawFn, number: int) -> tuple[int, ...] | None:
    return draw(st.none() | st.permutations(range(number)).map(tuple))


@st.composite
def by_option(draw: st.DrawFn) -> Case:
    """Sets of options, smaller ones with fillers at the end."""
    n_options, length = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    rows = tuple(
        chosen + (n_options,) * (length - size)
        for size in range(min(length, n_options) + 1)
        for chosen in combinations(range(n_options), size)
    )
    generators = draw(st.lists(st.permutations(range(n_options)).map(tuple), max_size=2))
    shape = RowShape(length, n_options, Layout.BY_OPTION)
    return Case(shape, tuple(generators), rows, some_order(draw, n_options))


@st.composite
def by_position(draw: st.DrawFn) -> Case:
    """Positions and values exchanged, the values of each position in a way of its own."""
    length, n_values = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    generators = []
    for _ in range(draw(st.integers(0, 2))):
        positions = draw(st.permutations(range(length)))
        values = [draw(st.permutations(range(n_values))) for _ in range(length)]
        generators.append(
            tuple(positions[p] * n_values + values[p][v] for p in range(length) for v in range(n_values))
        )
    shape = RowShape(length, n_values, Layout.BY_POSITION)
    rows = tuple(product(range(n_values), repeat=length))
    return Case(shape, tuple(generators), rows, some_order(draw, length))


@pytest.mark.kernel
@given(case=by_option() | by_position())
def test_agrees_with_the_survey(case: Case) -> None:
    assert_both_ways_agree(case.shape, case.generators, case.rows, case.order)


@pytest.mark.kernel
@pytest.mark.parametrize("order", [None, (4, 0, 3, 1, 2)])
@pytest.mark.parametrize("toroidal", [False, True])
def test_where_values_become_positions(toroidal: bool, order: tuple[int, ...] | None) -> None:
    """As when a board is turned. Rows are all placements with one queen in each row and column."""
    puzzle = rk.queens(5, toroidal=toroidal)
    said = assert_both_ways_agree(
        puzzle.model.row_shape, puzzle.generators, list(permutations(range(5))), order
    )
    group_order = 8 * 25 if toroidal else 8
    assert sum(group_order // stabilizer for stabilizer in said if stabilizer) == 120


@pytest.mark.parametrize(
    ("row", "order", "expected"),
    [
        ((0, 1), None, 2),  # turned over it is itself
        ((2, 3), None, 0),  # (0, 1) comes before it
        ((2, 3), (2, 3, 0, 1), 2),  # not in this order
        ((0, 2), None, 2),  # half a turn exchanges them
        ((0, 4), None, 1),  # 4 is the filler, which stays
        ((4, 4), None, 4),
    ],
)
def test_by_hand(row: Row, order: tuple[int, ...] | None, expected: int) -> None:
    """The corners of a rectangle, 0 1 above 3 2: a half turn, and turned over from left to right."""
    group = close(RowShape(2, 4, Layout.BY_OPTION), ((2, 3, 0, 1), (1, 0, 3, 2)))
    assert stabilizer_order(group, np.array(row), order) == expected
