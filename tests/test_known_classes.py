"""Rows under large groups that are rejected because a lesser row of their orbit is known."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.model.lower import lower
from rekkyo.model.row import AtomPermutation, Layout, RowShape
from rekkyo.symmetry import invariant_kernel, large_survey
from rekkyo.symmetry import known_classes as classes_module
from rekkyo.symmetry.group import close
from rekkyo.symmetry.known_classes import known_classes
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.large_survey import LargeSurvey
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.test_large_groups import group_of, groups_and_rows, moved
from tests.test_large_sets import any_edges, renaming, rows_of
from tests.test_large_sets import group_of as group_of_cover

MOST_IMAGES = 120
"""Of a group whose orbits are looked at as a whole."""


def keep_classes_from_the_first_row(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(large_survey, "LONG_S", -1)
    patched.setattr(large_survey, "AT_ONCE", 1)


@pytest.fixture
def classes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_classes_from_the_first_row(monkeypatch)


def tell_nothing_apart(patched: pytest.MonkeyPatch) -> None:
    """All rows of one length get one invariant, and all colours on the way are equal."""
    patched.setattr(classes_module, "_sum_of", lambda colors: 0)


def orders_with_classes(group: LargeGroup, rows: np.ndarray, is_alike: bool) -> list[int]:
    """What a survey finds that keeps classes from the first row. is_alike: `tell_nothing_apart`."""
    with pytest.MonkeyPatch.context() as patched:
        keep_classes_from_the_first_row(patched)
        if is_alike:
            tell_nothing_apart(patched)
        orders: list[int] = LargeSurvey(group).stabilizer_orders(rows).tolist()
    return orders


def assert_images_are_recognised(group: LargeGroup, orbit: np.ndarray) -> None:
    """The least row of an orbit is known, and all others are rejected by it."""
    classes = known_classes(group)
    if classes is None:
        return
    least, *others = [np.array(row) for row in sorted(LargeSurvey(group)._in_order(orbit).tolist())]
    classes.add(classes.seen(least))
    assert not classes.is_image(classes.seen(least))
    assert all(classes.is_image(classes.seen(other)) for other in others)


def images_of(atoms: frozenset[int], generators: tuple[AtomPermutation, ...]) -> list[list[int]]:
    """The orbit of a set of atoms, each image increasing."""
    orbit, new = set[frozenset[int]](), {atoms}
    while new:
        orbit |= new
        new = {frozenset(one[atom] for atom in image) for image in new for one in generators} - orbit
    return sorted(map(sorted, orbit))


@pytest.mark.kernel
@given(drawn=groups_and_rows(), is_alike=st.booleans())
@settings(max_examples=200, deadline=None)
def test_rows_by_position(
    drawn: tuple[RowShape, tuple[AtomPermutation, ...], np.ndarray], is_alike: bool
) -> None:
    """Their stabilizers are those under the listed group, and the images of the first one are recognised."""
    shape, generators, rows = drawn
    listed = close(shape, generators)
    if listed.order == 1:
        return
    group = group_of(shape, generators)
    right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
    assert orders_with_classes(group, rows, is_alike) == right.tolist()
    if listed.order <= MOST_IMAGES:
        atoms = shape.n_values * np.arange(shape.length) + rows[0]
        images = np.array(images_of(frozenset(atoms.tolist()), generators))
        assert_images_are_recognised(group, images % shape.n_values)


@pytest.mark.kernel
@given(
    generators=st.lists(st.permutations(range(5)), min_size=1, max_size=2),
    sets=st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=20),
    is_alike=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_sets(generators: list[list[int]], sets: list[set[int]], is_alike: bool) -> None:
    """The same for sets of options, which differ in size."""
    cover, edges = any_edges(5), list(combinations(range(5), 2))
    moves = tuple(renaming(edges, order) for order in generators)
    listed = close(cover.row_shape, moves)
    if listed.order == 1:
        return
    group = group_of_cover(cover, moves)
    rows = rows_of(cover, [tuple(some) for some in sets])
    right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
    assert orders_with_classes(group, rows, is_alike) == right.tolist()
    images = images_of(frozenset(sets[0]), moves)
    assert_images_are_recognised(group, rows_of(cover, [tuple(image) for image in images]))


def of_positions(n_values: int, *orders: list[int], values: tuple[int, ...] = ()) -> LargeGroup:
    """The group that permutes positions, and exchanges values if they are given."""
    shape, kept = RowShape(len(orders[0]), n_values, Layout.BY_POSITION), list(range(n_values))
    exchange = [moved(shape, list(range(shape.length)), list(values))] if values else []
    return group_of(shape, (*(moved(shape, order, kept) for order in orders), *exchange))


class TestMatches:
    """Any atoms in any order are matched with a least row: against all elements of the group."""

    @pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
    def test_options(self, size: int) -> None:
        """Edges between 4 points, under all 24 renamings."""
        cover, edges = any_edges(4), list(combinations(range(4), 2))
        group = group_of_cover(cover, tuple(renaming(edges, order) for order in ((1, 0, 2, 3), (1, 2, 3, 0))))
        places, elements = np.argsort(group.compared), [renaming(edges, o) for o in permutations(range(4))]
        rows = rows_of(cover, list(combinations(range(6), size)))
        for row in rows[LargeSurvey(group).stabilizer_orders(rows) > 0]:
            least = np.sort(places[row[:size]])
            own = np.array(group.compared)[least].tolist()
            for images in permutations(range(6), size):
                right = any([one[image] for image in images] == own for one in elements)
                assert classes_module._takes_set(group, places[list(images)], least) is right

    def test_atoms_of_rows_by_position(self) -> None:
        """Four positions of two values, under all 48 permutations of positions and exchanges of values."""
        group = of_positions(2, [1, 0, 2, 3], [1, 2, 3, 0], values=(1, 0))
        elements = [
            tuple(2 * order[atom // 2] + (atom + turn) % 2 for atom in range(8))
            for order in permutations(range(4))
            for turn in range(2)
        ]
        points = (2 * np.array(group.compared)[:, None] + np.arange(2)).reshape(-1)
        places = np.argsort(points)
        rows = np.array(list(product(range(2), repeat=4)))
        for row in LargeSurvey(group)._in_order(rows[LargeSurvey(group).stabilizer_orders(rows) > 0]):
            least = 2 * np.arange(4) + row
            own = points[least].tolist()
            for images in permutations(range(8), 4):
                right = any([one[image] for image in images] == own for one in elements)
                assert classes_module._takes_row(group, places[list(images)], least) is right


@cache
def triple_systems() -> tuple[LargeGroup, np.ndarray]:
    """The group of triples of 13 points, and its two least systems in the order of comparison."""
    puzzle = rk.puzzle("steiner-triples 13")
    cover = lower(puzzle.model)
    assert isinstance(cover, rk.ExactCover)
    group = group_of_cover(cover, puzzle.generators)
    found = np.array([*rk.solve(puzzle, up_to="symmetry")])
    rows = np.sort(np.argsort(np.array(group.compared))[found], axis=1)
    return group, rows[np.lexsort(rows.T[::-1])]


class TestTripleSystems:
    """Steiner triple systems of 13 points: one with 39 automorphisms, one with 6."""

    @pytest.fixture
    def group(self) -> LargeGroup:
        return triple_systems()[0]

    @pytest.fixture
    def least(self) -> np.ndarray:
        return triple_systems()[1]

    @staticmethod
    def image_of(row: np.ndarray, group: LargeGroup, rng: random.Random) -> np.ndarray:
        places, compared = np.argsort(np.array(group.compared)), np.array(group.compared)
        for _ in range(40):
            row = places[np.array(rng.choice(group.generators))[compared[row]]]
        return np.sort(row)

    def test_every_image_is_recognised(self, group: LargeGroup, least: np.ndarray) -> None:
        classes = known_classes(group)
        assert classes is not None
        for row in least:
            classes.add(classes.seen(row))
        rng = random.Random(1)
        for row in least:
            for _ in range(30):
                image = self.image_of(row, group, rng)
                assert classes.is_image(classes.seen(image)) is (image.tolist() != row.tolist())

    def test_a_row_of_another_orbit_is_none(self, group: LargeGroup, least: np.ndarray) -> None:
        classes = known_classes(group)
        assert classes is not None
        classes.add(classes.seen(least[0]))
        rng = random.Random(2)
        for _ in range(10):
            assert not classes.is_image(classes.seen(self.image_of(least[1], group, rng)))

    def test_a_lesser_row_is_none(self, group: LargeGroup, least: np.ndarray) -> None:
        """Rows that come before the one that is known are not rejected."""
        classes = known_classes(group)
        assert classes is not None
        rng = random.Random(3)
        images = [self.image_of(least[0], group, rng) for _ in range(10)]
        classes.add(classes.seen(max(images, key=list)))
        assert not any(classes.is_image(classes.seen(image)) for image in [*images, least[0]])

    def test_invariants_alone_reject_nothing(
        self, group: LargeGroup, least: np.ndarray, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tell_nothing_apart(monkeypatch)
        classes = known_classes(group)
        assert classes is not None
        classes.add(classes.seen(least[0]))
        rng = random.Random(4)
        images = [self.image_of(least[1], group, rng) for _ in range(5)]
        assert not any(classes.is_image(classes.seen(image)) for image in [least[1], *images])

    def test_matching_ends_after_some_tries(
        self, group: LargeGroup, least: np.ndarray, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They are counted for all representatives of one invariant together."""
        tell_nothing_apart(monkeypatch)
        monkeypatch.setattr(classes_module, "MOST_TRIES", 20)
        classes = known_classes(group)
        assert classes is not None
        for _ in range(3):
            classes.add(classes.seen(least[0]))
        seen = classes.seen(self.image_of(least[1], group, random.Random(6)))
        refined: list[int] = []
        refine = classes_module._refine
        monkeypatch.setattr(classes_module, "_refine", lambda *given: refined.append(1) or refine(*given))
        assert not classes.is_image(seen)
        assert 10 < len(refined) <= 20

    def test_matching_in_vain_does_not_pay_until_images_are_recognised(
        self, group: LargeGroup, least: np.ndarray, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(classes_module, "MOST_VAIN", 0)
        classes = known_classes(group)
        assert classes is not None
        classes.add(classes.seen(least[0]))
        image, other = (self.image_of(row, group, random.Random(7)) for row in least)
        assert classes.is_image(classes.seen(image))
        assert not classes.is_image(classes.seen(other))
        assert classes.pay
        with monkeypatch.context() as patched:
            tell_nothing_apart(patched)
            alike = known_classes(group)
            assert alike is not None
            alike.add(alike.seen(least[0]))
            assert not alike.is_image(alike.seen(other))
        assert not alike.pay
        monkeypatch.setattr(classes_module, "PAID", 10 * classes_module.MOST_TRIES)
        with monkeypatch.context() as patched:
            patched.setattr(alike, "_known", classes._known)
            assert alike.is_image(alike.seen(image))
        assert alike.pay
        tell_nothing_apart(monkeypatch)
        assert not alike.is_image(alike.seen(other))
        assert not alike.pay

    @pytest.fixture
    def proved(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """The numbers of rows for which an image was searched at once."""
        proved: list[int] = []
        test = LargeSurvey._tested
        monkeypatch.setattr(
            LargeSurvey, "_tested", lambda survey, rows: proved.append(len(rows)) or test(survey, rows)
        )
        return proved

    @staticmethod
    def as_rows(group: LargeGroup, in_order: list[np.ndarray]) -> np.ndarray:
        return np.sort(np.array(group.compared)[np.array(in_order)], axis=1).astype(np.uint16)

    def test_an_image_is_searched_for_the_least_rows_alone(
        self,
        group: LargeGroup,
        least: np.ndarray,
        classes_are_kept: None,
        monkeypatch: pytest.MonkeyPatch,
        proved: list[int],
    ) -> None:
        """Whatever their order in a block."""
        rng = random.Random(5)
        images = [self.image_of(row, group, rng) for row in least for _ in range(3)]
        rows = self.as_rows(group, [*images[:3], least[1], *images[3:], least[0]])
        orders = LargeSurvey(group).stabilizer_orders(rows).tolist()
        assert sorted([orders[3], orders[7]]) == [6, 39]
        assert sum(orders) == 45
        assert sum(proved) == 2

    def test_only_least_rows_are_kept(
        self, group: LargeGroup, least: np.ndarray, classes_are_kept: None, proved: list[int]
    ) -> None:
        """Their images are found along their paths in the tables, which other rows do not have."""
        rng = random.Random(8)
        survey = LargeSurvey(group)
        rows = self.as_rows(group, [self.image_of(row, group, rng) for row in least for _ in range(3)])
        assert survey.stabilizer_orders(rows).tolist() == [0] * 6
        assert survey._classes is not None
        assert survey._classes._known == {}

    def test_classes_are_kept_up_to_a_limit(
        self,
        group: LargeGroup,
        least: np.ndarray,
        classes_are_kept: None,
        monkeypatch: pytest.MonkeyPatch,
        proved: list[int],
    ) -> None:
        monkeypatch.setattr(classes_module, "MOST_KNOWN", 1)
        rng = random.Random(9)
        images = [self.image_of(row, group, rng) for row in least]
        rows = self.as_rows(group, [*least, *images])
        assert LargeSurvey(group).stabilizer_orders(rows).tolist()[2:] == [0, 0]
        assert sum(proved) == 3

    def test_classes_that_do_not_pay_are_dropped(
        self,
        group: LargeGroup,
        least: np.ndarray,
        classes_are_kept: None,
        monkeypatch: pytest.MonkeyPatch,
        proved: list[int],
    ) -> None:
        """They are not begun again, and all rows are proved from then on."""
        tell_nothing_apart(monkeypatch)
        monkeypatch.setattr(classes_module, "MOST_VAIN", 0)
        rng = random.Random(10)
        survey = LargeSurvey(group)
        rows = self.as_rows(group, [*least, *(self.image_of(least[1], group, rng) for _ in range(2))])
        assert sorted(survey.stabilizer_orders(rows).tolist()) == [0, 0, 6, 39]
        assert survey._classes is None
        assert sum(proved) == 4


class TestWhenClassesAreKept:
    """No test can wait for a slow proof, so any time is long, or none."""

    @pytest.fixture
    def made(self, monkeypatch: pytest.MonkeyPatch) -> list[LargeGroup]:
        """The groups for which classes were begun, all in vain."""
        made: list[LargeGroup] = []
        monkeypatch.setattr(large_survey, "known_classes", made.append)
        return made

    @pytest.mark.parametrize(("long_s", "n_made"), [(-1, 1), (1e9, 0)])
    def test_once_and_only_if_rows_take_long(
        self, long_s: float, n_made: int, made: list[LargeGroup], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(large_survey, "LONG_S", long_s)
        monkeypatch.setattr(large_survey, "AT_ONCE", 2)
        shape = RowShape(3, 2, Layout.BY_POSITION)
        survey = LargeSurvey(group_of(shape, ((2, 3, 4, 5, 0, 1),)))
        for _ in range(3):
            survey.stabilizer_orders(np.array([[0, 0, 1]] * 5, dtype=np.uint8))
        assert len(made) == n_made


SHORT = [
    ("steiner-triples 9", "symmetry", 1),
    ("block-designs 2 6 3 2", "symmetry", 1),
    ("latin-square 5", "main-classes", 2),
    ("ramsey 3 4 8", "symmetry", 3),
]
LONG = [  # minutes without a compiler
    ("steiner-triples 13", "symmetry", 2),
    ("block-designs 2 9 3 2", "symmetry", 13),
    ("block-designs 2 9 4 3", "symmetry", 11),
    ("one-factorizations 8", "symmetry", 6),
]


@pytest.mark.usefixtures("classes_are_kept")
class TestQuestions:
    @pytest.mark.parametrize(
        ("words", "up_to", "unique"),
        [*LONG, *(pytest.param(*question, marks=pytest.mark.kernel) for question in SHORT)],
    )
    @pytest.mark.parametrize("workers", [1, 2])
    def test_published_numbers_of_classes(self, words: str, up_to: str, unique: int, workers: int) -> None:
        """Colbourn and Dinitz, Handbook of Combinatorial Designs (2007); OEIS A003090; Radziszowski."""
        found = list(rk.solve(rk.puzzle(words), up_to=up_to, workers=workers))
        assert len(set(found)) == len(found) == unique


class TestGroupsThatHaveClasses:
    def test_the_longest_rows_and_the_most_kinds_of_pairs(self) -> None:
        """Matrices of 8 rows and 8 columns. Two atoms are of a cell, a row, a column or none, and of values."""
        orders = [1, 0, *range(2, 8)], [*range(1, 8), 0]
        rows = [[8 * order[cell // 8] + cell % 8 for cell in range(64)] for order in orders]
        columns = [[8 * (cell // 8) + order[cell % 8] for cell in range(64)] for order in orders]
        classes = known_classes(of_positions(2, *rows, *columns))
        assert (invariant_kernel.MOST_ATOMS, invariant_kernel.MOST_KINDS) == (64, 16)
        assert classes is not None
        least = np.array([0] * 63 + [1])
        classes.add(classes.seen(least))
        assert all(classes.is_image(classes.seen(np.roll(least, k))) for k in (1, 30, 63))

    def test_longer_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Turns have as many kinds of pairs as positions, so more are allowed here."""
        monkeypatch.setattr(classes_module, "MOST_KINDS", 100)
        assert known_classes(of_positions(1, [*range(1, 64), 0])) is not None
        assert known_classes(of_positions(1, [*range(1, 65), 0])) is None

    def test_more_kinds_of_pairs(self) -> None:
        """A swap of two among 5 atoms has (25 + 9) / 2 = 17 (Burnside's lemma)."""
        assert known_classes(of_positions(1, [1, 0, 2, 3, 4])) is None

    def test_pairs_of_atoms(self, monkeypatch: pytest.MonkeyPatch) -> None:
        group = of_positions(2, [1, 2, 3, 0])
        monkeypatch.setattr(classes_module, "MOST_PAIRS", 64)
        assert known_classes(group) is not None
        monkeypatch.setattr(classes_module, "MOST_PAIRS", 63)
        assert known_classes(group) is None
