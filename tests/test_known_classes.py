"""Rows under large groups that are rejected because a lesser row of their orbit is known."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

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
from rekkyo.symmetry.known_classes import KnownClasses, known_classes
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.large_survey import LargeSurvey
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.test_large_groups import group_of, groups_and_rows
from tests.test_large_sets import any_edges, renaming, rows_of
from tests.test_large_sets import group_of as group_of_cover

pytestmark = pytest.mark.kernel


def keep_classes_from_the_first_row(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(large_survey, "LONG_S", -1)
    patched.setattr(large_survey, "AT_ONCE", 1)


@pytest.fixture
def classes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_classes_from_the_first_row(monkeypatch)


def survey_with(classes: KnownClasses | None, group: LargeGroup) -> LargeSurvey:
    survey = LargeSurvey(group)
    survey._classes = classes
    return survey


@given(groups_and_rows())
@settings(max_examples=150, deadline=None)
def test_rows_by_position_have_the_stabilizers_of_the_listed_group(
    drawn: tuple[RowShape, tuple[AtomPermutation, ...], np.ndarray],
) -> None:
    shape, generators, rows = drawn
    listed = close(shape, generators)
    if listed.order == 1:
        return
    group = group_of(shape, generators)
    right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
    with pytest.MonkeyPatch.context() as patched:
        keep_classes_from_the_first_row(patched)
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()


@given(
    generators=st.lists(st.permutations(range(5)), min_size=1, max_size=2),
    sets=st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=20),
)
@settings(max_examples=100, deadline=None)
def test_sets_have_the_stabilizers_of_the_listed_group(
    generators: list[list[int]], sets: list[set[int]]
) -> None:
    cover, edges = any_edges(5), list(combinations(range(5), 2))
    moves = tuple(renaming(edges, order) for order in generators)
    listed = close(cover.row_shape, moves)
    if listed.order == 1:
        return
    group = group_of_cover(cover, moves)
    rows = rows_of(cover, [tuple(some) for some in sets])
    right = OrbitSurvey(listed, group.compared).stabilizer_orders(rows)
    with pytest.MonkeyPatch.context() as patched:
        keep_classes_from_the_first_row(patched)
        assert LargeSurvey(group).stabilizer_orders(rows).tolist() == right.tolist()


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
        """Both orbits get one invariant, and all colours on the way are equal."""
        monkeypatch.setattr(classes_module, "_sum_of", lambda colors: 0)
        classes = known_classes(group)
        assert classes is not None
        classes.add(classes.seen(least[0]))
        rng = random.Random(4)
        images = [self.image_of(least[1], group, rng) for _ in range(5)]
        assert not any(classes.is_image(classes.seen(image)) for image in [least[1], *images])

    def test_no_image_is_searched_for_a_row_that_is_rejected(
        self, group: LargeGroup, least: np.ndarray, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        classes = known_classes(group)
        assert classes is not None
        classes.add(classes.seen(least[0]))
        survey = survey_with(classes, group)
        tested: list[int] = []
        test = survey._tested
        monkeypatch.setattr(survey, "_tested", lambda rows: tested.append(len(rows)) or test(rows))
        image = self.image_of(least[0], group, random.Random(5))
        places = np.array(group.compared)
        rows = np.sort(places[np.array([image, least[0]])], axis=1).astype(np.uint16)
        assert survey.stabilizer_orders(rows).tolist() == [0, 39]
        assert sum(tested) == 1


@pytest.mark.usefixtures("classes_are_kept")
class TestQuestions:
    @pytest.mark.parametrize(
        ("words", "up_to", "unique"),
        [
            ("steiner-triples 9", "symmetry", 1),
            ("steiner-triples 13", "symmetry", 2),
            ("block-designs 2 9 3 2", "symmetry", 13),
            ("block-designs 2 9 4 3", "symmetry", 11),
            ("one-factorizations 8", "symmetry", 6),
            ("latin-square 5", "main-classes", 2),
            ("ramsey 3 4 8", "symmetry", 3),
        ],
    )
    @pytest.mark.parametrize("workers", [1, 2])
    def test_published_numbers_of_classes(self, words: str, up_to: str, unique: int, workers: int) -> None:
        """Colbourn and Dinitz, Handbook of Combinatorial Designs (2007); OEIS A003090; Radziszowski."""
        found = list(rk.solve(rk.puzzle(words), up_to=up_to, workers=workers))
        assert len(set(found)) == len(found) == unique


def test_no_classes_of_long_rows_or_many_atoms() -> None:
    long = RowShape(invariant_kernel.MOST_ATOMS + 1, 2, Layout.BY_POSITION)
    swapped = (*range(2, 4), *range(2), *range(4, 2 * long.length))
    assert known_classes(group_of(long, (swapped,))) is None
    wide = RowShape(2, 600, Layout.BY_POSITION)
    turned = (*range(600, 1200), *range(600))
    assert known_classes(group_of(wide, (turned,))) is None


def test_no_classes_under_a_group_with_many_kinds_of_pairs() -> None:
    shape = RowShape(6, 2, Layout.BY_POSITION)
    assert known_classes(group_of(shape, ((2, 3, 0, 1, *range(4, 12)),))) is None
