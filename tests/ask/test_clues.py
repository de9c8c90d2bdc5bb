"""Clues, against trying every set of atoms on the list of all solutions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing

EXAMPLES = Path(__file__).parents[2] / "examples"


ONE_OR_TWO = ExactCover(("a", "b"), (), (((0, 0), (1, 0)), ((0, 0),), ((1, 0),)))
"""Its solutions have one option or two."""


def puzzles() -> list[rk.Puzzle]:
    return [
        rk.Puzzle("one or two", ONE_OR_TWO, "one or two"),
        rk.queens(4),
        rk.queens(6),
        rk.puzzle("dominoes 3 4"),
        rk.puzzle("dominoes 2 3"),
        rk.puzzle_from_file(EXAMPLES / "word-search.toml"),
        rk.puzzle_from_file(EXAMPLES / "magic-hexagon.toml"),
        rk.puzzle_from_file(EXAMPLES / "calendar.toml", "oct", "6"),
        rk.puzzle_from_file(EXAMPLES / "kenken.toml"),
        rk.puzzle_from_file(EXAMPLES / "crossword.toml"),
    ]


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: Path(puzzle.name).name)
def test_against_all_sets(puzzle: rk.Puzzle) -> None:
    found = rk.clues(puzzle, most_shown=10**6)
    shape = puzzle.model.row_shape
    solutions = [frozenset(shape.atoms(row)) for row in rk.solve(puzzle)]
    times = [sum(atom in solution for solution in solutions) for atom in range(shape.n_atoms)]
    assert found.total == len(solutions)
    assert found.in_all == tuple(atom for atom, n in enumerate(times) if n == len(solutions))
    assert found.in_none == tuple(atom for atom, n in enumerate(times) if n == 0)
    expected: set[tuple[int, ...]] = set()
    for size in range(4):
        for one in solutions:
            others = [one & other for other in solutions if other != one]
            for atoms in combinations(sorted(one), size):
                if not any(common.issuperset(atoms) for common in others):
                    expected.add(atoms)
        if expected:
            break
    assert set(found.smallest) == expected
    assert found.n_smallest == len(expected)
    assert found.size == (len(next(iter(expected))) if expected else None)
    if len(solutions) > 1:
        assert found.in_one == tuple(atom for atom, n in enumerate(times) if n == 1)


@pytest.mark.parametrize(("board", "total"), [("??", 1), ("##", 0)])
def test_pieces_that_fit_nowhere_are_no_clues(board: str, total: int) -> None:
    found = rk.clues(rk.packing(board, "AAA", times={"A": (0, 1)}))
    assert (found.total, found.in_one, found.in_all, found.in_none) == (total, (), (), ())


def test_giving_a_set_makes_a_packing_unique() -> None:
    puzzle = rk.puzzle("dominoes 4 4")
    found = rk.clues(puzzle)
    model = puzzle.model
    assert isinstance(model, Packing)
    assert found.size == 2
    for atoms in found.smallest[:5]:
        placed = frozenset((name, frozenset(cells)) for name, cells in (model.placements()[a] for a in atoms))
        given = replace(puzzle, model=replace(model, given=placed), generators=())
        assert rk.count(given).total == 1


def test_none_of_three() -> None:
    """Six squares in two colours have 64 colourings: only all six cells tell one apart."""
    found = rk.clues(rk.Puzzle("free", rk.Coloring(6, 2), "Six free cells"))
    assert (found.size, found.looked_at, found.smallest) == (None, 3, ())


def test_too_many_solutions() -> None:
    with pytest.raises(BadInput, match="more than 10 solutions"):
        rk.clues(rk.queens(8), most_solutions=10)
    with pytest.raises(BadInput, match="more than 1 solution; give or forbid"):
        rk.clues(rk.queens(4), most_solutions=1)
    with pytest.raises(BadInput, match="whole number"):
        rk.clues(rk.queens(8), most_solutions=0)


def test_no_solution() -> None:
    found = rk.clues(rk.queens(3))
    assert (found.total, found.size, found.in_all) == (0, None, ())
    assert len(found.in_none) == 9


@pytest.mark.parametrize(("most_shown", "n_shown"), [(0, 0), (1, 1), (5, 5), (10**6, 8)])
def test_so_many_of_the_smallest_sets_are_shown(most_shown: int, n_shown: int) -> None:
    """Each of the eight squares that has a queen in one of the two solutions only."""
    every = rk.clues(rk.queens(4))
    found = rk.clues(rk.queens(4), most_shown=most_shown)
    assert (found.smallest, found.n_smallest) == (every.smallest[:n_shown], 8)
    with pytest.raises(BadInput, match="a whole number from 0, not -1"):
        rk.clues(rk.queens(4), most_shown=-1)


@pytest.mark.parametrize(("most_sets", "looked_at"), [(0, 0), (92 * 8, 1), (92 * 28, 2)])
def test_sets_that_are_too_many_are_not_looked_at(
    most_sets: int, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No single square determines the solution of a board of eight; of two and three squares some do."""
    monkeypatch.setattr("rekkyo.ask.clues.MOST_SETS", most_sets)
    found = rk.clues(rk.queens(8))
    assert (found.looked_at, found.size) == (looked_at, 2 if looked_at == 2 else None)
