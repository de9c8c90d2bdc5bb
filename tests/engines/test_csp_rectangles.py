"""Rectangles that keep apart: found again in clauses, and what may lie on a column, against the oracle."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.engines.csp.propagating.parts import Stacked
from rekkyo.engines.csp.propagating.rectangles import stacks_of
from rekkyo.model.csp.constraints import Clause, Constraint, Linear, Reified
from rekkyo.model.csp.csp import Csp
from tests import made_once as st
from tests import naive_csp
from tests.engines.csp_problems import listed
from tests.engines.listing_contract import count_rows
from tests.examples import examples

Size = tuple[int, int]


def apart(sizes: list[Size], domains: list[tuple[int, ...]], pairs: list[tuple[int, int]]) -> Csp:
    """Variable 2k is where rectangle k begins across, 2k + 1 down; the named pairs keep apart."""
    domains = list(domains)
    constraints: list[Constraint] = []
    for one, other in pairs:
        truths = []
        for way in (0, 1):
            for before, after in ((one, other), (other, one)):
                truths.append(len(domains))
                domains.append((0, 1))
                gap = Linear((-1, 1), (2 * after + way, 2 * before + way), "<=", -sizes[before][way])
                constraints.append(Reified(gap, truths[-1]))
        constraints.append(Clause(tuple((truth, 1, True) for truth in truths)))
    names = tuple(map(str, range(len(domains))))
    return Csp(names, tuple(domains), tuple(constraints), tuple(range(2 * len(sizes))))


def packed(sizes: list[Size], width: int, height: int) -> Csp:
    """All rectangles in a larger one, not turned."""
    domains = [
        tuple(range(reach - s + 1)) for size in sizes for s, reach in zip(size, (width, height), strict=True)
    ]
    return apart(sizes, domains, list(combinations(range(len(sizes)), 2)))


def stacks(model: Csp) -> list[Stacked]:
    return list(stacks_of(list(map(set, model.domains)), model.constraints))


@st.composite
def rectangles(draw: st.DrawFn) -> Csp:
    """Some of them may overlap, places may be left out, and one may be negative."""
    n = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=n, max_size=n))
    domain = st.sets(st.integers(-1, 3), min_size=1, max_size=3).map(sorted).map(tuple)
    domains = draw(st.lists(domain, min_size=2 * n, max_size=2 * n))
    every = list(combinations(range(n), 2))
    pairs = every if draw(st.booleans()) else draw(st.lists(st.sampled_from(every), unique=True))
    return apart(sizes, domains, pairs)


@settings(max_examples=80)
@given(model=rectangles())
def test_lists_what_the_oracle_lists(model: Csp) -> None:
    wanted = naive_csp.solutions(model)
    for at_least in (1, 7):
        assert listed(model, at_least) == wanted


@pytest.mark.kernel
@examples(50)
@given(sizes=st.lists(st.tuples(st.integers(1, 2), st.integers(1, 2)), min_size=3, max_size=4))
def test_a_full_rectangle_has_what_the_oracle_finds(sizes: list[Size]) -> None:
    area = sum(width * height for width, height in sizes)
    model = packed(sizes, 2, -(-area // 2))
    assert listed(model) == naive_csp.solutions(model)


def test_what_lies_on_columns_and_rows() -> None:
    model = packed([(2, 1), (1, 2), (2, 1), (1, 2), (1, 1)], 3, 3)
    across, down = stacks(model)
    assert across == Stacked((0, 2, 4, 6, 8), (2, 1, 2, 1, 1), (1, 2, 1, 2, 1), 3, 0, 3, is_full=True)
    assert down == Stacked((1, 3, 5, 7, 9), (1, 2, 1, 2, 1), (2, 1, 2, 1, 1), 3, 0, 3, is_full=True)
    assert count_rows(CspSearch(), model) == 2 * 2 * 2  # two windmills, in which equal pieces change places
    looser, _ = stacks(packed([(2, 1), (1, 2), (2, 1)], 3, 3))
    assert not looser.is_full


def test_rectangles_of_which_two_may_overlap_are_not_added_up() -> None:
    sizes = [(2, 2)] * 3
    domains: list[tuple[int, ...]] = [(0, 1, 2)] * 6
    assert not stacks(apart(sizes, domains, [(0, 1), (1, 2)]))
    assert stacks(apart(sizes, domains, [(0, 1), (1, 2), (0, 2)]))


def test_a_clause_that_holds_anyway_says_nothing_about_rectangles() -> None:
    model = packed([(2, 2)] * 3, 4, 4)
    *rest, last = model.constraints
    assert isinstance(last, Clause)
    (v, _, _), *others = last.literals
    vacuous = Clause(((v, 5, False), *others))
    assert not stacks(Csp(model.names, model.domains, (*rest, vacuous), model.solution))
