"""Groups that must be full: what is said holds in every solution, and shortens the search."""

from __future__ import annotations

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.engines.csp.propagating.full_groups import MOST_STEPS, Group, full_groups
from tests import made_once as st

N_ELEMENTS = 6


@st.composite
def some_groups(draw: st.DrawFn) -> list[Group]:
    found = []
    for _ in range(draw(st.integers(1, 6))):
        elements = draw(st.integers(1, (1 << N_ELEMENTS) - 1))
        least, most = sorted(draw(st.integers(0, elements.bit_count())) for _ in range(2))
        found.append(Group(elements, least, most))
    return found


@given(some_groups())
def test_full_groups_are_full_in_every_solution(groups: list[Group]) -> None:
    full = full_groups(groups)
    for chosen in range(1 << N_ELEMENTS):
        numbers = [(chosen & group.elements).bit_count() for group in groups]
        if all(group.least <= n <= group.most for group, n in zip(groups, numbers, strict=True)):
            assert all(numbers[k] == groups[k].most for k in full)


def test_rows_and_columns_are_full_and_smaller_parts_are_not() -> None:
    """Six of 3x3, at most two in each row, column and corner."""
    rows, columns = [0b111, 0b111000, 0b111000000], [0b1001001, 0b10010010, 0b100100100]
    groups = [Group(0b111111111, 6, 9), Group(0b1011, 0, 2), *(Group(line, 0, 2) for line in rows + columns)]
    assert full_groups(groups) == set(range(2, 8))
    assert full_groups([groups[0]._replace(least=5), *groups[1:]]) == set()


def test_what_is_outside_all_groups_may_be_counted() -> None:
    """Three of four, at most one of the first two: one of these, and both others."""
    assert full_groups([Group(0b1111, 3, 4), Group(0b11, 0, 1)]) == {1}
    assert full_groups([Group(0b1111, 2, 4), Group(0b11, 0, 1)]) == set()


def test_the_work_is_bounded() -> None:
    n = MOST_STEPS.bit_length() * 64
    groups = [Group((1 << n) - 1, n // 2, n), *(Group(3 << k, 1, 1) for k in range(n - 1))]
    assert full_groups(groups) <= set(range(1, n))


@pytest.mark.parametrize("sums", [False, True], ids=["counts", "sums"])
def test_queens_that_are_counted_on_the_whole_board(sums: bool) -> None:
    """Propagation alone tries 35,000 nodes and more; now it tries about 800."""
    n, problem = 8, rk.Problem()
    squares = [(row, column) for row in range(n) for column in range(n)]
    queen = dict(zip(squares, problem.variables([f"{r},{c}" for r, c in squares], (0, 1)), strict=True))

    def number(cells: list[tuple[int, int]], low: int, high: int) -> None:
        if sums:
            problem.sum([queen[cell] for cell in cells], "=" if low else "<=", high)
        else:
            problem.global_cardinality([queen[cell] for cell in cells], [(1, low, high)])

    number(squares, n, n)
    for line in (lambda r, c: r, lambda r, c: n + c, lambda r, c: 99 + r + c, lambda r, c: 999 + r - c):
        for key in {line(*square) for square in squares}:
            number([square for square in squares if line(*square) == key], 0, 1)
    found = rk.count(problem.puzzle(), engine="csp")
    assert found.total == 92
    assert found.nodes < 2000
