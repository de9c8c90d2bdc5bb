"""Polyforms: how many there are, and in how many orientations, against published tables."""

from __future__ import annotations

import pytest

from rekkyo.catalog.polyforms import polyforms, polyominoes
from rekkyo.model.lattices import CUBE, EDGES, HEXAGON, SQUARE, TRIANGLE, Cell, Lattice
from rekkyo.model.lattices.shapes import orientations


@pytest.mark.parametrize(
    ("lattice", "counts"),
    [
        (SQUARE, [1, 1, 2, 5, 12, 35, 108]),  # OEIS A000105
        (TRIANGLE, [1, 1, 1, 3, 4, 12, 24]),  # OEIS A000577
        (HEXAGON, [1, 1, 3, 7, 22, 82]),  # OEIS A000228
        (EDGES, [1, 2, 5, 16, 55]),  # OEIS A019988
        (CUBE, [1, 1, 2, 7, 23]),  # OEIS A038119
    ],
)
def test_free_forms(lattice: Lattice, counts: list[int]) -> None:
    assert [len(polyforms(lattice, order)) for order in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("lattice", "counts"),
    [
        (SQUARE, [1, 1, 2, 7, 18, 60]),  # OEIS A000988
        (TRIANGLE, [1, 1, 1, 4, 6, 19]),  # OEIS A006534
        (CUBE, [1, 1, 2, 8, 29]),  # OEIS A000162
    ],
)
def test_one_sided_forms(lattice: Lattice, counts: list[int]) -> None:
    forms = [polyforms(lattice, order, reflections=False) for order in range(1, len(counts) + 1)]
    assert [len(of_order) for of_order in forms] == counts


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (3, {"I": 2, "L": 4}),
        (4, {"I": 2, "L": 8, "O": 1, "S": 4, "T": 4}),
        (
            5,
            {"F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4},
        ),
    ],
)
def test_orientations_of_the_polyominoes_with_letters(order: int, expected: dict[str, int]) -> None:
    found = {name: len(orientations(SQUARE, form, reflections=True)) for name, form in polyominoes(order)}
    assert found == expected


def test_larger_polyominoes_are_numbered() -> None:
    assert [name for name, _ in polyominoes(6)] == [str(number) for number in range(1, 36)]
    assert dict(polyominoes(1)) == {"1": ((0, 0),)}


def test_orientations_of_the_hexiamonds_and_the_tetracubes() -> None:
    hexiamonds = polyforms(TRIANGLE, 6)
    counts = [len(orientations(TRIANGLE, form, reflections=True)) for form in hexiamonds]
    assert sorted(counts) == [1, 3, 6, 6, 6, 6, 6, 12, 12, 12, 12, 12]
    tetracubes = polyforms(CUBE, 4, reflections=False)
    counts = [len(orientations(CUBE, form, reflections=False)) for form in tetracubes]
    assert sorted(counts) == [3, 3, 8, 12, 12, 12, 12, 24]


@pytest.mark.parametrize(
    ("lattice", "counts"),
    [
        (SQUARE, [1, 2, 6, 19, 63, 216]),  # OEIS A001168
        (TRIANGLE, [2, 3, 6, 14, 36, 94]),  # OEIS A001420
        (HEXAGON, [1, 3, 11, 44, 186]),  # OEIS A001207
        (EDGES, [2, 6, 22, 88, 372]),  # OEIS A096267
        (CUBE, [1, 3, 15, 86]),  # OEIS A001931
    ],
)
def test_orientations_add_up_to_the_fixed_forms(lattice: Lattice, counts: list[int]) -> None:
    for order, count in enumerate(counts, start=1):
        forms = polyforms(lattice, order)
        assert sum(len(orientations(lattice, form, reflections=True)) for form in forms) == count


@pytest.mark.parametrize(
    "lattice", [SQUARE, TRIANGLE, HEXAGON, EDGES, CUBE], ids=lambda lattice: lattice.name
)
def test_fixed_forms_add_up_from_orientations(lattice: Lattice) -> None:
    """Growing translates only, without any symmetry, gives the orientations of the free forms."""
    fixed: set[tuple[Cell, ...]] = {(kind.residue,) for kind in lattice.kinds}
    for order in range(2, 5):
        grown = set()
        for form in fixed:
            around = {near for cell in form for near in lattice.neighbours(cell)} - set(form)
            for cell in around:
                larger = sorted((*form, cell))
                back = [-lattice.step * (min(axis) // lattice.step) for axis in zip(*larger, strict=True)]
                grown.add(tuple(tuple(c + b for c, b in zip(cell, back, strict=True)) for cell in larger))
        fixed = grown
        turned = {
            image
            for form in polyforms(lattice, order)
            for image in orientations(lattice, form, reflections=True)
        }
        assert fixed == turned
