"""What every listing engine must do. A test module inherits `ListingContract` and names engine and models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from rekkyo.engines.contract import Advance, Block, ListingEngine, Room, Shard, Status, no_pause
from rekkyo.model.puzzle import Model
from rekkyo.verify import violations


def list_all(
    engine: ListingEngine[Any, Any], model: Model, at_least: int, n_rows: int, budget: int
) -> list[Any]:
    """All rows, shard after shard, in blocks of n_rows and slices of `budget` nodes."""
    plan = engine.plan(model)
    return list_shards(engine, plan, model, engine.split(plan, at_least), n_rows, budget)


def list_shards(
    engine: ListingEngine[Any, Any],
    plan: Any,
    model: Model,
    shards: Iterable[Shard],
    n_rows: int,
    budget: int,
) -> list[Any]:
    """All rows of some shards, one shard after the other."""
    return [row for shard in shards for row in list_shard(engine, plan, model, shard, n_rows, budget)]


def list_shard(engine: Any, plan: Any, model: Model, shard: Shard, n_rows: int, budget: int) -> list[Any]:
    """All rows of a shard; the search has to stay done."""
    room = Room.of(model.row_shape, n_rows)
    cursor = engine.start(plan, shard)
    rows = []
    status = Status.OUT_OF_BUDGET
    while status is not Status.DONE:
        advance = checked_advance(engine, plan, cursor, room, budget)
        status = advance.status
        rows += [tuple(row) for row in room.take(advance, settled=False).rows.tolist()]
    assert checked_advance(engine, plan, cursor, room, budget) == (Status.DONE, 0, 0)
    return rows


def count_rows(engine: Any, model: Model) -> int:
    """How many solutions there are, too many to keep."""
    plan, room = engine.plan(model), Room.of(model.row_shape, 10_000)
    [shard] = engine.split(plan, 1)
    return sum(len(block.rows) for block in engine.blocks(plan, shard, room, 1 << 24, no_pause))


def whole_shard(engine: Any, plan: Any, model: Model, shard: Shard) -> Block:
    """A shard in one slice, found in room for a thousand rows."""
    room = Room.of(model.row_shape, 1000)
    advance = checked_advance(engine, plan, engine.start(plan, shard), room, 1 << 30)
    assert advance.status is Status.DONE
    return room.take(advance, settled=False)


def count_nodes(engine: Any, plan: Any, model: Model, shard: Shard) -> int:
    return whole_shard(engine, plan, model, shard).nodes


def arrays_of(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Every array inside a plan."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_of(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from arrays_of(getattr(value, field.name))


def checked_advance(engine: Any, plan: Any, cursor: Any, room: Room, budget: int) -> Advance:
    advance = engine.advance(plan, cursor, room, budget)
    assert 0 <= advance.found <= len(room.rows)
    assert 0 <= advance.nodes <= budget
    assert (advance.status is Status.BUFFER_FULL) <= (advance.found == len(room.rows))
    return advance


def whole_search(engine: ListingEngine[Any, Any], model: Model) -> list[tuple[int, ...]]:
    """The rows of one shard, which many tests compare with; found once."""
    return search_of(engine, model, tuple(engine.split(engine.plan(model), 1)))


@cache
def search_of(
    engine: ListingEngine[Any, Any], model: Model, shards: tuple[Shard, ...]
) -> list[tuple[int, ...]]:
    """The rows of some shards. A small search cannot be cut into many, so several numbers give the same ones."""
    return list_shards(engine, engine.plan(model), model, shards, 100, 10_000)


class ListingContract:
    """Inherit, set `engine` and `models`."""

    engine: ClassVar[ListingEngine[Any, Any]]
    models: ClassVar[list[Model]]

    @pytest.fixture(params=range(3))
    def model(self, request: pytest.FixtureRequest) -> Model:
        return self.models[request.param % len(self.models)]

    @pytest.mark.kernel
    def test_rows_are_valid_and_all_different(self, model: Model) -> None:
        rows = whole_search(self.engine, model)
        assert len(rows) == len(set(rows))
        assert not any(violations(model, row) for row in rows)

    @pytest.mark.kernel
    @pytest.mark.parametrize("at_least", [2, 7, 60])
    def test_shards_are_disjoint_and_together_the_whole_search(self, model: Model, at_least: int) -> None:
        whole = whole_search(self.engine, model)
        shards = self.engine.split(self.engine.plan(model), at_least)
        assert search_of(self.engine, model, tuple(shards)) == whole

    def test_nodes_do_not_depend_on_how_the_search_is_cut(self, model: Model) -> None:
        plan = self.engine.plan(model)
        sums = set()
        for at_least in (1, 5, 40):
            shards = self.engine.split(plan, at_least)
            sums.add(sum(shard.nodes + count_nodes(self.engine, plan, model, shard) for shard in shards))
        assert len(sums) == 1

    @pytest.mark.kernel
    def test_every_array_of_a_plan_is_read_only(self, model: Model) -> None:
        plan = self.engine.plan(model)
        list_shard(self.engine, plan, model, self.engine.split(plan, 1)[0], 5, 50)
        arrays = list(arrays_of(plan))
        assert arrays
        assert not any(array.flags.writeable for array in arrays)

    @pytest.mark.kernel
    def test_blocks_stay_as_they_are_when_the_search_goes_on(self, model: Model) -> None:
        """What a slice leaves in its room is overwritten with noise in tests."""
        plan = self.engine.plan(model)
        for shard in self.engine.split(plan, 3):
            room = Room.of(model.row_shape, 3)
            blocks = list(self.engine.blocks(plan, shard, room, 7, no_pause))
            rows = np.concatenate([block.rows for block in blocks])
            assert rows.tolist() == whole_shard(self.engine, plan, model, shard).rows.tolist()

    def test_shards_are_numbered_and_the_same_every_time(self, model: Model) -> None:
        first, second = (self.engine.split(self.engine.plan(model), 20) for _ in range(2))
        assert first == second
        assert [shard.index for shard in first] == list(range(len(first)))

    @pytest.mark.parametrize(("n_rows", "budget"), [(1, 1), (1, 50), (2, 7), (3, 1), (5, 3), (4, 20)])
    def test_where_a_search_pauses_changes_nothing(self, model: Model, n_rows: int, budget: int) -> None:
        whole = whole_search(self.engine, model)
        assert list_all(self.engine, model, 3, n_rows, budget) == whole

    def test_two_cursors_of_one_plan_do_not_disturb_each_other(self, model: Model) -> None:
        plan = self.engine.plan(model)
        shard = self.engine.split(plan, 1)[0]
        alone = list_shard(self.engine, plan, model, shard, 1, 5)
        paused = self.engine.start(plan, shard)
        self.engine.advance(plan, paused, Room.of(model.row_shape, 1), 3)
        assert list_shard(self.engine, plan, model, shard, 1, 5) == alone


class OrderedListingContract(ListingContract):
    """What an engine must do that promises lexicographic order."""

    def test_rows_come_in_lexicographic_order(self, model: Model) -> None:
        rows = whole_search(self.engine, model)
        assert rows == sorted(rows)
