"""The rules that constraints become for merging, against the definition, for every row of values."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rekkyo.engines.csp.frontier.readers import Reader, TablesMade
from rekkyo.engines.csp.frontier.rules import Literal, Rules, rules_of
from rekkyo.engines.frontier.levels import DEAD
from rekkyo.model.csp.constraints import (
    Acyclic,
    AllDifferent,
    Areas,
    Circuit,
    Clause,
    Connected,
    Constraint,
    Diagram,
    Inverse,
    Linear,
    Regular,
    Reified,
    Table,
)
from rekkyo.model.csp.csp import Csp
from tests import naive_csp
from tests.csp_strategies import constraint_of
from tests.naive_csp import Row

DOMAINS = ((0, 1, 2), (1, 2), (-1, 0, 1, 3), (0, 1))
HANGING_TOGETHER = (Acyclic, Areas, Circuit, Connected)


def tells(literal: Literal, row: Row) -> bool:
    return row[literal[0]] in literal[1]


def accepts(reader: Reader, row: Row, order: list[int]) -> bool:
    """Whether the tables of a reader whose places are read in an order lead to an end."""
    tables = TablesMade(DOMAINS).of(reader, order)
    assert tables is not None
    state = 0
    for place, table in zip(order, tables.after, strict=True):
        v = reader.variables[place]
        state = table[DOMAINS[v].index(row[v])][state]
        if state == DEAD:
            return False
    return True


def hold(rules: Rules, row: Row, rng: random.Random) -> bool:
    """Whether rules without joints hold. Each reader reads its variables in some order."""
    if rules.is_hopeless or any(all(tells(one, row) for one in pattern) for pattern in rules.patterns):
        return False
    for once in rules.onces:
        n_true = sum(tells(one, row) for one in once.literals)
        if n_true > 1 or n_true < once.must:
            return False
    orders = [rng.sample(range(len(one.variables)), len(one.variables)) for one in rules.readers]
    return all(accepts(one, row, order) for one, order in zip(rules.readers, orders, strict=True))


def allowed_by(constraint: Constraint) -> list[Row]:
    return [row for row in product(*DOMAINS) if naive_csp.may_hold(constraint, [(x,) for x in row])]


def allowed_by_rules(constraint: Constraint, seed: int = 0) -> list[Row]:
    rules, rng = rules_of(Csp(tuple("abcd"), DOMAINS, (constraint,))), random.Random(seed)
    assert not rules.joints
    return [row for row in product(*DOMAINS) if hold(rules, row, rng)]


@pytest.mark.parametrize("kind", [kind for kind in naive_csp.KINDS if kind not in HANGING_TOGETHER])
@settings(max_examples=60)
@given(data=st.data(), seed=st.integers(0, 1 << 32))
def test_the_rules_of_each_kind_allow_what_it_allows(
    kind: type[Constraint], data: st.DataObject, seed: int
) -> None:
    constraint = data.draw(constraint_of(kind, len(DOMAINS)))
    assert allowed_by_rules(constraint, seed) == allowed_by(constraint)


@pytest.mark.parametrize("inner", [Linear, Table, AllDifferent, Clause])
@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 1 << 32))
def test_the_rules_of_each_kind_reified(inner: type[Constraint], data: st.DataObject, seed: int) -> None:
    constraint = Reified(data.draw(constraint_of(inner, 3)), 3)
    assert allowed_by_rules(constraint, seed) == allowed_by(constraint)


@pytest.mark.parametrize("first", [0, 1])
def test_inverses_of_two_variables_each(first: int) -> None:
    """Random ones have no solution, nearly always."""
    some = [Inverse((a, b), (c, d), first) for a, b, c, d in permutations(range(4))]
    allowed = [allowed_by(inverse) for inverse in some]
    assert [allowed_by_rules(inverse) for inverse in some] == allowed
    assert any(allowed)


WORDS = tuple(product(range(3), repeat=4))
EDGES = tuple(product(range(2), range(3), range(2)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("variables", [(0, 1, 2, 0), (0, 0, 1, 2), (2, 1, 0, 1)])
def test_three_variables_of_which_one_comes_twice(variables: Row, seed: int) -> None:
    rng = random.Random(seed)
    rows = tuple(rng.sample(WORDS, 40))
    layers = tuple(tuple(rng.sample(EDGES, 8)) for _ in variables)
    first = tuple(edge for edge in layers[0] if edge[0] == 0)
    factors = tuple(rng.choices((-2, -1, 1, 2), k=4))
    once = (Table(variables, rows), Table(variables, rows, False), Linear(factors, variables, "=", 1))
    for constraint in (
        *once,
        Regular(variables, 2, layers[1], (seed % 2,)),
        Diagram(variables, (first, *layers[1:])),
        AllDifferent(variables, (1,)),
        *(Reified(one, 3) for one in once),
        Reified(AllDifferent(variables, (1,)), 3),
    ):
        assert allowed_by_rules(constraint, seed) == allowed_by(constraint)
