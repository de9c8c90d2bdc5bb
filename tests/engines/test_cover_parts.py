"""The engine of parts keeps the contract, agrees with brute force, packs bits correctly, and finds known
counts.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.arrays import read_only, unfilled
from rekkyo.bits import ZERO
from rekkyo.engines.contract import Room
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.parts.engine import CoverParts, exchanges, twin_classes
from rekkyo.engines.covers.parts.kernel_frame import DEAD, Frame, pack, settle
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import made_once as st
from tests import naive_cover
from tests.engines.listing_contract import ListingContract, list_all
from tests.inner_kernels import from_python

ENGINE = CoverParts()


def parts_model(parts: list[list[Option]], n_secondary: int) -> ExactCover:
    """A cover with one option for each entry of each part. Secondary items are numbered from 0 in the
    entries.
    """
    n_parts = len(parts)
    options = tuple(
        ((part, 0), *((n_parts + item, color) for item, color in uses))
        for part, own in enumerate(parts)
        for uses in own
    )
    primary = tuple(f"p{part}" for part in range(n_parts))
    return ExactCover(primary, tuple(f"s{item}" for item in range(n_secondary)), options)


def bishops(n: int) -> ExactCover:
    """One piece stands in each row of an n x n board, no two on a diagonal: rows are parts, diagonals
    secondary items.
    """
    parts: list[list[Option]] = [[((r + c, 0), (3 * n + r - c, 0)) for c in range(n)] for r in range(n)]
    return parts_model(parts, 5 * n)


def colored() -> ExactCover:
    """Three parts agree on the colours of two secondary items, or use none of them."""
    own: list[Option] = [((0, 1), (1, 1)), ((0, 1), (1, 2)), ((0, 2), (1, 2)), ((0, 0),), ()]
    return parts_model([own, own[:4], own[1:]], 2)


def twins() -> ExactCover:
    """Three interchangeable parts and a fourth one each take one of six places."""
    places: list[Option] = [((place, 0),) for place in range(6)]
    return parts_model([places, places[2:], places, places], 6)


class TestContract(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [bishops(5), colored(), twins()]


@st.composite
def small_models(draw: st.DrawFn) -> ExactCover:
    """Models of up to four parts of up to five options, and up to five secondary items with up to two
    colours.
    """
    n_secondary = draw(st.integers(1, 5))
    use = st.tuples(st.integers(0, n_secondary - 1), st.integers(0, 2))
    option = st.lists(use, max_size=3, unique_by=lambda use: use[0]).map(tuple)
    parts = draw(st.lists(st.lists(option, min_size=1, max_size=5), min_size=1, max_size=4))
    if draw(st.booleans()):
        parts.append(parts[0])
    return parts_model(parts, n_secondary)


def rows_of(model: ExactCover, at_least: int = 1, n_rows: int = 100, budget: int = 10_000) -> list[Any]:
    return sorted(list_all(ENGINE, model, at_least, n_rows, budget))


@given(model=small_models(), at_least=st.integers(1, 9), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
def test_lists_what_brute_force_finds(model: ExactCover, at_least: int, budget: int, n_rows: int) -> None:
    assert rows_of(model, at_least, n_rows, budget) == naive_cover.algorithm_x(model)


@pytest.mark.kernel
def test_a_search_that_drops_and_packs_finds_solutions() -> None:
    """Only a part of the search is made, because it takes seconds without the compiler."""
    model = bishops(9)
    plan = ENGINE.plan(model)
    room = Room.of(model.row_shape, 50)
    (shard,) = ENGINE.split(plan, 1)
    advance = ENGINE.advance(plan, ENGINE.start(plan, shard), room, 20_000)
    rows = [tuple(row) for row in room.take(advance, settled=False).rows.tolist()]
    assert len(set(rows)) == len(rows) == 50
    for row in rows:
        assert naive_cover.is_solution(model, [option for option in row if option < len(model.options)])


def test_a_search_that_drops_and_packs_agrees_with_another_engine() -> None:
    model = bishops(9)
    assert len(model.options) > 64
    assert rows_of(model) == sorted(list_all(CoverBitset(), model, 1, 1000, 1 << 20))


@pytest.mark.parametrize("n", [4, 6, 8])
def test_where_items_are_covered_by_columns_too(n: int) -> None:
    """There are n! ways to place a rook in each row and each column."""
    columns: list[Option] = [((c, 0),) for c in range(n)]
    assert len(rows_of(parts_model([columns] * n, n))) == [24, 720, 40_320][n // 2 - 2]


class TestTwins:
    def test_alike_parts_are_classes(self) -> None:
        a, b = ((0, 0),), ((1, 0),)
        assert twin_classes([[a, b], [a], [a, b], [b], [b]]) == [[0, 2], [3, 4]]

    def test_parts_that_may_take_the_same_place_are_not_exchanged(self) -> None:
        assert twin_classes([[((0, 0),), ((0, 1),)]] * 2) == []

    def test_too_many_exchanges_are_left_alone(self) -> None:
        a = ((0, 0),)
        assert twin_classes([[a]] * 8) == []
        assert twin_classes([[a]] * 7) == [list(range(7))]

    def test_all_exchanges_and_the_identity_first(self) -> None:
        images = exchanges(5, [[0, 2], [3, 4]])
        assert images[0] == [0, 1, 2, 3, 4]
        assert sorted(images) == sorted(
            [a, 1, c, d, e] for (a, c), (d, e) in product([(0, 2), (2, 0)], [(3, 4), (4, 3)])
        )

    def test_solutions_are_written_in_every_order(self) -> None:
        """There are six places and four pieces. The second piece is not on the first two places."""
        assert len(rows_of(twins())) == 4 * 5 * 4 * 3
        assert rows_of(twins()) == naive_cover.algorithm_x(twins())


def random_problem(seed: int, sizes: list[int]) -> tuple[Any, Any, Any]:
    """A symmetric matrix between parts of these sizes, the first words of the parts, and live slots."""
    generator = np.random.default_rng(seed)
    n_words = [-(-size // 64) for size in sizes]
    firsts = np.concatenate([[0], np.cumsum(n_words)]).astype(np.uint64)
    n_slots = 64 * int(firsts[-1])
    part_of = np.repeat(np.arange(len(sizes)), 64 * np.array(n_words))
    place_of = np.concatenate([np.arange(64 * words) for words in n_words])
    exists = place_of < np.array(sizes)[part_of]
    agree = np.triu(generator.random((n_slots, n_slots)) < 0.1)
    agree = (agree | agree.T) & (part_of[:, None] != part_of) & exists[:, None] & exists
    return agree, firsts, exists & (generator.random(n_slots) < 0.5)


def frame_of(matrix: Any, firsts: Any, origins: Any, words: Any) -> Frame:
    return Frame(matrix, firsts, origins, ZERO, ZERO, ZERO, words)


def packed(flags: Any) -> Any:
    return np.packbits(flags, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def flags_of(words: Any) -> Any:
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little").astype(bool)


SIZES = [[5, 70, 3], [64, 65], [1], [130, 1, 64, 20]]


@pytest.mark.kernel
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_settling_drops_what_has_no_partner_in_some_part(sizes: list[int]) -> None:
    agree, firsts, live = random_problem(7, sizes)
    words = packed(live)
    n_parts = len(sizes)
    frame = frame_of(packed(agree).ravel(), firsts, np.arange(agree.shape[0], dtype=np.uint64), firsts[-1])
    best, n_live, n_words = settle(read_only(frame), words, ZERO, np.uint64((1 << n_parts) - 1))
    left = flags_of(words)
    spans = [slice(64 * int(firsts[p]), 64 * int(firsts[p + 1])) for p in range(n_parts)]
    kept = [int(left[span].sum()) for span in spans]
    consistent = _largest_consistent(agree, spans, live)
    assert (left >= consistent).all(), "a slot that can be in a solution is never dropped"
    if best != DEAD:
        assert (n_live, n_words) == (sum(kept), sum(-(-count // 64) for count in kept))
        assert best == min((count << 32) | part for part, count in enumerate(kept))
    else:
        assert not consistent.any()


def _largest_consistent(agree: Any, spans: list[slice], live: Any) -> Any:
    """Remove by the definition until nothing changes. If a part is empty, nothing remains."""
    live = live.copy()
    while True:
        alone = [slot for slot in np.flatnonzero(live) if any(
            not (agree[slot] & live)[span].any() for span in spans if not span.start <= slot < span.stop
        )]  # fmt: skip
        if not all(live[span].any() for span in spans):
            return np.zeros_like(live)
        if not alone:
            return live
        live[alone] = False


@pytest.mark.kernel
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_packing_is_taking_the_live_rows_and_columns(sizes: list[int]) -> None:
    agree, firsts, live = random_problem(3, sizes)
    n_parts, n_words = len(sizes), int(firsts[-1])
    words = packed(live)
    matrix = np.full(64 * n_words * n_words, 77, dtype=np.uint64)
    new_firsts, origins = np.zeros(n_parts + 1, dtype=np.uint64), np.zeros(64 * n_words, dtype=np.uint64)
    old = frame_of(packed(agree).ravel(), firsts, np.arange(64 * n_words, dtype=np.uint64), firsts[-1])
    new = frame_of(matrix, new_firsts, origins, ZERO)
    kept, masks = unfilled(3 * n_words, np.uint64), unfilled(6 * n_words, np.uint64)
    from_python(pack)(read_only(old), new, np.uint64(n_parts), words, ZERO, kept, masks)
    width = int(new_firsts[-1])
    now_live = flags_of(words[:width])
    kept = np.flatnonzero(now_live)
    assert origins[kept].tolist() == np.flatnonzero(live).tolist()
    table = (
        flags_of(matrix[: 64 * width * width].reshape(-1, width)) if width else np.zeros((0, 0), dtype=bool)
    )
    assert (table[np.ix_(kept, kept)] == agree[np.ix_(live, live)]).all()
    assert not table[np.ix_(kept, ~now_live)].any()


def test_the_digits_on_the_mesh_and_with_equal_pieces_exchanged() -> None:
    model = lower(rk.puzzle("digits").model)
    assert len(rows_of(model, n_rows=1000, budget=1 << 30)) == 48


@pytest.mark.parametrize(
    "place", ["0=(0,0,1,0) 2=(4,0,0,0) 8=(4,8,1,0) 6=(6,0,0,2)", "0=(2,0,1,3) 8=(0,8,1,0) 2=(6,0,0,0)"]
)
def test_half_block_digits_with_some_in_place_agree_with_another_engine(place: str) -> None:
    puzzle = rk.puzzle(["digits", "--offset", "half", *(f"--place={word}" for word in place.split())])
    model = lower(puzzle.model)
    found = rows_of(model, n_rows=1000, budget=1 << 30)
    assert found
    assert found == sorted(list_all(CoverBitset(), model, 1, 1000, 1 << 30))


def test_refusals() -> None:
    with pytest.raises(EngineRefuses, match="engine cover-parts searches exact covers only"):
        ENGINE.plan(Queens(4))
    with pytest.raises(EngineRefuses, match="takes every primary item exactly once"):
        ENGINE.plan(ExactCover(("a",), (), (((0, 0),),), ((1, 2),)))
    with pytest.raises(EngineRefuses, match="takes options with one primary item only"):
        ENGINE.plan(ExactCover(("a", "b"), (), (((0, 0), (1, 0)),)))
    with pytest.raises(EngineRefuses, match="takes at most 64 primary items; this model has 65"):
        ENGINE.plan(parts_model([[()]] * 65, 1))
    with pytest.raises(EngineRefuses, match="80000 options are too many"):
        ENGINE.plan(parts_model([[()] * 40_000] * 2, 1))


@pytest.mark.kernel
def test_corner_cases() -> None:
    assert rows_of(parts_model([[()]], 1)) == [(0,)]
    assert rows_of(parts_model([[(), ()]], 1)) == [(0,), (1,)]
    assert rows_of(parts_model([[], [()]], 1)) == []
    clash: list[Option] = [((0, 0),)]
    assert rows_of(parts_model([clash, clash], 1)) == []


@pytest.mark.parametrize("n", [64, 65, 128, 129])
def test_the_last_option_of_a_part_whose_words_are_full(n: int) -> None:
    """Only the last option of the first part agrees with the only one of the second part."""
    own: list[Option] = [((0, 1),)] * (n - 1) + [((0, 2),)]
    assert rows_of(parts_model([own, [((0, 2),)]], 1)) == [(n - 1, n)]


def test_combinations_of_alike_parts_that_do_not_clash() -> None:
    """Two interchangeable parts with free options may take the same place."""
    places: list[Option] = [(), (), ()]
    model = parts_model([places, places], 1)
    assert rows_of(model) == naive_cover.algorithm_x(model)
    assert len(rows_of(model)) == 9
    assert len(list(combinations(range(3), 2))) * 2 + 3 == 9
