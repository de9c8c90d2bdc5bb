"""Joining: the definition, every overlap, agreement with the searching engines, refusals, the contract."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.colorings.join import engine as planning
from rekkyo.engines.colorings.join.engine import ColoringJoin, Window
from rekkyo.engines.colorings.masks.engine import ColoringMasks
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from tests import naive_coloring as naive
from tests.engines.coloring_contract import HIP_3, ColoringContract, check_against_brute_force
from tests.engines.listing_contract import list_all


class SmallParts(ColoringJoin):
    """The same engine with parts that share two lines."""

    overlap: ClassVar[int | None] = 2


class TestContract(ColoringContract):
    engine = ColoringJoin()


@given(model=naive.models())
def test_agrees_with_brute_force_on_any_model(model: Coloring) -> None:
    check_against_brute_force(ColoringJoin(), model)


@given(model=naive.models())
def test_agrees_with_brute_force_when_parts_are_joined_too(model: Coloring) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "MOST_GROWN", 2)
        check_against_brute_force(ColoringJoin(), model)


@pytest.mark.parametrize("overlap", [0, 1, 2, 3])
def test_every_overlap_gives_the_same_boards(overlap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_GROWN", 4)

    class Overlapping(ColoringJoin):
        pass

    Overlapping.overlap = overlap
    assert sorted(list_all(Overlapping(), HIP_3, 3, 50, 1000)) == naive.solutions(HIP_3)


@pytest.mark.parametrize(
    "words", ["hip 6", "hip 5 4", "van-der-waerden 3 4 17", "schur 3 12", "ramsey 3 4 6"]
)
def test_agrees_with_the_search_row_by_row(words: str) -> None:
    model = rk.puzzle(words).model
    rows = list_all(ColoringJoin(), model, 9, 100, 100_000)
    assert sorted(rows) == sorted(list_all(ColoringMasks(), model, 9, 100, 10_000))
    assert rows


def test_hip_is_cut_as_in_its_source() -> None:
    """4x4 boards that share two lines."""
    upper, lower = Window(0, 6, 0, 6).halves()
    assert (upper, lower) == (Window(0, 4, 0, 6), Window(2, 6, 0, 6))
    assert upper.halves() == (Window(0, 4, 0, 4), Window(0, 4, 2, 6))


def test_parts_with_too_many_colourings_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 10 cells are grown cell by cell, those of 20 cells are joined."""
    for n, most in ((24, 1000), (40, 1000), (40, 5000)):
        monkeypatch.setattr(planning, "MAX_PARTS", most)
        with pytest.raises(EngineRefuses, match=f"has more than {most} colourings; choose another engine"):
            ColoringJoin().plan(Coloring(n, 2))


def test_nodes_are_pairs_that_were_compared() -> None:
    """Two cells of two colours each and nothing forbidden: 2 x 2 pairs, and none to make the halves."""
    engine = ColoringJoin()
    plan = engine.plan(Coloring(2, 2))
    assert plan.n_pairs == 0


def test_more_than_64_cells_are_refused() -> None:
    with pytest.raises(EngineRefuses, match="engine coloring-join takes at most 64 cells, not 65"):
        ColoringJoin().plan(Coloring(65, 2))
