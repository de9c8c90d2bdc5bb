"""Merging whose kernels are loaded races against searches of some hundredths of a second."""

from __future__ import annotations

from itertools import product

import pytest

import rekkyo as rk
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.frontier.front import Bounds
from rekkyo.engines.frontier.trial import Trial
from rekkyo.search import merging, probes, race
from rekkyo.search.probes import Known
from rekkyo.search.sizes import Sizes
from tests.engines.csp_counted import grid

RACED_ONCE = Sizes(moment_nodes=1000, overdue_moments=1 << 40)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernels for merging seem to be loaded. A short search does not wait for them."""
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", merging.LEAST_IF_LOADED)
    monkeypatch.setattr(merging, "is_kept", lambda *, with_rules: True)


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("up_to", ["none", "symmetry"])
def test_a_packing_is_merged_where_its_levels_foretell_that_it_is_shorter(
    up_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next level may have more nodes than may be lost, so that without a forecast it is searched."""
    puzzle = rk.puzzle("pentominoes 5 12")
    monkeypatch.setattr(probes, "probes_of", lambda *_: Known(60.0, 0.0))
    merged = rk.count(puzzle, up_to=up_to, workers=1, sizes=RACED_ONCE)
    monkeypatch.setattr(merging, "FORESEEN", 0.0)
    searched = rk.count(puzzle, up_to=up_to, workers=1, sizes=RACED_ONCE)
    assert (merged.engine, searched.engine) == ("cover-frontier", "cover-bitset")
    assert (merged.total, merged.unique) == (searched.total, searched.unique)
    assert merged.total == 4 * 1010  # Golomb, Polyominoes


@pytest.mark.usefixtures("loaded")
def test_a_forecast_that_fails_loses_no_more_than_the_search_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = rk.puzzle("pentominoes 6 10")
    moments: list[float] = []
    monkeypatch.setattr(probes, "probes_of", lambda *_: Known(40.0, 0.0))
    monkeypatch.setattr(Trial, "moments_foreseen", 0)
    step = Trial.step

    def stepped(trial: Trial, bounds: Bounds) -> bool:
        moments.append(trial.moments)
        return step(trial, bounds)

    monkeypatch.setattr(Trial, "step", stepped)
    assert rk.count(puzzle, workers=1, sizes=RACED_ONCE).engine == "cover-bitset"
    assert 0 < max(moments) <= 40


@pytest.mark.usefixtures("loaded")
def test_a_search_lists_a_solution_of_each_orbit_in_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Probes foresee 7 moments. The 700,000 orbits that merging has shown take 10, Burnside's lemma 8."""
    monkeypatch.setattr(race, "merged_at_once", lambda search, _: search)
    monkeypatch.setattr(probes, "probes_of", lambda *_: Known(7.0, 0.0))
    counted = rk.count(grid(6).independent_sets(), workers=1)
    assert counted.engine == "csp-frontier"
    assert counted.total == 5598861  # OEIS A006506
    searched = rk.count(grid(5).independent_sets(), workers=1)
    assert searched.engine == "coloring-masks"
    assert searched.total == 55447


@pytest.mark.usefixtures("loaded")
def test_many_nodes_that_rules_reject_are_merged_beside_a_shorter_search() -> None:
    """Each product has one value of 59, so that merging tries 14 times as many nodes as the search."""
    n = 11
    signs = "\n".join(f"(0,{k} - 0,{k - 1}) * (0,{k + 1} - 0,{k}) < 0" for k in range(1, n - 1))
    puzzle = rk.puzzle_from_text(
        f"""kind = "grid"\nboard = "rectangle 1 {n}"\nvalues = "1..{n}"\n[[different]]\nregions = "board"
[[compare]]\ncells = '''\n{signs}\n'''"""
    )
    counted = rk.count(puzzle, workers=1, up_to="none")
    assert counted.engine == "csp-frontier"
    assert counted.total == 2 * 353792  # OEIS A000111
    assert counted.nodes > 20_000_000


@pytest.mark.usefixtures("loaded")
def test_merging_is_tried_before_another_engine_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Latin squares of order 5 (OEIS A002860): a search of them as a cover has begun."""
    problem = rk.Problem()
    rows = [problem.variables([f"{r},{c}" for c in range(5)], range(5)) for r in range(5)]
    for line in (*rows, *zip(*rows, strict=True)):
        problem.all_different(line)
    monkeypatch.setattr(CspSearch, "make_plan", None)
    counted = rk.count(problem.puzzle("squares"), workers=1, up_to="none")
    assert (counted.engine, counted.total) == ("csp-frontier", 161_280)


@pytest.mark.usefixtures("loaded")
def test_long_tables_of_a_sum_are_not_made_beside_a_short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a sum of ten letters in base 24 take 30 times as long as the search."""
    monkeypatch.setattr(CspFrontier, "make_plan", None)
    problem = rk.Problem()
    coefficients = (575, 24, 577, 24, -331774, 13824, -13248, 24, -576, -24)
    leading = (0, 2, 4, 5)
    letters = [problem.variable(f"{k}", range(int(k in leading), 24)) for k in range(10)]
    problem.all_different(letters)
    problem.linear(coefficients, letters, "=", 0)
    counted = rk.count(problem.puzzle("alphametic"), workers=1)
    assert counted.engine == "csp"
    assert counted.nodes > 90_000


@pytest.mark.usefixtures("loaded")
def test_no_plan_is_made_beside_a_short_search_if_merging_is_guessed_to_be_far_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For closed knight's tours of 6x6, merging takes 900 times as many nodes as the search."""
    problem = rk.Problem()
    cells = list(product(range(6), repeat=2))
    moves = [[k for k, (x, y) in enumerate(cells) if {abs(x - a), abs(y - b)} == {1, 2}] for a, b in cells]
    problem.circuit([problem.variable(f"{k}", following) for k, following in enumerate(moves)])
    puzzle = problem.puzzle("tours")
    monkeypatch.setattr(CspFrontier, "make_plan", None)
    counted = rk.count(puzzle, workers=1)
    assert (counted.engine, counted.total) == ("csp", 2 * 9862)  # OEIS A001230, in both directions
    monkeypatch.setattr(merging, "MOST_GUESSED", 4)
    with pytest.raises(TypeError):  # it is begun
        rk.count(puzzle, workers=1)


@pytest.mark.parametrize(
    ("graph", "question", "workers"),
    [("prism 33", "colorings", 2), ("torus 7 13", "independent_sets", 1), ("cycle 97", "colorings", 1)],
)
def test_shards_that_are_short_do_not_tell_that_the_others_are(
    graph: str, question: str, workers: int
) -> None:
    """The shards that are searched to choose the cut end at once; others take years."""
    given = rk.graph(named=graph)
    puzzle = given.colorings(3) if question == "colorings" else given.independent_sets()
    assert rk.count(puzzle, up_to="none", workers=workers).engine == "csp-frontier"
