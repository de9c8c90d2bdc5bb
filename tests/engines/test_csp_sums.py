"""Sums and tables of every size in the search by propagation, against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given

from rekkyo.engines.csp.propagating.encoding import FEW_VALUES
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.model.csp.constraints import Constraint, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_problems import listed
from tests.examples import examples

RELATIONS = ("=", "!=", "<=")


def of_all(domains: list[tuple[int, ...]], constraints: list[Constraint]) -> Csp:
    """A model in which every variable is part of the solution."""
    return Csp(
        tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints), tuple(range(len(domains)))
    )


@st.composite
def long_sums(draw: st.DrawFn) -> Csp:
    """Sums of up to six variables, some of which must hold only for a value of another one."""
    n = draw(st.integers(3, 6))
    domain = st.sampled_from([(0, 1), (0, 1), (-1, 1), (0, 2, 4), (1, 4, 7), (0, 1, 2)])
    domains = draw(st.lists(domain, min_size=n, max_size=n))
    coefficient = st.sampled_from([1, 1, 1, -1, -1, 2, -3, 4])
    constraints: list[Constraint] = []
    for _ in range(draw(st.integers(1, 3))):
        variables = draw(st.permutations(range(n)))[: draw(st.integers(3, n))]
        factors = draw(st.lists(coefficient, min_size=len(variables), max_size=len(variables)))
        relation, constant = draw(st.sampled_from(RELATIONS)), draw(st.integers(-3, 9))
        total = Linear(tuple(factors), tuple(variables), relation, constant)
        if draw(st.booleans()):
            constraints.append(total)
        else:
            domains.append((0, 1))
            constraints.append(Reified(total, len(domains) - 1))
    return of_all(domains, constraints)


@st.composite
def bits_in_sums(draw: st.DrawFn) -> Csp:
    """Numbers of chosen variables, some of which are too many or too few."""
    n = draw(st.integers(3, 6))
    constraints: list[Constraint] = []
    for _ in range(draw(st.integers(1, 4))):
        variables = draw(st.permutations(range(n)))[: draw(st.integers(3, n))]
        factors = draw(
            st.lists(st.sampled_from([1, 1, -1]), min_size=len(variables), max_size=len(variables))
        )
        relation, constant = draw(st.sampled_from(["=", "<="])), draw(st.integers(-4, 7))
        constraints.append(Linear(tuple(factors), tuple(variables), relation, constant))
    return of_all([(0, 1)] * n, constraints)


@st.composite
def tables(draw: st.DrawFn) -> Csp:
    """Two tables that share variables, of one word or of several, with values in one word or in two."""
    domain = st.sampled_from(
        [(0, 1), (0, 1, 2), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 63, 64, 70)]
    )
    domains = draw(st.lists(domain, min_size=4, max_size=4))
    constraints: list[Constraint] = []
    for scope in ((0, 1, 2), (1, 2, 3)):
        step, least = draw(st.integers(1, 7)), draw(st.integers(1, 6))
        places = [(a, b, c) for a in domains[scope[0]] for b in domains[scope[1]] for c in domains[scope[2]]]
        rows = tuple(row for number, row in enumerate(places) if number * step % 7 < least)
        constraints.append(Table(scope, rows))
    return of_all(domains, constraints)


@pytest.mark.kernel
@examples(150)
@given(model=long_sums() | bits_in_sums() | tables())
def test_sums_and_tables(model: Csp) -> None:
    assert listed(model, 5) == naive_csp.solutions(model)


def test_the_parity_of_the_others_decides_which_values_are_left() -> None:
    signs = [(-1, 1)] * 4
    model = of_all([*signs, tuple(range(-4, 5))], [Linear((1, 1, 1, 1, -1), (0, 1, 2, 3, 4), "=", 0)])
    assert rewritten(model).domains == [*map(set, signs), {-4, -2, 0, 2, 4}]
    odd = of_all(signs, [Linear((1, 1, 1, 1), (0, 1, 2, 3), "=", 1)])
    assert not all(rewritten(odd).domains)


@pytest.mark.kernel
@pytest.mark.parametrize("n_values", [FEW_VALUES // 2, FEW_VALUES // 2 + 1])
def test_a_table_with_as_many_values_as_are_few_and_with_one_more(n_values: int) -> None:
    values = tuple(range(n_values))
    rows = tuple((x, x * x % n_values) for x in values)
    model = of_all([values] * 3, [Table((0, 1), rows), Table((1, 2), rows)])
    assert listed(model, 3) == naive_csp.solutions(model)


@pytest.mark.kernel
@pytest.mark.parametrize("truth", [0, 1, 2])
@pytest.mark.parametrize("relation", ["=", "!="])
def test_variables_that_are_equal_if_one_of_them_is_1(relation: str, truth: int) -> None:
    equal = Reified(Linear((1, -1), (0, 1), relation, 0), truth)
    model = of_all([(0, 1), (0, 1, 2), (0, 1)], [equal])
    assert listed(model, 3) == naive_csp.solutions(model)
