"""What a model says by way of hidden variables, as tables: against the oracle, and what is dropped."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings

import rekkyo as rk
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.propagating.rewriting import rewritten
from rekkyo.engines.csp.propagating.tabling import MOST_ROWS, Tabling
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint, Linear, Reified, Table
from rekkyo.model.csp.csp import Csp, Objective
from tests import csp_strategies, naive_csp
from tests import made_once as st
from tests.engines.csp_problems import listed
from tests.engines.listing_contract import list_all

N_SHOWN = 4


def conjunction(v: int, literals: list[tuple[int, int, bool]], value: int = 1) -> list[Constraint]:
    """v has the value just when all literals hold, as MiniZinc says it."""
    all_hold = Clause(((v, value, True), *((other, one, not sign) for other, one, sign in literals)))
    return [all_hold, *(Clause(((v, value, False), literal)) for literal in literals)]


@st.composite
def stepped_models(draw: st.DrawFn) -> Csp:
    """Each hidden variable follows from those before it; a few constraints ask for any of them.

    Now and then a definition names its own variable, or a value outside the domain, and then may leave both
    values or none.
    """
    domain = st.sampled_from([(0, 1), (1, 2, 3), (-1, 0, 2), (62, 63, 64)])
    domains = [draw(domain) for _ in range(N_SHOWN)]
    constraints: list[Constraint] = []
    truths: list[int] = []
    for v in range(N_SHOWN, N_SHOWN + draw(st.integers(1, 5))):
        names_itself = draw(st.integers(0, 3)) == 0
        domains.append((0, 1))
        before = draw(st.lists(st.integers(0, v - 1 + names_itself), min_size=2, max_size=3, unique=True))
        kind = draw(st.integers(0, 4))
        values: tuple[int, ...] = (0, 1)
        if kind == 0:
            relation, constant = draw(st.sampled_from(["=", "!=", "<="])), draw(st.integers(-2, 2))
            constraints.append(Reified(Linear((1, -1), tuple(before[:2]), relation, constant), v))
        elif kind == 1:
            constraints.append(Reified(AllDifferent(tuple(before)), v))
        elif kind == 2:
            rows = draw(st.sets(st.tuples(*(st.sampled_from(domains[u]) for u in before)), max_size=4))
            constraints.append(Reified(Table(tuple(before), tuple(sorted(rows))), v))
        elif kind == 3 and len(truths) > 1:
            named = draw(st.permutations([*truths, v] if names_itself else truths))[:3]
            literals = [(u, 1, draw(st.booleans())) for u in named]
            constraints += conjunction(v, literals, draw(st.sampled_from([1, 1, 1, 7])))
        else:
            counted = truths[:4] or before
            constraints.append(Linear((*(1 for _ in counted), -1), (*counted, v), "=", 0))
            values = tuple(range(draw(st.integers(-1, 0)), draw(st.integers(2, 5))))
        if values == (0, 1):
            truths.append(v)
        domains[v] = values
    n = len(domains)
    kinds = st.sampled_from([Clause, Linear, AllDifferent, Table])
    constraints += [draw(csp_strategies.constraint_of(kind, n)) for kind in draw(st.lists(kinds, max_size=3))]
    names = tuple(f"v{v}" for v in range(n))
    order = draw(st.permutations(constraints))
    return Csp(names, tuple(domains), tuple(order), tuple(range(draw(st.integers(1, N_SHOWN)))))


@settings(max_examples=100)
@given(model=stepped_models())
def test_lists_what_the_oracle_lists(model: Csp) -> None:
    wanted = naive_csp.solutions(model)
    for at_least in (1, 7):
        assert listed(model, at_least) == wanted


@pytest.mark.parametrize(
    ("definitions", "total"),
    [
        ([Reified(Linear((1, 1), (0, 3), "=", 1), 3)], 3),
        ([Reified(Table((0, 3), ((0, 1), (1, 0))), 3)], 3),
        (
            [
                Clause(((3, 1, True), (3, 0, True), (0, 1, True))),
                Clause(((3, 0, True), (3, 1, True))),
                Clause(((3, 0, True), (0, 0, True))),
            ],
            5,
        ),
    ],
)
def test_a_definition_that_leaves_both_values(definitions: list[Constraint], total: int) -> None:
    """It names its own variable, which two other constraints ask for."""
    asking = [Clause(((3, 1, True), (1, 0, True))), Clause(((3, 0, True), (2, 0, True)))]
    model = Csp(("x", "y", "z", "b"), ((0, 1),) * 4, (*definitions, *asking), (0, 1, 2))
    found = listed(model)
    assert found == naive_csp.solutions(model)
    assert len(found) == total


def test_a_definition_by_a_value_outside_the_domain() -> None:
    """x or y holds, which is 3 of 4; the hidden variable is free, unless two other constraints want both values."""
    definition = conjunction(4, [(0, 1, False), (1, 1, False)], value=7)
    asking = [Clause(((4, 0, True), (2, 0, True))), Clause(((4, 1, True), (3, 0, True)))]
    model = Csp(("x", "y", "z", "w", "b"), ((0, 1),) * 5, (*definition, *asking), (0, 1, 2, 3))
    found = listed(model)
    assert found == naive_csp.solutions(model)
    assert len(found) == 3 * 3


def towers(n: int, seen: int, *, of_values: int) -> Csp:
    """A line of different heights of which so many are seen from the left."""
    domains = [tuple(range(1, of_values + 1))] * n
    constraints: list[Constraint] = [AllDifferent(tuple(range(n)))]
    less = {}
    for before, after in combinations(range(n), 2):
        less[before, after] = len(domains)
        domains.append((0, 1))
        constraints.append(Reified(Linear((1, -1), (before, after), "<=", -1), less[before, after]))
    is_seen = []
    for after in range(1, n):
        is_seen.append(len(domains))
        domains.append((0, 1))
        constraints += conjunction(is_seen[-1], [(less[before, after], 1, True) for before in range(after)])
    constraints.append(Linear((1,) * len(is_seen), tuple(is_seen), "=", seen - 1))
    return Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints), tuple(range(n)))


def tabling(model: Csp) -> Tabling:
    hidden = set(range(len(model.names))).difference(model.solution)
    return Tabling(list(map(set, model.domains)), model.constraints, hidden, frozenset())


def test_a_line_of_towers_is_one_table() -> None:
    model = towers(5, 3, of_values=5)
    found = tabling(model)
    assert found.eliminated == set(range(5, len(model.names)))
    assert found.replaced == set(range(1, len(model.constraints)))
    ((scope, rows),) = found.tables
    wanted = {
        line
        for line in permutations(range(1, 6))
        if sum(max(line[: k + 1]) == line[k] for k in range(5)) == 3
    }
    assert {tuple(row[scope.index(v)] for v in range(5)) for row in rows} == wanted
    assert len(rows) == len(wanted) == 35  # the Stirling number of the first kind


def test_nothing_is_eliminated_for_too_many_rows_or_variables() -> None:
    model = towers(7, 3, of_values=7)
    assert len([line for line in permutations(range(7)) if line[0] == 0]) > MOST_ROWS
    assert not tabling(model).tables
    wide = towers(11, 2, of_values=11)
    assert not tabling(wide).tables


def test_a_step_that_something_else_asks_for_stays() -> None:
    """A long sum asks for the first comparison, which becomes a variable of the table."""
    model = towers(5, 3, of_values=5)
    n = len(model.names)
    asks = Linear((1,) * 18, (5, *range(n, n + 17)), "<=", 18)
    domains = (*model.domains, *(((0, 1),) * 17))
    names = tuple(map(str, range(n + 17)))
    found = tabling(Csp(names, domains, (*model.constraints, asks), model.solution))
    ((scope, rows),) = found.tables
    assert set(scope) == {*range(5), 5}
    assert all(row[scope.index(5)] == int(row[scope.index(0)] < row[scope.index(1)]) for row in rows)
    assert found.eliminated == set(range(6, n))
    assert {len(model.constraints), 1}.isdisjoint(found.replaced)


def test_a_long_way_of_steps_is_not_followed() -> None:
    """Each hidden variable is the one before it, negated, 2000 times."""
    n = 2000
    steps: list[Constraint] = [Reified(Linear((1,), (v,), "=", 0), v + 1) for v in range(n)]
    model = Csp(tuple(map(str, range(n + 1))), ((0, 1),) * (n + 1), (*steps, Clause(((n, 1, True),))), (0,))
    assert not tabling(model).tables
    assert listed(model) == [(1,)]


def test_groups_of_one_shape_have_the_same_rows() -> None:
    """Of three variables, not all two neighbours are equal: 4 * 4 * 4 - 4 rows, made once."""
    domains: list[tuple[int, ...]] = [(1, 2, 3, 4)] * 5
    constraints: list[Constraint] = []
    for one in range(3):
        truths = [len(domains), len(domains) + 1]
        domains += [(0, 1)] * 2
        for at, truth in enumerate(truths):
            constraints.append(Reified(Linear((1, -1), (one + at, one + at + 1), "!=", 0), truth))
        constraints.append(Clause(tuple((truth, 1, True) for truth in truths)))
    model = Csp(tuple(map(str, range(len(domains)))), tuple(domains), tuple(constraints), tuple(range(5)))
    tables = tabling(model).tables
    assert [scope for scope, _ in tables] == [(0, 1, 2), (1, 2, 3), (2, 3, 4)]
    assert len({id(rows) for _, rows in tables}) == 1
    assert len(tables[0][1]) == 4 * 4 * 4 - 4
    wanted = [
        line
        for line in product(range(1, 5), repeat=5)
        if all(len(set(line[k : k + 3])) > 1 for k in range(3))
    ]
    assert len(listed(model)) == len(wanted)
    assert len(rewritten(model).parts) == 3


def test_domains_that_propagation_has_emptied() -> None:
    """x = 2 e and x = y where e says that x is y: 2 <= x <= 4 and 3 <= y <= 5 leave nothing."""
    constraints: tuple[Constraint, ...] = (
        Reified(Linear((1, -1), (2, 1), "=", 0), 3),
        Linear((2, -1), (3, 1), "=", 0),
        Linear((1, -1), (0, 2), "=", 0),
    )
    domains = ((0, 1), (1, 2, 4), (3, 4, 5), (0, 1))
    model = Csp(("b", "x", "y", "e"), domains, constraints, solution=(0, 1))
    assert naive_csp.solutions(model) == []
    assert list_all(CspSearch(), model, 1, 8, 100) == []
    assert rk.count(rk.Puzzle("best", replace(model, objective=Objective(1, False)), "Best")).total == 0


def test_a_sum_without_terms_is_asked_for_every_row() -> None:
    """The hidden variable says that 0 = 1, so it would have to be 0, and is joined with the clause."""
    constraints: tuple[Constraint, ...] = (
        Clause(((0, 61, False), (1, 65, False))),
        Reified(Linear((), (), "=", 1), 0),
    )
    model = Csp(("truth", "x"), ((61, 62, 64), (64, 65)), constraints, solution=(1,))
    assert naive_csp.solutions(model) == []
    assert list_all(CspSearch(), model, 1, 8, 100) == []
