"""The bitmap engine finds published counts, agrees with brute force on every kind of queens model, and keeps
the contract.
"""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given

from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.errors import EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import made_once as st
from tests import naive
from tests.engines.listing_contract import OrderedListingContract, list_all


class TestContract(OrderedListingContract):
    engine = QueensBitmap()
    models: ClassVar[list[Model]] = [
        Queens(6),
        Queens(5, toroidal=True),
        Queens(6, blocked=frozenset({(0, 1), (3, 3)}), given=frozenset({(1, 3)})),
    ]


@pytest.mark.kernel
@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("n", range(1, 8))
def test_lists_what_brute_force_finds(n: int, toroidal: bool) -> None:
    rows = list_all(QueensBitmap(), Queens(n, toroidal=toroidal), 4, 7, 1000)
    assert rows == naive.queens_solutions(n, toroidal=toroidal)


@st.composite
def decorated_boards(draw: st.DrawFn) -> Queens:
    """Boards up to 7x7 with some blocked squares and given queens, which may attack each other."""
    n = draw(st.integers(1, 7))
    squares = st.frozensets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=n)
    blocked = draw(squares)
    return Queens(
        n, blocked, draw(squares) - blocked if draw(st.booleans()) else frozenset(), draw(st.booleans())
    )


@given(model=decorated_boards())
def test_blocked_and_given_squares_agree_with_brute_force(model: Queens) -> None:
    expected = naive.queens_solutions(model.n, model.blocked, model.given, model.toroidal)
    assert list_all(QueensBitmap(), model, 5, 10, 1000) == expected


def test_given_queens_that_attack_each_other_have_no_solution() -> None:
    assert list_all(QueensBitmap(), Queens(8, given=frozenset({(0, 0), (5, 5)})), 5, 10, 1000) == []
    assert list_all(QueensBitmap(), Queens(8, given=frozenset({(2, 1), (2, 6)})), 5, 10, 1000) == []


@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("other", [(39, 39), (0, 5), (7, 0)])
def test_contradictions_need_no_search(other: tuple[int, int], toroidal: bool) -> None:
    """A search of this board would never end."""
    model = Queens(40, given=frozenset({(0, 0), other}), toroidal=toroidal)
    assert list_all(QueensBitmap(), model, 5, 10, 1000) == []
    assert (
        list_all(QueensBitmap(), Queens(40, blocked=frozenset((r, 7) for r in range(40))), 5, 10, 1000) == []
    )


def test_the_widest_board_uses_all_64_bits() -> None:
    """All queens but two are given. The other two need bit 63 and shifts that must not wrap."""
    n = 64
    rows = list_all(QueensBitmap(), Queens(n, given=frozenset(_staircase(n))), 1, 10, 100_000)
    assert len(rows) == 1
    assert max(rows[0]) == 63


def _staircase(n: int) -> list[tuple[int, int]]:
    """A solution of even n with n % 6 != 2, without two of its rows: its queens are a knight's move apart."""
    half = n // 2
    solution = [2 * row + 1 for row in range(half)] + [2 * row for row in range(half)]
    return [(row, column) for row, column in enumerate(solution) if row not in (3, half + 5)]


def test_refuses_models_of_other_kinds() -> None:
    class Other:
        row_shape = Queens(4).row_shape
        row_meaning = ""

    with pytest.raises(EngineRefuses, match="queens-bitmap searches queens models only"):
        QueensBitmap().plan(Other())
