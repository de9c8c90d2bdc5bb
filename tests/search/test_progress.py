"""The range that the progress bar shows: it must hold the truth, nearly always."""

from __future__ import annotations

import random
from random import Random
from statistics import stdev
from threading import Thread

import pytest

from rekkyo.search.progress import Meter, ShardTimes, remaining_seconds


def test_nothing_is_said_before_eight_shards_are_finished() -> None:
    assert remaining_seconds([1.0] * 7, 100, 1) is None
    assert remaining_seconds([1.0] * 8, 100, 1) is not None


def test_equal_shards_leave_a_tenth_of_doubt() -> None:
    assert remaining_seconds([2.0] * 10, 110, 1) == (180.0, 220.0)
    assert remaining_seconds([2.0] * 10, 110, 4) == (45.0, 55.0 + 2.0 * 3 / 4)


def test_nothing_is_left_at_the_end() -> None:
    assert remaining_seconds([1.0] * 3, 3, 2) == (0.0, 0.0)
    assert remaining_seconds([], 0, 2) == (0.0, 0.0)


def test_the_range_never_goes_below_zero() -> None:
    low, high = remaining_seconds([0.0] * 7 + [100.0], 50, 1) or (None, None)
    assert low == 0.0
    assert high is not None
    assert high > 100


@pytest.mark.parametrize("n_finished", [10, 50, 128, 250])
def test_the_truth_lies_in_the_range_in_nine_of_ten_cases(n_finished: int) -> None:
    """Shards of very different size, finished in a random order, as counting does."""
    dice = random.Random(7)
    hits = 0
    for _ in range(300):
        seconds = [dice.gammavariate(2.0, 1.0) for _ in range(256)]
        low, high = remaining_seconds(seconds[:n_finished], 256, 1) or (0.0, 0.0)
        hits += low <= sum(seconds[n_finished:]) <= high
    assert hits >= 270


def test_the_meter_adds_up() -> None:
    meter = Meter(n_shards=3, workers=1)
    assert meter.add(5, 100) == 5
    assert meter.add(2, 10) == 7
    meter.finish_shard(0.5)
    look = meter.look()
    assert (look.found, look.nodes, look.shards_done, look.n_shards) == (7, 110, 1, 3)
    assert look.remaining_s is None


def test_what_is_expected_in_all() -> None:
    """As often as it promises, the truth lies inside the range that a sample of the shards gives."""
    dice = Random(1)
    hits = 0
    for _ in range(300):
        found = [int(dice.gammavariate(2.0, 1000.0)) for _ in range(256)]
        meter = Meter(n_shards=256, workers=1)
        for shard, number in enumerate(found[:60]):
            meter.add(number, 1)
            if shard == 6:
                assert meter.look().expected is None
            meter.finish_shard(1.0)
        low, high = meter.look().expected or (0.0, 0.0)
        assert sum(found[:60]) <= low < high
        hits += low <= sum(found) <= high
    assert hits >= 270


def test_at_the_end_what_was_found_is_expected() -> None:
    meter = Meter(n_shards=9, workers=1)
    for _ in range(9):
        meter.add(4, 1)
        meter.finish_shard(1.0)
    assert meter.look().expected == (36, 36)


def test_nothing_is_expected_where_earlier_shards_are_not_known() -> None:
    meter = Meter(n_shards=50, workers=1, finished=[1.0])
    for _ in range(20):
        meter.add(4, 1)
        meter.finish_shard(1.0)
    assert meter.look().expected is None


def test_shards_of_two_threads_are_not_mixed_up() -> None:
    meter = Meter(n_shards=100, workers=2)

    def work(found: int) -> None:
        for _ in range(5):
            meter.add(found, 1)
            meter.finish_shard(1.0)

    threads = [Thread(target=work, args=(7,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.look().expected == (700, 700)


def test_a_shard_took_also_the_seconds_in_which_it_was_searched_before() -> None:
    """Without them, the fifteen shards that are left would be expected to take a third of the time."""
    meter = Meter(n_shards=24, workers=1)
    for _ in range(8):
        meter.add_seconds(2.0)
        meter.finish_shard(1.0)
    meter.finish_shard(3.0)  # it was not searched before
    assert meter.look().remaining_s == pytest.approx((0.9 * 45, 1.1 * 45))


def test_a_computer_that_slows_down_widens_the_range() -> None:
    """The sampling error of both is the same."""
    steady = [1.0, 2.0] * 20
    slowing = sorted(steady)
    narrow, wide = (remaining_seconds(seconds, 400, 1) or (0.0, 0.0) for seconds in (steady, slowing))
    assert wide[0] < narrow[0]
    assert wide[1] > narrow[1]
    assert wide[1] >= 360 * 2.0, "if it stays as slow as it is now"


def test_a_long_shard_may_keep_one_worker_busy_alone() -> None:
    seconds = [1.0] * 19 + [10.0]
    one, two = (remaining_seconds(seconds, 21, workers) or (0.0, 0.0) for workers in (1, 2))
    assert two[1] >= one[1] / 2 + 5.0


def test_an_estimate_of_the_nodes_gives_a_range_before_shards_are_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    meter = Meter(n_shards=5000, workers=2, expected_nodes=(900.0, 1300.0))
    meter.add(0, 100)
    assert meter.look().remaining_s is None
    clock[0] += 10
    low, high = meter.look().remaining_s or (0, 0)
    assert (low, high) == (pytest.approx(0.9 * 80), pytest.approx(1.1 * 120))
    meter.add(0, 1000)  # more than the least that was expected
    low, high = meter.look().remaining_s or (1, 1)
    assert low == 0
    for _ in range(8):
        meter.finish_shard(1.0)
    assert meter.look().remaining_s == remaining_seconds([1.0] * 8, 5000, 2)


def test_the_drift_is_that_of_all_fifths() -> None:
    """The two longest shards came first, or last."""
    for seconds in ([10.0] * 2 + [1.0] * 8, [1.0] * 8 + [10.0] * 2):
        assert ShardTimes(seconds).drift_s == pytest.approx(stdev([10.0, 1.0, 1.0, 1.0, 1.0]))
    assert ShardTimes([1.0, 2.0, 3.0, 4.0]).drift_s == 0.0
