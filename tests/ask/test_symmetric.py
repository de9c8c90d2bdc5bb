"""What Burnside's lemma adds to a total, by itself."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.ask.symmetric import symmetric_solutions


@pytest.mark.parametrize("engine", ["cover-frontier", "cover-memo"])
@pytest.mark.parametrize("words", ["dominoes 4 4", "aztec-diamond 2", "langford 4"])
def test_is_what_the_orbits_of_a_list_say(words: str, engine: str) -> None:
    """The stabilizers of all solutions together, without the identity's share."""
    puzzle = rk.puzzle(words)
    listed = rk.orbits(puzzle)
    expected = sum(kind.solutions * kind.stabilizer for kind in listed.classes) - listed.total
    assert symmetric_solutions(puzzle, engine) == expected


def test_an_engine_that_lists_and_a_puzzle_without_symmetry() -> None:
    bare = rk.Puzzle("bare", rk.ExactCover(primary=("a",), options=(((0, 0),),)), "One option")
    assert symmetric_solutions(rk.puzzle("dominoes 4 4"), "cover-bitset") is None
    assert symmetric_solutions(bare, "cover-memo") is None
