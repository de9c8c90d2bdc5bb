"""The contract of listing engines, which engine `cover-bitset` keeps with each of its kernels, and models that it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from rekkyo.engines.covers.bitset import engine as engine_module
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.cover_bitset.covers import ENGINE, colored_square, dominoes, plain
from tests.engines.listing_contract import ListingContract, list_all


@pytest.fixture
def _only_frame_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "is_loaded", lambda _: False)


def tiles(height: int, width: int, bounds: tuple[int, int]) -> ExactCover:
    """A board filled with dominoes and squares, of each so many."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    shapes = [(0, [(0, 0), (0, 1)]), (0, [(0, 0), (1, 0)]), (1, [(0, 0)])]
    placed = [
        (kind, [(r + down, c + across) for r, c in cells_of])
        for kind, cells_of in shapes
        for down, across in cells
    ]
    options = [
        [kind, *(2 + cells.index(cell) for cell in there)]
        for kind, there in placed
        if set(there) <= set(cells)
    ]
    return replace(plain(2 + len(cells), options), bounds=(bounds, (0, len(cells)), *[(1, 1)] * len(cells)))


class TestContract(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [naive_cover.queens(5), colored_square(), dominoes(4, 4)]

    @pytest.mark.kernel
    def test_every_search_lists_in_the_same_order(self, model: Model) -> None:
        assert list_all(self.engine, model, 1, 100, 10_000) == list_all(self.engine, model, 1, 3, 7)


@pytest.mark.usefixtures("_only_frame_0")
class TestContractOfShortSearches(TestContract):
    """The kernel without narrow frames."""


class TestContractOfCountedItems(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [naive_cover.TOY_MCC, tiles(3, 4, (2, 2)), tiles(3, 3, (0, 3))]


@pytest.mark.usefixtures("_only_frame_0")
class TestContractOfShortSearchesOfCountedItems(TestContractOfCountedItems):
    """The kernel without narrow frames."""


def test_prefixes_are_option_numbers_that_fit_a_json_list() -> None:
    shards = ENGINE.split(ENGINE.plan(naive_cover.queens(6)), 20)
    assert len(shards) >= 20
    assert all(type(option) is int for shard in shards for option in shard.prefix)


def test_refusals() -> None:
    with pytest.raises(EngineRefuses, match="engine cover-bitset searches exact covers only"):
        ENGINE.plan(Queens(4))
    with pytest.raises(EngineRefuses, match="takes at most 30000 options; this model has 30001"):
        ENGINE.plan(plain(1, [(0,)] * 30_001))
    with pytest.raises(EngineRefuses, match="takes at most 8192 items and colours"):
        ENGINE.plan(plain(8193, [(0,)]))
    colors = tuple(((0, 0), (1, color)) for color in range(1, 8192))
    with pytest.raises(EngineRefuses, match="this model has 8193"):
        ENGINE.plan(ExactCover(("a",), ("s",), colors))


def test_the_cache_is_asked_once_for_the_kernel_with_narrow_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(engine_module, "is_loaded", lambda _: False)
    monkeypatch.setattr(engine_module, "load", lambda search, *_: asked.append(search))
    engine_module._look_for_narrow_frames.cache_clear()
    for _ in range(2):
        ENGINE.compile(dominoes(2, 2))
        ENGINE.compile(naive_cover.TOY_MCC)
    engine_module._look_for_narrow_frames.cache_clear()
    assert asked == [engine_module.list_solutions]
