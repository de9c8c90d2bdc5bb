"""How many solutions have each value of a variable, by one walk, against all solutions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.csp.frontier import by_value as by_value_module
from rekkyo.engines.csp.frontier import plan as planning
from rekkyo.engines.csp.frontier.by_value import FrontierByValue
from rekkyo.engines.csp.frontier.exchanges import exchanges_of
from rekkyo.engines.frontier.walk import walk
from rekkyo.model.csp.constraints import EQUAL, Clause, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from tests import naive_csp
from tests.engines.csp_counted import MODELS, alike_of, grid


def by_value(model: Csp, v: int) -> dict[int, int]:
    engine = FrontierByValue(v)
    *_, front = walk(engine.plan(model))
    return dict(engine.ways_to(model, front))


def by_listing(model: Csp, v: int) -> dict[int, int]:
    position = model.solution.index(v)
    return dict(Counter(model.values[row[position]] for row in naive_csp.solutions(model)))


@pytest.mark.kernel
@given(model=MODELS, data=st.data(), most=st.sampled_from([1, 7, by_value_module.MOST_SUCCESSORS]))
def test_random_problems(model: Csp, data: st.DataObject, most: int) -> None:
    v = data.draw(st.sampled_from(model.solution))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_value_module, "MOST_SUCCESSORS", most)
        assert by_value(model, v) == by_listing(model, v)


@pytest.fixture
def as_if_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanges are looked for, as if a count without them were long."""
    for name in ("TRIAL_NODES", "MOST_TRIAL_NODES"):
        monkeypatch.setattr(planning, name, 0)
    monkeypatch.setattr(planning, "may_pay", lambda *_: True)
    monkeypatch.setattr(planning, "exchanges_of", lambda *asked: exchanges_of(*asked[:-1]))


@pytest.mark.usefixtures("as_if_long")
@pytest.mark.parametrize("v", [0, 5, 11])
def test_columns_that_can_be_exchanged(v: int) -> None:
    """Exchanges that move the variable would move solutions from one of its values to another."""
    model = as_csp(rk.puzzle("rectangle-free 3 4 2").model)
    assert isinstance(model, Csp)
    exchanges = alike_of(model).exchanges
    assert 0 < len(alike_of(model).without(v).exchanges) < len(exchanges)
    first = Clause(((0, model.domains[0][0], True), (v, model.domains[v][0], True)))
    for each in (model, Csp(model.names, model.domains, (*model.constraints, first), model.solution)):
        assert by_value(each, v) == by_listing(each, v)


def test_colors_that_can_be_exchanged() -> None:
    """Each colour of a vertex is in a third of the colourings."""
    model = as_csp(grid(2, 3).colorings(3).model)
    assert alike_of(model).colors
    assert by_value(model, 3) == by_listing(model, 3)
    assert len(set(by_value(model, 3).values())) == 1


def test_no_solution_and_a_single_variable() -> None:
    hopeless = Csp(("a", "b"), ((0, 1), (0, 1)), (Linear((1, 1), (0, 1), EQUAL, 3),))
    assert by_value(hopeless, 1) == {}
    assert by_value(Csp(("a",), ((3, 5, 8),), (Linear((1,), (0,), "<=", 5),)), 0) == {3: 1, 5: 1}
