"""What a listing engine does, without what is built on it: shards, slices, rooms, representatives, submodels."""

from __future__ import annotations

import random
from typing import Any

from rekkyo.engines.contract import Block, ListingEngine, Room, Shard, Status, no_pause
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.row import Layout, RowShape
from tests import naive_orbits
from tests.fuzz import oracle
from tests.fuzz.oracle import Row, TooLarge, Truth
from tests.fuzz.ways import Way

AnyListing = ListingEngine[Any, Any]

MOST_SUBMODELS = 4


def list_in_turns(engine: AnyListing, plan: Any, shape: RowShape, way: Way) -> list[Row]:
    """All rows. One room serves all shards, and a slice of any shard may follow one of any other."""
    return [tuple(row) for block in blocks_in_turns(engine, plan, shape, way) for row in block.rows.tolist()]


def blocks_in_turns(engine: AnyListing, plan: Any, shape: RowShape, way: Way) -> list[Block]:
    """The same in blocks, all kept to the end."""
    rng, sizes = random.Random(way.seed), dict(way.sizes)
    room = Room.of(shape, sizes.get("block_rows", 100))
    budget = sizes.get("slice_nodes", 1000)
    shards = engine.split(plan, way.shards or 1)
    assert [shard.index for shard in shards] == list(range(len(shards)))
    cursors = [engine.start(plan, shard) for shard in shards]
    settled = engine.settles_symmetry(plan)
    blocks = []
    while cursors:
        number = rng.randrange(min(len(cursors), 4))
        advance = engine.advance(plan, cursors[number], room, budget)
        assert 0 <= advance.nodes <= budget
        assert 0 <= advance.found <= len(room.rows)
        blocks.append(room.take(advance, settled=settled))
        if advance.status is Status.DONE:
            del cursors[number]
    return blocks


def check_representatives(
    engine: AnyListing, plan: Any, shape: RowShape, way: Way, truth: Truth, puzzle: Puzzle
) -> None:
    """A search for representatives meets the least row of each orbit, in the order in which it compares."""
    blocks = blocks_in_turns(engine, plan, shape, way)
    rows = [tuple(row) for block in blocks for row in block.rows.tolist()]
    assert len(rows) == len(set(rows)), "a row comes twice"
    assert set(rows) <= truth.rows
    generators = puzzle.generators_up_to(way.up_to) or ()
    by_option = shape.layout is Layout.BY_OPTION
    order = engine.comparing_order(plan)

    def compared(row: Row) -> tuple[int, ...]:
        if order is None:
            return row
        if not by_option:
            return tuple(row[position] for position in order)
        ranks = [*order, shape.n_values]
        return tuple(sorted(ranks.index(value) for value in row))

    found = naive_orbits.orbits(truth.rows, generators, shape.n_values, by_option=by_option)
    least = {min(orbit, key=compared): truth.orbits(way.up_to).order // len(orbit) for orbit in found}
    assert least.keys() <= set(rows), "a representative is missing"
    if engine.settles_symmetry(plan):
        orders = [
            int(order) for block in blocks if block.stabilizers is not None for order in block.stabilizers
        ]
        assert dict(zip(rows, orders, strict=True)) == least


def check_submodels(engine: AnyListing, model: Model, way: Way) -> None:
    """The solutions of a shard's submodel, by brute force, are what the engine lists in the shard."""
    plan = engine.plan(model)
    shards = engine.split(plan, way.shards or 1)
    for shard in random.Random(way.seed).sample(shards, min(len(shards), MOST_SUBMODELS)):
        submodel = engine.submodel(model, shard)
        if submodel is not None:
            try:
                wanted = oracle.solutions(submodel)
            except TooLarge:
                continue
            assert _unfilled(_rows_of(engine, plan, shard, model), model) == _unfilled(wanted, submodel)


def _rows_of(engine: AnyListing, plan: Any, shard: Shard, model: Model) -> list[Row]:
    blocks = list(engine.blocks(plan, shard, Room.of(model.row_shape, 7), 50, no_pause))
    return [tuple(row) for block in blocks for row in block.rows.tolist()]


def _unfilled(rows: list[Row], model: Model) -> list[Row]:
    """Without fillers, of which a submodel's rows may have another number; in lexicographic order."""
    filler = model.row_shape.n_values
    if model.row_shape.layout is Layout.BY_POSITION:
        return sorted(rows)
    return sorted(tuple(value for value in row if value != filler) for row in rows)
