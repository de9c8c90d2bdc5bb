"""A quick look at what a symmetry leaves unchanged, against the solutions themselves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from rekkyo.engines.contract import no_pause
from rekkyo.engines.covers.frontier.engine import CoverFrontier
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.model.csp.constraints import AllDifferent, Clause, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.row import AtomPermutation
from tests import made_once as st
from tests import naive_cover
from tests.engines.csp_counted import MODELS, permuted
from tests.engines.test_cover_folded import with_a_symmetry
from tests.examples import examples

COVERS, PROBLEMS = CoverFrontier(), CspFrontier()

A, B, C, S = ((item, 0) for item in range(4))


def cover(
    *options: Sequence[tuple[int, int]], bounds: tuple[tuple[int, int], ...] = ((1, 1),) * 3
) -> ExactCover:
    """A cover of three primary items and a secondary one."""
    return ExactCover(tuple("abc"), ("s",), tuple(map(tuple, options)), bounds=bounds)


@pytest.mark.parametrize(
    ("model", "may"),
    [
        (cover([A], [A], [B, C]), False),  # a has two options, which are exchanged
        (cover([A, C], [B], [A, B, C]), True),  # the third option covers all
        (cover([A, S], [B, S], [C]), False),  # both use s
        (cover([A, (3, 1)], [B, (3, 1)], [C]), True),  # both give s the same colour
        (cover([A], [A], [B, C], bounds=((1, 2), (1, 1), (1, 1))), True),  # a may be covered twice
        (cover([A], [A], [B, C], bounds=((0, 1), (1, 1), (1, 1))), True),  # or not at all
        (cover([A], [B], [A, B]), False),  # c has no option
    ],
)
def test_options_that_are_exchanged_are_chosen_together(model: ExactCover, may: bool) -> None:
    """The first two options are exchanged."""
    plan, exchanged = COVERS.plan(model), (1, 0, 2)
    assert COVERS.may_leave_some(plan, exchanged) == may
    unchanged = [row for row in naive_cover.solutions(model) if (0 in row) == (1 in row)]
    tally = COVERS.count_fixed(plan, exchanged, no_pause, ALONE)
    assert tally is not None
    assert tally.total == len(unchanged)


@pytest.mark.parametrize(
    ("domains", "different", "symmetry", "may"),
    [
        (((0, 1), (0, 1)), (0, 1), (2, 3, 0, 1), False),  # the variables are exchanged, so they are equal
        (((0, 1), (0, 1)), (), (2, 3, 0, 1), True),
        (((0, 1), (0, 1)), (0, 1), (3, 2, 1, 0), True),  # with their values: 01 and 10 are left
        (((0, 1), (0, 1)), (), (1, 0, 2, 3), False),  # the values of the first one are exchanged
        (((0,), (1,)), (), (0, 3, 2, 1), False),  # the second one is 1 only if the first one is, which is 0
        (((0, 1), (0,)), (), (2, 1, 0, 3), True),
        (((0,), (0, 1)), (), (1, 0, 2, 3), False),
    ],
)
def test_values_that_are_exchanged_hold_together(
    domains: tuple[tuple[int, ...], ...], different: tuple[int, ...], symmetry: AtomPermutation, may: bool
) -> None:
    """Of two variables with two values each, atoms 0 to 3."""
    constraints = (AllDifferent(different),) if different else ()
    plan = PROBLEMS.plan(Csp(("x", "y"), domains, constraints))
    assert PROBLEMS.may_leave_some(plan, symmetry) == may


def test_of_two_values_that_exclude_each_other_none_is_needed() -> None:
    """Two variables are exchanged, of which one may be 1: this leaves 00 unchanged."""
    model = Csp(tuple("xy"), ((0, 1),) * 2, (Clause(((0, 1, False), (1, 1, False))),))
    assert PROBLEMS.may_leave_some(PROBLEMS.plan(model), (2, 3, 0, 1))


def test_a_value_that_a_hidden_variable_may_have_needs_no_other_one() -> None:
    """x and y are exchanged, and 1 and 2: this leaves 12 and 21 unchanged, where the hidden variable is 0."""
    constraints = AllDifferent((0, 1, 2)), Linear((1, 1, 1), (0, 1, 2), "=", 3)
    model = Csp(tuple("xyh"), ((0, 1, 2),) * 3, constraints, (0, 1))
    plan, exchanged = PROBLEMS.plan(model), (3, 5, 4, 0, 2, 1)
    assert PROBLEMS.may_leave_some(plan, exchanged)
    tally = PROBLEMS.count_fixed(plan, exchanged, no_pause, ALONE)
    assert tally is not None
    assert tally.total == 2


@examples(300)
@given(given_cover=with_a_symmetry())
def test_covers(given_cover: tuple[ExactCover, tuple[int, ...]]) -> None:
    model, symmetry = given_cover
    if not COVERS.may_leave_some(COVERS.plan(model), symmetry or (0,)):
        n = len(model.options)
        solutions = [{option for option in row if option < n} for row in naive_cover.solutions(model)]
        assert all({symmetry[option] for option in row} != row for row in solutions)


@examples(300)
@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_problems(model: Csp, seed: int) -> None:
    moved, unchanged = permuted(model, seed)
    assert not unchanged or PROBLEMS.may_leave_some(PROBLEMS.plan(model), moved)
