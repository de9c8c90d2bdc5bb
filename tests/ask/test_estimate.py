"""Estimates: draws are unbiased, intervals hold the truth, the same seed gives the same numbers.

All seeds are fixed, so that a test passes or fails always.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import exp, sqrt
from statistics import fmean, stdev, variance
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

import rekkyo as rk
from rekkyo.ask import estimate as estimating
from rekkyo.ask.estimate import Estimate, estimate
from rekkyo.ask.interval import Range, RunningMean, student_quantile
from rekkyo.ask.pilot import LONG, SHORT, Budgets, Pilot, advice, budgets_for, choose_level, seed_of
from rekkyo.engines import registry
from rekkyo.engines.sampling import Draws, Sampler, ShardSampler
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.search.progress import Progress
from rekkyo.search.question import ask
from tests import made_once as st
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


NO_SHORTCUT = Budgets(whole_nodes=0, pilot_nodes=1 << 12, pilot_draws=1 << 9)
"""Small puzzles are estimated too, after a small pilot."""


@pytest.fixture
def cheap_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws of shards cost no more than those of a compiled sampler, as far as the pilot knows."""
    monkeypatch.setattr(ShardSampler, "draw_cost", 8)


@pytest.mark.usefixtures("cheap_draws")
@pytest.mark.parametrize(
    ("name", "engine"),
    [
        ("queens 9", "queens-bitmap"),
        ("magic-square 4", "sum-lines"),
        pytest.param("pentominoes 4 15", "cover-bitset", marks=pytest.mark.long),
    ],
)
def test_intervals_hold_the_truth_nine_times_in_ten(name: str, engine: str) -> None:
    puzzle = rk.puzzle(name)
    truth = rk.count(puzzle, engine=engine, up_to="none", digest=True)
    n_total = n_nodes = 0
    for seed in range(100):
        result = estimate(puzzle, seed=seed, draws=640, engine=engine, workers=1, budgets=NO_SHORTCUT)
        assert not result.exact
        n_total += _holds(result.total, truth.total)
        n_nodes += _holds(result.nodes, truth.nodes)
    assert n_total >= 90
    assert n_nodes >= 90


def test_draws_that_agree_by_chance_have_an_interval() -> None:
    """After two draws with the same result, the estimate was reported as exact."""
    held = 0
    for seed in range(100):
        result = estimate(rk.queens(8), seed=seed, draws=2, workers=1, budgets=NO_SHORTCUT)
        assert result.total.high is None or result.total.low < result.total.high
        held += _holds(result.total, 92)
    assert held >= 90


def moments_of(values: Iterable[float]) -> RunningMean:
    moments = RunningMean()
    for value in values:
        moments.add(value)
    return moments


@given(
    st.lists(st.integers(0, 1000), min_size=6, max_size=40),
    st.sampled_from([1.0, 1e150]),
)
def test_intervals_are_those_of_all_values_at_once(values: list[int], unit: float) -> None:
    """They are Student's, corrected for skewness, by the definitions. Cubes of 10^150 are too large for
    floats.
    """
    assume(stdev(values) > 0.01 * fmean(values) > 0)
    n, mean, error = len(values), fmean(values), stdev(values) / sqrt(len(values))
    middle = mean + fmean((value - mean) ** 3 for value in values) / (6 * variance(values) * n)
    half = student_quantile(n - 1) * error
    found = moments_of(value * unit for value in values).interval(100)
    assert found.value / unit == pytest.approx(mean)
    assert found.low / unit == pytest.approx(max(0.0, min(mean, middle - half)), abs=1e-9 * mean)
    assert found.high is not None
    assert found.high / unit == pytest.approx(max(mean, middle + half, mean * exp(half / mean)))


def test_equal_values_have_an_interval_of_what_no_draw_met() -> None:
    assert moments_of([0.0, 0.0]).interval(10) == Range(0.0, 0.0, None)
    assert moments_of([0.1]).interval(1) == Range(0.1, 0.1, 0.1)
    found = moments_of([0.1] * 1000).interval(59)
    assert found.value == 0.1
    assert (found.low, found.high) == (pytest.approx(0.095, rel=0.01), pytest.approx(0.105, rel=0.01))


def test_intervals_of_skewed_draws() -> None:
    """The means are those of the lognormal distribution. Without the logarithm 86 % of the intervals held the
    true one.
    """
    random = np.random.default_rng(1)
    held = sum(
        _holds(moments_of(random.lognormal(0, 1, 16).tolist()).interval(1600), exp(0.5)) for _ in range(1500)
    )
    assert held > 0.88 * 1500


