"""Queens as an exact cover: the second way to every queens model."""

from __future__ import annotations

from typing import ClassVar

import pytest

import rekkyo as rk
from rekkyo.engines.queens.cover.engine import QueensCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive
from tests.engines.listing_contract import ListingContract, list_all


class TestContract(ListingContract):
    engine = QueensCover()
    models: ClassVar[list[Model]] = [
        Queens(6),
        Queens(5, toroidal=True),
        Queens(6, blocked=frozenset({(0, 1), (3, 3)}), given=frozenset({(1, 3)})),
    ]


@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("n", range(1, 8))
def test_lists_what_brute_force_finds(n: int, toroidal: bool) -> None:
    rows = list_all(QueensCover(), Queens(n, toroidal=toroidal), 4, 7, 1000)
    assert sorted(rows) == naive.queens_solutions(n, toroidal=toroidal)


@pytest.mark.parametrize(
    "words",
    [
        "queens 10",
        "queens 11 --toroidal",
        "queens 10 --blocked 0,0 --blocked 4,4 --blocked 9,3",
        "queens 11 --given 2,3",
        "queens 8 --given 0,0 --given 1,1",
        "queens 4 --blocked 0,0 --blocked 0,1 --blocked 0,2 --blocked 0,3",
        "queens 11 --toroidal --given 5,5 --blocked 0,0",
    ],
)
def test_two_engines_that_share_no_search_find_the_same_set(words: str) -> None:
    puzzle = rk.puzzle(words)
    one, other = (rk.count(puzzle, engine=name, digest=True) for name in ("queens-bitmap", "queens-cover"))
    assert (one.total, one.unique, one.digest) == (other.total, other.unique, other.digest)
