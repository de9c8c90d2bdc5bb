"""Ctrl-C while counting: a pause that raises ends a long shard; engines that do not pause have short shards."""

from __future__ import annotations

import threading
from contextlib import suppress
from itertools import count

import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.search.cutting import Into, by_length
from rekkyo.search.fold import fold, sum_shard
from rekkyo.search.question import ask
from rekkyo.search.search import prepare
from rekkyo.search.sizes import DEFAULT_SIZES
from rekkyo.search.threads import Stop

PAUSING = {
    "cover-frontier": "dominoes 24 24",
    "cover-memo": "dominoes 24 24",
    "cover-determinant": "dominoes 24 24",
    "csp-determinant": "spanning trees",
    "sum-join": "magic-star 12",
    "csp-frontier": "hip 6",
    "csp-values": "hip 6",
}
IN_SHORT_SHARDS = {"queens-join": "queens 19", "magic-line-sets": "magic-square 5"}
"""These pause between shards only."""


class Interrupted(Exception):
    """What a pause raises in these tests."""


def interrupting(at_call: int) -> Pause:
    calls = count(1)

    def pause() -> None:
        if next(calls) == at_call:
            raise Interrupted

    return pause


def test_every_engine_that_counts_is_here() -> None:
    counting = [engine.name for engine in registry.all_engines() if isinstance(engine, CountingEngine)]
    assert sorted([*PAUSING, *IN_SHORT_SHARDS]) == sorted(counting)


@pytest.mark.parametrize("at_call", [1, 3])
@pytest.mark.parametrize("name", PAUSING)
def test_a_pause_that_raises_ends_a_shard(name: str, at_call: int) -> None:
    words = PAUSING[name]
    trees = rk.graph(named="grid 10 10").spanning_trees()
    search = prepare(ask(trees if words == "spanning trees" else rk.puzzle(words), engine=name), Into(1))
    assert isinstance(search.engine, CountingEngine)
    with pytest.raises(Interrupted):
        search.engine.count(search.plan, search.shards[0], interrupting(at_call))


@pytest.mark.parametrize("name", IN_SHORT_SHARDS)
def test_what_pauses_between_shards_has_many(name: str) -> None:
    question = ask(rk.puzzle(IN_SHORT_SHARDS[name]), engine=name)
    assert len(prepare(question, by_length).shards) >= DEFAULT_SIZES.shards


def test_a_count_ends_between_two_short_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker counts the shard that it has begun when it is asked to stop, and no other."""
    engine = registry.engine_named("queens-join")
    assert isinstance(engine, CountingEngine)
    counted, began = [], threading.Event()

    def count_until_asked(plan: object, shard: Shard, pause: Pause) -> Tally:
        counted.append(shard)
        began.set()
        with suppress(Stop):
            while True:
                pause()
        return Tally(0, 1)

    def watch(_progress: rk.Progress) -> None:
        began.wait()
        raise Interrupted

    question = ask(rk.queens(12), engine="queens-join", workers=2)
    search = prepare(question, Into(16))
    assert len(search.shards) == 16
    monkeypatch.setattr(engine, "count", count_until_asked)
    with pytest.raises(Interrupted):
        fold(search, sum_shard, watch)
    assert 1 <= len(counted) <= 2
