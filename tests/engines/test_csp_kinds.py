"""Engines of constraints on problems of one kind of constraint, against the oracle."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings

from rekkyo.engines.contract import WHOLE, no_pause
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.plain.engine import CspPlain
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.values.engine import CspValues
from rekkyo.model.csp.constraints import (
    LARGEST,
    AllDifferent,
    Clause,
    Connected,
    Constraint,
    Count,
    GlobalCardinality,
    Inverse,
    LexLess,
    Linear,
    Product,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp
from tests import csp_strategies, naive_csp
from tests import made_once as st
from tests.engines.csp_problems import listed
from tests.engines.listing_contract import list_all


def counted(engine: CspFrontier | CspValues, model: Csp) -> int:
    return engine.count(engine.plan(model), WHOLE, no_pause).total


@pytest.mark.parametrize("engine", [CspSearch(), CspPlain()], ids=lambda engine: engine.name)
@pytest.mark.parametrize("kind", [kind for kind in naive_csp.KINDS if kind is not Reified])
@settings(max_examples=20)
@given(data=st.data())
def test_each_kind_alone(kind: type[Constraint], engine: CspSearch | CspPlain, data: st.DataObject) -> None:
    """Among all kinds, a fault in what is done for one of them may be met by no example."""
    model = replace(data.draw(csp_strategies.models(kinds=(kind,))), objective=None)
    assert sorted(list_all(engine, model, 1, 5, 40)) == naive_csp.solutions(model)


@pytest.mark.parametrize("engine", [CspFrontier(), CspValues()], ids=lambda engine: engine.name)
@pytest.mark.parametrize("kind", naive_csp.KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_each_kind_is_counted_alone(
    kind: type[Constraint], engine: CspFrontier | CspValues, data: st.DataObject
) -> None:
    drawn = data.draw(csp_strategies.models(kinds=(kind,)))
    model = replace(drawn, objective=None, solution=tuple(range(len(drawn.names))))
    if engine.accepts(model):
        assert counted(engine, model) == len(naive_csp.solutions(model))


@pytest.mark.parametrize("engine", [CspFrontier(), CspValues()], ids=lambda engine: engine.name)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("pairs", [((0, 1), (2, 3)), ((0, 1, 2), (3, 2, 0)), ((0, 1), (1, 2))])
def test_rows_in_order_are_counted(
    pairs: tuple[tuple[int, ...], tuple[int, ...]], strict: bool, engine: CspFrontier | CspValues
) -> None:
    model = Csp(tuple("abcd"), ((0, 1, 2),) * 4, (LexLess(*pairs, strict=strict),))
    assert counted(engine, model) == len(naive_csp.solutions(model))


def test_rows_that_only_restrict_single_variables_are_counted() -> None:
    """No state has to be remembered, but values are forbidden."""
    rows = tuple(row for row in product(range(3), repeat=3) if row[0] != 1 and row[2] != 0)
    for constraint in (Table((0, 1, 2), rows), Linear((1, 1, 1), (0, 1, 2), "<=", 0)):
        model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (constraint,))
        assert counted(CspFrontier(), model) == len(naive_csp.solutions(model))


@pytest.mark.parametrize("inner", [Linear, Table, AllDifferent, Clause])
@settings(max_examples=30)
@given(data=st.data())
def test_each_kind_reified(inner: type[Linear | Table | AllDifferent | Clause], data: st.DataObject) -> None:
    drawn = replace(data.draw(csp_strategies.models(kinds=(inner,))), objective=None)
    truth = st.integers(0, len(drawn.names) - 1)
    constraints = tuple(Reified(one, data.draw(truth)) for one in drawn.constraints)  # type: ignore[arg-type]
    model = replace(drawn, constraints=constraints)
    assert listed(model) == naive_csp.solutions(model)


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
    assert listed(model) == [(0,), (1,), (2,)]


@pytest.mark.parametrize("results", [(6, 10), (8,), (7,), (4, 9, 60), (0, 12), (-6, 10)])
@pytest.mark.parametrize("factors", [(0, 1, 2), (0, 1, 1), (0, 1, 2, 0)])
def test_some_results_of_a_product_are_multiples_of_a_part(
    results: tuple[int, ...], factors: tuple[int, ...]
) -> None:
    """A partial product of 6 can become 6, but not 10; one of 5 can become 10, but not 6."""
    for low in (1, -2):
        domains = (*((tuple(range(low, 6)),) * 3), results)
        model = Csp(tuple("abcr"), domains, (Product(factors, 3),))
        assert listed(model) == naive_csp.solutions(model)


@pytest.mark.parametrize(
    "constraint",
    [
        AllDifferent((0, 1, 2, 3), (-LARGEST, 1, LARGEST)),
        Count((0, 1, 2), (-LARGEST, 1, LARGEST), 3),
        GlobalCardinality((0, 1, 2, 3), ((1, -(1 << 80), 2), (2, 1, 1 << 80), (LARGEST, 0, 1))),
        GlobalCardinality((0, 1, 2, 3), ((1, 1 << 80, 1 << 81),)),
        GlobalCardinality((0, 1, 2, 3), ((1, -(1 << 81), -(1 << 80)),)),
        Connected((0, 1, 2, 3), ((0, 1), (1, 2), (2, 3)), (-LARGEST, 1, LARGEST)),
        Inverse((0, 1), ()),
        Inverse((), (0, 1)),
    ],
    ids=str,
)
def test_values_and_bounds_that_no_variable_reaches(constraint: Constraint) -> None:
    """The values of a set are bits of words, of which far values would need millions."""
    model = Csp(tuple("abcd"), ((0, 1, 2),) * 4, (constraint,))
    wanted = naive_csp.solutions(model)
    for engine in (CspSearch(), CspPlain()):
        assert sorted(list_all(engine, model, 1, 5, 40)) == wanted


@pytest.mark.parametrize("relation", ["=", "!=", "<="])
@pytest.mark.parametrize("coefficients", [(1, -1), (-1, 1), (1, 1)])
@pytest.mark.parametrize("truth", [0, 1])
def test_whether_a_variable_is_another_one_that_says_so(
    coefficients: tuple[int, int], relation: str, truth: int
) -> None:
    model = Csp(("a", "b"), ((0, 1, 2),) * 2, (Reified(Linear(coefficients, (0, 1), relation, 0), truth),))
    assert listed(model) == naive_csp.solutions(model)


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_what_else_names_a_shifted_variable_remains(place: int) -> None:
    """Without the sum, d would be a + 1 and e b + 2 in all that is different."""
    constraints = [
        Linear((1, -1), (3, 0), "=", 1),
        Linear((1, -1), (4, 1), "=", 2),
        AllDifferent((2, 3, 4)),
    ]
    constraints.insert(place, Linear((1, 1, 1), (2, 3, 4), "<=", 9))
    domains = (*(((0, 1, 2, 3, 4),) * 3), tuple(range(1, 6)), tuple(range(2, 7)))
    model = Csp(tuple("abcde"), domains, tuple(constraints), (0, 1, 2))
    assert listed(model) == naive_csp.solutions(model)
