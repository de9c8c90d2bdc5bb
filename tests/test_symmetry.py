"""Groups, representatives and orbits, for both layouts of rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product
from math import factorial, gcd, lcm
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.errors import BadInput, BadModel, CountsDisagree, GroupTooLarge
from rekkyo.model.puzzle import FurtherSymmetry
from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry import group as group_module
from rekkyo.symmetry.group import close
from rekkyo.symmetry.kernel import survey
from rekkyo.symmetry.orbits import OrbitLedger, OrbitSurvey, images_under
from tests import made_once as st
from tests import naive

BY_OPTION = RowShape(3, 6, Layout.BY_OPTION)
ROTATE_OPTIONS = (1, 2, 3, 4, 5, 0)
MIRROR_OPTIONS = (5, 4, 3, 2, 1, 0)


def queens_survey(n: int, **options: bool) -> OrbitSurvey:
    puzzle = rk.queens(n, **options)
    return OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators))


def stabilizer_orders(survey: OrbitSurvey, rows: list[tuple[int, ...]], dtype: type) -> list[int]:
    return survey.stabilizer_orders(np.array(rows, dtype=dtype).reshape(len(rows), -1)).tolist()


def test_another_order_of_comparing_needs_no_compilation_of_its_own() -> None:
    group = close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS))
    rows = np.array([[0, 1, 2]], dtype=np.uint16)
    assert OrbitSurvey(group).stabilizer_orders(rows).tolist() == [2]
    n_compiled = len(survey.signatures)
    assert OrbitSurvey(group, order=(5, 4, 3, 2, 1, 0)).stabilizer_orders(rows).tolist() == [0]
    assert len(survey.signatures) == n_compiled


class TestGroup:
    @pytest.mark.parametrize(("n", "order"), [(1, 1), (2, 8), (3, 8), (8, 8)])
    def test_square_board(self, n: int, order: int) -> None:
        assert queens_survey(n).group.order == order

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_torus_has_every_shift_too(self, n: int) -> None:
        assert queens_survey(n, toroidal=True).group.order == 8 * n * n

    def test_no_generators_leave_the_identity(self) -> None:
        assert close(BY_OPTION, ()).elements.tolist() == [[0, 1, 2, 3, 4, 5]]

    def test_generators_in_any_order_make_the_same_table(self) -> None:
        one = close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS))
        other = close(BY_OPTION, (MIRROR_OPTIONS, ROTATE_OPTIONS, ROTATE_OPTIONS))
        assert one.order == 12
        assert np.array_equal(one.elements, other.elements)

    @pytest.mark.parametrize(
        "bad", [(0, 0, 1, 2, 3, 4), (0, 1, 2), (1, 2, 3, 4, 5, 6), ((0, 1), (2, 3)), ((0, 1), (2, 3, 4))]
    )
    def test_refuses_what_is_no_permutation(self, bad: Any) -> None:
        with pytest.raises(BadModel, match="atoms 0 to 5, each once"):
            close(BY_OPTION, (bad,))

    def test_refuses_a_group_that_would_fill_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        group_module._close.cache_clear()
        monkeypatch.setattr(group_module, "MAX_LISTED_ATOMS", 60)
        with pytest.raises(GroupTooLarge, match="more than 10 elements on 6 atoms"):
            close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS))

    def test_lists_a_group_that_just_fits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        group_module._close.cache_clear()
        monkeypatch.setattr(group_module, "MAX_LISTED_ATOMS", 12 * 6)
        assert close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS)).order == 12

    def test_in_part_leaves_out_only_what_would_exceed_the_number(self) -> None:
        """A rotation by 60 degrees generates six elements; by 180 degrees it generates two of them."""
        half = (3, 4, 5, 0, 1, 2)
        part = close(BY_OPTION, (ROTATE_OPTIONS, half, MIRROR_OPTIONS), 4, in_part=True)
        assert np.array_equal(part.elements, close(BY_OPTION, (half, MIRROR_OPTIONS)).elements)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
class TestImagesUnderOneSymmetry:
    """By the definition: a row is a set of atoms, and every atom of it moves."""

    def test_by_position(self, dtype: type) -> None:
        puzzle = rk.queens(5)
        rows = naive.queens_solutions(5)
        for generator in puzzle.generators:
            moved = [sorted(divmod(generator[5 * r + c], 5) for r, c in enumerate(row)) for row in rows]
            images = images_under(puzzle.model.row_shape, generator, np.array(rows, dtype=dtype))
            assert images.dtype == dtype
            assert images.tolist() == [[column for _, column in image] for image in moved]

    def test_by_option_with_filler(self, dtype: type) -> None:
        rows = [(0, 1, 3), (1, 2, 6), (4, 6, 6)]
        images = images_under(BY_OPTION, ROTATE_OPTIONS, np.array(rows, dtype=dtype))
        assert images.tolist() == [[1, 2, 4], [2, 3, 6], [5, 6, 6]]


@pytest.mark.kernel
class TestOrbitsOfQueens:
    @pytest.mark.parametrize("n", range(1, 8))
    def test_representatives_are_the_least_rows_of_the_geometric_orbits(self, n: int) -> None:
        rows = naive.queens_solutions(n)
        orbits = naive.orbits(rows, naive.square_symmetries(n))
        least = {min(orbit): 8 // len(orbit) for orbit in orbits} if n > 1 else {(0,): 1}
        if rows:
            orders = stabilizer_orders(queens_survey(n), rows, np.uint8)
            assert {row: order for row, order in zip(rows, orders, strict=True) if order} == least

    def test_torus(self) -> None:
        rows = naive.queens_solutions(7, toroidal=True)
        orbits = naive.orbits(rows, naive.square_symmetries(7, toroidal=True))
        orders = stabilizer_orders(queens_survey(7, toroidal=True), rows, np.uint8)
        found = {row: order for row, order in zip(rows, orders, strict=True) if order}
        assert found == {min(orbit): 8 * 49 // len(orbit) for orbit in orbits}

    def test_the_orbit_of_a_row_is_its_geometric_orbit(self) -> None:
        survey = queens_survey(6)
        for row in naive.queens_solutions(6):
            (expected,) = naive.orbits([row], naive.square_symmetries(6))
            assert survey.orbit(row) == tuple(sorted(expected))


def test_an_orbit_with_an_image_that_is_no_row_is_an_error() -> None:
    """The images that are rows were an orbit, whose size gave a wrong order of the stabilizer."""
    shape = RowShape(2, 3, Layout.BY_POSITION)
    survey = OrbitSurvey(close(shape, ((3, 1, 2, 0, 4, 5),)))
    assert survey.orbit((0, 0)) == ((0, 0),)
    assert survey.orbit((1, 2)) == ((1, 2),)
    with pytest.raises(
        CountsDisagree, match=r"^element 1 of the group takes \[0, 1\] to two values at one position"
    ):
        survey.orbit((0, 1))


@pytest.mark.kernel
class TestOrbitsByOption:
    """Rows are sets of options: here the 3-subsets of a hexagon's corners, with filler for smaller sets."""

    survey = OrbitSurvey(close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS)))

    @pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_representatives_and_stabilizers(self, size: int, dtype: type) -> None:
        filler = (6,) * (3 - size)
        rows = [subset + filler for subset in combinations(range(6), size)]
        elements = self.survey.group.elements.tolist()

        def images(row: tuple[int, ...]) -> list[tuple[int, ...]]:
            return [tuple(sorted(element[option] for option in row[:size])) + filler for element in elements]

        expected = [images(row).count(row) if row == min(images(row)) else 0 for row in rows]
        assert stabilizer_orders(self.survey, rows, dtype) == expected
        assert all(self.survey.orbit(row) == tuple(sorted(set(images(row)))) for row in rows)


