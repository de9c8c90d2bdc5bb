"""Small covers, counted without a plan, alone and many at once: the definition, and what the usual way says."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask import counts as counting
from rekkyo.engines.covers.bitset.kernel_small import MOST_NODES
from rekkyo.engines.covers.bitset.small import count_small, is_small
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.model.exact_cover import ExactCover
from rekkyo.search import small
from rekkyo.search.sizes import Sizes
from tests import naive_cover


def puzzle_of(model: ExactCover, *, searched: bool = False) -> rk.Puzzle:
    return rk.Puzzle("test", model, "a test", symmetry_was_searched=searched)


USUAL = Sizes(block_rows=1 << 14)
"""Other sizes than the default ones, with which nothing is small."""


@given(models=st.lists(naive_cover.models(), max_size=4))
def test_many_are_counted_as_the_definition_says(models: list[ExactCover]) -> None:
    CoverFrontier().compile(grid(2, 2))  # before, because a loaded engine is chosen more often
    puzzles = [puzzle_of(model) for model in models]
    together = rk.counts(puzzles)
    assert [count.total for count in together] == [len(naive_cover.solutions(model)) for model in models]
    for puzzle, count in zip(puzzles, together, strict=True):
        alone = rk.count(puzzle)
        assert replace(count, elapsed_s=0, compile_s=0) == replace(alone, elapsed_s=0, compile_s=0)


@given(model=naive_cover.models())
def test_a_small_count_has_the_nodes_and_the_words_of_the_usual_way(model: ExactCover) -> None:
    puzzles = puzzle_of(model), puzzle_of(model, searched=True)
    for puzzle, up_to in product(puzzles, ("symmetry", "none", "fixed")):
        quick = rk.count(puzzle, up_to=up_to, workers=1)
        usual = rk.count(puzzle, up_to=up_to, workers=1, engine="cover-bitset", sizes=USUAL)
        same = {"elapsed_s": 0, "compile_s": 0}
        if is_small(model):
            assert replace(quick, **same) == replace(usual, **same)
        assert (quick.total, quick.unique, quick.left_out) == (usual.total, usual.unique, usual.left_out)


def grid(height: int, width: int) -> ExactCover:
    return naive_cover.fillings(height, width, naive_cover.DOMINOES)


@pytest.mark.kernel
def test_covers_of_64_options_and_those_that_turn_out_to_be_long() -> None:
    """Dominoes on 6 x 6 take more nodes than are small; those before and behind do not notice."""
    many = ExactCover(("a", "b"), (), tuple(((k % 2, 0),) for k in range(64)))
    models = [grid(4, 4), many, grid(6, 6), naive_cover.TOY_XCC, ExactCover(("a",)), grid(2, 9)]
    found = count_small(models)
    assert [one and one.total for one in found] == [36, 1024, None, 1, 0, 55]
    assert found[1] is not None
    assert found[1].samples(2) == [[0, 1], [62, 63]]
    assert found[4] is not None
    assert found[4].samples(2) == []


def test_a_long_one_of_few_options_is_left_to_the_usual_way() -> None:
    puzzles = [puzzle_of(grid(2, 3)), puzzle_of(grid(6, 6)), puzzle_of(grid(2, 4))]
    counts = rk.counts(puzzles)
    assert [count.total for count in counts] == [3, 6728, 5]
    assert counts[1].engine == "cover-frontier" or counts[1].nodes > MOST_NODES  # it may be loaded already
    assert [count.engine for count in counts][::2] == ["cover-bitset"] * 2


def test_more_than_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a count of its own, and the time of compiling belongs to the first of those that waited for it."""
    small_answers = counting.small_answers
    monkeypatch.setattr(counting, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(counting, "small_answers", lambda *asked: (small_answers(*asked)[0], 2.0))
    counts = rk.counts(puzzle_of(grid(2, width)) for width in range(1, 6))
    assert [count.total for count in counts] == [1, 2, 3, 5, 8]
    assert [count.compile_s for count in counts] == [2.0, 0.0, 2.0, 0.0, 2.0]


def test_what_is_not_small() -> None:
    assert is_small(grid(6, 6))
    assert not is_small(grid(6, 7))
    assert not is_small(naive_cover.TOY_MCC)
    assert not is_small(ExactCover(tuple(f"i{k}" for k in range(260)), (), (((0, 0),),)))


@pytest.mark.kernel
def test_as_many_colours_as_there_is_room_for_and_more() -> None:
    """Two options for each of 60 items agree on colours of six secondary items."""

    def model(n: int) -> ExactCover:
        options = tuple(((0, 0), *((1 + s, 1 + k) for s in range(n))) for k in range(60))
        return ExactCover(("a",), tuple(f"s{s}" for s in range(n)), options)

    assert [found and found.total for found in count_small([model(3), model(6), model(2)])] == [60, None, 60]


def test_symmetry_a_relation_and_other_models_take_the_usual_way() -> None:
    words = ("dominoes 4 4", "queens 6", "magic-square 3", "langford 4")
    for up_to in ("symmetry", "none"):
        counts = rk.counts(map(rk.puzzle, words), up_to=up_to, workers=1)
        alone = [rk.count(rk.puzzle(word), up_to=up_to, workers=1) for word in words]
        assert [(c.total, c.unique, c.engine) for c in counts] == [
            (c.total, c.unique, c.engine) for c in alone
        ]
    assert [count.unique for count in rk.counts([rk.puzzle("queens 5")], up_to="torus")] == [
        rk.count(rk.puzzle("queens 5"), up_to="torus").unique
    ]


def test_wrong_words_are_refused() -> None:
    puzzle = puzzle_of(grid(2, 2))
    with pytest.raises(BadInput, match="a puzzle is expected"):
        rk.counts([puzzle, "queens 8"])  # type: ignore[list-item]
    with pytest.raises(BadInput, match='up to "rotations" is not known'):
        rk.counts([puzzle], up_to="rotations")
    for wrong in (lambda: rk.counts([puzzle], workers=0), lambda: rk.count(puzzle, workers=0)):
        with pytest.raises(BadInput, match="the number of workers"):
            wrong()
    with pytest.raises(BadInput, match="up_to is a word such as symmetry or none, not 5"):
        rk.counts([], up_to=5)  # type: ignore[arg-type]


def test_a_wrong_solution_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_option_twice(models: list[ExactCover]) -> list[object]:
        return [found and found._replace(rows=bytes([0]) + found.rows[1:]) for found in count_small(models)]

    monkeypatch.setattr(small, "count_small", first_option_twice)
    two_ways = ExactCover(("a", "b"), (), (((1, 0),), ((0, 0),), ((1, 0),)))
    assert rk.count(puzzle_of(two_ways)).total == 2
    for ask in (rk.count, lambda puzzle: rk.counts([puzzle])):
        with pytest.raises(CountsDisagree, match=r"is not a solution .* check: definition"):
            ask(puzzle_of(ExactCover(("a", "b"), (), (((1, 0),), ((0, 0), (1, 0))))))


def test_a_solution_that_comes_twice_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def last_like_first(models: list[ExactCover]) -> list[object]:
        return [
            found and found._replace(rows=2 * found.rows[: len(found.rows) // 2])
            for found in count_small(models)
        ]

    monkeypatch.setattr(small, "count_small", last_like_first)
    with pytest.raises(CountsDisagree, match=r"a solution came twice .* check: neighbours"):
        rk.count(puzzle_of(grid(2, 4)))


def test_a_watcher_is_told_of_the_end() -> None:
    told: list[rk.Progress] = []
    rk.count(puzzle_of(grid(4, 4)), watch=told.append)
    assert [(progress.found, progress.shards_done, progress.n_shards) for progress in told] == [(36, 1, 1)]


def test_threads_have_arrays_of_their_own() -> None:
    models = [grid(4, 4), grid(2, 9), grid(3, 6)] * 30
    results: list[list[int]] = []

    def work() -> None:
        results.extend([count.total for count in rk.counts(map(puzzle_of, models))] for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert all(totals == [36, 55, 41] * 30 for totals in results)
