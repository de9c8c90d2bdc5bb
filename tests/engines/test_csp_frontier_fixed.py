"""Solutions that a symmetry leaves unchanged, when states are merged: the definition, and variables that follow."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.engines.contract import no_pause
from rekkyo.engines.crew import ALONE
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.fixed import when_fixed
from rekkyo.engines.csp.frontier.plan import make_plan
from rekkyo.engines.csp.frontier.rules import rules_of
from rekkyo.model.csp.constraints import AllDifferent, Clause, Connected, Linear
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from tests.engines.csp_counted import ENGINE, MODELS, grid, permuted, total_of


@pytest.mark.kernel
@given(model=MODELS, seed=st.integers(0, 1 << 32))
def test_counts_what_any_permutation_of_atoms_leaves_unchanged(model: Csp, seed: int) -> None:
    moved, unchanged = permuted(model, seed)
    fixed = ENGINE.count_fixed(ENGINE.plan(model), moved, no_pause, ALONE)
    assert fixed is not None
    assert fixed.total == unchanged
    assert total_of(make_plan(model, moved)) == unchanged, "without a quick look"


@pytest.mark.kernel
@pytest.mark.parametrize("total", [None, 5])
def test_a_variable_that_follows_has_one_value(total: int | None) -> None:
    """The second variable has two of the three values of the first: the same one, if they are exchanged.

    The value of the third, in one cycle with both values of the fourth, would need both. With a sum, no variable is
    left out.
    """
    sums = () if total is None else (Linear((1, 1, 1, 1), (0, 1, 2, 3), "<=", total),)
    model = Csp(tuple("abcd"), ((0, 1, 2), (0, 1), (0,), (0, 3)), sums)  # four numbers for each variable
    exchanged = (4, 5, 2, 3, 0, 1, *range(6, 16))
    cycle = (*range(8), 15, *range(9, 12), 8, 13, 14, 12)
    for symmetry, unchanged in ((exchanged, 2 * 2), (cycle, 0)):
        assert total_of(make_plan(model, symmetry)) == unchanged


def atoms(*images: tuple[tuple[int, int], tuple[int, int]], n_values: int) -> tuple[int, ...]:
    """The permutation of the atoms of three variables that takes (variable, value) to another one."""
    moved = list(range(3 * n_values))
    for (v, value), (u, image) in images:
        moved[v * n_values + value] = u * n_values + image
    return tuple(moved)


@pytest.mark.kernel
def test_single_values_are_tied_and_values_without_an_image_are_ruled_out() -> None:
    """With a sum, which needs all variables. a = 0 just when b = 0; then all values of a and b are exchanged."""
    total = Linear((1, 1, 1), (0, 1, 2), "<=", 4)
    both = [((0, value), (1, value)) for value in range(3)]
    exchanged = atoms(*both, *((b, a) for a, b in both), n_values=3)

    def fits(*row: int) -> bool:
        return sum(row) <= 4

    model = Csp(tuple("abc"), ((0, 1, 2),) * 3, (total,))
    one = atoms(both[0], both[0][::-1], n_values=3)
    rows = list(product(range(3), repeat=3))
    assert total_of(make_plan(model, one)) == sum(fits(a, b, c) and (a == 0) == (b == 0) for a, b, c in rows)
    assert total_of(make_plan(model, exchanged)) == sum(fits(a, b, c) and a == b for a, b, c in rows)

    shorter = Csp(tuple("abc"), ((0, 1), (0, 1, 2), (0, 1, 2)), (total,))
    assert total_of(make_plan(shorter, exchanged)) == sum(fits(a, b, c) and a == b < 2 for a, b, c in rows)


@pytest.mark.kernel
def test_nothing_is_unchanged_where_three_variables_are_exchanged_and_their_values_turned() -> None:
    """a = x becomes b = x, that becomes c = x, and that a = x + 1: so b follows a, and c contradicts both."""
    model = Csp(tuple("abc"), ((0, 1, 2),) * 3)
    assert total_of(make_plan(model, (3, 4, 5, 6, 7, 8, 1, 2, 0))) == 0


@pytest.mark.kernel
@pytest.mark.parametrize("n_values", [3, 4])
def test_variables_that_follow_three_that_differ(n_values: int) -> None:
    """Two rows of three different values are exchanged, column by column."""
    model = Csp(
        tuple("abcdef"), (tuple(range(n_values)),) * 6, (AllDifferent((0, 1, 2)), AllDifferent((3, 4, 5)))
    )
    atoms = range(3 * n_values)
    exchanged = (*(len(atoms) + atom for atom in atoms), *atoms)
    assert total_of(make_plan(model, exchanged)) == perm(n_values, 3)


def test_patterns_name_only_the_first_variable_of_an_orbit() -> None:
    """A cycle of five of the six points of a graph without triangles and without 4 points apart."""
    model = as_csp(rk.puzzle("ramsey 3 4 6").model)
    edges = [(a, b) for b in range(6) for a in range(b)]  # in this order they are the variables
    onto = [1, 2, 3, 4, 0, 5]
    moved = [edges.index((min(onto[a], onto[b]), max(onto[a], onto[b]))) for a, b in edges]
    symmetry = tuple(2 * moved[edge] + color for edge in range(15) for color in (0, 1))
    tied = when_fixed(model, rules_of(model), symmetry)
    assert [tied.model.names[v] for block in tied.blocks for v in block] == [
        model.names[v] for v in (0, 1, 10)
    ]
    assert len(tied.rules.patterns) == 5


def test_symmetric_solutions_that_take_too_much_memory_are_not_counted() -> None:
    plan = ENGINE.plan(grid(7).colorings(3).model)
    turned = [
        (6 - position // 7 + 7 * (position % 7)) * 3 + color for position in range(49) for color in range(3)
    ]
    assert CspFrontier(most_bytes=1 << 7).count_fixed(plan, tuple(turned), no_pause, ALONE) is None


N = 60
AROUND = random.Random(5).sample(range(N), N)
"""The vertices of a cycle, in order."""

TURNED = dict(pairwise([*AROUND, AROUND[0]]))


def turned_cycle(*more: Connected | Linear) -> tuple[Csp, tuple[int, ...]]:
    """Sets of vertices of a cycle that cover all edges, and a rotation by one vertex."""
    clauses = (Clause(((v, 1, True), (u, 1, True))) for v, u in TURNED.items())
    symmetry = tuple(2 * TURNED[v] + value for v in range(N) for value in (0, 1))
    return Csp(tuple(f"v{v}" for v in range(N)), ((0, 1),) * N, (*clauses, *more)), symmetry


@pytest.mark.kernel
@pytest.mark.parametrize(
    "more",
    [
        Linear((1,) * N, tuple(range(N)), "<=", N),
        Connected(tuple(range(N)), tuple(TURNED.items()), (1,)),
    ],
    ids=["sum", "connected"],
)
def test_variables_of_an_orbit_are_tied_to_the_first_one(more: Connected | Linear) -> None:
    """Only the set of all vertices is unchanged. After each vertex there are two states: none and all so far.

    With vertices tied to their images, these were 24,137 states, because the neighbours of a vertex come in any order.
    """
    model, symmetry = turned_cycle(more)
    fixed = ENGINE.count_fixed(ENGINE.plan(model), symmetry, no_pause, ALONE)
    assert fixed is not None
    assert fixed.total == 1
    assert fixed.nodes <= 2 * N
