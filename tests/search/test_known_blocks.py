"""Known facts about shards that were searched while the cut was chosen, whatever the sizes of the search."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.engines.contract import Block, Shard, no_pause
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.cutting import Cut, Uncut, by_length, to_stream
from rekkyo.search.question import ask
from rekkyo.search.search import prepare

ENGINE = QueensBitmap()
MODEL = rk.Queens(6, blocked=frozenset({(0, 2)}))


def uncut_searches() -> list[Uncut]:
    """A search in all sizes that matter to how it is cut."""
    plan = ENGINE.plan(MODEL)
    return [
        Uncut(
            ENGINE,
            plan,
            MODEL.row_shape,
            rk.Sizes(
                block_rows=1,
                moment_nodes=moment,
                shards=30,
                shards_if_short=few,
                short_moments=1000,
                shards_to_stream=60,
                stream_nodes=1000,
                blocks_ahead=ahead,
            ),
            workers,
        )
        for moment, few, ahead, workers in product((2, 5, 10, 20, 40, 80, 1600), (2, 3, 6), (1, 2), (1, 2))
    ]


def rows_of(blocks: list[Block] | tuple[Block, ...]) -> list[Any]:
    return [row for block in blocks for row in block.rows.tolist()]


@pytest.mark.kernel
@pytest.mark.parametrize("cutting", [by_length, to_stream])
def test_they_are_the_blocks_of_those_shards(cutting: Callable[[Uncut], Cut]) -> None:
    cuts = [(uncut, cutting(uncut)) for uncut in uncut_searches()]
    for uncut, cut in cuts:
        shards: dict[int, Shard] = {shard.index: shard for shard in cut.shards}
        assert cut.known.keys() <= shards.keys()
        for index, blocks in cut.known.items():
            found = list(
                ENGINE.blocks(uncut.plan, shards[index], uncut.sizes.room(uncut.shape), 1000, no_pause)
            )
            assert rows_of(blocks) == rows_of(found)
            assert sum(block.nodes for block in blocks) == sum(block.nodes for block in found)
    assert any(0 < len(cut.known) < len(cut.shards) for _, cut in cuts)


@pytest.mark.kernel
def test_the_sizes_above_make_searches_be_cut_again_after_some_shards_were_searched() -> None:
    again = [
        uncut
        for uncut in uncut_searches()
        if 0 < len(by_length(uncut).known) < len(by_length(uncut).shards) < len(to_stream(uncut).shards)
    ]
    assert again


@pytest.mark.kernel
def test_they_are_not_searched_again() -> None:
    puzzle, n_known = Puzzle("six queens", MODEL, ""), 0
    for uncut in uncut_searches():
        question = ask(puzzle, engine=ENGINE.name, lists=True, workers=uncut.workers, sizes=uncut.sizes)
        search = prepare(question, by_length)
        for index, known in search.known.items():
            found = search.blocks(search.shards[index], no_pause)
            assert all(block is other for block, other in zip(found, known, strict=True))
        n_known += len(search.known)
    assert n_known
