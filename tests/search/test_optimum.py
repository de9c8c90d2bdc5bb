"""The best value of an objective: the same for any number of workers, however the search is divided."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress, product
from math import inf
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.model.csp.constraints import AT_MOST, Linear
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.puzzle import Puzzle
from rekkyo.search import best_by_merging, merging, optimum, progress
from rekkyo.search.best_by_merging import BestByMerging
from rekkyo.search.merging import Merging
from rekkyo.search.optimum import with_optimum
from rekkyo.search.question import ask
from tests.csp_strategies import models
from tests.engines.csp_counted import countable
from tests.naive_csp import assignments

EXAMPLES = Path(__file__).parents[2] / "examples"
BISHOPS, KINGS = EXAMPLES / "bishops.toml", EXAMPLES / "kings.toml"
AT_ONCE = rk.Sizes(moment_nodes=1, slice_nodes=1, block_rows=1)
"""All workers join in after a few nodes, and the first solution of a slice ends it."""


class Interrupted(Exception):
    """What a watcher raises in these tests."""


def best_value(model: Csp) -> int | None:
    """By the definition: of all assignments."""
    assert model.objective is not None
    choose = max if model.objective.maximize else min
    values = (row[0] for row in assignments(model, [model.objective.variable]))
    return choose(values, default=None)


@pytest.mark.parametrize("workers", [1, 2, 3])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_it_is_the_best_of_all_assignments(workers: int, data: st.DataObject) -> None:
    drawn = data.draw(models())
    variable = data.draw(st.integers(0, len(drawn.names) - 1))
    model = replace(drawn, objective=Objective(variable, data.draw(st.booleans())))
    listing = [each for each in registry.engines_for(model) if isinstance(each, ListingEngine)]
    engine = data.draw(st.sampled_from(listing))
    question = ask(Puzzle("drawn", model, "drawn"), engine=engine.name, workers=workers, sizes=AT_ONCE)
    found = with_optimum(question).model
    assert isinstance(found, Csp)
    if found.objective is None:  # it is known without a search that there is no solution
        assert best_value(model) is None
    else:
        assert found.objective.best == best_value(model)


def knapsack(weights: Sequence[int], values: Sequence[int], limit: int) -> Csp:
    """Things to take or to leave, whose weights add up to at most `limit`; the value of all is the objective."""
    n = len(weights)
    names = (*(f"thing{number}" for number in range(n)), "value")
    domains = (*((0, 1),) * n, tuple(range(sum(values) + 1)))
    rules = (
        Linear(tuple(weights), tuple(range(n)), AT_MOST, limit),
        Linear((*values, -1), tuple(range(n + 1)), "=", 0),
    )
    return Csp(names, domains, rules, tuple(range(n)), Objective(n, maximize=True))


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_no_shard_is_lost(workers: int, seed: int) -> None:
    """Knapsacks, whose best solutions are few and hard to see."""
    draw = Random(seed)
    weights, values = ([draw.randint(5, 40) for _ in range(8)] for _ in range(2))
    limit = sum(weights) // 2
    totals = [
        sum(compress(values, taken))
        for taken in product((0, 1), repeat=len(weights))
        if sum(compress(weights, taken)) <= limit
    ]
    puzzle = Puzzle("knapsack", knapsack(weights, values, limit), "Knapsack")
    question = ask(puzzle, engine="csp", workers=workers, sizes=AT_ONCE)
    found = with_optimum(question).model
    assert isinstance(found, Csp)
    assert found.objective is not None
    assert found.objective.best == max(totals)
    assert rk.count(puzzle, workers=workers, sizes=AT_ONCE).total == totals.count(max(totals))


@pytest.mark.parametrize("workers", [1, 2])
def test_all_workers_join_in_when_a_search_turns_out_long(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[int] = []
    share = optimum.do_each
    monkeypatch.setattr(optimum, "do_each", lambda *asked: joined.append(asked[2]) or share(*asked))
    with_optimum(ask(rk.puzzle_from_file(BISHOPS, 4), engine="csp", workers=workers, sizes=AT_ONCE))
    assert set(joined) == ({workers} if workers > 1 else set())
    joined.clear()
    with_optimum(ask(rk.puzzle_from_file(BISHOPS, 4), engine="csp", workers=workers))
    assert not joined  # it ends before


@pytest.mark.parametrize("sizes", [AT_ONCE, rk.Sizes(shards_if_short=1)])
def test_bishops(sizes: rk.Sizes) -> None:
    """2n - 2 bishops do not attack each other, in 2^n ways (Yaglom and Yaglom, problem 42)."""
    for n in (2, 4):
        count = rk.count(rk.puzzle_from_file(BISHOPS, n), workers=2, sizes=sizes)
        assert (count.optimum, count.total) == (2 * n - 2, 2**n)


@pytest.mark.parametrize("at", [1, 2, 30, 60])
def test_a_watcher_that_raises_ends_all_workers(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "WATCHED_EVERY_S", 0)
    monkeypatch.setattr(Merging, "may_begin", lambda *_: False)
    n_calls = 0

    def watch(_: rk.Progress) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls == at:
            raise Interrupted

    question = ask(rk.puzzle_from_file(BISHOPS, 5), workers=2, sizes=AT_ONCE)
    before = set(threading.enumerate())
    with pytest.raises(Interrupted):
        with_optimum(question, watch)
    assert set(threading.enumerate()) == before


@pytest.fixture
def merging_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging is tried after the first nodes of a search, and may take as long as it likes."""
    monkeypatch.setattr(best_by_merging, "FIRST_MOMENTS", 0)
    monkeypatch.setattr(best_by_merging, "MOST_LOST", inf)
    monkeypatch.setattr(Merging, "may_begin", lambda *_: True)


