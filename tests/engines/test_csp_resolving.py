"""Hidden variables that only clauses name, or that restrict nothing: against the oracle, and what is removed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.engines.csp.propagating.simplifying import Simplified
from rekkyo.model.csp.constraints import Clause, Constraint, Linear, Literal, Reified, Table
from rekkyo.model.csp.csp import Csp
from tests import csp_strategies, naive_csp
from tests import made_once as st
from tests.engines.csp_problems import listed
from tests.engines.listing_contract import list_all

N_SHOWN = 3
BIT = (0, 1)


@st.composite
def models_with_loose_ends(draw: st.DrawFn) -> Csp:
    """Clauses about hidden variables that follow from no other, and constraints of one hidden variable each."""
    kinds = st.sampled_from([BIT, BIT, (1, 2), (-1, 0, 2), (1,)])
    domains = [draw(kinds) for _ in range(draw(st.integers(N_SHOWN + 1, N_SHOWN + 5)))]
    n = len(domains)

    def literal() -> Literal:
        v = draw(st.integers(0, n - 1))
        value = draw(st.sampled_from([*domains[v], *domains[v], *domains[v], 7]))
        return v, value, draw(st.booleans())

    constraints: list[Constraint] = [
        Clause(tuple(literal() for _ in range(draw(st.integers(1, 3)))))
        for _ in range(draw(st.integers(1, 7)))
    ]
    for _ in range(draw(st.integers(0, 3))):
        one, other, v = draw(st.lists(st.integers(0, n - 1), min_size=3, max_size=3))
        kind = draw(st.integers(0, 2))
        if kind == 0:
            domains.append(draw(st.sampled_from([BIT, BIT, (1, 2)])))
            constraints.append(Reified(Linear((1, -1), (one, other), "=", 0), draw(st.sampled_from([v, n]))))
        elif kind == 1:
            domains.append(draw(st.sampled_from([tuple(range(-6, 7)), (-1, 0, 1)])))
            factor = draw(st.sampled_from([1, -1, 2]))
            constraints.append(Linear((1, 2, factor), (one, other, n), "=", draw(st.integers(-1, 2))))
        else:
            domains.append(draw(kinds))
            rows = draw(st.sets(st.tuples(*(st.sampled_from(domains[u]) for u in (n, one))), max_size=6))
            constraints.append(Table((n, one), tuple(sorted(rows))))
        n += 1
    constraints += [draw(csp_strategies.constraint_of(Linear, n)) for _ in range(draw(st.integers(0, 1)))]
    names = tuple(f"v{v}" for v in range(n))
    order = draw(st.permutations(constraints))
    return Csp(names, tuple(domains), tuple(order), tuple(range(draw(st.integers(1, N_SHOWN)))))


@settings(max_examples=200)
@given(model=models_with_loose_ends())
def test_lists_what_the_oracle_lists(model: Csp) -> None:
    wanted = naive_csp.solutions(model)
    for at_least in (1, 7):
        assert listed(model, at_least) == wanted


def model_of(
    constraints: list[Constraint], *further: tuple[int, ...], n_shown: int = 3, n_hidden: int = 1
) -> Csp:
    """Variables that are 0 or 1: some shown, then hidden ones, and then hidden ones with other domains."""
    domains = (*((BIT,) * (n_shown + n_hidden)), *further)
    names = tuple(f"v{v}" for v in range(len(domains)))
    return Csp(names, domains, tuple(constraints), tuple(range(n_shown)))


def test_an_implied_variable_becomes_the_clauses_that_it_connects() -> None:
    """x or h; h implies y, and h implies z: x or y, and x or z."""
    implied: list[Constraint] = [
        Clause(((0, 1, True), (3, 1, True))),
        Clause(((3, 1, False), (1, 1, True))),
        Clause(((3, 0, True), (2, 1, True))),
    ]
    model = model_of(implied)
    left = Simplified(model).constraints
    assert left == [Clause(((1, 1, True), (0, 1, True))), Clause(((2, 1, True), (0, 1, True)))]
    assert list_all(CspSearch(), model, 1, 5, 40) == naive_csp.solutions(model)


def test_a_variable_with_one_literal_goes_with_its_clauses() -> None:
    one_way: list[Constraint] = [Clause(((v, 1, True), (3, 1, True))) for v in range(3)]
    model = model_of(one_way)
    assert Simplified(model).constraints == []
    assert len(listed(model)) == 2**3


def test_both_literals_alone_are_a_contradiction() -> None:
    model = model_of([Clause(((3, 1, True),)), Clause(((3, 0, True),))])
    assert list_all(CspSearch(), model, 1, 5, 40) == naive_csp.solutions(model) == []


def test_clauses_do_not_become_many() -> None:
    """Two clauses with each literal of three others have four resolvents, which would be longer."""
    clauses: list[Constraint] = [
        Clause(((v, value, True), (v + 1, value, True), (4, sign, True)))
        for v, value, sign in ((0, 1, 0), (1, 1, 0), (0, 0, 1), (2, 0, 1))
    ]
    model = model_of(clauses, n_shown=4)
    assert Simplified(model).constraints == clauses
    assert listed(model) == naive_csp.solutions(model)


@pytest.mark.parametrize(
    ("domain", "constraint", "is_dropped"),
    [
        (BIT, Reified(Linear((1, 1), (0, 1), "=", 1), 3), True),
        ((1,), Reified(Linear((1, 1), (0, 1), "=", 1), 3), False),
        (BIT, Reified(Linear((1, 1), (0, 3), "=", 1), 3), False),
        ((0, 1, 2, 3), Linear((1, 2, -1), (0, 1, 3), "=", 0), True),
        ((0, 1, 3), Linear((1, 2, -1), (0, 1, 3), "=", 0), False),
        ((0, 1, 2, 3), Linear((1, 2, -2), (0, 1, 3), "=", 0), False),
        ((1, 2), Table((3, 0), ((1, 0), (1, 1), (2, 1))), True),
        ((1, 2), Table((3, 0), ((1, 1), (2, 1))), True),
        ((1, 2), Table((3, 0, 1), ((1, 0, 1), (2, 1, 0), (1, 1, 0), (2, 0, 1))), False),
        ((2, 3), Table((3, 0), ((1, 0), (2, 1))), False),
    ],
)
def test_a_constraint_that_one_hidden_variable_always_fits(
    domain: tuple[int, ...], constraint: Constraint, is_dropped: bool
) -> None:
    model = model_of([constraint], domain, n_hidden=0)
    assert (Simplified(model).constraints == []) == is_dropped
    assert listed(model) == naive_csp.solutions(model)


def test_dropping_one_constraint_leaves_the_next() -> None:
    """Each hidden variable is the one before it, doubled or halved by a sum."""
    links: list[Constraint] = [Linear((2, -1), (v, v + 1), "=", 0) for v in range(1, 4)]
    model = model_of(links, (0, 1, 2), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5, 6, 7, 8), n_shown=2, n_hidden=0)
    assert Simplified(model).constraints == []
    assert len(listed(model)) == 2**2


def test_a_joined_table_has_no_column_for_a_variable_that_nothing_else_names() -> None:
    """h is x + y if that is 1 or 2, else 2: it has a value in all cases, so no table is left."""
    constraints: list[Constraint] = [
        Reified(Table((4,), ((1,), (2,))), 5),
        Linear((1, 1, -1), (0, 1, 4), "=", 0),
        Reified(Linear((1, -1), (3, 4), "=", 0), 6),
        Clause(((5, 0, True), (6, 1, True))),
        Reified(Linear((1,), (3,), "=", 2), 7),
        Clause(((5, 1, True), (7, 1, True))),
    ]
    model = model_of(constraints, (1, 2), (0, 1, 2), BIT, BIT, BIT, n_hidden=0)
    assert rewritten(model).parts == []
    assert len(listed(model)) == 2**3


@pytest.mark.parametrize(
    ("domain", "one", "other"),
    [
        (BIT, (0, 1, True), (0, 1, False)),
        (BIT, (0, 0, True), (0, 1, True)),
        (BIT, (0, 0, False), (0, 1, False)),
        ((0, 1, 2), (0, 1, True), (0, 1, False)),
        ((0, 1, 2), (0, 1, True), (0, 2, True)),  # 0 is not permitted
        ((0, 1, 2), (0, 1, False), (0, 2, False)),
        ((1, 2), (0, 7, True), (0, 1, True)),
    ],
)
def test_two_clauses_of_one_more_variable(domain: tuple[int, ...], one: Literal, other: Literal) -> None:
    """Together they may hold always, whatever the hidden variable is."""
    model = Csp(("v", "h"), (domain, BIT), (Clause((one, (1, 1, True))), Clause((other, (1, 0, True)))), (0,))
    assert listed(model) == naive_csp.solutions(model)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_variable_that_a_sum_names_stays(place: int) -> None:
    constraints: list[Constraint] = [
        Clause(((0, 1, True), (3, 1, True))),
        Clause(((3, 0, True), (1, 1, True))),
    ]
    constraints.insert(place, Linear((2, 3, 4), (3, 2, 1), "<=", 5))
    model = model_of(constraints)
    assert listed(model) == naive_csp.solutions(model)
