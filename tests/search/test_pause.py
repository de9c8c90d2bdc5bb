"""Ctrl-C while counting: a pause that raises ends a single long shard of every engine that counts."""

from __future__ import annotations

from itertools import count

import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.contract import CountingEngine, Pause
from rekkyo.search.cutting import Into
from rekkyo.search.question import ask
from rekkyo.search.search import prepare

LONG = {
    "queens-join": "queens 19",
    "cover-frontier": "dominoes 24 24",
    "cover-memo": "dominoes 24 24",
    "magic-line-sets": "magic-square 5",
}


class Interrupted(Exception):
    """What a pause raises in these tests."""


def interrupting(at_call: int) -> Pause:
    calls = count(1)

    def pause() -> None:
        if next(calls) == at_call:
            raise Interrupted

    return pause


def test_every_engine_that_counts_is_here() -> None:
    assert set(LONG) == {engine.name for engine in registry.ENGINES if isinstance(engine, CountingEngine)}


@pytest.mark.parametrize("at_call", [1, 3])
@pytest.mark.parametrize("name", LONG)
def test_a_pause_that_raises_ends_a_shard(name: str, at_call: int) -> None:
    search = prepare(ask(rk.puzzle(LONG[name]), engine=name), Into(1))
    assert isinstance(search.engine, CountingEngine)
    with pytest.raises(Interrupted):
        search.engine.count(search.plan, search.shards[0], interrupting(at_call))
