"""Domains narrowed by single constraints: no solution is lost, and what each rules out is left out."""

from __future__ import annotations

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.csp import narrowed as narrowing
from rekkyo.engines.csp.narrowed import narrowed
from rekkyo.engines.registry import engine_named, share_search_code
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.constraints import AllDifferent, Clause, Constraint, Linear, Regular, Table
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp


def problem(domains: tuple[tuple[int, ...], ...], *constraints: Constraint) -> Csp:
    return Csp(tuple("abcdefgh"[: len(domains)]), domains, constraints)


@st.composite
def problems(draw: st.DrawFn) -> Csp:
    """Constraints of all kinds that narrow domains, whose variables may be repeated."""
    n = draw(st.integers(1, 4))
    values = st.integers(-3, 4)
    domains = draw(st.lists(st.sets(values, min_size=1, max_size=5), min_size=n, max_size=n))
    variables = st.lists(st.integers(0, n - 1), min_size=1, max_size=4).map(tuple)
    constraints: list[Constraint] = []
    for _ in range(draw(st.integers(1, 4))):
        some = draw(variables)
        kind = draw(st.sampled_from([AllDifferent, Linear, Table, Regular, Clause]))
        if kind is AllDifferent:
            constraints.append(AllDifferent(some, draw(st.sampled_from([(), (0,), (1, 2)]))))
        elif kind is Linear:
            factors = tuple(draw(st.integers(-2, 2)) for _ in some)
            relation = draw(st.sampled_from(["=", "<=", "!="]))
            constraints.append(Linear(factors, some, relation, draw(st.integers(-6, 6))))
        elif kind is Table:
            rows = st.lists(st.tuples(*[values] * len(some)), max_size=12).map(tuple)
            constraints.append(Table(some, draw(rows), draw(st.booleans())))
        elif kind is Regular:
            moves = st.lists(st.tuples(st.integers(0, 2), values, st.integers(0, 2)), max_size=20).map(tuple)
            accepting = tuple(draw(st.sets(st.integers(0, 2))))
            constraints.append(Regular(some, 3, draw(moves), accepting))
        else:
            constraints.append(Clause(tuple((v, draw(values), draw(st.booleans())) for v in some)))
    return problem(tuple(tuple(sorted(domain)) for domain in domains), *constraints)


def values_of(model: Csp) -> set[tuple[int, ...]]:
    """The values of all variables in each solution, by brute force, which numbers the values of the domains."""
    values = sorted(set().union(*model.domains))
    return {tuple(values[number] for number in row) for row in naive_csp.solutions(model)}


@given(model=problems())
def test_no_solution_is_lost_and_rows_mean_the_same(model: Csp) -> None:
    narrower = narrowed(model)
    assert narrower.values == model.values
    assert all(set(left) <= set(domain) for left, domain in zip(narrower.domains, model.domains, strict=True))
    assert values_of(narrower) == values_of(model)
    assert narrowed(narrower) == narrower


