"""A search for representatives alone finds the same orbits as a search of all solutions, with less work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Room, Status, no_pause, row_dtype
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.parts.engine import CoverParts
from rekkyo.engines.covers.pivot import Pivot, kept_pivots
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.engines.listing_contract import list_shard

CASES = [
    (CoverBitset(), "pentominoes 3 20"),
    (CoverBitset(), "soma"),
    (CoverBitset(), "langford 7"),
    (CoverBitset(), "hexiamonds 4 9"),
    (CoverBitset(), "polyominoes 5 5 5 --any-number"),
    (CoverBitset(), "digits"),
    (CoverParts(), "digits"),
    (CoverParts(), "digits --exchange-equal"),
]


def pivot_of(model: ExactCover, group: Group) -> Pivot | None:
    return next(iter(kept_pivots(model, group)), None)


def rows_of(engine: Any, model: Any, plan: Any) -> Any:
    shape = model.row_shape
    rows = [
        row
        for shard in engine.split(plan, 20)
        for row in list_shard(engine, plan, model, shard, 1000, 1 << 24)
    ]
    return np.array(rows, dtype=row_dtype(shape.n_symbols)).reshape(-1, shape.length)


@pytest.mark.parametrize(("engine", "words"), CASES, ids=lambda part: getattr(part, "name", part))
def test_it_finds_the_representative_of_every_orbit(engine: Any, words: str) -> None:
    puzzle = rk.puzzle(words)
    model = lower(puzzle.model)
    group = close(model.row_shape, puzzle.generators)
    every_row = rows_of(engine, model, engine.plan(model))
    survey = OrbitSurvey(group)
    expected = {tuple(row) for row in every_row[survey.stabilizer_orders(every_row) > 0].tolist()}

    plan = engine.plan_for_representatives(model, group)
    found = rows_of(engine, model, plan)
    ordered = OrbitSurvey(group, engine.comparing_order(plan))
    representatives = found[ordered.stabilizer_orders(found) > 0]
    assert len(found) < len(every_row)
    assert len(representatives) == len(expected)
    assert {tuple(row) for row in ordered.least_images(representatives).tolist()} == expected


TWICE = rk.packing("#####\n" * 4, "AA BBB CC\nA      CC", times={"A": 2, "B": 2, "C": 2}, name="twice")
"""Options that a narrow frame holds at once, of pieces of which there are two each."""

CUT_ALIKE = [
    "polyominoes 4 4 4 --any-number",
    "polyominoes 5 5 5 --any-number",
    "pentominoes 3 20",
    "langford 7",
]


@pytest.mark.parametrize("puzzle", [TWICE, *map(rk.puzzle, CUT_ALIKE)], ids=lambda puzzle: puzzle.name)
def test_one_shard_takes_as_many_nodes_as_many(puzzle: rk.Puzzle) -> None:
    engine, model = CoverBitset(), lower(puzzle.model)
    engine.compile_for_long(model)  # narrow frames
    plan = engine.plan_for_representatives(model, close(model.row_shape, puzzle.generators))
    assert plan is not None
    found = set()
    for at_least in (1, 2, 20, 200):
        room, rows, nodes = Room.of(model.row_shape, 100), [], 0
        for shard in engine.split(plan, at_least):
            blocks = list(engine.blocks(plan, shard, room, 1 << 10, no_pause))
            rows += [tuple(row) for block in blocks for row in block.rows.tolist()]
            nodes += shard.nodes + sum(block.nodes for block in blocks)
        assert len(set(rows)) == len(rows)
        found.add((nodes, tuple(sorted(rows))))
    assert len(found) == 1


def test_a_search_in_one_shard_tells_how_far_it_is() -> None:
    engine, model = CoverBitset(), lower(rk.puzzle("soma").model)
    plan = engine.plan(model)
    (whole,) = engine.split(plan, 1)
    cursor, room, parts = engine.start(plan, whole), Room.of(model.row_shape, 1000), [0.0]
    while engine.advance(plan, cursor, room, 1 << 10).status is not Status.DONE:
        parts.append(engine.part_done(plan, cursor))
    assert parts == sorted(parts)
    assert 0 < parts[-1] < 1
    assert len(set(parts)) > 10


SWAP = (1, 0, 3, 2)
"""Options 0 and 1 are of item a, options 2 and 3 of item b."""


def two_items(bounds: tuple[tuple[int, int], ...] = ()) -> ExactCover:
    return ExactCover(("a", "b"), (), (((0, 0),), ((0, 0),), ((1, 0),), ((1, 0),)), bounds)


def test_the_pivot_is_the_item_with_the_most_options_to_an_orbit() -> None:
    shape = RowShape(2, 5, Layout.BY_OPTION)
    group = close(shape, [(1, 0, 3, 4, 2)])
    options = tuple(((item, 0),) for item in (0, 0, 1, 1, 1))
    pivot = pivot_of(ExactCover(("a", "b"), (), options), group)
    assert pivot is not None
    assert (pivot.item, pivot.superfluous, pivot.order) == (1, (3, 4), (2, 3, 4, 0, 1))


def test_no_pivot() -> None:
    shape = RowShape(2, 4, Layout.BY_OPTION)
    assert pivot_of(two_items(), close(shape, [])) is None
    assert pivot_of(two_items(), close(shape, [(2, 3, 0, 1)])) is None, "the items are exchanged"
    swap = close(shape, [SWAP])
    assert pivot_of(two_items(((1, 2), (0, 1))), swap) is None, "not covered exactly once"
    pivot = pivot_of(two_items(((1, 2), (1, 1))), swap)
    assert pivot is not None
    assert pivot.item == 1


def test_an_item_whose_options_only_number_as_many_as_an_orbit_is_no_pivot() -> None:
    """The orbits are {0, 1, 2} and {3, 4}; item a has options 0, 1 and 4, item b has 2 and 3."""
    shape = RowShape(2, 5, Layout.BY_OPTION)
    group = close(shape, [(1, 2, 0, 4, 3)])
    options = tuple(((item, 0),) for item in (0, 0, 1, 1, 0))
    assert pivot_of(ExactCover(("a", "b"), (), options), group) is None
