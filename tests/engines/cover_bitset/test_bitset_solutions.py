"""Solutions of engine `cover-bitset` are those that brute force finds, and as many as are published."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given

from rekkyo.model.exact_cover import MAX_TIMES, ExactCover
from tests import made_once as st
from tests import naive_cover
from tests.engines.cover_bitset.covers import (
    ENGINE,
    dominoes,
    eager,
    plain,
    rows_from,
    solutions,
    total,
    without_filler,
)
from tests.engines.listing_contract import list_all


@st.composite
def small_models(draw: st.DrawFn) -> ExactCover:
    """Up to 8 items, some secondary, with or without colours; up to 14 options, repeated ones included."""
    n_primary = draw(st.integers(1, 6))
    n_items = n_primary + draw(st.integers(0, 8 - n_primary))
    colors = st.integers(0, draw(st.integers(0, 2)))
    options = []
    for _ in range(draw(st.integers(0, 14))):
        items = draw(st.sets(st.integers(0, n_items - 1), max_size=4)) | {draw(st.integers(0, n_primary - 1))}
        order = draw(st.permutations(sorted(items)))
        options.append(tuple((item, 0 if item < n_primary else draw(colors)) for item in order))
    names = [f"i{item}" for item in range(n_items)]
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), tuple(options))


@given(model=small_models(), at_least=st.integers(1, 6), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
def test_lists_what_brute_force_finds(model: ExactCover, at_least: int, budget: int, n_rows: int) -> None:
    assert solutions(model, at_least, n_rows, budget) == without_filler(model, naive_cover.solutions(model))


@given(model=small_models(), seed=st.integers(0, 1 << 30))
def test_renaming_items_and_options_changes_nothing_but_the_order(model: ExactCover, seed: int) -> None:
    shuffler = random.Random(seed)
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    new_item = shuffler.sample(range(n_primary), n_primary)
    new_item += shuffler.sample(range(n_primary, n_items), n_items - n_primary)
    order = shuffler.sample(range(len(model.options)), len(model.options))
    options = tuple(tuple((new_item[item], color) for item, color in model.options[old]) for old in order)
    renamed = ExactCover(model.primary, model.secondary, options)
    back = sorted(tuple(sorted(order[option] for option in row)) for row in solutions(renamed))
    assert back == solutions(model)


@given(model=small_models())
def test_entering_every_frame_agrees_with_brute_force(model: ExactCover) -> None:
    rows = without_filler(model, rows_from(model, eager(model)))
    assert rows == without_filler(model, naive_cover.solutions(model))


@given(model=naive_cover.models(), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
def test_multiplicities_are_met_as_the_definition_says(model: ExactCover, budget: int, n_rows: int) -> None:
    """Whole, cut and paused, and entering every frame."""
    whole = list_all(ENGINE, model, 1, 1000, 1 << 20)
    assert sorted(whole) == naive_cover.solutions(model)
    assert list_all(ENGINE, model, 40, n_rows, budget) == whole
    assert rows_from(model, eager(model)) == whole


@pytest.mark.kernel
def test_no_set_of_options_is_met_twice_when_none_has_to_be_chosen() -> None:
    """Five options on one item that may be covered up to three times, whole and in shards."""
    model = replace(plain(1, [(0,)] * 5), bounds=((0, 3),))
    rows = list_all(ENGINE, model, 1, 100, 1000)
    assert sorted(rows) == naive_cover.solutions(model)
    assert len(rows) == 1 + 5 + 10 + 10
    assert list_all(ENGINE, model, 7, 1, 1) == rows


@pytest.mark.kernel
@pytest.mark.parametrize("bounds", [(2, 2), (MAX_TIMES - 1, MAX_TIMES), (0, MAX_TIMES)])
def test_bounds_beyond_the_number_of_options(bounds: tuple[int, int]) -> None:
    model = replace(plain(1, [(0,)]), bounds=(bounds,))
    assert sorted(list_all(ENGINE, model, 1, 10, 100)) == naive_cover.solutions(model)
    assert list_all(ENGINE, ExactCover(("a",), bounds=((0, 1),)), 5, 10, 100) == [(1,)]


def test_bounds_of_one_are_no_bounds() -> None:
    model = ExactCover(("a",), (), (((0, 0),),), ((1, 1),))
    assert solutions(model) == [(0,)]


@pytest.mark.kernel
def test_corner_cases() -> None:
    assert solutions(plain(2, [])) == []
    assert solutions(plain(2, [(0,)])) == []
    assert solutions(plain(1, [(0,), (0,)])) == [(0,), (1,)]
    assert solutions(plain(2, [(0, 1)])) == [(0,)]
    assert solutions(plain(3, [(0, 2), (1, 2), (1,)], n_secondary=1)) == [(0, 2)]


@pytest.mark.kernel
def test_forced_options_may_clash_on_a_secondary_item() -> None:
    """Every primary item has one option left, and the two share a secondary item."""
    assert solutions(plain(3, [(0, 2), (1, 2)], n_secondary=1)) == []


@pytest.mark.kernel
def test_colors_agree_or_clash() -> None:
    def pair(first: int, second: int) -> ExactCover:
        return ExactCover(("a", "b"), ("s",), (((0, 0), (2, first)), ((1, 0), (2, second))))

    assert solutions(pair(1, 1)) == [(0, 1)]
    assert solutions(pair(1, 2)) == solutions(pair(0, 1)) == solutions(pair(0, 0)) == []


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "count"),
    [(naive_cover.queens(6), 4), (naive_cover.langford(7), 52), (dominoes(4, 4), 36), (dominoes(2, 3), 3)],
    ids=["queens 6", "langford 7", "dominoes 4x4", "dominoes 2x3"],
)
def test_small_published_counts(model: ExactCover, count: int) -> None:
    assert total(model) == count


@pytest.mark.parametrize(
    ("model", "count"),
    [(naive_cover.queens(8), 92), (naive_cover.langford(8), 300), (dominoes(6, 6), 6728)],
    ids=["queens 8", "langford 8", "dominoes 6x6"],
)
def test_published_counts(model: ExactCover, count: int) -> None:
    assert total(model) == count


def test_a_proper_sudoku_has_its_one_solution() -> None:
    """The givens are the first row only through their candidates: every clash is left to the search."""
    givens = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    options = [
        (9 * r + c, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * (r // 3 * 3 + c // 3) + d)
        for r, c, d in product(range(9), repeat=3)
        if givens[9 * r + c] in f".{d + 1}"
    ]
    model = plain(324, options)
    [row] = solutions(model)
    digits = "".join(str(options[option][1] % 9 + 1) for option in row)
    assert digits.startswith("534678912672195348198342567")


PENTOMINOES = [
    ".11/11./.1.", "11111", "1111/1...", "111./..11", "111/11.", "111/.1./.1.",
    "111/1.1", "111/1../1..", "11./.11/..1", ".1./111/.1.", "1111/.1..", "11./.1./.11",
]  # fmt: skip


def pentominoes(height: int, width: int, pictures: list[str]) -> ExactCover:
    options = []
    for number, picture in enumerate(pictures):
        lines = picture.split("/")
        cells = [(r, c) for r, line in enumerate(lines) for c, ch in enumerate(line) if ch == "1"]
        for image in images(cells):
            for down, right in product(range(height), range(width)):
                placed = [(r + down, c + right) for r, c in image]
                if all(r < height and c < width for r, c in placed):
                    options.append([number, *(len(pictures) + r * width + c for r, c in placed)])
    return plain(len(pictures) + height * width, options)


def images(cells: list[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    found = set()
    for flip in (1, -1):
        turned = [(r, flip * c) for r, c in cells]
        for _ in range(4):
            turned = [(c, -r) for r, c in turned]
            top, left = min(r for r, _ in turned), min(c for _, c in turned)
            found.add(tuple(sorted((r - top, c - left) for r, c in turned)))
    return sorted(found)


def test_pentominoes_need_a_wide_frame_and_have_their_published_count() -> None:
    assert total(pentominoes(6, 10, PENTOMINOES)) == 9356


def test_pentominoes_3x20() -> None:
    assert total(pentominoes(3, 20, PENTOMINOES)) == 8
