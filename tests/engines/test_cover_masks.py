"""Fixed order with bit masks, and charts: the definition, known counts, which order, and the contract."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.bits import Words
from rekkyo.engines.contract import Shard
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.engines.covers.masks import chart, order
from rekkyo.engines.covers.masks.engine import CoverMasks
from rekkyo.engines.covers.masks.order import find_labels, item_order
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.listing_contract import ListingContract, count_rows, list_all

EXAMPLES = Path(__file__).parents[2] / "examples"


class WithoutCharts(CoverMasks):
    """The same engine when every chart is too large."""

    most_pairs = 0


class WithCharts(CoverMasks):
    """The same engine when no model is too small for a chart."""

    fewest_options = 0


ENGINES = [CoverMasks(), WithoutCharts(), WithCharts()]

DOMINOES = naive_cover.fillings(4, 4, naive_cover.DOMINOES)
# Numbered tile by tile, so that rows have to be sorted; here all upright dominoes come last.
TILE_BY_TILE = ExactCover(
    DOMINOES.primary, (), tuple(sorted(DOMINOES.options, key=lambda option: option[1][0] - option[0][0]))
)


class TestContract(ListingContract):
    engine = WithCharts()
    models: ClassVar[list[Model]] = [naive_cover.langford(4), DOMINOES, TILE_BY_TILE]


class TestContractWithoutCharts(ListingContract):
    engine = WithoutCharts()
    models: ClassVar[list[Model]] = [naive_cover.langford(4), DOMINOES, TILE_BY_TILE]


@pytest.mark.kernel
@pytest.mark.parametrize("engine", ENGINES)
@given(model=naive_cover.models(plain=True))
def test_lists_what_the_definition_says(engine: CoverMasks, model: ExactCover) -> None:
    rows = list_all(engine, model, 4, 3, 1000)
    assert sorted(rows) == naive_cover.solutions(model)


@pytest.mark.parametrize("engine", ENGINES)
@given(model=naive_cover.models(plain=True))
def test_cuts_and_pauses_change_nothing_for_any_model(engine: CoverMasks, model: ExactCover) -> None:
    whole = list_all(engine, model, 1, 100, 10_000)
    assert list_all(engine, model, 50, 1, 1) == whole


@pytest.mark.kernel
@pytest.mark.parametrize("engine", ENGINES)
def test_rows_are_in_lexicographic_order_when_options_are_numbered_by_their_first_item(
    engine: CoverMasks,
) -> None:
    rows = list_all(engine, DOMINOES, 5, 7, 100)
    assert rows == sorted(rows)
    assert len(rows) == 36


@pytest.mark.kernel
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("model", "count"),
    [
        (TILE_BY_TILE, 36),
        (naive_cover.langford(4), 2),
        (ExactCover(("a", "b"), (), (((0, 0),),)), 0),
        (ExactCover(("a",)), 0),
        (ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0), (1, 0)))), 2),
    ],
)
def test_small_counts(engine: CoverMasks, model: ExactCover, count: int) -> None:
    assert len(list_all(engine, model, 3, 7, 100)) == count


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("model", "count"),
    [
        (naive_cover.fillings(6, 6, naive_cover.DOMINOES), 6728),
        (naive_cover.fillings(4, 9, naive_cover.DOMINOES), 6336),
        (naive_cover.fillings(6, 6, naive_cover.L_TROMINOES), 162),
        (naive_cover.langford(7), 52),
        (naive_cover.langford(8), 300),
    ],
)
def test_known_counts(engine: CoverMasks, model: ExactCover, count: int) -> None:
    assert len(list_all(engine, model, 30, 100, 10_000)) == count


@pytest.mark.parametrize("engine", ENGINES)
def test_agrees_with_dancing_cells_row_by_row(engine: CoverMasks) -> None:
    model = naive_cover.fillings(5, 6, [*naive_cover.L_TROMINOES, frozenset({(0, 0), (0, 1), (0, 2)})])
    rows = list_all(engine, model, 9, 100, 10_000)
    assert sorted(rows) == sorted(list_all(CoverCells(), model, 9, 100, 10_000))
    assert len(rows) > 100


def test_all_domino_tilings_of_the_chessboard_are_counted() -> None:
    assert count_rows(CoverMasks(), naive_cover.fillings(8, 8, naive_cover.DOMINOES)) == 12_988_816


def test_all_l_tromino_tilings_of_9x9_are_counted() -> None:
    assert count_rows(CoverMasks(), naive_cover.fillings(9, 9, naive_cover.L_TROMINOES)) == 1_193_600


def test_a_strip_of_far_more_than_64_cells_fits_one_window() -> None:
    """Two rows given row by row: the order has to follow the strip."""
    squares = [frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})]
    assert count_rows(CoverMasks(), naive_cover.fillings(2, 60, squares)) == 1
    assert count_rows(CoverMasks(), naive_cover.fillings(2, 20, naive_cover.DOMINOES)) == 10_946


def test_names_of_pieces_are_found_first_and_last() -> None:
    langford = naive_cover.langford(5)
    assert find_labels(langford) == frozenset(range(5))
    mirrored = ExactCover(
        langford.primary[::-1],
        (),
        tuple(tuple((14 - item, 0) for item, _ in option) for option in langford.options),
    )
    assert find_labels(mirrored) == frozenset(range(10, 15))
    assert not find_labels(DOMINOES)
    # Items alone in an option cannot be labels: nothing would be left to cover.
    assert not find_labels(ExactCover(("a", "b"), (), (((0, 0),), ((1, 0),))))


def cover_of(options: Sequence[tuple[int, ...]], n_primary: int, n_secondary: int = 0) -> ExactCover:
    items = [str(number) for number in range(n_primary + n_secondary)]
    uses = tuple(tuple((item, 0) for item in option) for option in options)
    return ExactCover(tuple(items[:n_primary]), tuple(items[n_primary:]), uses)


LABELS = {
    "cells that may stay empty": (cover_of([(0, 2, 3), (0, 3, 4), (1, 2), (1, 4)], 2, 3), {0, 1}),
    "something after the names": (cover_of([(0, 2), (1, 3), (0, 1, 2, 4), (0, 1, 3)], 4, 1), {2, 3}),
    "pieces of one cell": (cover_of([(0, 2), (0, 3), (1, 2), (1, 3)], 4), {0, 1}),
    "a last item that is elsewhere the last but one": (cover_of([(0, 1, 2), (1, 2, 3)], 4), set()),
}


@pytest.mark.parametrize("name", LABELS)
def test_names_of_pieces(name: str) -> None:
    """Those among all items, if there are any, otherwise those among the primary ones."""
    model, labels = LABELS[name]
    assert find_labels(model) == labels


@given(seed=st.integers(0, 1 << 32), n=st.integers(0, 9))
def test_kings_order_is_that_of_the_definition(seed: int, n: int) -> None:
    """Next comes the neighbour with the fewest new neighbours; of several, the one that was found first."""
    rng = random.Random(seed)
    vertices = rng.sample(range(20), n)
    edges = [pair for pair in combinations(vertices, 2) if rng.random() < 0.3]
    neighbors = {v: {other for pair in edges if v in pair for other in pair} - {v} for v in vertices}
    found: list[int] = []
    done: list[int] = []
    for start in vertices:
        found += [] if start in found else [start]
        while waiting := [v for v in found if v not in done]:
            done.append(min(waiting, key=lambda v: len(neighbors[v].difference(found))))
            found += sorted(neighbors[done[-1]].difference(found))
    assert order.grown(neighbors) == tuple(done)


def test_wide_boards_are_covered_along_their_length() -> None:
    tall = naive_cover.fillings(9, 3, naive_cover.DOMINOES)
    assert item_order(tall).order == tuple(range(27))
    assert item_order(tall).longest == 4
    assert item_order(tall).mean_reach == (18 * 1 + 24 * 3) / 42
    wide = naive_cover.fillings(3, 9, naive_cover.DOMINOES)
    assert {item % 9 for item in item_order(wide).order[:6]} <= {0, 1, 2}


def test_pays_off_for_short_tiles_without_names() -> None:
    assert CoverMasks().pays_off(naive_cover.fillings(8, 8, naive_cover.DOMINOES))
    assert not CoverMasks().pays_off(naive_cover.langford(8))
    assert not CoverMasks().pays_off(naive_cover.queens(4))
    assert not CoverMasks().pays_off(ExactCover(("a",)))


@pytest.mark.parametrize("model", [DOMINOES, TILE_BY_TILE, naive_cover.langford(4)])
def test_everything_can_be_compiled_ahead(model: ExactCover) -> None:
    CoverMasks().compile(model)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Queens(4), "searches exact covers only"),
        (naive_cover.queens(4), "takes only primary items that are covered exactly once"),
        (ExactCover(("a",), (), (((0, 0),),), ((0, 1),)), "takes only primary items"),
        (
            ExactCover(tuple(map(str, range(5000))), (), (((0, 0),),)),
            "takes at most 4096 items and 131072 options",
        ),
        (
            ExactCover(tuple(map(str, range(200))), (), tuple(((i, 0), (100 + i, 0)) for i in range(100))),
            "takes at most 64 names of pieces, and there are 100",
        ),
        (
            ExactCover(tuple(map(str, range(80))), (), (tuple((i, 0) for i in range(80)), ((0, 0),))),
            "takes options of at most 63 items in a row, not 80",
        ),
    ],
)
def test_refusals_say_why(model: Model, reason: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine cover-masks {reason}"):
        CoverMasks().plan(model)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("prefix", [(0, 0), (99,), (4,)])
def test_shards_of_other_plans_are_refused(engine: CoverMasks, prefix: tuple[int, ...]) -> None:
    plan = engine.plan(DOMINOES)
    with pytest.raises(EngineRefuses, match=r"engine cover-masks has no shard .* split the plan again"):
        engine.start(plan, Shard(0, prefix))


@pytest.mark.parametrize("most_in_table", [0, 1 << 20])
@given(model=naive_cover.models())
def test_neighbors_share_an_option(model: ExactCover, most_in_table: int) -> None:
    given_items = range(0, len(model.primary), 2)
    options = [{item for item, _ in option} for option in model.options]
    expected = {
        item: {other for some in options if item in some for other in some} & set(given_items) - {item}
        for item in given_items
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "MOST_IN_TABLE", most_in_table)
        found = order.neighbors_of(model, given_items)
    assert found == expected
    assert list(found) == list(given_items)


def test_a_chart_that_will_be_too_large_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a cube of 6 dimensions, whose chart has more than 8 million pairs, after a fifth of them."""
    seen: list[int] = []
    steps_from = chart._steps_from

    def counting(item: int, here: tuple[order.Entry, ...], windows: Words) -> chart.Steps:
        seen.append(len(windows) * len(here))
        return steps_from(item, here, windows)

    monkeypatch.setattr(chart, "_steps_from", counting)
    model = lower(rk.graph(named="hypercube 6").matchings(perfect=True).model)
    assert CoverMasks().plan(model).chart is None
    assert sum(seen) < chart.MAX_PAIRS / 5


@pytest.mark.parametrize(
    ("puzzle", "has_chart"),
    [
        (rk.puzzle("dominoes 8 8"), True),  # 3 thousand pairs
        (rk.puzzle("pentominoes 5 12"), True),  # 1.2 million, for some 1.6 million nodes
        (
            rk.puzzle_from_file(EXAMPLES / "calendar.toml", "jan", "1"),
            False,
        ),  # 3.5 million, for some 59 thousand
    ],
    ids=["dominoes", "pentominoes", "calendar"],
)
def test_a_chart_is_made_if_it_is_small_or_saves_more_than_it_takes(
    puzzle: rk.Puzzle, has_chart: bool
) -> None:
    assert (CoverMasks().plan(lower(puzzle.model)).chart is not None) is has_chart
