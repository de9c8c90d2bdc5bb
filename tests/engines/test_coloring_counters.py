"""Counters: the definition, patterns of several colours, boards of more than 64 cells, the contract."""

from __future__ import annotations

from hypothesis import given

from rekkyo.engines.colorings.counters.engine import ColoringCounters
from rekkyo.model.coloring import Coloring
from tests import naive_coloring as naive
from tests.engines.coloring_contract import (
    ColoringContract,
    RepresentativesContract,
    check_against_brute_force,
    check_representatives,
)
from tests.engines.listing_contract import list_all


class TestContract(ColoringContract):
    engine = ColoringCounters()


class TestRepresentatives(RepresentativesContract):
    engine = ColoringCounters()


@given(model=naive.models())
def test_agrees_with_brute_force_on_any_model(model: Coloring) -> None:
    check_against_brute_force(ColoringCounters(), model)


@given(case=naive.symmetric_models())
def test_finds_one_row_of_every_orbit(case: tuple[Coloring, list[naive.Move]]) -> None:
    check_representatives(ColoringCounters(), *case)


def test_more_than_64_cells() -> None:
    ring = Coloring(200, 2, tuple((cell, (cell + 1) % 200) for cell in range(200)))
    assert sorted(list_all(ColoringCounters(), ring, 4, 7, 100)) == [(0, 1) * 100, (1, 0) * 100]
    odd = Coloring(201, 2, tuple((cell, (cell + 1) % 201) for cell in range(201)))
    assert list_all(ColoringCounters(), odd, 4, 7, 100) == []
