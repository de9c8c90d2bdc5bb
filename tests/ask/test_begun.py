"""Which engine a count without a word about engines begins with, and which one it ends with."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.covers.frontier import engine as frontier
from rekkyo.engines.covers.memo import engine as memo
from rekkyo.model.lower import lower


def no_choice(model: object) -> bool:
    raise AssertionError("another engine was asked for, which takes longer than the search")


@pytest.mark.parametrize("up_to", ["none", "symmetry"])
@pytest.mark.parametrize(
    ("words", "total"), [("soma", 11520), ("langford 7", 52), ("pentominoes-3d 2 3 10", 96)]
)
def test_a_short_search_is_over_before_an_engine_is_chosen(
    monkeypatch: pytest.MonkeyPatch, words: str, total: int, up_to: str
) -> None:
    monkeypatch.setattr(frontier, "verdict_of", no_choice)
    monkeypatch.setattr(memo, "is_worth_remembering", no_choice)
    puzzle = rk.puzzle(words)
    result = rk.count(puzzle, up_to=up_to)
    assert (result.engine, result.total) == ("cover-bitset", total)
    assert result.unique == (None if up_to == "none" else rk.orbits(puzzle).unique)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("words", "engine"), [("latin-square 6", "cover-frontier"), ("pentominoes 6 10", "cover-bitset")]
)
def test_a_longer_one_is_left_to_the_engine_that_is_chosen(words: str, engine: str, workers: int) -> None:
    puzzle = rk.puzzle(words)
    assert registry.quick_engine(lower(puzzle.model)) is not None
    result = rk.count(puzzle, workers=workers)
    assert (result.engine, result.total) == (
        engine,
        {"latin-square 6": 812851200, "pentominoes 6 10": 9356}[words],
    )


def test_what_is_better_left_to_others_is_not_begun() -> None:
    for words in ("dominoes 12 12", "digits", "queens 8", "hip 4"):
        assert registry.quick_engine(lower(rk.puzzle(words).model)) is None, words
