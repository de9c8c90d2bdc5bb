"""Draws of each engine: unbiased at every level, and not changed by a budget. All seeds are fixed."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.ask.pilot import seed_of
from rekkyo.engines import registry
from rekkyo.engines.sampling import Sampler, ShardSampler
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from tests.inner_kernels import from_python

SMALL = [
    ("queens 8", "queens-bitmap"),
    ("queens 7 --toroidal", "queens-bitmap"),
    ("queens 8 --given 2,2 --blocked 0,5", "queens-bitmap"),
    ("magic-square 3", "sum-lines"),
    ("magic-square 4", "sum-lines"),
    ("magic-star 6", "sum-lines"),
    ("magic-hexagon 3", "sum-lines"),
    ("queens 8", "queens-cover"),
    ("polyominoes 4 5 4 --any-number", "cover-bitset"),
    ("semimagic-square 3", "sum-cells"),
]


def make_sampler(puzzle: Puzzle, engine_name: str) -> Sampler:
    engine = registry.listing_engine_named(engine_name)
    plan = engine.plan(lower(puzzle.model))
    return engine.sampler(plan) or ShardSampler(engine, plan, puzzle.model.row_shape)


def deviations(values: Any, expected: float) -> float:
    """The distance of the mean from the expected number, in standard errors."""
    error = values.std() / sqrt(len(values))
    return abs(values.mean() - expected) / error if error else float(values.mean() != expected)


@pytest.mark.parametrize(("name", "engine"), SMALL)
def test_draws_of_every_level_are_unbiased(name: str, engine: str) -> None:
    puzzle = rk.puzzle(name)
    truth = rk.count(puzzle, engine=engine, up_to="none", digest=True)
    sampler = make_sampler(puzzle, engine)
    n_draws = 500 if isinstance(sampler, ShardSampler) else 20_000
    n_levels = 0
    for level in sampler.levels:
        draws = sampler.draw(level, seed_of("unbiased", level), n_draws, 2_000_000)
        if len(draws.solutions) < 200:
            break
        if (draws.solutions > 0).sum() >= 64:  # with fewer, the mean is not normally distributed
            n_levels += 1
            assert deviations(draws.solutions, truth.total) < 4
        assert deviations(draws.nodes, truth.nodes) < 4
    assert n_levels >= 2


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "engine"), [("queens 5", "queens-bitmap"), ("magic-square 3", "sum-lines")])
def test_nothing_drawn_is_the_whole_search(name: str, engine: str) -> None:
    puzzle = rk.puzzle(name)
    truth = rk.count(puzzle, engine=engine, up_to="none", workers=1, digest=True)
    sampler = make_sampler(puzzle, engine)
    for level in (0, 2):
        draws = sampler.draw(level, 7, 20)
        assert len(draws.solutions) == 20
        if sampler.is_whole(level):
            assert set(draws.solutions) == {truth.total}
            assert set(draws.nodes) == {truth.nodes}
            assert draws.tried == 20 * truth.nodes
    assert sampler.is_whole(0)


def test_one_shard_that_is_drawn_thrice_is_the_search_thrice() -> None:
    puzzle = rk.puzzle("dominoes 4 4")
    truth = rk.count(puzzle, engine="cover-cells", up_to="none", workers=1, digest=True)
    engine = registry.listing_engine_named("cover-cells")
    model = lower(puzzle.model)
    sampler = ShardSampler(engine, engine.plan(model), model.row_shape)
    draws = sampler.draw(1, 7, 3)
    assert draws.solutions.tolist() == [truth.total] * 3
    assert draws.nodes.tolist() == [truth.nodes] * 3
    assert draws.tried == 3 * truth.nodes


def test_the_nodes_of_cutting_are_counted_with_each_draw_of_a_shard() -> None:
    model = lower(rk.puzzle("dominoes 4 4").model)
    engine = registry.listing_engine_named("cover-cells")
    plan = engine.plan(model)
    shards = engine.split(plan, 10)
    cutting = sum(shard.nodes for shard in shards)
    draws = ShardSampler(engine, plan, model.row_shape).draw(10, 7, 30)
    assert len(shards) > 1 < cutting
    assert draws.nodes.sum() == len(shards) * draws.tried + 30 * cutting


def test_a_budget_ends_the_draws_and_changes_none_of_those_made() -> None:
    for name, engine in SMALL:
        sampler = make_sampler(rk.puzzle(name), engine)
        level = sampler.levels[len(sampler.levels) // 2]
        all_draws = sampler.draw(level, 3, 50)
        few = sampler.draw(level, 3, 50, all_draws.tried // 2)
        assert 0 < len(few.solutions) < 50 or all_draws.tried < 2
        assert few.solutions.tolist() == all_draws.solutions[: len(few.solutions)].tolist()


def test_random_words_are_spread_over_all_choices() -> None:
    from rekkyo.engines.sampling import draw_below

    state = np.array([seed_of("spread")], dtype=np.uint64)
    counts = np.bincount(
        [int(from_python(draw_below)(state, np.uint64(6))) for _ in range(60_000)], minlength=6
    )
    chi_squared = ((counts - 10_000) ** 2 / 10_000).sum()
    assert counts.size == 6
    assert chi_squared < 20.5  # 0.1 % with five degrees of freedom
