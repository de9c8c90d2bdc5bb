"""Workers: every shard once, whatever its result, and an end whatever happens."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

import pytest

from rekkyo.engines.contract import Shard
from rekkyo.search import threads
from rekkyo.search.progress import Meter
from rekkyo.search.threads import Stop, StopSign, do_all, do_each

SHARDS = tuple(Shard(index, (), 0) for index in range(50))


@pytest.mark.parametrize("workers", [1, 2, 5])
class TestCarryOut:
    def test_every_shard_is_done_once(self, workers: int) -> None:
        meter = Meter(len(SHARDS), workers)
        results = do_all(SHARDS, lambda shard, _: shard.index, workers, meter, None)
        assert sorted(results) == list(range(50))
        assert meter.look().shards_done == 50

    @pytest.mark.parametrize("nothing", [None, 0, (), ""])
    def test_a_result_may_be_anything(self, workers: int, nothing: object) -> None:
        assert do_all(SHARDS, lambda *_: nothing, workers, Meter(50, workers), None) == [nothing] * 50

    def test_no_shards(self, workers: int) -> None:
        assert do_all((), lambda *_: 1, workers, Meter(0, workers), None) == []

    def test_a_stopped_shard_gives_no_result(self, workers: int) -> None:
        def work(shard: Shard, stop: StopSign) -> int:
            if shard.index == 20:
                stop.show()
            stop.check()
            return shard.index

        results = do_all(SHARDS, work, workers, Meter(50, workers), None)
        assert len(results) == len(set(results)) < 50
        assert 20 not in results
        assert workers > 1 or results == list(range(20))

    def test_an_error_ends_the_call(self, workers: int) -> None:
        begun = []

        def work(shard: Shard, stop: StopSign) -> int:
            begun.append(shard.index)
            if shard.index == 3:
                raise OSError("the disk is full")
            while workers > 1 and shard.index > 3:
                stop.check()
            return shard.index

        with pytest.raises(OSError, match="the disk is full"):
            do_all(SHARDS, work, workers, Meter(50, workers), None)
        assert len(begun) <= 3 + workers

    def test_the_workers_are_gone_afterwards(self, workers: int) -> None:
        do_all(SHARDS, lambda *_: 1, workers, Meter(50, workers), None)
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("rekkyo-")]


def test_stop_is_no_error() -> None:
    def work(*_: object) -> int:
        raise Stop

    assert do_all(SHARDS, work, 2, Meter(50, 2), None) == []


def test_results_that_came_before_an_error_are_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller is busy with shard 0 until shard 2 has failed; what came in between was lost."""
    seen_0, failed = threading.Event(), threading.Event()

    class Known(Future[Any]):
        def set_exception(self, exception: BaseException | None) -> None:
            super().set_exception(exception)
            failed.set()

    def work(shard: Shard, _: StopSign, __: int) -> int:
        if shard.index == 1:
            assert seen_0.wait(60)
        if shard.index == 2:
            raise OSError("the disk is full")
        return shard.index

    monkeypatch.setattr(threads, "Future", Known)
    seen: list[int] = []
    with pytest.raises(OSError, match="the disk is full"):
        for group in do_each(SHARDS, work, 1, Meter(50, 1), None):
            seen += group
            if seen == [0]:
                seen_0.set()
                assert failed.wait(60)
    assert seen == [0, 1]
