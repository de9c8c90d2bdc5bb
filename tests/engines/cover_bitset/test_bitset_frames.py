"""Frames of engine `cover-bitset`: solutions are the same in frames of every width and wherever a narrower one is entered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.covers.bitset import engine as engine_module
from rekkyo.engines.covers.bitset.kernel_frame import HEAD_LENGTH, HEAD_WIDTH, STATE_FRAME
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.model.exact_cover import ExactCover
from tests import naive_cover
from tests.engines.cover_bitset.covers import (
    ENGINE,
    begun,
    colored_square,
    dominoes,
    eager,
    plain,
    rows_from,
    solutions,
    total,
    without_filler,
)
from tests.engines.listing_contract import list_all


def random_cover(n_options: int, seed: int) -> ExactCover:
    """Random options of five to seven of 16 primary and 5 secondary items, two planted solutions among them."""
    shuffler = random.Random(seed)
    options = [list(range(item, min(item + size, 16))) for size in (5, 6) for item in range(0, 16, size)]
    while len(options) < n_options:
        option = sorted(shuffler.sample(range(21), shuffler.randint(5, 7)))
        if option[0] < 16:
            options.append(option)
    shuffler.shuffle(options)
    return plain(21, options, n_secondary=5)


def of_four_kinds(n_options: int, size: int, bounds: tuple[tuple[int, int], ...]) -> ExactCover:
    """Random options of some of 18 items and of one of four kinds, which have these bounds."""
    shuffler = random.Random(n_options)
    options = [(kind, *range(first, first + size)) for kind in range(4) for first in range(4, 22, size)]
    while len(options) < n_options:
        options.append((shuffler.randrange(4), *sorted(shuffler.sample(range(4, 22), size))))
    shuffler.shuffle(options)
    return replace(plain(22, options), bounds=(*bounds, *[(1, 1)] * 18))


def latin_squares(n: int) -> ExactCover:
    options = [(n * r + c, n * (n + r) + v, n * (2 * n + c) + v) for r, c, v in product(range(n), repeat=3)]
    return plain(3 * n * n, options)


def widths_visited(model: ExactCover) -> set[int]:
    """Frames that were never entered count as 0 words wide."""
    cursor = begun(model)
    rows_from(model, cursor)
    return set(cursor.heads[HEAD_LENGTH + HEAD_WIDTH :: HEAD_LENGTH].tolist())


def frames_visited(model: ExactCover, budget: int = 1) -> set[int]:
    return {int(frame) for _, frame in _pauses(model, budget)}


def _pauses(model: ExactCover, budget: int) -> Iterator[tuple[Any, Any]]:
    """The cursor and its frame after every slice of the search."""
    plan, cursor = ENGINE.plan(model), begun(model)
    room = Room.of(model.row_shape, 1000)
    nodes = 1
    while nodes:
        nodes = ENGINE.advance(plan, cursor, room, budget).nodes
        yield cursor, cursor.state[STATE_FRAME]


@pytest.mark.kernel
@pytest.mark.parametrize(
    "model", [dominoes(5, 6), naive_cover.langford(7), naive_cover.queens(7), colored_square()]
)
@pytest.mark.parametrize("n_slices", [0, 1, 3, 200])
def test_narrow_frames_change_neither_order_nor_nodes(
    model: ExactCover, n_slices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel with narrow frames takes over after some slices, as when another thread compiles it."""
    n_asked = 0

    def is_loaded(_: object) -> bool:
        nonlocal n_asked
        n_asked += 1
        return n_asked > n_slices

    def searched() -> list[tuple[list[list[int]], int]]:
        (shard,) = ENGINE.split(plan, 1)
        blocks = ENGINE.blocks(plan, shard, Room.of(model.row_shape, 5), 20, no_pause)
        return [(block.rows.tolist(), block.nodes) for block in blocks]

    plan = ENGINE.plan(model)
    expected = searched()
    monkeypatch.setattr(engine_module, "is_loaded", is_loaded)
    assert searched() == expected
    assert n_asked == len(expected)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("n_options", "width"), [(40, 1), (64, 1), (65, 2), (128, 2), (129, 4), (256, 4), (257, 8), (512, 8)]
)
def test_every_width_lists_what_algorithm_x_finds(n_options: int, width: int) -> None:
    model = random_cover(n_options, seed=n_options)
    assert width in widths_visited(model)
    assert solutions(model) == without_filler(model, naive_cover.algorithm_x(model))


@pytest.mark.parametrize("n_options", [513, 700])
def test_more_options_than_a_narrow_frame_holds(n_options: int) -> None:
    model = random_cover(n_options, seed=n_options)
    assert 0 in frames_visited(model)
    assert solutions(model) == without_filler(model, naive_cover.algorithm_x(model))


@pytest.mark.kernel
@pytest.mark.parametrize("n_options", [63, 64, 65, 127, 128])
def test_frames_with_a_full_last_word_or_nearly_so(n_options: int) -> None:
    """Every frame is entered, so that frames of every number of options are met."""
    model = random_cover(n_options, seed=n_options)
    rows = without_filler(model, rows_from(model, eager(model)))
    assert rows == without_filler(model, naive_cover.algorithm_x(model))


@pytest.mark.parametrize(
    ("n_options", "size", "bounds"),
    [
        (64, 3, ((2, 2), (2, 2), (0, 2), (1, 3))),
        (65, 3, ((2, 2), (2, 2), (0, 2), (1, 3))),
        (128, 3, ((1, 1), (3, 3), (0, 1), (1, 3))),
        (200, 3, ((2, 2), (2, 2), (1, 1), (1, 1))),
        (700, 6, ((2, 2), (0, 1), (0, 1), (0, 2))),
    ],
)
def test_counted_items_in_frames_of_every_width(
    n_options: int, size: int, bounds: tuple[tuple[int, int], ...]
) -> None:
    """The same rows as from dancing cells."""
    model = of_four_kinds(n_options, size, bounds)
    whole = list_all(ENGINE, model, 1, 10_000, 1 << 30)
    assert len(frames_visited(model)) > 1
    assert sorted(whole) == sorted(list_all(CoverCells(), model, 1, 10_000, 1 << 30))
    assert list_all(ENGINE, model, 30, 100, 1000) == whole


def test_a_long_search_moves_into_ever_narrower_frames() -> None:
    assert max(frames_visited(latin_squares(5), budget=500)) >= 2
    assert total(latin_squares(5)) == 161_280


@pytest.mark.kernel
@pytest.mark.parametrize(
    "model", [latin_squares(3), naive_cover.queens(6), colored_square()], ids=["l", "q", "c"]
)
def test_entering_every_frame_that_halves_a_scan_changes_nothing(model: ExactCover) -> None:
    assert rows_from(model, eager(model)) == rows_from(model, begun(model))
