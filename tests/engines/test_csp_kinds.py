"""Engine `csp` on problems of one kind of constraint, against the oracle."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint, Linear, Reified, Table
from tests import csp_strategies, naive_csp
from tests import made_once as st
from tests.engines.listing_contract import list_all


@pytest.mark.parametrize("kind", [kind for kind in naive_csp.KINDS if kind is not Reified])
@settings(max_examples=20)
@given(data=st.data())
def test_each_kind_alone(kind: type[Constraint], data: st.DataObject) -> None:
    """Among all kinds, a fault in what is done for one of them may be met by no example."""
    model = replace(data.draw(csp_strategies.models(kinds=(kind,))), objective=None)
    assert sorted(list_all(CspSearch(), model, 1, 5, 40)) == naive_csp.solutions(model)


@pytest.mark.parametrize("inner", [Linear, Table, AllDifferent, Clause])
@settings(max_examples=30)
@given(data=st.data())
def test_each_kind_reified(inner: type[Linear | Table | AllDifferent | Clause], data: st.DataObject) -> None:
    drawn = replace(data.draw(csp_strategies.models(kinds=(inner,))), objective=None)
    truth = st.integers(0, len(drawn.names) - 1)
    constraints = tuple(Reified(one, data.draw(truth)) for one in drawn.constraints)  # type: ignore[arg-type]
    model = replace(drawn, constraints=constraints)
    assert sorted(list_all(CspSearch(), model, 1, 5, 40)) == naive_csp.solutions(model)
