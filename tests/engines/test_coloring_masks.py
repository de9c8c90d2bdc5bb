"""Bit masks and propagation: the definition, symmetry inside the search, nodes, refusals, the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.colorings.least import copied, waiting
from rekkyo.engines.colorings.masks.engine import ColoringMasks
from rekkyo.engines.colorings.masks.kernel import Cursor, Program
from rekkyo.engines.colorings.search_engine import SearchPlan, closing_order
from rekkyo.engines.contract import WHOLE, Advance, Room, Status
from rekkyo.engines.csp.plain.engine import CspPlain
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.symmetry.group import close
from tests import naive_coloring as naive
from tests.engines.coloring_contract import (
    ColoringContract,
    RepresentativesContract,
    check_against_brute_force,
    check_representatives,
)
from tests.engines.listing_contract import count_nodes, list_all


class AlwaysCut(ColoringMasks):
    """The same engine, which also cuts small searches."""

    def ends_in_a_moment(self, plan: SearchPlan[Program, Cursor]) -> bool:
        return False


class TestContract(ColoringContract):
    engine = AlwaysCut()


class TestContractInOnePiece(ColoringContract):
    engine = ColoringMasks()


class TestRepresentatives(RepresentativesContract):
    engine = AlwaysCut()


@given(model=naive.models(one_colored=True))
def test_agrees_with_brute_force_on_any_model(model: Coloring) -> None:
    check_against_brute_force(AlwaysCut(), model)


@given(case=naive.symmetric_models())
def test_finds_one_row_of_every_orbit(case: tuple[Coloring, list[naive.Move]]) -> None:
    check_representatives(AlwaysCut(), *case)


@pytest.mark.parametrize(
    "words", ["hip 6", "hip 5 4", "van-der-waerden 3 4 17", "schur 3 12", "ramsey 3 4 6"]
)
def test_lists_the_rows_of_the_engine_that_shares_no_search_code(words: str) -> None:
    model = rk.puzzle(words).model
    rows = list_all(ColoringMasks(), model, 9, 100, 10_000)
    assert sorted(rows) == sorted(list_all(CspPlain(), model, 9, 100, 100_000))
    assert rows


def test_small_searches_are_not_cut() -> None:
    model = rk.puzzle("hip 6").model
    engine = ColoringMasks()
    assert engine.split(engine.plan(model), 100) == (WHOLE,)
    assert len(AlwaysCut().split(AlwaysCut().plan(model), 100)) >= 100


def test_whether_a_search_is_small_is_found_out_once_for_a_plan() -> None:
    class Counting(ColoringMasks):
        n_nodes = 0

        def advance(self, plan: Any, cursor: Any, room: Room, budget: int) -> Advance:
            found = super().advance(plan, cursor, room, budget)
            self.n_nodes += found.nodes
            return found

    engine = Counting()
    plan = engine.plan(rk.puzzle("rectangle-free 4 4 3").model)
    assert len(engine.split(plan, 4)) >= 4
    assert engine.n_nodes >= 2 * engine.moment_nodes
    before = engine.n_nodes
    assert len(engine.split(plan, 32)) >= 32
    assert engine.n_nodes - before < 1000


def test_a_copy_of_the_lists_of_symmetries_fills_only_the_rows_in_use() -> None:
    """A cursor has up to 128 MB of them, and cutting copies one for each decision."""
    puzzle = rk.puzzle("hip 4")
    group = close(puzzle.model.row_shape, puzzle.generators)
    plan = ColoringMasks().plan_for_representatives(puzzle.model, group)
    assert plan is not None
    lists, top = waiting(plan.program.least), len(plan.program.least.lists)
    lists[top:] = 7
    again = copied(lists, top)
    assert np.array_equal(again[:top], lists[:top])
    assert again.shape == lists.shape
    assert not (again[top:] == 7).any()


def test_a_search_in_one_shard_tells_how_far_it_is() -> None:
    engine = ColoringMasks()
    model = rk.puzzle("rectangle-free 4 4 3").model
    plan = engine.plan(model)
    cursor, room = engine.start(plan, WHOLE), Room.of(model.row_shape, 1 << 16)
    parts = [engine.part_done(plan, cursor)]
    while engine.advance(plan, cursor, room, 1 << 18).status is not Status.DONE:
        parts.append(engine.part_done(plan, cursor))
    assert parts == sorted(parts)
    assert len(set(parts)) == len(parts) > 10
    assert (parts[0], engine.part_done(plan, cursor)) == (0, 1)


@pytest.mark.parametrize(("words", "most"), [("hip 6 --any-balance", 2000), ("hip 7 --any-balance", 1500)])
def test_propagation_keeps_hip_near_the_nodes_of_a_learning_solver(words: str, most: int) -> None:
    """Cell by cell without propagation it is 0.9 million on 6x6."""
    engine = ColoringMasks()
    model = rk.puzzle(words).model
    assert count_nodes(engine, engine.plan(model), model, WHOLE) < most


def test_the_sets_that_close_early_come_first() -> None:
    assert closing_order(6, [(3, 4, 5), (4, 5), (0, 4)]) == (4, 5, 3, 0, 1, 2)
    assert closing_order(3, []) == (0, 1, 2)


def test_all_64_cells_are_used() -> None:
    """A ring of 64 cells in two colours, with different neighbours, has two colourings."""
    ring = Coloring(64, 2, tuple((cell, (cell + 1) % 64) for cell in range(64)))
    assert sorted(list_all(ColoringMasks(), ring, 4, 7, 100)) == [(0, 1) * 32, (1, 0) * 32]


def test_a_symmetry_that_depends_on_the_colour_is_left_to_the_survey() -> None:
    """Cell 0 and 1 change places where they have colour 1 only: no permutation of cells and colours."""
    model = Coloring(2, 2)
    group = close(model.row_shape, [(0, 3, 2, 1)])
    assert ColoringMasks().plan_for_representatives(model, group) is None


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Coloring(65, 2), "takes at most 64 cells, not 65"),
        (Coloring(2, 2, patterns=(((0, 0), (1, 1)),)), "takes only patterns whose cells have one colour"),
    ],
)
def test_refusals_say_why(model: Coloring, reason: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine coloring-masks {reason}"):
        ColoringMasks().plan(model)
