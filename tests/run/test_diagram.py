"""Diagrams, samples and statistics of puzzles; and counts that merging takes over."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.ask.count import count
from rekkyo.ask.diagram import stats
from rekkyo.ask.sample import sample
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.runs.sample_run import sample_run


def test_a_diagram_is_saved_and_read_by_its_puzzle(tmp_path: Path) -> None:
    puzzle = rk.puzzle("dominoes 4 6")
    diagram = rk.diagram(puzzle)
    rk.save_diagram(diagram, tmp_path / "d", puzzle)
    assert rk.load_diagram(tmp_path / "d", puzzle) == diagram
    with pytest.raises(BadInput, match="a diagram of another puzzle"):
        rk.load_diagram(tmp_path / "d", rk.puzzle("dominoes 6 4"))


def test_a_diagram_lists_what_solve_lists() -> None:
    for words in ("queens 7", "dominoes 4 6"):
        puzzle = rk.puzzle(words)
        assert list(rk.diagram(puzzle)) == list(rk.solve(puzzle))


@pytest.mark.parametrize("engine", [None, "queens-bitmap"])
def test_samples_are_fair_from_a_diagram_and_from_counted_shards(engine: str | None) -> None:
    puzzle = rk.puzzle("queens 7")
    found = sample(puzzle, 8000, seed=3, engine=engine)
    seen = Counter(found.rows)
    assert (found.total, found.how) == (40, engine or "diagram")
    assert set(seen) == set(rk.solve(puzzle))
    assert sum((times - 200) ** 2 / 200 for times in seen.values()) < 72.1  # 0.999 quantile, 39 degrees


def test_samples_come_from_every_shard_of_a_larger_search() -> None:
    """Many shards and several blocks each: row k of the listing is sample k."""
    puzzle = rk.puzzle("queens 10")
    rows = list(rk.solve(puzzle, engine="queens-bitmap", workers=1))
    found = sample(puzzle, 300, seed=4, engine="queens-bitmap")
    assert found.total == len(rows) == 724
    assert set(found.rows) <= set(rows)
    assert len(set(found.rows)) > 200


def test_a_puzzle_without_a_diagram_is_sampled_by_counting() -> None:
    puzzle = rk.puzzle("magic-square 3")
    found = sample(puzzle, 400, seed=1)
    assert found.total == 8
    assert len(set(found.rows)) == 8
    assert found.how.startswith("sum-")


@pytest.mark.parametrize("words", ["pentominoes 4 15", "soma", "langford 8", "queens 10", "magic-square 3"])
def test_no_diagram_is_tried_where_it_would_be_hopeless(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*_: object, **__: object) -> None:
        raise AssertionError("a diagram was tried")

    monkeypatch.setattr(importlib.import_module("rekkyo.ask.sample"), "diagram", drawn)
    puzzle = rk.puzzle(words)
    found = sample(puzzle, 3, seed=2)
    assert found.total == puzzle.published.total
    assert all(rk.verify(puzzle, row) == [] for row in found.rows)


def test_a_stored_run_is_sampled(tmp_path: Path) -> None:
    rk.run(rk.puzzle("queens 7"), tmp_path / "q7", workers=1)
    found = sample_run(tmp_path / "q7", 8000, seed=5)
    seen = Counter(found.rows)
    assert (found.total, found.how) == (40, "run")
    assert set(seen) == set(rk.solve(rk.puzzle("queens 7")))
    assert sum((times - 200) ** 2 / 200 for times in seen.values()) < 72.1  # 0.999 quantile, 39 degrees
    with pytest.raises(BadInput, match=r"is no run|no run|manifest"):
        sample_run(tmp_path / "nowhere")


def test_the_same_seed_gives_the_same_samples() -> None:
    puzzle = rk.puzzle("dominoes 16 16")
    assert sample(puzzle, 5, seed=7).rows == sample(puzzle, 5, seed=7).rows
    assert sample(puzzle, 5, seed=7).rows != sample(puzzle, 5, seed=8).rows
    assert all(rk.verify(puzzle, row) == [] for row in sample(puzzle, 5, seed=7).rows)


def test_what_cannot_be_sampled() -> None:
    with pytest.raises(BadInput, match="queens 3: there is no solution to sample"):
        sample(rk.puzzle("queens 3"))
    with pytest.raises(BadInput, match="the number of samples is a whole number from 0 to 1000000, not -1"):
        sample(rk.puzzle("queens 4"), -1)
    assert sample(rk.puzzle("queens 3"), 0).rows == ()


def test_stats_are_those_of_the_listing() -> None:
    puzzle = rk.puzzle("queens 8")
    found = stats(puzzle)
    listed = Counter(8 * r + c for row in rk.solve(puzzle) for r, c in enumerate(row))
    assert found.uses == tuple(listed[atom] for atom in range(64))
    assert found.total == 92
    with pytest.raises(EngineRefuses, match="diagrams are drawn for exact covers, packings and queens"):
        stats(rk.puzzle("magic-square 3"))


def test_merging_is_taken_where_listing_is_hopeless() -> None:
    result = count(rk.puzzle("dominoes 16 16"))
    assert result.engine == "cover-frontier"
    assert result.total == 2444888770250892795802079170816  # OEIS A004003
    assert result.unique == 305611096281378760240051639364  # Burnside: no other way in reach


def test_merging_and_listing_agree_up_to_symmetry() -> None:
    puzzle = rk.puzzle("dominoes 6 6")
    merged, listed = count(puzzle, engine="cover-frontier"), count(puzzle, engine="cover-masks")
    assert (merged.total, merged.unique, merged.left_out) == (listed.total, listed.unique, None)


PIECES_WITH_BOUNDS = [
    ("####\n####", "aa b\n   b\n   b\n   b", {"a": (2, 4), "b": (0, 2)}),
    ("####\n####\n####\n####", "aa b  c\n   bb c\n      c", {"a": (1, 5), "b": (1, 3), "c": (0, 2)}),
    ("######\n######\n######\n######", "aa b\n   bb", {"a": (3, 6), "b": (4, 6)}),
]


@pytest.mark.parametrize(("board", "pieces", "times"), PIECES_WITH_BOUNDS)
def test_pieces_that_are_counted_are_folded_too(
    board: str, pieces: str, times: dict[str, tuple[int, int]]
) -> None:
    puzzle = rk.packing(board, pieces, times=times)
    merged, listed = count(puzzle, engine="cover-frontier"), count(puzzle, engine="cover-cells")
    assert merged.total > 0
    assert (merged.total, merged.unique, merged.left_out) == (listed.total, listed.unique, None)


def test_unique_is_left_out_where_symmetric_solutions_cannot_be_counted() -> None:
    """Engine `cover-memo` folds no pieces that are counted."""
    board, pieces, times = PIECES_WITH_BOUNDS[0]
    puzzle = rk.packing(board, pieces, times=times)
    result = count(puzzle, engine="cover-memo")
    assert result.total == count(puzzle, engine="cover-cells").total > 0
    assert result.unique is None
    assert result.left_out == "engine cover-memo cannot count what a symmetry leaves unchanged here"
