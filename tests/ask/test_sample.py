"""Samples: fair, of every shard, the same for the same seed."""

from __future__ import annotations

import importlib
from collections import Counter

import pytest

import rekkyo as rk
from rekkyo.ask.sample import sample
from rekkyo.engines.contract import Tally
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.search import merging


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
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", merging.LEAST_IF_LOADED)
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: True)
    puzzle = rk.puzzle(words)
    found = sample(puzzle, 3, seed=2)
    assert found.total == puzzle.published.total
    assert all(rk.verify(puzzle, row) == [] for row in found.rows)


def test_a_diagram_that_is_too_large_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = importlib.import_module("rekkyo.ask.sample")
    tries = []

    def refused(*_: object, **__: object) -> None:
        tries.append(1)
        raise EngineRefuses("it is too large")

    monkeypatch.setattr(asked, "diagram", refused)
    monkeypatch.setattr(asked, "compared_with_merging", lambda *_: Tally(1, 1))
    assert sample(rk.puzzle("dominoes 4 4"), 3, seed=1).total == 36
    assert tries == [1]


def test_a_diagram_takes_all_memory_where_a_search_takes_far_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the 3-colourings of a torus of 9x9 takes 4 s and more than is tried at first."""
    asked = importlib.import_module("rekkyo.ask.sample")
    monkeypatch.setattr(asked, "TRY_BYTES", 1)
    puzzle = rk.graph(named="cycle 5").colorings(3)
    assert sample(puzzle, 3).how == "coloring-masks"
    monkeypatch.setattr(asked, "compared_with_merging", lambda *_: Tally(30, 1))
    found = sample(puzzle, 3)
    assert (found.how, found.total) == ("diagram", 30)


def test_the_same_seed_gives_the_same_samples() -> None:
    puzzle = rk.puzzle("dominoes 14 14")  # more solutions than 64 bits count
    one, again, other = (sample(puzzle, 5, seed=seed).rows for seed in (7, 7, 8))
    assert one == again != other
    assert all(rk.verify(puzzle, row) == [] for row in one)


def test_what_cannot_be_sampled() -> None:
    with pytest.raises(BadInput, match="queens 3: there is no solution to sample"):
        sample(rk.puzzle("queens 3"))
    with pytest.raises(BadInput, match="the number of samples is a whole number from 0 to 1000000, not -1"):
        sample(rk.puzzle("queens 4"), -1)
    assert sample(rk.puzzle("queens 3"), 0).rows == ()