@st.composite
def colorings(draw: st.DrawFn) -> tuple[RowShape, list[tuple[int, ...]], list[tuple[int, ...]]]:
    """All rows of a small shape, and generators that permute positions and values."""
    length, n_values = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    shape = RowShape(length, n_values, Layout.BY_POSITION)
    generators = []
    for _ in range(draw(st.integers(0, 2))):
        positions = draw(st.permutations(range(length)))
        values = draw(st.permutations(range(n_values)))
        generators.append(
            tuple(positions[p] * n_values + values[v] for p in range(length) for v in range(n_values))
        )
    return shape, generators, list(product(range(n_values), repeat=length))


@given(case=colorings())
def test_orbit_identity_holds_for_every_set_closed_under_the_group(
    case: tuple[RowShape, list[tuple[int, ...]], list[tuple[int, ...]]],
) -> None:
    shape, generators, rows = case
    survey = OrbitSurvey(close(shape, generators))
    ledger = OrbitLedger(survey.group.order)
    ledger.enter(survey.stabilizer_orders(np.array(rows, dtype=np.uint8)))
    assert ledger.total == len(rows)
    assert ledger.unique == len({survey.orbit(row) for row in rows})


def test_the_ledger_notices_a_missing_row_but_not_a_missing_orbit() -> None:
    survey = queens_survey(6)
    rows = naive.queens_solutions(6)
    representative = survey.orbit(rows[0])[0]
    for missing, expected_total in ((representative, 0), (rows[-1], 4)):
        ledger = OrbitLedger(8)
        kept = [row for row in rows if row != missing]
        ledger.enter(survey.stabilizer_orders(np.array(kept, dtype=np.uint8)))
        assert ledger.total == expected_total != len(kept)
    assert OrbitLedger(8).total == 0, "with the whole orbit gone the identity 0 = 0 holds"


