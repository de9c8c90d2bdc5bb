"""The pilot of an estimate: which level it chooses, its budgets, and the advice if no level can be sampled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.ask.pilot import LONG, Budgets, Pilot, advice, budgets_for, choose_level
from rekkyo.engines.sampling import Draws, Sampler, ShardSampler
from rekkyo.errors import EngineRefuses
from rekkyo.search.cutting import Into
from rekkyo.search.question import ask
from rekkyo.search.search import prepare


class ThousandNodes(Sampler):
    """A sampler whose every draw takes a thousand nodes."""

    levels = (4,)

    def is_whole(self, level: int) -> bool:
        return False

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        n_made = n_draws if budget is None else min(n_draws, budget // 1000)
        return Draws(np.ones(n_made), np.full(n_made, 1000.0), 1000 * n_made)


def test_expensive_draws_get_the_next_budgets() -> None:
    small, large = (Pilot(ThousandNodes(), 1, Budgets(pilot_nodes=n)) for n in (10_000, 100_000))
    level, n_per_batch, n_nodes = choose_level((small, large), "an engine", [])
    assert (level, n_nodes) == (4, 1000)
    assert n_per_batch == Budgets().batch_nodes // (1000 + ThousandNodes.draw_cost)
    with pytest.raises(
        EngineRefuses,
        match=r"an engine cannot be sampled here: 16 draws take more than 10,000 nodes; this, or that$",
    ):
        choose_level((small, small), "an engine", ["this", "that"])


def test_only_what_can_help_is_proposed() -> None:
    def fixes(puzzle: rk.Puzzle, seconds: float, engine: str | None = None) -> list[str]:
        question = ask(puzzle, lists=True, engine=engine)
        return advice(question, budgets_for(seconds, None))

    latin = rk.puzzle("latin-square 4")
    assert fixes(latin, 1.0) == ["give --seconds 5 or more"]
    assert fixes(latin, 20.0) == [
        "estimate a smaller puzzle of this kind, give more of its values, or try to count it"
    ]
    assert fixes(rk.puzzle("rectangle-free 3 3 2"), 20.0) == fixes(latin, 20.0), "has sets, but no patterns"
    assert fixes(rk.queens(8), 0.5, "queens-cover") == [
        "choose another engine with --engine queens-bitmap",
        "give --seconds 5 or more",
    ]


@pytest.mark.parametrize(("seconds", "moments"), [(0.5, 64), (2.0, 64), (5.0, 256), (20.0, 256)])
def test_a_long_estimate_first_searches_for_longer(seconds: float, moments: int) -> None:
    """Cutting 16,384 shards takes longer than that."""
    assert budgets_for(seconds, None)[0].within(1000).whole_nodes == moments * 1000


@pytest.mark.parametrize(
    ("moment_nodes", "n_shards"), [(4096, 1 << 14), (520, 1 << 12), (59, 1 << 9), (1, 64)]
)
def test_few_shards_are_cut_where_nodes_take_long(moment_nodes: int, n_shards: int) -> None:
    """A Hidato of 8x8, with 59 nodes in a moment, was cut into 16,384 shards for 40 s."""
    puzzle = rk.puzzle("latin-square 3")
    question = ask(puzzle, engine="csp-plain", lists=True)
    search = prepare(question, Into(()))
    sampler = ShardSampler(question.engine, search.plan, search.shape)
    assert Pilot(sampler, 1, budgets_for(20.0, None)[0].within(moment_nodes)).levels[0] == n_shards


class TenNodes(ThousandNodes):
    """A sampler whose draw takes ten nodes, and as long as a thousand."""

    draw_cost = 1000

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        assert budget is None or n_draws >= 16
        return Draws(np.ones(n_draws), np.full(n_draws, 10.0), 10 * n_draws)


def test_a_pilot_tries_enough_draws_however_long_one_takes_to_begin() -> None:
    pilot = Pilot(TenNodes(), 1, Budgets(pilot_nodes=5000))
    assert pilot.best_level() == (4, Budgets().batch_nodes // 1010, 10.0)


def test_a_long_estimate_may_have_a_long_pilot() -> None:
    """323 nodes are a moment of two orthogonal squares of order 5; 32 moments are less than 16 draws take."""
    usual, long = (each.within(323) for each in budgets_for(20.0, None))
    assert usual.pilot_nodes == 32 * 323
    assert (usual.shards, long.shards) == (16 * 323, 64 * 323)
    assert replace(long, shards=usual.shards, cut_moments=16) == replace(
        usual, pilot_nodes=512 * 323, pilot_moments=512
    )
    assert budgets_for(20.0, None) == budgets_for(1.0, 100)
    assert LONG not in budgets_for(1.0, None)
