"""A count by merging that is tried: its bounds, its workers, and where it ends."""

from __future__ import annotations

from math import inf

import pytest

import rekkyo as rk
from rekkyo.engines.contract import Tally, no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier import plan as planning
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.cost import moments_of_level
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.tally import tally_of
from rekkyo.engines.frontier.trial import Trial
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from tests.engines.covers_counted import cover
from tests.engines.csp_counted import NOTHING_ALIKE, total_of
from tests.engines.test_frontier_slices import OneAfterTheOther

PLAN = CoverFrontier().make_plan(cover("dominoes 8 8"))
WHOLE = tally_of(PLAN, 1 << 26, no_pause)


def test_bounds_are_those_of_all_steps_together() -> None:
    """A step goes on with the nodes that earlier ones have left, and ends with the level that is beyond them."""
    trial = Trial(PLAN, 1 << 26)
    trial.step(Bounds(nodes=500))
    first = trial.nodes
    trial.step(Bounds(nodes=first + 100))
    levels = trial.front.levels.nodes
    assert sum(levels) == trial.nodes - first > 100
    assert sum(levels[:-1]) <= 100


def test_a_trial_is_walked_by_its_crew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it goes on from another one."""
    monkeypatch.setattr(walking, "MANY_STATES", 1 << 4)
    alone = Trial(PLAN, 1 << 26)
    while alone.front.level < 30:
        assert alone.step()
    crews = OneAfterTheOther(), OneAfterTheOther()
    for trial in (Trial(PLAN, 1 << 26, crews[0]), alone.going_on(1 << 26, crews[1])):
        while trial.step():
            pass
        assert trial.tally == WHOLE
    assert crews[0].n_calls > crews[1].n_calls > 10


def test_the_count_is_the_published_one() -> None:
    """OEIS A004003(4)."""
    assert WHOLE.total == 12988816


def test_states_that_do_not_fit_end_a_trial_but_not_one_with_more_memory() -> None:
    trial = Trial(PLAN, 1 << 12)
    n_levels = 0
    while trial.step():
        n_levels += 1
    nodes, level = trial.nodes, trial.front.level
    assert level == n_levels
    assert (trial.tally, trial.needs, trial.likely_needs) == (None, inf, inf)
    assert not trial.step(Bounds())
    assert (trial.nodes, trial.front.level) == (nodes, level)
    passed = trial.before_last(), trial.ways_to_a_state
    other = trial.going_on(1 << 26, ALONE)
    assert other.needs < inf
    while other.step():
        pass
    assert other.tally == WHOLE
    assert trial.tally is None
    assert trial.nodes == nodes
    assert (trial.before_last(), trial.ways_to_a_state) == passed


def test_the_next_level_is_likely_to_need_as_much_as_the_latest_ones() -> None:
    """Half as much again as the greatest share of the choices that fitted in the latest four levels."""
    plan = CoverFrontier().make_plan(cover("pentominoes 3 20"))
    trial, shares = Trial(plan, 1 << 26), list[float]()
    assert trial.likely_needs == trial.needs == len(plan.levels.levels[0].choices)
    while trial.front.level < plan.n_levels - 1:
        needed, nodes = trial.needs, trial.nodes
        assert trial.step()
        shares.append((trial.nodes - nodes) / needed)
        choices = len(plan.levels.levels[trial.front.level].choices)
        assert trial.needs == trial.front.n_states * choices
        assert trial.likely_needs == pytest.approx(trial.needs * min(1.0, 1.5 * max(shares[-4:])))
    assert min(shares) < 0.05
    assert trial.step()
    assert trial.tally is not None
    assert (trial.needs, trial.likely_needs) == (0, 0)


def test_a_trial_without_states_comes_to_its_end() -> None:
    """No option covers the first item."""
    plan = CoverFrontier().make_plan(
        ExactCover(("a", "b", "c"), (), (((1, 0),), ((1, 0), (2, 0)), ((2, 0),)))
    )
    trial = Trial(plan, 1 << 26)
    while trial.step():
        assert (trial.needs, trial.likely_needs, trial.ways_to_a_state) == (0, 0, 0)
    assert trial.tally == Tally(0, 0)
    assert trial.front.level == plan.n_levels > 0


def test_a_count_is_kept_for_walks_that_are_allowed_as_much_memory() -> None:
    """Whether a walk with less is refused does not depend on what was counted before."""
    plan = CoverFrontier().make_plan(cover("dominoes 4 4"))
    assert not plan.is_counted
    plan.keep(Tally(36, 100), 1 << 20)
    assert plan.is_counted
    kept = [plan.kept(most_bytes) for most_bytes in ((1 << 20) - 1, 1 << 20, 1 << 30)]
    assert kept == [None, Tally(36, 100), Tally(36, 100)]


def test_time_is_that_of_choices_nodes_and_results() -> None:
    """Where earlier values determine a value, a state has one result, however many nodes are tried."""
    problem = rk.Problem()
    factors = [problem.variable(name, range(6)) for name in "ab"]
    rows = [(a, b, a * b) for a in range(6) for b in range(6)]
    problem.table((*factors, problem.variable("product", range(30))), rows)
    plan = CspFrontier().make_plan(as_csp(problem.puzzle().model))
    assert [len(level.choices) for level in plan.levels.levels] == [6, 6, 15]
    ns = [
        1.2 * 100 * (1 + n_choices) + 8 * 600 + 20 * n_results
        for n_choices, n_results in ((6, 600), (15, 100))
    ]
    found = [moments_of_level(plan, level, 100, 600) * 5e6 for level in (1, 2)]
    assert found == pytest.approx(ns)


GRID = rk.graph(named="grid 3 3")


@pytest.mark.parametrize(
    ("puzzle", "n_choices", "n_results", "ns_of_result"),
    [
        pytest.param(GRID.spanning_trees(), 2, 150, 20 + 50, id="labels"),
        pytest.param(GRID.cycles(hamiltonian=False), 2, 150, 20 + 50, id="mates"),
        pytest.param(GRID.orientations(acyclic=True), 2, 150, 20 + 50, id="ways"),
        pytest.param(rk.puzzle("latin-square 4"), 4, 250, 20 + 6 * 20, id="six rows of exchanges"),
        pytest.param(rk.puzzle("sudoku"), 6, 250, 20 + 20, id="two words"),
    ],
)
def test_time_of_a_result(puzzle: rk.Puzzle, n_choices: int, n_results: int, ns_of_result: int) -> None:
    """At the second level. A cover may also leave each of the 100 states as it is."""
    model = lower(puzzle.model)
    plan = (
        CoverFrontier().make_plan(model)
        if isinstance(model, ExactCover)
        else CspFrontier().make_plan(as_csp(model))
    )
    ns = 1.2 * 100 * (1 + n_choices) + 8 * 150 + n_results * ns_of_result
    assert moments_of_level(plan, 1, 100, 150) * 5e6 == pytest.approx(ns)


def test_ways_are_those_to_the_states_of_all_levels() -> None:
    trial, ways, n_states = Trial(PLAN, 1 << 26), [1], [1]
    assert (trial.ways, trial.ways_to_a_state) == (0, 1)
    while trial.step():
        ways.append(trial.front.ways)
        n_states.append(trial.front.n_states)
        assert trial.ways == sum(ways[1:])
        assert trial.ways_to_a_state == ways[-1] / n_states[-1]
        assert trial.before_last() == (sum(ways[1:-1]), ways[-2] / n_states[-2])
    assert ways[-1] == WHOLE.total


def test_orders_with_more_states_than_a_float_holds_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas with 4000 clauses of three literals have guesses of more than 2^1024 states."""
    monkeypatch.setattr(planning, "MOST_TRIAL_NODES", 0)
    puzzle = rk.puzzle("rectangle-free 3 4 2")
    draft = planning.draft_of(as_csp(puzzle.model), None, None)
    guess = draft.guesses[0]
    many = guess._replace(bits=(1100.0,) * len(guess.bits))
    plan = planning.best_plan(draft, [many, many], NOTHING_ALIKE)
    assert total_of(plan) == rk.count(puzzle, engine="coloring-masks").total
