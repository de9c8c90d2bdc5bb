"""Dancing cells: the definition, known counts, colours and bounds, and the contract."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given

from rekkyo.engines.contract import WHOLE, Room, Shard, Status
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import MAX_COLOR, MAX_TIMES, ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.listing_contract import ListingContract, count_nodes, count_rows, list_all


class TestContract(ListingContract):
    engine = CoverCells()
    models: ClassVar[list[Model]] = [
        naive_cover.langford(4),
        naive_cover.TOY_MCC,
        naive_cover.queens(5),
    ]


@pytest.mark.kernel
@given(model=naive_cover.models())
def test_lists_what_the_definition_says(model: ExactCover) -> None:
    rows = list_all(CoverCells(), model, 4, 3, 1000)
    assert sorted(rows) == naive_cover.solutions(model)


@given(model=naive_cover.models())
def test_cuts_and_pauses_change_nothing_for_any_model(model: ExactCover) -> None:
    whole = list_all(CoverCells(), model, 1, 100, 10_000)
    assert list_all(CoverCells(), model, 50, 1, 1) == whole


def test_shards_are_models_of_their_own_unless_there_are_bounds() -> None:
    engine = CoverCells()
    for model, is_one in ((naive_cover.langford(4), True), (naive_cover.TOY_MCC, False)):
        shard = engine.split(engine.plan(model), 2)[0]
        assert (engine.submodel(model, shard) is not None) == is_one


@pytest.mark.kernel
def test_every_set_of_options_is_found_once_when_nothing_has_to_be_covered() -> None:
    """Five options on one item that may be covered up to three times."""
    model = ExactCover(("a",), (), (((0, 0),),) * 5, ((0, 3),))
    rows = list_all(CoverCells(), model, 3, 4, 1000)
    assert sorted(rows) == naive_cover.solutions(model)
    assert len(rows) == 1 + 5 + 10 + 10


@pytest.mark.kernel
def test_colours_of_the_toy_example() -> None:
    assert list_all(CoverCells(), naive_cover.TOY_XCC, 1, 5, 100) == [(1, 3, 5)]


@pytest.mark.kernel
@pytest.mark.parametrize(
    "model",
    [
        ExactCover(("a",)),
        ExactCover(("a", "b"), (), (((0, 0),),)),
        ExactCover(("a",), (), (((0, 0),),), ((2, 2),)),
        ExactCover(("a",), (), (((0, 0),),), ((MAX_TIMES - 1, MAX_TIMES),)),
    ],
)
def test_hopeless_models_have_no_solution(model: ExactCover) -> None:
    assert list_all(CoverCells(), model, 5, 10, 100) == []


@pytest.mark.kernel
def test_no_options_and_nothing_to_cover_is_one_empty_solution() -> None:
    assert list_all(CoverCells(), ExactCover(("a",), bounds=((0, 1),)), 5, 10, 100) == [(1,)]


def test_the_largest_bounds_and_colours_are_taken_as_they_are_meant() -> None:
    options = (((0, 0), (1, MAX_COLOR)), ((0, 0), (1, MAX_COLOR)), ((0, 0), (1, MAX_COLOR - 1)))
    model = ExactCover(("a",), ("s",), options, ((1, MAX_TIMES),))
    rows = list_all(CoverCells(), model, 5, 10, 100)
    assert sorted(rows) == naive_cover.solutions(model)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "count"),
    [
        (naive_cover.fillings(4, 4, naive_cover.DOMINOES), 36),
        (naive_cover.langford(3), 2),
        (naive_cover.queens(5), 10),
    ],
)
def test_small_counts(model: ExactCover, count: int) -> None:
    assert len(list_all(CoverCells(), model, 3, 7, 100)) == count


@pytest.mark.parametrize(
    ("model", "count"),
    [
        (naive_cover.fillings(6, 6, naive_cover.DOMINOES), 6728),
        (naive_cover.fillings(6, 6, naive_cover.L_TROMINOES), 162),
        (naive_cover.langford(7), 52),
        (naive_cover.langford(8), 300),
        (naive_cover.queens(8), 92),
    ],
)
def test_known_counts(model: ExactCover, count: int) -> None:
    assert len(list_all(CoverCells(), model, 30, 100, 1000)) == count


@pytest.mark.parametrize("model", [naive_cover.langford(7), naive_cover.queens(6)])
def test_agrees_with_algorithm_x(model: ExactCover) -> None:
    assert sorted(list_all(CoverCells(), model, 30, 100, 1000)) == naive_cover.algorithm_x(model)


def test_rows_of_more_than_256_options_are_sorted() -> None:
    """One option for each of 300 items, half of them named backwards; a wider row type and a longer sort."""
    n = 300
    options = tuple(((item, 0),) for item in [*range(n - 1, n // 2, -1), *range(n // 2 + 1)])
    model = ExactCover(tuple(f"i{item}" for item in range(n)), (), options)
    assert list_all(CoverCells(), model, 5, 10, 7) == [tuple(range(n))]


def test_refuses_models_of_other_kinds() -> None:
    with pytest.raises(EngineRefuses, match="cover-cells searches exact covers only"):
        CoverCells().plan(Queens(4))


@pytest.mark.parametrize("prefix", [(0, 0), (5,), (99,), (3, 3)])
def test_shards_of_other_plans_are_refused(prefix: tuple[int, ...]) -> None:
    plan = CoverCells().plan(naive_cover.TOY_XCC)
    with pytest.raises(EngineRefuses, match=r"engine cover-cells has no shard .* split the plan again"):
        CoverCells().start(plan, Shard(0, prefix))


def test_in_large_models_a_slice_of_the_search_has_few_nodes() -> None:
    n = 3001  # odd: pairs never cover everything
    pairs = tuple(((item, 0), ((item + step) % n, 0)) for item in range(n) for step in range(1, 40))
    model = ExactCover(tuple(map(str, range(n))), (), pairs)
    plan = CoverCells().plan(model)
    room = Room.of(model.row_shape, 10)
    advance = CoverCells().advance(plan, CoverCells().start(plan, WHOLE), room, 1 << 30)
    assert advance.status is Status.OUT_OF_BUDGET
    assert 100 < advance.nodes < 10_000


def test_the_options_of_a_wide_item_become_shards_without_being_tried() -> None:
    """The first of 65,537 options of item a leaves none for item b. Trying them all would take 2^32 steps."""
    n = 65_537
    options = (((0, 0), (2, 0)), *(((0, 0),),) * (n - 1), *(((1, 0), (2, 0)),) * n)
    model = ExactCover(("a", "b"), ("s",), options)
    plan = CoverCells().plan(model)
    shards = CoverCells().split(plan, 2)
    assert [shard.prefix for shard in shards] == [(option,) for option in range(n)]
    assert sum(shard.nodes for shard in shards) == n
    assert count_nodes(CoverCells(), plan, model, shards[0]) == 0
    room = Room.of(model.row_shape, 1)
    CoverCells().advance(plan, CoverCells().start(plan, shards[-1]), room, 2)
    assert room.rows.tolist() == [[n - 1, n]]


@pytest.mark.long
def test_all_domino_tilings_of_the_chessboard_are_counted() -> None:
    model = naive_cover.fillings(8, 8, naive_cover.DOMINOES)
    assert count_rows(CoverCells(), model) == 12_988_816