def _holds(given: Any, truth: float) -> bool:
    assert given.low <= given.value
    return given.low <= truth and (given.high is None or truth <= given.high)


def without_clock(result: Estimate) -> Estimate:
    return replace(result, seconds=result.nodes, elapsed_s=0.0)


@pytest.mark.usefixtures("cheap_draws")
def test_the_same_seed_and_draws_give_the_same_estimate_with_any_number_of_workers() -> None:
    one, again, other = (
        estimate(rk.queens(12), seed=seed, draws=2000, budgets=NO_SHORTCUT) for seed in (5, 5, 6)
    )
    assert without_clock(one) == without_clock(again)
    assert one.total != other.total
    for workers in (2, 7):  # together they could draw more than they are asked for
        found = estimate(rk.queens(12), seed=5, draws=2000, workers=workers, budgets=NO_SHORTCUT)
        assert without_clock(found) == replace(without_clock(one), workers=workers)


def test_a_small_search_is_carried_out() -> None:
    result = estimate(rk.queens(8))
    assert (result.exact, result.total.low, result.total.value, result.total.high) == (True, 92, 92, 92)
    assert estimate(rk.queens(3)).total.value == 0


def test_a_large_search_is_estimated() -> None:
    """Queens 18 has 666,090,624 solutions (OEIS A000170)."""
    result = estimate(rk.queens(18), draws=20_000, seed=4)
    assert not result.exact
    assert _holds(result.total, 666_090_624)
    assert result.total.high is not None
    assert result.total.high < 1.1 * result.total.low
    assert result.unique is not None
    assert result.unique.value == pytest.approx(result.total.value / 8)


