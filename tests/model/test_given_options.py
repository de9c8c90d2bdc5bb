"""Covers in which options are given: the same solutions as those of the cover that choose them, same numbers."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower, with_options_given
from rekkyo.model.puzzle import Puzzle


def solutions(model: ExactCover) -> set[tuple[int, ...]]:
    rows = rk.solve(Puzzle("test", model, "test"), engine="cover-cells")
    return {tuple(option for option in row if option < len(model.options)) for row in rows}


@pytest.mark.parametrize("words", ["dominoes 4 4", "langford 4"])
def test_the_solutions_that_choose_them(words: str) -> None:
    model = lower(rk.puzzle(words).model)
    assert isinstance(model, ExactCover)
    everything = solutions(model)
    for given in [(), (0,), (3, 7), *[row[:2] for row in sorted(everything)[:3]]]:
        wanted = {row for row in everything if set(given) <= set(row)}
        assert solutions(with_options_given(model, given)) == wanted


def test_colours_bounds_and_names_stay() -> None:
    model = ExactCover(
        ("a", "given 1"),
        ("x",),
        (((0, 0), (2, 1)), ((0, 0), (2, 2)), ((1, 0), (2, 1)), ((1, 0), (2, 2))),
        ((1, 2), (1, 1)),
    )
    restricted = with_options_given(model, (1,))
    assert restricted.primary == ("a", "given 1", "given 1'")
    assert restricted.bounds == ((1, 2), (1, 1), (1, 1))
    assert solutions(restricted) == {row for row in solutions(model) if 1 in row} == {(1, 3)}
