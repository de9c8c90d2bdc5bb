"""Products of symmetric groups: their classes of conjugates against the listed group, and what is not one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from math import factorial
from pathlib import Path

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.ask import classes as sorting
from rekkyo.errors import GroupTooLarge
from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry.group import close
from rekkyo.symmetry.involutions import involutions
from rekkyo.symmetry.products import product_of
from tests import made_once as st

Permutation = tuple[int, ...]


def lengths_of_cycles(permutation: Sequence[int]) -> tuple[int, ...]:
    left, lengths = set(range(len(permutation))), []
    while left:
        at, length = left.pop(), 1
        while (at := permutation[at]) in left:
            left.remove(at)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


def sizes_by_cycles(elements: Iterable[tuple[Sequence[int], int]]) -> Counter[tuple[int, ...]]:
    """The number of elements with cycles of some lengths."""
    found: Counter[tuple[int, ...]] = Counter()
    for element, size in elements:
        found[lengths_of_cycles(element)] += size
    return found


def check(generators: Sequence[Permutation]) -> int:
    """Compare with the group as it is listed, and return the number of classes."""
    n_atoms = len(generators[0])
    listed = close(RowShape(n_atoms, n_atoms, Layout.BY_OPTION), generators)
    found = product_of(tuple(generators))
    assert found is not None
    classes = [(tuple(element.tolist()), size) for element, size in found.conjugates()]
    known = {tuple(element) for element in listed.elements.tolist()}
    assert all(element in known for element, _ in classes)
    assert classes[0] == (tuple(range(n_atoms)), 1)
    assert sum(size for _, size in classes) == found.order == listed.order
    assert sizes_by_cycles(classes) == sizes_by_cycles((element, 1) for element in listed.elements.tolist())
    return len(classes)


@st.composite
def exchanged_grids(draw: st.DrawFn) -> tuple[list[Permutation], int]:
    """Generators of all exchanges of rows, columns and values, with others that they make; and whether the
    transposition is among them. Atoms have random numbers.
    """
    height, width, n_values = draw(
        st.sampled_from([(2, 3, 1), (3, 3, 1), (4, 3, 1), (3, 4, 2), (4, 4, 1), (2, 2, 3), (3, 3, 2)])
    )
    atoms = list(product(range(height), range(width), range(n_values)))
    seed = draw(st.integers(0, 1 << 32))
    number = dict(zip(atoms, random.Random(seed).sample(range(len(atoms)), len(atoms)), strict=True))

    def numbered(images: Iterable[tuple[int, ...]]) -> Permutation:
        image_of = {number[atom]: number[image] for atom, image in zip(atoms, images, strict=True)}
        return tuple(image_of[at] for at in range(len(atoms)))

    generators = []
    for place, n in enumerate((height, width, n_values)):
        for one, other in pairwise(range(n)):
            swap = {one: other, other: one}
            images = [
                (*atom[:place], swap.get(atom[place], atom[place]), *atom[place + 1 :]) for atom in atoms
            ]
            generators.append(numbered(images))
        turned = [(*atom[:place], (atom[place] + 1) % n, *atom[place + 1 :]) for atom in atoms]
        generators.append(numbered(turned))
    if has_flip := height == width and draw(st.booleans()):
        generators.append(numbered((column, row, x) for row, column, x in atoms))
    random.Random(seed).shuffle(generators)
    return generators, has_flip


@given(exchanged_grids())
def test_exchanges_of_rows_columns_and_values(drawn: tuple[list[Permutation], bool]) -> None:
    generators, has_flip = drawn
    check(generators)
    found = product_of(tuple(generators))
    assert found is not None
    assert len(found.exchanges) == 1 + has_flip


@pytest.mark.parametrize(
    ("words", "up_to", "n_classes"),
    [
        (
            "rectangle-free 4 4 3",
            "exchange-colours",
            20 * 3,
        ),  # 5 partitions of 4: 15 pairs, and 5 transposed
        ("rectangle-free 4 3 2", "symmetry", 5 * 3),
        ("ramsey 3 3 6", "exchange-colours", 11 * 2),
        ("schur 4 9", "exchange-colours", 5),
        ("latin-square 3", "isotopy", 3**3),
        ("latin-square 4", "main-classes", 35 + 5 * 5 + 5),  # three alike, two and one, or one cycle
    ],
)
def test_puzzles(words: str, up_to: str, n_classes: int) -> None:
    assert check(rk.puzzle(words).relation(up_to).generators) == n_classes


def test_pairs_that_are_turned() -> None:
    """Two things in each of three pairs: necklaces of three beads in three colours, 11 of them."""
    assert check([(1, 0, 2, 3, 4, 5), (2, 3, 4, 5, 0, 1)]) == 4 + 2 * 2


@pytest.mark.parametrize(("n", "n_classes"), [(2, 5), (3, 10), (4, 20)])
def test_pairs_that_are_exchanged_in_any_order(n: int, n_classes: int) -> None:
    """The first two pairs, and all in turn: pairs of partitions of n things in total, OEIS A000712."""
    rest = range(2, 2 * n)
    generators = [(1, 0, *rest), (2, 3, 0, 1, *rest[2:]), (*rest, 0, 1)]
    assert check(generators) == n_classes


@pytest.mark.parametrize(
    "generators",
    [
        [],
        [(1, 2, 0)],  # no element of order two
        [(1, 2, 3, 0), (3, 2, 1, 0)],  # the square, whose mirrors have products of order 4
        [(1, 0, 2, 3), (2, 3, 1, 0)],  # two pairs, and an exchange of order four
        [
            (5, 1, 2, 4, 3, 0),
            (0, 1, 2, 4, 5, 3),
        ],  # of the six pairs of four things: two half-turns make a third
        [
            (1, 2, 0, 3, 4, 5),
            (1, 0, 2, 3, 4, 5),
            (0, 1, 2, 4, 5, 3),
        ],  # three things, and turns of three others
    ],
)
def test_other_groups_are_not_taken_for_products(generators: list[Permutation]) -> None:
    assert product_of(tuple(generators)) is None


@given(st.lists(st.permutations(range(6)).map(tuple), min_size=1, max_size=3))
def test_what_is_found_is_right(generators: list[Permutation]) -> None:
    if product_of(tuple(generators)) is not None:
        check(generators)


@pytest.mark.parametrize(
    ("words", "up_to"),
    [
        ("rectangle-free 4 4 3", "exchange-colours"),
        ("rectangle-free 3 5 3", "symmetry"),
        ("ramsey 3 4 6", "symmetry"),
    ],
)
def test_orbits_by_classes_are_those_that_are_listed(words: str, up_to: str) -> None:
    puzzle = rk.puzzle(words)
    counted = rk.count(puzzle, up_to=up_to, engine="csp-frontier")
    listed = rk.count(puzzle, up_to=up_to, engine="coloring-masks")
    assert (counted.total, counted.unique) == (listed.total, listed.unique)


def test_a_group_too_large_to_list_is_counted_by_its_classes() -> None:
    """Nine rows of two cells in two colours, of which at most one has both cells white, and one both black.

    The other rows are 01 or 10: with k of them there are k // 2 + 1 kinds up to exchanges of rows and columns.
    """
    puzzle = rk.puzzle("rectangle-free 2 9 2")
    with pytest.raises(GroupTooLarge):
        close(puzzle.model.row_shape, puzzle.generators)
    counted = rk.count(puzzle, engine="csp-frontier")
    assert counted.total == 2**9 + 2 * 9 * 2**8 + 9 * 8 * 2**7
    assert counted.unique == 5 + 2 * 5 + 4


@pytest.mark.parametrize("up_to", ["isotopy", "main-classes"])
def test_classes_of_latin_squares_are_counted_where_a_list_is_too_long(
    up_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """161280 squares (OEIS A002860) in two classes (OEIS A040082 and A003090)."""
    monkeypatch.setattr(sorting, "MAX_VALUES", 1 << 16)
    counted = rk.count(rk.puzzle("latin-square 5"), up_to=up_to)
    assert (counted.engine, counted.total, counted.unique) == ("cover-frontier", 161280, 2)


@pytest.mark.second
@pytest.mark.parametrize(("up_to", "unique"), [("isotopy", 22), ("main-classes", 12)])
def test_classes_of_latin_squares_of_order_6(up_to: str, unique: int) -> None:
    """Too many squares for a list (OEIS A002860), in classes that are known (OEIS A040082 and A003090)."""
    counted = rk.count(rk.puzzle("latin-square 6"), up_to=up_to)
    assert (counted.engine, counted.total, counted.unique) == ("cover-frontier", 812851200, unique)


def test_a_run_has_the_order_of_a_group_too_large_to_list(tmp_path: Path) -> None:
    puzzle = rk.puzzle("rectangle-free 2 9 2")
    status = rk.run(puzzle, tmp_path / "run", engine="csp-frontier", count_only=True, up_to="symmetry")
    assert (status.total, status.unique) == (14336, 19)
    (burnside,) = (each for each in status.evidence if each.check == "Burnside comes out even")
    assert burnside.outcome == "passed"
    assert f"a group of {2 * factorial(9):,}" in burnside.detail


def test_the_power_of_order_two_of_a_generator_of_a_great_order() -> None:
    """Cycles of 2, 3, 5, 7 and 11: the power 1,155 exchanges two things."""
    starts = [0, 2, 5, 10, 17, 28]
    turned = tuple(at + 1 for at in range(28))
    great = tuple(
        first if at + 1 == end else turned[at] for first, end in pairwise(starts) for at in range(first, end)
    )
    assert list(involutions([great], 10)) == [(1, 0, *range(2, 28))]
    assert list(involutions([(1, 2, 3, 0), (0, 2, 3, 1)], 1)) == [(2, 3, 0, 1)]
    assert list(involutions([(1, 2, 0)], 10)) == []


@pytest.mark.second
def test_a_count_that_was_merged_gives_orbits_of_a_large_group() -> None:
    """Graphs with 9 vertices without a triangle and without 5 vertices apart (McKay, Ramsey graphs)."""
    told: list[rk.Progress] = []
    counted = rk.count(rk.puzzle("ramsey 3 5 9"), engine="csp-frontier", watch=told.append)
    assert (counted.engine, counted.unique) == ("csp-frontier", 290)
    assert any(progress.stage.startswith("counting the symmetric ones of ") for progress in told)


def test_many_pairs_are_refused_without_a_search() -> None:
    """Forty pairs whose two things are exchanged, and two of the pairs: some 2^39 classes of conjugates."""
    n = 80
    swaps = [tuple(at ^ 1 if at // 2 == pair else at for at in range(n)) for pair in range(n // 2)]
    assert product_of((*swaps, (2, 3, 0, 1, *range(4, n)))) is None