@pytest.mark.usefixtures("cheap_draws")
def test_draws_that_meet_nothing_say_so() -> None:
    """The torus of order 9 has no solution (OEIS A007705), which draws cannot show."""
    result = estimate(rk.puzzle("queens 9 --toroidal"), draws=100, budgets=NO_SHORTCUT)
    assert (result.total.value, result.total.high) == (0, None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": "x"}, "the seed must be a whole number, not 'x'"),
        ({"seconds": 0}, "the seconds must be a number above 0"),
        ({"seconds": float("nan")}, "the seconds must be a number above 0"),
        ({"draws": 1}, "the draws must be a whole number from 2 to"),
        ({"workers": 0}, "the number of workers must be"),
        ({"engine": "queens-join"}, "engine queens-join counts without listing"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        estimate(rk.queens(12), **settings)


def test_an_engine_whose_shards_are_too_large_is_refused() -> None:
    budgets = Budgets(whole_nodes=100, pilot_nodes=40_000)
    with pytest.raises(EngineRefuses, match=r"engine queens-cover cannot .* --engine queens-bitmap$"):
        estimate(rk.queens(16), engine="queens-cover", budgets=budgets)


@pytest.mark.long
def test_magic_squares_of_order_6() -> None:
    """There are 17,753,889,197,660,635,632 up to turns and reflections (OEIS A006052; magicsquare6.net). The
    estimate is within 2 %.
    """
    result = estimate(rk.puzzle("magic-square 6"), draws=2_000_000)
    unique = result.unique
    assert unique is not None
    assert unique.high is not None
    assert unique.low <= 17_753_889_197_660_635_632 <= unique.high
    assert (unique.high - unique.low) / 2 <= 0.02 * unique.value


def test_random_words_are_spread_over_all_choices() -> None:
    from rekkyo.engines.sampling import draw_below

    state = np.array([seed_of("spread")], dtype=np.uint64)
    counts = np.bincount(
        [int(from_python(draw_below)(state, np.uint64(6))) for _ in range(60_000)], minlength=6
    )
    chi_squared = ((counts - 10_000) ** 2 / 10_000).sum()
    assert counts.size == 6
    assert chi_squared < 20.5  # 0.1 % with five degrees of freedom


def test_less_than_a_second_is_not_spent_on_cutting() -> None:
    """With the usual budgets, 16,384 shards of the pentominoes are cut first."""
    result = estimate(rk.puzzle("pentominoes 6 10"), seconds=0.01, workers=1)
    assert result.level <= SHORT.shards
    assert result.total.value > 0


class Clocked(Sampler):
    """A wide search whose shards take 60 us each to cut, and the seconds that have passed."""

    draw_cost = 2000
    levels = (1 << 14, 1 << 12, 1 << 9, 1 << 6, 1)

    def __init__(self, seconds_per_node: float) -> None:
        self.seconds = 0.0
        self._seconds_per_node = seconds_per_node
        self._is_cut: set[int] = set()

    def n_shards(self, level: int) -> int:
        return level

    def is_whole(self, level: int) -> bool:
        return level == 1

    def draw(self, level: int, seed: int, n_draws: int, budget: int | None = None) -> Draws:
        if level not in self._is_cut:
            self._is_cut.add(level)
            self.seconds += 60e-6 * level
        nodes = 3_000_000 // level
        n_made = n_draws if budget is None else min(n_draws, budget // nodes)
        tried = nodes * n_made if n_made == n_draws or budget is None else budget
        self.seconds += self._seconds_per_node * tried + 1e-6
        return Draws(np.ones(n_made), np.full(n_made, 3e6), tried)


@pytest.mark.parametrize("seconds_per_node", [0.3e-6, 0.6e-6])
@pytest.mark.parametrize("seconds", [1.5, 4.9, 5.0, 7.3, 20.0])
def test_the_seconds_are_those_of_pilot_and_draws_together(
    seconds: float, seconds_per_node: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For Conway's 5x5x5 puzzle, the pilot of 5 s takes half of the time or more."""
    sampler = Clocked(seconds_per_node)
    monkeypatch.setattr(
        registry.listing_engine_named("queens-bitmap").__class__, "sampler", lambda *_: sampler
    )
    monkeypatch.setattr(estimating, "_now", lambda: sampler.seconds)
    monkeypatch.setattr("time.thread_time", lambda: sampler.seconds)
    seen: list[Progress] = []
    result = estimate(rk.queens(18), seconds=seconds, workers=1, engine="queens-bitmap", watch=seen.append)
    assert seconds <= sampler.seconds == result.elapsed_s <= seconds + 0.2
    assert result.seconds.value == pytest.approx(result.nodes.value * seconds_per_node, rel=0.02)
    shares = [progress.shards_done for progress in seen]
    assert shares == sorted(shares)
    assert (shares[-1], seen[-1].n_shards, seen[-1].remaining_s) == (100, 100, (0.0, 0.0))


def test_a_small_search_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting 16,384 shards of a still life took 3 s, and searching all of it 0.2 s."""
    numbers: list[int] = []
    cut = ShardSampler._cut
    monkeypatch.setattr(ShardSampler, "_cut", lambda self, level: numbers.append(level) or cut(self, level))
    assert estimate(rk.queens(8), engine="queens-cover").exact
    assert set(numbers) == {1}


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
    assert fixes(latin, 20.0) == ["estimate a smaller puzzle of this kind, or give more of its values"]
    assert fixes(rk.queens(8), 0.5, "queens-cover") == [
        "choose another engine with --engine queens-bitmap",
        "give --seconds 5 or more",
    ]


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
    assert long == replace(usual, pilot_nodes=512 * 323, pilot_moments=512)
    assert budgets_for(20.0, None) == budgets_for(1.0, 100)
    assert LONG not in budgets_for(1.0, None)


ORDER_5 = """
kind = "grid"
values = "1..5"
board = '''
..... .....
..... .....
..... .....
..... .....
..... .....
'''
[[different]]
regions = "runs"
[[different]]
of = "words"
regions = '''
ABCDE ABCDE
FGHIJ FGHIJ
KLMNO KLMNO
PQRST PQRST
UVWXY UVWXY
'''
"""


@pytest.mark.second
def test_draws_of_hundreds_of_nodes() -> None:
    """There are 161280 Latin squares of order 5, and those of 6 of the 56 reduced ones have 3 * 5! mates."""
    found = estimate(rk.puzzle_from_text(ORDER_5), engine="csp", draws=64)
    assert not found.exact
    assert found.total.low < 161280 * 6 // 56 * 360 < (found.total.high or 0)


def test_progress_of_a_number_of_draws() -> None:
    seen: list[Progress] = []
    estimate(rk.queens(12), seed=5, draws=2000, budgets=NO_SHORTCUT, watch=seen.append)
    assert seen[-1].shards_done == seen[-1].n_shards >= 16


def test_quantiles_of_student() -> None:
    """The values are those of Abramowitz and Stegun, table 26.10."""
    expected = {1: 12.706, 2: 4.303, 4: 2.776, 5: 2.571, 9: 2.262, 15: 2.131, 30: 2.042}
    for freedom, quantile in expected.items():
        assert student_quantile(freedom) == pytest.approx(quantile, rel=0.003)


def test_free_colorings_are_to_be_counted() -> None:
    free = Puzzle("free", Coloring(40, 2), "40 cells in two colours")
    with pytest.raises(EngineRefuses, match="no pattern is forbidden, so count it, which takes no search"):
        rk.estimate(free, workers=1, budgets=replace(SHORT, shards=1 << 6))
    assert rk.count(free, workers=1, up_to="none").total == 2**40