@pytest.mark.usefixtures("merging_at_once")
@pytest.mark.parametrize("workers", [1, 2])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_merging_finds_the_best_of_all_assignments(workers: int, data: st.DataObject) -> None:
    drawn = countable(data.draw(models()))
    variable = data.draw(st.integers(0, len(drawn.names) - 1))
    model = replace(drawn, objective=Objective(variable, data.draw(st.booleans())))
    found = with_optimum(ask(Puzzle("drawn", model, "drawn"), workers=workers, sizes=AT_ONCE)).model
    assert isinstance(found, Csp)
    assert (None if found.objective is None else found.objective.best) == best_value(model)


@pytest.mark.usefixtures("merging_at_once")
def test_merging_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless an engine is named, which finds the best value a second time without it."""
    merged: list[int | None] = []
    best = BestByMerging.best
    monkeypatch.setattr(BestByMerging, "best", lambda self: merged.append(best(self)) or merged[-1])
    puzzle = rk.puzzle_from_file(BISHOPS, 4)
    for engine, expected in ((None, [6]), ("csp", []), ("csp-plain", [])):
        merged.clear()
        assert rk.count(puzzle, engine=engine, workers=1, sizes=AT_ONCE).optimum == 6
        assert merged == expected


def test_merging_waits_until_the_search_has_taken_as_long_as_its_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sum of many values is tabulated for seconds, however long the search is said to be worth a try."""
    monkeypatch.setattr(best_by_merging, "FIRST_MOMENTS", 0)
    monkeypatch.setattr(merging, "LEAST_MOMENTS", 0)
    monkeypatch.setattr(merging, "LEAST_IF_KEPT", 0)
    monkeypatch.setattr(merging, "LEAST_IF_LOADED", 0)
    monkeypatch.setattr(merging, "_moments_of_plan", lambda _: inf)
    monkeypatch.setattr(Merging, "goes_on", lambda *_: pytest.fail("it was tried"))
    assert rk.count(rk.puzzle_from_file(BISHOPS, 4), workers=1, sizes=AT_ONCE).optimum == 6
    monkeypatch.setattr(merging, "_moments_of_plan", lambda _: 0)
    with pytest.raises(pytest.fail.Exception, match="it was tried"):
        rk.count(rk.puzzle_from_file(BISHOPS, 4), workers=1, sizes=AT_ONCE)


@pytest.mark.usefixtures("merging_at_once")
@pytest.mark.parametrize(
    "asked",
    [
        lambda puzzle: rk.count(puzzle, up_to="none", workers=1, sizes=AT_ONCE),
        lambda puzzle: rk.count(puzzle, workers=1, sizes=AT_ONCE),
        lambda puzzle: rk.orbits(puzzle, workers=1, sizes=AT_ONCE),
        lambda puzzle: list(rk.solve(puzzle, workers=1, sizes=AT_ONCE)),
    ],
    ids=["total", "unique", "orbits", "list"],
)
def test_a_best_value_that_no_solution_has(
    asked: Callable[[Puzzle], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BestByMerging, "best", lambda _: 7)
    with pytest.raises(rk.CountsDisagree, match="best value is 7, but no solution with it was found"):
        asked(rk.puzzle_from_file(BISHOPS, 4))


@pytest.mark.parametrize(("n", "total"), [(8, 281571), (10, 32572756)])
def test_kings(n: int, total: int) -> None:
    """OEIS A018807, whose proof that no more kings fit takes the search 25 s for 8x8."""
    kings = rk.puzzle_from_file(KINGS, n)
    assert (found := rk.count(kings, up_to="none")).total == total
    assert found.optimum == n * n // 4
