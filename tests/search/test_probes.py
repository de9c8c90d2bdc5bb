"""Estimates of how long a search takes, by one worker and by several."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.runs.executors import on_threads
from rekkyo.search.cutting import Into, whole_if_long
from rekkyo.search.fold import Fold, fold, sum_shard
from rekkyo.search.probes import LEAST_RACED, N_PROBES, Probes, probes_if_long
from rekkyo.search.progress import Meter
from rekkyo.search.question import ask
from rekkyo.search.search import Search, prepare
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import crew

EIGHT_NODES = Sizes(moment_nodes=8)


def searched(puzzle: rk.Puzzle, n_shards: int, sizes: Sizes = EIGHT_NODES) -> Search:
    question = ask(
        puzzle,
        engine=None,
        up_to="none",
        lists=True,
        every_solution=True,
        hands_on_rows=False,
        hashes=False,
        workers=1,
        sizes=sizes,
    )
    return prepare(question, Into(n_shards))


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("words", ["queens 7", "langford 7", "magic-square 3"])
def test_estimates_do_not_depend_on_the_workers(words: str, workers: int) -> None:
    """Neither of long shards nor of short ones, of which more are searched."""
    search = searched(rk.puzzle(words), 16)
    alone, shared = Probes(search), Probes(search)
    with crew(workers) as together:
        for of_each in (0.5, 2, 8, 32, 512):
            assert shared.least_moments(of_each, together) == alone.least_moments(of_each)
            assert shared.are_over == alone.are_over
            assert len(shared._probes) == len(alone._probes)
    assert len(alone._probes) > N_PROBES


@pytest.mark.parametrize("words", ["queens 7", "langford 7", "magic-square 3"])
def test_shards_that_were_probed_to_their_end_are_not_searched_again(words: str) -> None:
    search = searched(rk.puzzle(words), 16)
    probes = Probes(search)
    assert probes.kept_in(search) is search  # nothing was probed yet
    probes.least_moments(2)
    kept = probes.kept_in(search)
    assert kept.known
    for shard in search.shards:
        if shard.index in kept.known:
            again = np.concatenate([block.rows for block in search.uncut.blocks(shard, 8)])
            assert np.array_equal(np.concatenate([block.rows for block in kept.known[shard.index]]), again)
    assert sums_of(kept) == sums_of(search)
    assert probes.kept_in(searched(rk.puzzle(words), 16)).known == {}  # another search


def test_a_shard_took_as_long_as_its_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time left and the records of a run come from the seconds of shards."""
    search = searched(rk.puzzle("queens 7"), 16)
    probes = Probes(search)
    probes.least_moments(2)
    known = probes.kept_in(search).known
    assert all(block.seconds > 0 for blocks in known.values() for block in blocks)
    slow = {index: tuple(replace(block, seconds=100.0) for block in known[index]) for index in known}
    search = replace(search, known=slow)
    least_s = {index: 100.0 * len(blocks) for index, blocks in slow.items()}
    meter = Meter(len(search.shards), 1)
    with monkeypatch.context() as patched:
        patched.setattr("rekkyo.search.fold.Meter", lambda *_: meter)
        records = fold(search, sum_shard, lambda _: None)
    in_run = Meter(len(search.shards), 2)
    records += [
        one for group in on_threads(Fold(search), search.shards, [], 2, in_run, None) for one in group
    ]
    assert all(record.seconds >= least_s.get(record.shard, 0) for record in records)
    assert len(least_s) < len(records) / 2 == len(search.shards)
    assert min(meter._times.mean, in_run._times.mean) >= sum(least_s.values()) / len(search.shards)


def test_few_rows_of_probes_are_kept() -> None:
    """One block of one row may be kept of a shard, and less than that of each of the 24 probes."""
    search = searched(rk.puzzle("queens 7"), 4, Sizes(moment_nodes=1, block_rows=1, known_blocks=1))
    probes = Probes(search)
    probes.least_moments(1 << 20)
    assert probes.are_over
    kept = probes.kept_in(search)
    assert all(not len(block.rows) for blocks in kept.known.values() for block in blocks)
    assert sums_of(kept) == sums_of(search)


def sums_of(search: Search) -> tuple[int, int]:
    sums = fold(search, sum_shard, None)
    return sum(each.found for each in sums), sum(each.nodes for each in sums)


def test_some_known_shards_of_a_colouring_do_not_tell_how_long_it_takes() -> None:
    """Five of 52 are known. By these it takes 11 moments, but there are 10^32 solutions that differ."""
    puzzle = rk.graph(named="prism 41").colorings(4)
    question = ask(puzzle, up_to="symmetry", hands_on_rows=False, workers=2)
    search = prepare(question, whole_if_long)
    assert 0 < len(search.known) < len(search.shards)
    probes = probes_if_long(search, Probes(search))
    assert probes is not None
    assert probes.least_moments(8) > 10 * LEAST_RACED