def test_permuting_the_rows_changes_no_ledger() -> None:
    survey = queens_survey(5)
    ledgers = []
    for rows in list(permutations(naive.queens_solutions(5)[:4])):
        ledger = OrbitLedger(8)
        ledger.enter(survey.stabilizer_orders(np.array(rows, dtype=np.uint8)))
        ledgers.append(ledger)
    assert all(ledger == ledgers[0] for ledger in ledgers)


@pytest.mark.kernel
class TestOtherOrdersOfComparing:
    """Representatives may be the least rows in an order of an engine's own; the orbits stay the same."""

    @given(order=st.permutations(range(6)))
    def test_by_position(self, order: list[int]) -> None:
        rows = naive.queens_solutions(6)
        survey = OrbitSurvey(queens_survey(6).group, order)
        orders = stabilizer_orders(survey, rows, np.uint8)
        orbits = naive.orbits(rows, naive.square_symmetries(6))
        least = {min(orbit, key=lambda row: [row[p] for p in order]): 8 // len(orbit) for orbit in orbits}
        assert {row: found for row, found in zip(rows, orders, strict=True) if found} == least

    @given(order=st.permutations(range(6)))
    def test_by_option(self, order: list[int]) -> None:
        group = close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS))
        rows = [(*chosen, *[6] * (3 - size)) for size in range(4) for chosen in combinations(range(6), size)]
        orders = stabilizer_orders(OrbitSurvey(group, order), rows, np.uint8)
        plain = OrbitSurvey(group)
        rank = [order.index(option) for option in range(6)] + [6]
        least = {min(plain.orbit(row), key=lambda image: sorted(rank[v] for v in image)) for row in rows}
        assert {row for row, found in zip(rows, orders, strict=True) if found} == least

    def test_least_images_are_the_lexicographic_representatives(self) -> None:
        rows = naive.queens_solutions(7)
        survey = OrbitSurvey(queens_survey(7).group, [3, 1, 0, 2, 6, 5, 4])
        images = survey.least_images(np.array(rows, dtype=np.uint8))
        assert list(map(tuple, images.tolist())) == [survey.orbit(row)[0] for row in rows]

    def test_least_images_of_sets_of_options(self) -> None:
        rows = list(combinations(range(6), 3))
        survey = OrbitSurvey(close(BY_OPTION, (ROTATE_OPTIONS, MIRROR_OPTIONS)), [5, 4, 3, 2, 1, 0])
        images = survey.least_images(np.array(rows, dtype=np.uint8))
        assert list(map(tuple, images.tolist())) == [survey.orbit(row)[0] for row in rows]


class TestFurtherSymmetry:
    HALF_TURN = tuple(35 - atom for atom in range(36))
    MIRROR = tuple(atom // 6 * 6 + 5 - atom % 6 for atom in range(36))
    PUZZLE = replace(
        rk.queens(6),
        generators=(),
        further=(
            FurtherSymmetry("half-turn", "a half turn", (HALF_TURN,)),
            FurtherSymmetry("mirror", "left and right exchanged", (MIRROR,)),
        ),
    )

    @pytest.mark.parametrize(
        ("up_to", "unique"), [("none", None), ("symmetry", 4), ("half-turn", 4), ("symmetry,mirror", 2)]
    )
    def test_counts_when_it_is_asked_for(self, up_to: str, unique: int | None) -> None:
        # All four solutions on 6x6 are their own images under a half turn, and in two pairs of mirror images.
        assert rk.count(self.PUZZLE, up_to=up_to).unique == unique

    def test_unknown_words_are_refused(self) -> None:
        with pytest.raises(
            BadInput, match='"quarter" is not known for queens 6; use one of: symmetry, rotations, none'
        ):
            rk.count(self.PUZZLE, up_to="half-turn,quarter")


@pytest.mark.kernel
@pytest.mark.parametrize("order", [None, (4, 0, 2, 1, 3)])
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 2)] * 5), min_size=1, max_size=20),
    moves=st.lists(st.tuples(st.permutations(range(5)), st.permutations(range(3))), max_size=1),
)
def test_symmetries_that_move_cells_and_change_values(
    order: tuple[int, ...] | None, rows: list[tuple[int, ...]], moves: list[tuple[list[int], list[int]]]
) -> None:
    """Every image of every row by the definition, for cyclic groups."""
    shape = RowShape(5, 3, Layout.BY_POSITION)
    generators = [
        tuple(move[p] * 3 + change[v] for p in range(5) for v in range(3)) for move, change in moves
    ]
    group = close(shape, generators)
    compared = order or range(5)
    expected = []
    for row in rows:
        images = []
        for element in group.elements.tolist():
            atoms = sorted(element[3 * position + value] for position, value in enumerate(row))
            images.append(tuple(atom % 3 for atom in atoms))
        keys = [[image[position] for position in compared] for image in images]
        own = [row[position] for position in compared]
        expected.append(keys.count(own) if own == min(keys) else 0)
    assert stabilizer_orders(OrbitSurvey(group, order), rows, np.uint8) == expected


