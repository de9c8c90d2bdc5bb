"""What Burnside's lemma adds to a total, by itself."""

from __future__ import annotations

from typing import Any

import pytest

import rekkyo as rk
from rekkyo.ask.symmetric import symmetric_solutions
from rekkyo.engines.crew import Crew
from rekkyo.engines.frontier import together
from rekkyo.engines.frontier import walk as walking
from rekkyo.engines.frontier.front import Front
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.search import outcome


@pytest.mark.parametrize("engine", ["cover-frontier", "cover-memo"])
@pytest.mark.parametrize("words", ["dominoes 4 4", "aztec-diamond 2", "langford 4"])
def test_is_what_the_orbits_of_a_list_say(words: str, engine: str) -> None:
    """The stabilizers of all solutions together, without the identity's share."""
    puzzle = rk.puzzle(words)
    listed = rk.orbits(puzzle)
    expected = sum(kind.solutions * kind.stabilizer for kind in listed.classes) - listed.total
    assert symmetric_solutions(puzzle, engine) == expected


@pytest.mark.parametrize(
    ("words", "engine"), [("dominoes 6 6", "cover-frontier"), ("rectangle-free 3 3 2", "csp-frontier")]
)
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_all_workers_count_them(
    words: str, engine: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Levels of merging are shared, those of folded models too."""
    listed = rk.count(rk.puzzle(words), engine="csp-plain")
    crews: set[int] = set()

    def fixed_counts(*arguments: Any) -> Any:
        crews.clear()  # of the walks before
        return original(*arguments)

    def step_together(front: Front, arrays: Any, blocks: Any, most: int, pause: Any, crew: Crew) -> Any:
        crews.add(crew.n_workers)
        return together.step_together(front, arrays, blocks, most, pause, crew)

    original = outcome.fixed_counts
    monkeypatch.setattr(outcome, "fixed_counts", fixed_counts)
    monkeypatch.setattr(walking, "MANY_STATES", 1)
    monkeypatch.setattr(walking, "step_together", step_together)
    found = rk.count(rk.puzzle(words), engine=engine, workers=workers)
    assert (found.total, found.unique) == (listed.total, listed.unique)
    assert workers in crews  # planning walks alone


def test_an_engine_that_lists_and_a_puzzle_without_symmetry() -> None:
    bare = rk.Puzzle("bare", rk.ExactCover(primary=("a",), options=(((0, 0),),)), "One option")
    assert symmetric_solutions(rk.puzzle("dominoes 4 4"), "cover-bitset") is None
    assert symmetric_solutions(bare, "cover-memo") is None


def test_an_engine_that_cannot_count_what_a_symmetry_leaves_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QueensJoin, "count_fixed", lambda *_: None)
    assert symmetric_solutions(rk.queens(6), "queens-join") is None
