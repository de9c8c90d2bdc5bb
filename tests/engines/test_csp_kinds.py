"""Engine `csp` on problems of one kind of constraint, against the oracle."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp
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


CUBE = (tuple(range(12)),) * 3
"""More values together than are read as rows of a table."""


@pytest.mark.parametrize(
    ("domains", "constraints"),
    [
        (CUBE, (Table((0, 1, 2), ((0, 0, 0), (3, 4, 5), (3, 4, 5), (11, 11, 11)), allowed=False),)),
        # Each domain spans less than a word, but wherever words begin, one of the three has two.
        (
            (tuple(range(40)), tuple(range(20, 80)), tuple(range(50, 110))),
            (Linear((1, 1, -1), (0, 1, 2), "=", 0),),
        ),
        (
            (tuple(range(-40, 0)), tuple(range(20, 80)), tuple(range(50, 110))),
            (Linear((1, 1, 1), (0, 1, 2), "=", 97),),
        ),
    ],
    ids=["forbidden rows", "difference", "sum"],
)
def test_domains_that_are_larger_than_random_ones(
    domains: tuple[tuple[int, ...], ...], constraints: tuple[Constraint, ...]
) -> None:
    model = Csp(("a", "b", "c"), domains, constraints)
    assert sorted(list_all(CspSearch(), model, 1, 5, 4000)) == naive_csp.solutions(model)


def test_the_last_equation_of_a_ring_says_nothing_new() -> None:
    equations = tuple(Linear((1, -1), (1 + one, 1 + (one + 1) % 3), "=", 0) for one in range(3))
    model = Csp(tuple("abcd"), ((0, 1, 2),) * 4, (*equations, Linear((1, 1), (0, 1), "=", 2)), (0,))
    assert sorted(list_all(CspSearch(), model, 1, 5, 40)) == [(0,), (1,), (2,)]
