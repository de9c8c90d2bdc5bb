"""Merging equal values: the definition, published counts, and the other way of merging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.values import checks
from rekkyo.engines.csp.values.engine import CspValues
from rekkyo.errors import EngineRefuses
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import AllDifferent, Clause, Connected, Linear
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.model.puzzle import Model
from tests import csp_strategies, naive_coloring, naive_csp
from tests.engines.csp_counted import MODELS, grid, permuted
from tests.engines.test_csp_frontier import PUBLISHED, without_full_squares

ENGINE = CspValues()


def total(model: Model) -> int:
    return ENGINE.count(ENGINE.plan(model), WHOLE, no_pause).total


@given(
    model=st.one_of(
        csp_strategies.models(), csp_strategies.models(max_variables=7), csp_strategies.linked_models()
    )
)
def test_counts_what_the_definition_says(model: Csp) -> None:
    """Or refuses, but only where a variable is hidden."""
    model = replace(model, objective=None)
    if not ENGINE.accepts(model):
        return
    try:
        found = total(model)
    except EngineRefuses as refusal:
        assert len(model.solution) < len(model.names)
        assert "the variables before a hidden one determine it" in str(refusal)
    else:
        assert found == len(naive_csp.solutions(model))


@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_counts_what_any_permutation_of_atoms_leaves_unchanged(model: Csp, seed: int) -> None:
    model = replace(model, solution=tuple(range(len(model.names))), grid=None)
    if ENGINE.accepts(model):
        moved, unchanged = permuted(model, seed)
        fixed = ENGINE.count_fixed(ENGINE.plan(model), moved, no_pause, ALONE)
        assert fixed is not None
        assert fixed.total == unchanged


@given(model=naive_coloring.models())
def test_colourings(model: Coloring) -> None:
    assert total(model) == len(naive_coloring.solutions(model))


@pytest.mark.parametrize(
    ("make", "n", "count"),
    [
        pytest.param(make, n, count, id=f"{name}-{n}")
        for name, make, terms in PUBLISHED
        if ENGINE.accepts(make(min(terms)))
        for n, count in terms.items()
        if (name, n) != ("A007865", 36)  # sums reach too far
    ],
)
def test_published_counts(make: Callable[[int], Model], n: int, count: int) -> None:
    assert total(make(n)) == count


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(without_full_squares(9), id="no full squares"),
        pytest.param(grid(6).colorings(4).model, id="colourings"),
        pytest.param(grid(12, 6, "torus").independent_sets().model, id="a long torus"),
        pytest.param(grid(7, 7, "knight").independent_sets().model, id="knights"),
        pytest.param(rk.puzzle("hip 5").model, id="hip"),
    ],
)
def test_both_ways_of_merging_agree(model: Model) -> None:
    other = CspFrontier()
    assert total(model) == other.count(other.plan(model), WHOLE, no_pause).total


def test_kinds_that_are_computed_for_many_variables() -> None:
    """Those whose definition is not asked for every choice of values."""
    names = tuple("abcdefgh")
    sums = Linear((1,) * 8, tuple(range(8)), "=", 14)
    model = Csp(names, ((0, 1, 2, 3),) * 8, (sums,))
    assert total(model) == 6728  # the coefficient of x^14 in (1 + x + x^2 + x^3)^8
    clause = Clause(tuple((v, 3, True) for v in range(8)))
    assert total(replace(model, constraints=(clause,))) == 4**8 - 3**8
    assert total(replace(model, constraints=(replace(sums, relation="!="),))) == 4**8 - 6728


def test_to_accept_a_model_evaluates_no_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """`info` asks every engine: that took 7 s for some hundred constraints of thousands of choices."""
    monkeypatch.setattr(checks, "_table", None)
    assert ENGINE.accepts(grid(8).colorings(3).model)


def test_the_check_of_a_constraint_reads_the_domains_of_its_variables_alone() -> None:
    """It read all domains for each constraint: 2000 constraints on six variables each took four seconds."""

    class Unread(tuple[int, ...]):
        def __iter__(self) -> NoReturn:
            raise AssertionError("this domain is not needed")

    some, unread = tuple(range(99)), Unread((0, 1))
    model = Csp(("x", "y", "z"), (some, some, (0, 1)))
    object.__setattr__(model, "domains", (some, some, unread))
    check = checks.check_of(model, AllDifferent((0, 1)))
    assert check is not None
    assert check({0: np.array([3, 4]), 1: np.array([4, 4])}).tolist() == [True, False]


@pytest.mark.parametrize("n_values", [2, 3, 4])
def test_more_open_variables_than_a_word_has_digits(n_values: int) -> None:
    """At most one of 70 variables is not 0, and the last constraint, which names all, leaves one that is."""
    problem = rk.Problem()
    cells = problem.variables([f"x{k}" for k in range(70)], range(n_values))
    for one, other in combinations(cells, 2):
        problem.clause([(one, 0, True), (other, 0, True)])
    problem.linear([1] * 70, cells, ">", 0)
    assert total(problem.model()) == 70 * (n_values - 1)


def test_refusals() -> None:
    loose = Csp(("shown", "hidden"), ((0, 1), (0, 1)), (Clause(((0, 1, True), (1, 1, True))),), solution=(0,))
    with pytest.raises(EngineRefuses, match="determine it, not hidden; choose another engine"):
        total(loose)
    with pytest.raises(EngineRefuses, match="cannot optimize an objective"):
        total(Csp(("a",), ((0, 1),), objective=Objective(0, maximize=True)))
    many = Csp(tuple(map(str, range(20))), ((0, 1),) * 20, (Connected(tuple(range(20)), (), (1,)),))
    with pytest.raises(EngineRefuses, match="cannot check Connected constraints"):
        total(many)
    small = CspValues(most_bytes=1 << 12)
    with pytest.raises(EngineRefuses, match=r"engine csp-values needs more than .* MB here"):
        small.count(small.plan(grid(8).colorings(3).model), WHOLE, no_pause)


def test_a_count_says_by_which_engine() -> None:
    result = rk.count(rk.puzzle("hip 4"), engine="csp-values")
    other = rk.count(rk.puzzle("hip 4"))
    assert result.engine == "csp-values"
    assert other.engine == "coloring-masks"
    assert (result.total, result.unique) == (other.total, other.unique)
