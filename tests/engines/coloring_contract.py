"""Every engine for colourings must find what brute force finds, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, ListingEngine, Room, Shard, no_pause
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import close
from tests import naive_coloring as naive
from tests.engines.listing_contract import ListingContract, count_nodes, list_all

HIP_3 = Coloring(9, 2, tuple(tuple(sorted(cells)) for cells in naive.hip_squares(3, 3)), grid=(3, 3))
THREE_COLORS = replace(HIP_3, n_colors=3, bounds=((3, 3),) * 3)
BALANCED = replace(THREE_COLORS, fixed=((0, 1), (4, 0), (7, 0)))
ODDS_AND_ENDS = Coloring(
    6,
    3,
    sets=((0, 1, 2), (3, 4), (1, 5)),
    patterns=(((2, 0), (3, 0)), ((5, 1),)),
    bounds=((1, 3), (0, 6), (2, 4)),
    fixed=((4, 2),),
)


class ColoringContract(ListingContract):
    """Inherit, and set `engine`."""

    models: ClassVar[list[Model]] = [HIP_3, BALANCED, ODDS_AND_ENDS]

    @pytest.mark.kernel
    @pytest.mark.parametrize("case", [HIP_3, BALANCED, ODDS_AND_ENDS])
    def test_lists_what_the_definition_says(self, case: Coloring) -> None:
        rows = list_all(self.engine, case, 4, 7, 1000)
        assert sorted(rows) == naive.solutions(case)

    @pytest.mark.kernel
    @pytest.mark.parametrize(
        ("model", "count"),
        [
            (Coloring(1, 2), 2),
            (Coloring(1, 8), 8),
            (Coloring(1, 2, fixed=((0, 1),)), 1),
            (Coloring(1, 2, patterns=(((0, 0),), ((0, 1),))), 0),
            (Coloring(2, 2, sets=((0, 1),), fixed=((0, 1), (1, 1))), 0),
            (Coloring(3, 2, fixed=((0, 1), (1, 0), (2, 1))), 1),
            (Coloring(3, 2, bounds=((1, 1), (2, 2))), 3),
            (Coloring(3, 2, patterns=(((0, 0),),), bounds=((2, 2), (1, 1))), 1),
            (Coloring(4, 3, bounds=((4, 4), (0, 0), (0, 0))), 1),
        ],
    )
    def test_small_counts(self, model: Coloring, count: int) -> None:
        rows = list_all(self.engine, model, 3, 7, 100)
        assert sorted(rows) == naive.solutions(model)
        assert len(rows) == count

    def test_models_of_other_kinds_are_refused(self) -> None:
        class Other:
            row_shape = HIP_3.row_shape
            row_meaning = ""

        assert self.engine.refusal(Other()) == "searches colourings only"

    @pytest.mark.parametrize("prefix", [(7,), (0, 1_000_000), (9, 9, 9), (-1, 2)])
    def test_shards_of_other_plans_are_refused(self, prefix: tuple[int, ...]) -> None:
        with pytest.raises(
            EngineRefuses, match=rf"engine {self.engine.name} has no shard .* split the plan again"
        ):
            self.engine.start(self.engine.plan(ODDS_AND_ENDS), Shard(0, prefix))

    @pytest.mark.parametrize(
        "model",
        [
            Coloring(5, 3),  # no dive differs from another one
            Coloring(6, 3, sets=tuple((cell, cell + 1) for cell in range(5))),
            replace(HIP_3, sets=()),
        ],
    )
    def test_dives_find_the_nodes_of_regular_searches(self, model: Coloring) -> None:
        plan = self.engine.plan(model)
        nodes = self.engine.estimated_nodes(plan)
        assert nodes == pytest.approx(count_nodes(self.engine, plan, model, WHOLE))

    def test_dives_are_right_on_average(self) -> None:
        model = rk.graph(named="grid 3 3").colorings(3).model
        plan = self.engine.plan(model)
        nodes = self.engine.estimated_nodes(plan)
        assert 0.5 < nodes / count_nodes(self.engine, plan, model, WHOLE) < 2

    def test_dives_into_a_hopeless_search_find_nothing(self) -> None:
        hopeless = Coloring(2, 2, sets=((0, 1),), fixed=((0, 1), (1, 1)))
        assert self.engine.estimated_nodes(self.engine.plan(hopeless)) == 0

    def test_cutting_tries_few_colours_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """To try each prefix from the beginning would take 8,194 tries for 1,024 shards."""
        n_tries = 0
        advance = type(self.engine).advance

        def counted(*arguments: Any) -> Any:
            nonlocal n_tries
            n_tries += 1
            return advance(*arguments)

        monkeypatch.setattr(type(self.engine), "advance", counted)
        self.engine.split(self.engine.plan(Coloring(12, 2)), 1024)
        assert n_tries <= 2 * 1024


class RepresentativesContract:
    """For engines that use symmetry inside the search: inherit, and set `engine`."""

    engine: ClassVar[ListingEngine[Any, Any]]

    @pytest.mark.kernel
    @pytest.mark.parametrize("n_shards", [1, 30])
    def test_the_square_and_the_colours_of_hip(self, n_shards: int) -> None:
        quarter = tuple((cell % 3) * 3 + 2 - cell // 3 for cell in range(9))
        mirror = tuple(cell // 3 * 3 + 2 - cell % 3 for cell in range(9))
        check_representatives(
            self.engine, HIP_3, [(quarter, (0, 1)), (mirror, (0, 1)), (tuple(range(9)), (1, 0))], n_shards
        )
        check_representatives(
            self.engine, THREE_COLORS, [(quarter, (1, 2, 0)), (mirror, (1, 0, 2))], n_shards
        )


def check_against_brute_force(engine: ListingEngine[Any, Any], model: Coloring) -> None:
    """Compare the whole search, and the search cut and paused wherever possible, with brute force."""
    rows = list_all(engine, model, 5, 3, 100)
    assert sorted(rows) == naive.solutions(model)
    assert list_all(engine, model, 40, 1, 1) == rows


def check_representatives(
    engine: ListingEngine[Any, Any], model: Coloring, moves: list[naive.Move], n_shards: int = 5
) -> None:
    """A plan for representatives finds the least row of every orbit, with its stabilizer, and nothing else."""
    group = close(model.row_shape, [naive.atoms(move) for move in moves])
    plan = engine.plan_for_representatives(model, group)
    if plan is None:
        assert group.order == 1
        return
    order = engine.comparing_order(plan)
    assert order is not None
    found: dict[tuple[int, ...], int] = {}
    for shard in engine.split(plan, n_shards):
        found |= _rows_with_stabilizers(engine, plan, model, shard)
    every = naive.group_of(moves)
    assert group.order == len(every)
    assert found == naive.least_of_orbits(naive.solutions(model), every, order)


def _rows_with_stabilizers(
    engine: ListingEngine[Any, Any], plan: Any, model: Coloring, shard: Shard
) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for block in engine.blocks(plan, shard, Room.of(model.row_shape, 2), 3, no_pause):
        assert block.stabilizers is not None
        rows = [tuple(row) for row in block.rows.tolist()]
        assert found.keys().isdisjoint(rows)
        found |= dict(zip(rows, block.stabilizers.tolist(), strict=True))
    return found