@pytest.mark.parametrize(
    ("model", "domains"),
    [
        (
            problem(((1, 2, 3, 4),) * 3, *(Linear((1, -1), (v, v + 1), "<=", -1) for v in (0, 1))),
            ((1, 2), (2, 3), (3, 4)),
        ),
        (problem(((1, 2, 3),) * 2, Linear((2, 3), (0, 1), "=", 13)), ((2,), (3,))),
        (problem(((0, 5), (0, 1, 2)), Linear((-1, -1), (0, 1), "<=", -6)), ((5,), (1, 2))),
        (
            problem(((1, 2),) * 2 + ((1, 2, 3),), Linear((1,), (0,), "<=", 1), AllDifferent((0, 1, 2))),
            ((1,), (2,), (3,)),
        ),
        (
            problem(((2, 3), (1, 2, 3, 4), (2, 3, 4)), Linear((1,), (0,), "<=", 2), AllDifferent((0, 1, 2))),
            ((2,), (1, 3, 4), (3, 4)),
        ),
        (
            problem(((1, 2),) * 2, Linear((1,), (0,), "<=", 1), AllDifferent((0, 1), (1,))),
            ((1,), (1, 2)),
        ),
        (problem(((1, 2), (3,)), Linear((1, 0), (0, 1), "<=", 2)), ((1, 2), (3,))),
        (
            problem(((1, 2), (1, 2, 3)), Table((0, 1), ((1, 2), (1, 3), (2, 2), (3, 1)))),
            ((1, 2), (2, 3)),
        ),
        (problem(((1, 2), (1, 2)), Table((0, 1, 0), ((1, 2, 1), (2, 1, 1)))), ((1,), (2,))),
        (problem(((1, 2), (1, 2)), Table((0, 1), ((1, 2),), allowed=False)), ((1, 2), (1, 2))),
        (
            # From 0, 1 leads to 1 and 2 to 2; only 2 goes on to the state that accepts, by 1.
            problem(((1, 2), (1, 2)), Regular((0, 1), 4, ((0, 1, 1), (0, 2, 2), (2, 1, 3), (2, 2, 1)), (3,))),
            ((2,), (1,)),
        ),
        (
            problem(
                ((1, 2),) * 3, Clause(((0, 2, True),)), Clause(((0, 1, True), (1, 1, False), (2, 2, True)))
            ),
            ((2,), (1, 2), (1, 2)),
        ),
        (
            problem(((1, 2), (1, 2), (1,)), Clause(((2, 2, True), (0, 1, False)))),
            ((2,), (1, 2), (1,)),
        ),
        (problem(((1, 2, 3),) * 2, Linear((1, 1), (0, 1), "!=", 2)), ((1, 2, 3),) * 2),
    ],
)
def test_what_single_constraints_rule_out(model: Csp, domains: tuple[tuple[int, ...], ...]) -> None:
    assert narrowed(model).domains == domains


def test_a_problem_without_solutions_stays_as_it_is() -> None:
    model = problem(((1, 2),) * 2, Linear((1, 1), (0, 1), "=", 5))
    assert narrowed(model) is model
    assert rk.count(rk.Puzzle("none", model, "None"), engine="csp-frontier").total == 0


def test_orders_that_contradict_each_other_do_not_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step takes one value; after some steps, the values that are left are all that is known."""
    monkeypatch.setattr(narrowing, "MOST_ENTRIES", 50)
    orders = Linear((1, -1), (0, 1), "<=", -1), Linear((-1, 1), (0, 1), "<=", -1)
    narrower = narrowed(problem((tuple(range(1000)),) * 2, *orders))
    assert 900 < len(narrower.domains[0]) < 1000


REDUCED = """
kind = "grid"
board = "rectangle 6 6"
values = "1..6"
[[different]]
regions = ["rows", "columns"]
[[cage]]
regions = ["row 0", "column 0"]
each = "increasing"
"""


@pytest.mark.parametrize("engine", ["csp-frontier", "csp-cover", "csp", "csp-plain"])
def test_reduced_latin_squares(engine: str) -> None:
    puzzle = read_toml(REDUCED.replace("6", "5"), "reduced.toml")
    found = rk.count(puzzle, engine=engine, up_to="none")
    assert found.total == 56  # OEIS A000315


def test_merging_begins_with_narrower_domains() -> None:
    """Without them it takes 279,823 nodes, and the search of a cover 35,365."""
    puzzle = read_toml(REDUCED, "reduced.toml")
    merged, searched = (rk.count(puzzle, engine=name, up_to="none") for name in ("csp-frontier", "csp-cover"))
    assert merged.total == searched.total == 9408  # OEIS A000315
    assert merged.nodes < 40_000
    assert searched.nodes < 20_000
    assert puzzle.model == engine_named("csp-frontier").plan(puzzle.model).model


def test_engines_that_leave_out_values_by_the_same_code_are_no_second_way_for_each_other() -> None:
    assert share_search_code("csp-cover", "csp-frontier")
    assert not share_search_code("csp", "csp-frontier")
