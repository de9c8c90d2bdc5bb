"""Random models asked in random ways, the same ones every time. `just fuzz MINUTES` goes on with others."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Puzzle
from tests.examples import n_examples
from tests.fuzz.asking import ASKED, Case, ask_and_check
from tests.fuzz.cases import failure_of_case, first_failure, shrunk
from tests.fuzz.models import draw_small_truth, draw_truth
from tests.fuzz.oracle import Truth
from tests.fuzz.ways import WEIGHTS, Way, draw_way_to_ask

SEED = 17
CASES_OF_GROUP = 15
IN_THE_GATE, N_GROUPS = 5, 10
CASES_OF_ENGINE = 8
N_KILLED = 3


@pytest.mark.parametrize(
    "group",
    [
        *range(IN_THE_GATE),
        *(pytest.param(group, marks=pytest.mark.second) for group in range(IN_THE_GATE, N_GROUPS)),
    ],
)
def test_all_ways_agree_with_brute_force_and_with_each_other(group: int) -> None:
    for number in range(group * CASES_OF_GROUP, (group + 1) * CASES_OF_GROUP):
        failure = failure_of_case(SEED, number)
        assert failure is None, str(failure)


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled hashes wrap around
@pytest.mark.parametrize(
    "engine",
    [engine for engine in registry.all_engines() if "magic" not in engine.name],
    ids=lambda engine: engine.name,
)
def test_small_models_by_each_engine(engine: registry.AnyEngine) -> None:
    """Small enough for kernels that are not compiled; the engines for magic squares of order 5 have no small ones."""
    lists = isinstance(engine, ListingEngine)
    for number in range(n_examples(CASES_OF_ENGINE)):
        rng = random.Random(f"{engine.name}/{number}")
        truth = draw_small_truth(rng, f"small {number}", engine)
        case = Case(truth)
        for asked in ("count", "slices", "digest", "solve", "submodels") if lists else ("count", "count"):
            ask_and_check(case, replace(draw_way_to_ask(rng, truth, asked), engine=engine.name))


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize("asked", [asked for asked, weight in WEIGHTS.items() if weight])
def test_small_models_every_way(asked: str) -> None:
    """By any of the engines; everything that can be asked, also without the compiler."""
    engines = {"kth": ("cover-cells", "queens-cover", "csp")}.get(
        asked, ("cover-cells", "queens-bitmap", "sum-lines", "coloring-masks")
    )
    for number, engine in enumerate(engines * 2):
        rng = random.Random(f"{asked}/{number}")
        truth = draw_small_truth(rng, f"small {number}", registry.engine_named(engine))
        case = Case(truth)
        for _ in range(2):
            ask_and_check(case, draw_way_to_ask(rng, truth, asked))


@pytest.mark.parametrize("number", range(N_KILLED))
def test_a_run_that_is_killed_and_resumed_says_the_same(number: int) -> None:
    rng = random.Random(f"killed/{number}")
    truth = draw_truth(rng, f"killed {number}")
    ask_and_check(Case(truth), draw_way_to_ask(rng, truth, "killed run"))


def test_a_plan_by_other_limits_may_have_other_nodes() -> None:
    """Exchanges that only one of two ways looks for merge some more states that a symmetry leaves unchanged."""
    triples = sorted(tuple(sorted((c, (c + 2) % 10, (c + 4) % 10))) for c in range(10))
    model = Coloring(10, 2, tuple(triples), fixed=((2, 1), (5, 0)))
    case = Case(Truth.about(with_own_symmetry(Puzzle("triples", model, "Triples"))[0]))
    for seed in (102, 394, 0, 102):
        ask_and_check(case, Way("count", "csp-frontier", "symmetry", merging=seed))
    assert len({answer for question, answer in case.said.items() if "nodes" in question}) > 1


def test_every_way_is_drawn() -> None:
    assert WEIGHTS.keys() == ASKED.keys()


class TestFailures:
    """A way that disagrees is found, named and shrunk."""

    def test_a_failure_says_how_to_repeat_it_and_shrinks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def lose_a_row(asking: object) -> None:
            raise AssertionError("a row is missing")

        monkeypatch.setitem(ASKED, "count", lose_a_row)
        truth = draw_truth(random.Random(1), "broken")
        failure = first_failure(3, 7, truth, (Way("solve"), Way("count", workers=2, seed=5)))
        assert failure is not None
        assert "python -m tests.fuzz --seed 3 --case 7" in str(failure)
        assert "a row is missing" in str(failure)
        assert shrunk(failure).ways == (Way("count"),)
