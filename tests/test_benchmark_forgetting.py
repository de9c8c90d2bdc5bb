"""A count that is measured plans anew."""

from __future__ import annotations

import rekkyo as rk
from rekkyo.engines.covers.uses import all_uses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.symmetry.group import close
from tests.benchmark_modules import benchmark_module

FORGETTING = benchmark_module("forgetting.py")


def test_everything_that_is_kept_of_a_cover_is_forgotten() -> None:
    puzzle = rk.puzzle("langford 4")
    assert isinstance(puzzle.model, ExactCover)
    model, generators = puzzle.model, puzzle.generators
    uses, group = all_uses(model), close(model.row_shape, generators)
    assert all_uses(model) is uses
    assert close(model.row_shape, generators) is group
    FORGETTING.forget()
    assert all_uses(model) is not uses
    assert close(model.row_shape, generators) is not group