@pytest.mark.parametrize(
    ("generators", "sizes"),
    [
        ([(1, 2, 3, 0), (3, 2, 1, 0)], [1, 1, 2, 2, 2]),  # the square
        ([(1, 0, 2, 3), (1, 2, 3, 0)], [1, 3, 6, 6, 8]),  # all permutations of four: cycle types
        ([(1, 2, 3, 0)], [1, 1, 1, 1]),  # turns alone: each by itself
    ],
)
def test_conjugate_elements(generators: list[tuple[int, ...]], sizes: list[int]) -> None:
    group = close(RowShape(4, 4, Layout.BY_OPTION), generators)
    classes = group.conjugates()
    assert sorted(size for _, size in classes) == sizes
    assert classes[0][0].tolist() == [0, 1, 2, 3]
    assert sum(size for _, size in classes) == group.order


@pytest.mark.parametrize(("n", "n_classes"), [(2, 5), (3, 10), (4, 20), (5, 36), (6, 65)])
def test_classes_of_a_large_group(n: int, n_classes: int) -> None:
    """Exchanges of n pairs and within them: a class for each two partitions of n in all (OEIS A000712)."""
    turned = (*range(2, 2 * n), 0, 1)
    swapped = (2, 3, 0, 1, *range(4, 2 * n))
    flipped = (1, 0, *range(2, 2 * n))
    group = close(RowShape(2 * n, 2 * n, Layout.BY_OPTION), [turned, swapped, flipped])
    assert (group.order, len(group.conjugates())) == (2**n * factorial(n), n_classes)


@pytest.mark.parametrize("n", [37, 40, 60, 97, 300])
def test_powers_are_one_class(n: int) -> None:
    """Rotations of n points that generate the same subgroup; the reflections are one class or two."""
    turned, mirrored = (*range(1, n), 0), tuple(-point % n for point in range(n))
    shape = RowShape(n, n, Layout.BY_OPTION)
    of_order = Counter(n // gcd(n, step) for step in range(n))
    turns = close(shape, [turned]).conjugates()
    assert sorted(size for _, size in turns) == sorted(of_order.values())
    reflections = [n // 2, n // 2] if n % 2 == 0 else [n]
    both = close(shape, [turned, mirrored]).conjugates()
    assert sorted(size for _, size in both) == sorted([*of_order.values(), *reflections])
    assert both[0][0].tolist() == list(range(n))


@pytest.mark.parametrize(("a", "b"), [(12, 18), (8, 8), (5, 25)])
def test_a_class_of_shifts_generates_one_subgroup(a: int, b: int) -> None:
    """The shifts of a torus: a class for each cyclic subgroup, as large as it has generators."""
    cells = list(product(range(a), range(b)))
    number_of = {cell: number for number, cell in enumerate(cells)}

    def shift(down: int, across: int) -> tuple[int, ...]:
        return tuple(number_of[(r + down) % a, (c + across) % b] for r, c in cells)

    subgroups = Counter(frozenset((k * r % a, k * c % b) for k in range(lcm(a, b))) for r, c in cells)
    group = close(RowShape(a * b, a * b, Layout.BY_OPTION), [shift(1, 0), shift(0, 1)])
    assert sorted(size for _, size in group.conjugates()) == sorted(subgroups.values())


def test_each_of_many_exchanges_that_commute_is_a_class() -> None:
    """Fifteen pairs: the images of 15 atoms tell elements apart, 30^15 numbers, more than 64 bits hold."""
    swaps = [(*range(k), k + 1, k, *range(k + 2, 30)) for k in range(0, 30, 2)]
    group = close(RowShape(30, 30, Layout.BY_OPTION), swaps)
    classes = group.conjugates()
    assert [size for _, size in classes] == [1] * 2**15
    assert np.array_equal([element for element, _ in classes], group.elements)


@given(st.lists(st.permutations(range(5)).map(tuple), min_size=1, max_size=3))
def test_conjugate_elements_move_equally_many_atoms(generators: list[tuple[int, ...]]) -> None:
    """Classes by the definition: some element, another, and that undone."""
    group = close(RowShape(5, 5, Layout.BY_OPTION), generators)
    elements = [tuple(element) for element in group.elements.tolist()]

    def conjugate(one: tuple[int, ...], by: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(by[one[by.index(atom)]] for atom in range(5))

    classes = {frozenset(conjugate(one, by) for by in elements) for one in elements}
    found = {tuple(element.tolist()): size for element, size in group.conjugates()}
    assert len(found) == len(classes)
    for some in classes:
        assert sum(found.get(one, 0) for one in some) == len(some)
