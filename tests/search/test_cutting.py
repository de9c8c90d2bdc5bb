"""Cutting: one shard, few or many, judged by shards whose solutions are not thrown away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines.contract import Block, no_pause
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.plain import OTHER, SWITCH
from rekkyo.search import cutting
from rekkyo.search.cutting import by_length, whole_if_long
from rekkyo.search.question import ask
from rekkyo.search.search import Search, cut_again, prepare
from rekkyo.search.sizes import DEFAULT_SIZES, Sizes


def search_for(words: str, sizes: Sizes = DEFAULT_SIZES, workers: int = 2) -> Search:
    return prepare(ask(rk.puzzle(words), lists=True, sizes=sizes, workers=workers), by_length)


def rows_of(blocks: Iterable[Block]) -> list[tuple[int, ...]]:
    return [tuple(row) for block in blocks for row in block.rows.tolist()]


@pytest.mark.parametrize("words", ["queens 8", "langford 7", "hip 4", "magic-square 3", "dominoes 4 4"])
def test_what_is_over_in_a_moment_is_one_shard_and_known(words: str) -> None:
    search = search_for(words)
    assert (len(search.shards), search.is_over) == (1, True)


HOPELESS = "magic-hexagon 2"
"""Its plan has no shards at all."""


def test_what_a_plan_knows_to_have_no_solution(tmp_path: Path) -> None:
    puzzle = rk.puzzle(HOPELESS)
    assert search_for(HOPELESS).shards == ()
    counted = rk.count(puzzle)
    assert (counted.total, counted.unique, counted.complete) == (0, 0, True)
    assert list(rk.solve(puzzle)) == []
    status = rk.run(puzzle, tmp_path / "run")
    assert (status.total, status.unique, status.shards, status.state) == (0, 0, 0, "finished")
    assert rk.count(puzzle, limit=1).total == 0


@pytest.mark.parametrize("words", ["queens 12", "queens 13", "soma", "langford 11"])
def test_a_short_search_gets_few_shards(words: str) -> None:
    search = search_for(words)
    assert DEFAULT_SIZES.shards_if_short <= len(search.shards) < DEFAULT_SIZES.shards
    assert 0 < len(search.known) < len(search.shards)


@pytest.mark.parametrize(("graph", "workers"), [("grid 10 10", 2), ("torus 9 9", 1)])
def test_shards_of_one_node_do_not_tell_that_a_search_is_short(graph: str, workers: int) -> None:
    """Their first decisions are dead ends. The whole search had thousands of nodes and was not over."""
    puzzle = rk.graph(named=graph).independent_sets()
    question = ask(puzzle, up_to="symmetry", hands_on_rows=False, workers=workers)
    assert prepare(question, whole_if_long).is_left_whole


def test_a_search_is_tried_as_a_whole_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again after another engine was asked for."""
    whole_if_short, tried = cutting._whole_if_short, []

    def try_once(*arguments: Any) -> Any:
        tried.append(arguments)
        return whole_if_short(*arguments)

    monkeypatch.setattr(cutting, "_whole_if_short", try_once)
    found = rk.count(rk.puzzle("pentominoes 8 8 --without-centre"), up_to="none", workers=1)
    assert (found.engine, found.total, len(tried)) == ("cover-bitset", 520, 1)  # D. Scott, 1958: 65 times 8


def test_a_search_that_makes_no_progress_is_left() -> None:
    """Where another engine is asked next. Both are expected to take less than 6 moments after one."""
    trominoes = rk.packing("\n".join(["#" * 9] * 9), "A\nAA", times={"A": (0, None)})
    for puzzle, is_over in ((rk.puzzle("langford 11"), True), (trominoes, False)):
        question = ask(puzzle, engine="cover-bitset", hands_on_rows=False, workers=1)
        search = prepare(question, partial(whole_if_long, most=6))
        assert (search.is_over, search.begun.expected > 6) == (is_over, not is_over)


def test_a_worker_that_is_alone_goes_on_with_what_was_left() -> None:
    """After another engine was asked for: no node is tried twice."""
    question = ask(rk.puzzle("pentominoes 5 12"), up_to="none", hands_on_rows=False, workers=1)
    left = prepare(question, partial(whole_if_long, most=6))
    assert left.is_left_whole
    tried = sum(block.nodes for block in left.begun.blocks)
    over = cut_again(left, whole_if_long)
    (blocks,) = over.known.values()
    assert over.is_over
    assert 0 < tried < sum(block.nodes for block in blocks)
    assert blocks[: len(left.begun.blocks)] == left.begun.blocks
    assert rows_of(blocks) == rows_of(left.blocks(left.shards[0], no_pause))


def all_interval(n: int) -> rk.Puzzle:
    """Series of n numbers whose neighbours have different differences."""
    problem, steps = rk.Problem(), [(a, b, abs(a - b)) for a, b in permutations(range(n), 2)]
    tones = [problem.variable(f"tone {k}", range(n)) for k in range(n)]
    intervals = [problem.variable(f"interval {k}", range(1, n)) for k in range(n - 1)]
    problem.all_different(tones)
    problem.all_different(intervals)
    for k, interval in enumerate(intervals):
        problem.table((tones[k], tones[k + 1], interval), steps)
    return problem.puzzle("all-interval series")


def test_a_worker_that_is_alone_goes_on_with_a_search_that_is_overdue() -> None:
    """All steps that were expected are done after one; the search was begun again in several shards."""
    question = ask(all_interval(10), engine="csp", up_to="none", hands_on_rows=False, workers=1)
    search = prepare(question, by_length)
    cut = by_length(replace(search.uncut, plan=replace(search.plan, expected_steps=1)))
    (blocks,) = cut.known.values()
    assert len(cut.shards) == 1
    assert sum(block.nodes for block in blocks) > search.uncut.moment_nodes


def test_a_search_as_a_whole_can_be_stopped_after_some_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice was as long as all before it together, which may be seconds."""
    monkeypatch.setattr(CoverBitset, "part_done", lambda *_: 0.999)
    sizes = Sizes(moment_nodes=100)
    puzzle = rk.puzzle("langford 11")
    question = ask(puzzle, engine="cover-bitset", up_to="none", hands_on_rows=False, workers=1, sizes=sizes)
    (blocks,) = prepare(question, by_length).known.values()
    most = max(block.nodes for block in blocks)
    assert most <= 100 * cutting.MOMENTS_OF_SLICE < sum(block.nodes for block in blocks) / 3


def test_a_search_with_too_many_rows_to_be_kept_is_left() -> None:
    question = ask(rk.puzzle("langford 11"), hands_on_rows=False, workers=1, sizes=Sizes(block_rows=1))
    left = prepare(question, whole_if_long)
    assert (left.is_over, left.begun.expected) == (False, inf)


@pytest.mark.parametrize("words", ["queens 12", "pentominoes 4 15"])
def test_a_worker_that_is_alone_cuts_a_short_search_into_fewer(words: str) -> None:
    alone, together = search_for(words, workers=1), search_for(words)
    for search in (alone, together):
        assert cutting.N_SAMPLED_IF_SHORT < len(search.known) < len(search.shards) / 2  # and the last one
    assert cutting.SHARDS_IF_ALONE <= len(alone.shards) < len(together.shards)
    counts = [rk.count(rk.puzzle(words), workers=workers, digest=True) for workers in (1, 2)]
    assert len({(count.total, count.unique, count.nodes, count.digest) for count in counts}) == 1


def test_a_large_last_shard_tells_that_a_search_is_long() -> None:
    """It has 45 % of all nodes; the search would take 6 s, and merging takes 0.3."""
    assert not search_for("progression-free 48").known


@pytest.mark.parametrize("words", ["hexiamonds 4 9", "langford 11"])
def test_a_worker_that_is_alone_leaves_in_one_shard_what_is_soon_over(words: str) -> None:
    alone, together = search_for(words, workers=1), search_for(words)
    assert (len(alone.shards), alone.is_over, together.is_over) == (1, True, False)
    counts = [rk.count(rk.puzzle(words), workers=workers, digest=True) for workers in (1, 2)]
    assert len({(count.total, count.unique, count.nodes, count.digest) for count in counts}) == 1


def test_a_longer_search_gets_more_and_nothing_is_known() -> None:
    search = search_for("queens 15")
    assert len(search.shards) >= DEFAULT_SIZES.shards
    assert not search.known


@pytest.mark.parametrize("words", ["queens 12", "soma", "langford 11", "aztec-diamond 5"])
def test_what_is_known_of_a_shard_is_what_its_search_gives(words: str) -> None:
    search = search_for(words)
    again = replace(search, known={})
    assert search.known
    for shard in search.shards:
        if shard.index in search.known:
            known, found = search.known[shard.index], list(again.blocks(shard, no_pause))
            assert list(search.blocks(shard, no_pause)) == list(known)
            assert rows_of(known) == rows_of(found)
            assert sum(block.nodes for block in known) == sum(block.nodes for block in found)


SHORT_MOMENTS = Sizes(moment_nodes=100)


@pytest.fixture
def every_shard_is_judged_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "N_SAMPLED_IF_SHORT", 1000)
    monkeypatch.setattr(cutting, "MOST_SAMPLED_MOMENTS", 1000)


@pytest.mark.usefixtures("every_shard_is_judged_by")
@pytest.mark.parametrize("workers", [1, 2])
def test_where_all_shards_are_known_all_are_counted_and_listed(workers: int) -> None:
    search = search_for("queens 8", SHORT_MOMENTS)
    assert len(search.shards) > 1
    assert search.is_over
    puzzle = rk.puzzle("queens 8")
    counted = rk.count(puzzle, workers=workers, digest=True, sizes=SHORT_MOMENTS)
    assert (counted.total, counted.unique) == (92, 12)
    rows = np.concatenate(list(rk.solve_blocks(puzzle, workers=workers, sizes=SHORT_MOMENTS))).tolist()
    assert rows == sorted(rows)
    assert len(rows) == 92


def test_the_process_in_plain_python_searches_one_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted() -> rk.Count:
        count = rk.count(rk.puzzle("queens 8"), digest=True, sizes=SHORT_MOMENTS)
        return replace(count, elapsed_s=0.0, compile_s=0.0)

    in_shards = counted()
    monkeypatch.setenv(SWITCH, OTHER)
    search = search_for("queens 8", SHORT_MOMENTS)
    assert len(search.shards) == 1
    assert search.is_over
    assert counted() == in_shards


@pytest.mark.parametrize(
    ("answers", "yes", "n_asked"),
    [
        ([], False, 0),
        ([True], True, 1),
        ([False], False, 1),
        ([True, True], True, 2),
        ([True, False], False, 2),
        ([True, True, False], True, 2),
        ([False, False, True], False, 2),
        ([True, False, True], True, 3),
        ([False, True, False], False, 3),
    ],
)
def test_the_third_probe_is_asked_only_where_the_others_differ(
    answers: list[bool], yes: bool, n_asked: int
) -> None:
    asked = []

    def probe() -> Iterator[bool]:
        for answer in answers:
            asked.append(answer)
            yield answer

    assert cutting._are_most(probe()) is yes
    assert len(asked) == n_asked
