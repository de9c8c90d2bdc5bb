"""Diagrams and statistics of puzzles; and counts that merging takes over."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.ask.count import count
from rekkyo.ask.diagram import stats
from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.errors import BadInput, CountsDisagree, EngineRefuses
from rekkyo.export.puzzle_files import puzzle_from_file
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lower import lower
from tests import naive_csp
from tests.engines.csp_counted import MODELS


def test_a_diagram_is_saved_and_read_by_its_puzzle(tmp_path: Path) -> None:
    puzzle = rk.puzzle("dominoes 4 6")
    diagram = rk.diagram(puzzle)
    rk.save_diagram(diagram, tmp_path / "d", puzzle)
    assert rk.load_diagram(tmp_path / "d", puzzle) == diagram
    with pytest.raises(BadInput, match="a diagram of another puzzle; make one of this puzzle"):
        rk.load_diagram(tmp_path / "d", rk.puzzle("dominoes 6 4"))


@pytest.mark.parametrize("words", ["dominoes 6 4", "queens 5"])
def test_a_diagram_is_saved_only_with_its_own_puzzle(tmp_path: Path, words: str) -> None:
    """Dominoes 4 6 and 6 4 have rows of one shape, so that the file would be read with a wrong count."""
    diagram = rk.diagram(rk.puzzle("dominoes 4 6"))
    parts = diagram.restrict(taken=[0]), diagram & diagram, diagram.restrict(taken=[0], left_out=[0])
    for drawn in (diagram, *parts):
        with pytest.raises(BadInput, match="the diagram is of another puzzle"):
            rk.save_diagram(drawn, tmp_path / "d", rk.puzzle(words))
        rk.save_diagram(drawn, tmp_path / "e", rk.puzzle("dominoes 4 6"))
        again = rk.load_diagram(tmp_path / "e", rk.puzzle("dominoes 4 6"))
        with pytest.raises(BadInput, match="the diagram is of another puzzle"):
            rk.save_diagram(again, tmp_path / "d", rk.puzzle(words))
    assert not (tmp_path / "d").exists()


def test_a_diagram_lists_what_solve_lists() -> None:
    for words in ("queens 7", "dominoes 4 6"):
        puzzle = rk.puzzle(words)
        assert list(rk.diagram(puzzle)) == list(rk.solve(puzzle))


def test_stats_are_those_of_the_listing() -> None:
    puzzle = rk.puzzle("queens 8")
    found = stats(puzzle)
    listed = Counter(8 * r + c for row in rk.solve(puzzle) for r, c in enumerate(row))
    assert found.uses == tuple(listed[atom] for atom in range(64))
    assert found.total == 92


def test_stats_of_a_sum_figure() -> None:
    """The centre of a magic square of order 3 is 5, in all 8 of them."""
    found = stats(rk.puzzle("magic-square 3"))
    assert found.total == 8
    assert found.uses[4 * 9 + 4] == 8
    assert sum(found.uses) == 8 * 9


def test_merging_is_taken_where_listing_is_hopeless() -> None:
    result = count(rk.puzzle("dominoes 16 16"))
    assert result.engine == "cover-frontier"
    assert result.total == 2444888770250892795802079170816  # OEIS A004003
    assert result.unique == 305611096281378760240051639364  # Burnside: no other way in reach


def test_merging_and_listing_agree_up_to_symmetry() -> None:
    puzzle = rk.puzzle("dominoes 6 6")
    merged, listed = count(puzzle, engine="cover-frontier"), count(puzzle, engine="cover-masks")
    assert (merged.total, merged.unique, merged.left_out) == (listed.total, listed.unique, None)


PIECES_WITH_BOUNDS = [
    ("####\n####", "aa b\n   b\n   b\n   b", {"a": (2, 4), "b": (0, 2)}),
    ("####\n####\n####\n####", "aa b  c\n   bb c\n      c", {"a": (1, 5), "b": (1, 3), "c": (0, 2)}),
    ("######\n######\n######\n######", "aa b\n   bb", {"a": (3, 6), "b": (4, 6)}),
]


@pytest.mark.parametrize(("board", "pieces", "times"), PIECES_WITH_BOUNDS)
def test_pieces_that_are_counted_are_folded_too(
    board: str, pieces: str, times: dict[str, tuple[int, int]]
) -> None:
    puzzle = rk.packing(board, pieces, times=times)
    merged, listed = count(puzzle, engine="cover-frontier"), count(puzzle, engine="cover-cells")
    assert merged.total > 0
    assert (merged.total, merged.unique, merged.left_out) == (listed.total, listed.unique, None)


def test_unique_is_left_out_where_symmetric_solutions_cannot_be_counted() -> None:
    """Engine `cover-memo` folds no pieces that are counted."""
    board, pieces, times = PIECES_WITH_BOUNDS[0]
    puzzle = rk.packing(board, pieces, times=times)
    result = count(puzzle, engine="cover-memo")
    assert result.total == count(puzzle, engine="cover-cells").total > 0
    assert result.unique is None
    assert result.left_out == "engine cover-memo cannot count what a symmetry leaves unchanged here"


@pytest.mark.parametrize("objective", ['minimize = "0,0"', 'maximize = "sum"', 'maximize = "count 2"'])
def test_a_diagram_has_the_best_solutions_alone(objective: str) -> None:
    text = (
        f'kind = "grid"\nvalues = "0..3"\nboard = "rectangle 2 2"\n{objective}\n[[avoid]]\npattern = "=="\n'
    )
    puzzle = rk.puzzle_from_text(text)
    listed = sorted(map(tuple, rk.solve(puzzle)))
    drawn = rk.diagram(puzzle)
    assert sorted(map(tuple, drawn)) == listed
    assert drawn.count == rk.count(puzzle).total == len(listed) > 0
    assert rk.stats(puzzle).total == len(listed)


def test_a_diagram_of_an_objective_without_solutions() -> None:
    problem = rk.Problem()
    one = problem.variable("one", range(3))
    problem.table([one], [])
    problem.maximize(one)
    assert rk.diagram(problem.puzzle("none")).count == 0


def test_a_best_value_that_no_solution_has_gives_no_diagram() -> None:
    problem = rk.Problem()
    one = problem.variable("one", range(3))
    problem.table([one], [(0,), (1,)])
    problem.maximize(one)
    model = problem.puzzle("one").model
    assert isinstance(model, Csp)
    assert model.objective is not None
    model = replace(model, objective=replace(model.objective, best=2))
    with pytest.raises(CountsDisagree, match="best value is 2, but no solution with it was found"):
        rk.diagram(rk.Puzzle("one", model, "one"))


SUDOKU = """kind = "grid"
values = "1..9"
board = \"\"\"
11.......
{}\"\"\"
[[different]]
regions = ["rows", "columns", "boxes 3x3"]
"""


@pytest.mark.parametrize(("words", "total"), [("two equal numbers", 0), ("sudoku-x", 1)])
def test_a_short_search_takes_the_place_of_many_states(tmp_path: Path, words: str, total: int) -> None:
    """Both took more than all memory: states that lead to no solution are found out at the last levels."""
    path = Path(__file__).parents[2] / "examples" / f"{words}.toml"
    if not total:
        path = tmp_path / "twice.toml"
        path.write_text(SUDOKU.format(".........\n" * 8), encoding="utf-8")
    puzzle = puzzle_from_file(path)
    drawn = rk.diagram(puzzle, most_bytes=1 << 20)
    assert list(drawn) == list(rk.solve(puzzle))
    assert (drawn.count, drawn.is_lexicographic) == (total, True)


def test_the_memory_for_a_diagram_of_few_solutions() -> None:
    with pytest.raises(EngineRefuses, match="the diagram of all solutions takes more than"):
        rk.diagram(rk.queens(6), most_bytes=100)


def test_hidden_variables_follow_from_those_before_them_in_any_order() -> None:
    """Lexicographic order needs ten times the states here, and the better order takes the hidden ones first."""
    n = 4
    problem = rk.Problem()
    cells = problem.variables([f"x{number}" for number in range(2 * n)], range(4))
    equal = [problem.hidden((0, 1)) for _ in range(n)]
    for one, other, truth in zip(cells, cells[n:], equal, strict=False):
        problem.linear((1, -1), (one, other), "=", 0, truth=truth)
    for one, other in pairwise(equal):
        problem.clause([(one, 1, True), (other, 1, True)])
    puzzle = problem.puzzle()
    drawn = diagram_of(lower(puzzle.model))
    assert not drawn.is_lexicographic
    rows = list(drawn)
    assert sorted(rows) == sorted(rk.solve(puzzle, engine="csp"))
    assert [drawn.rank(drawn.kth(k)) for k in (0, 1000, len(rows) - 1)] == [0, 1000, len(rows) - 1]


@given(MODELS)
def test_diagrams_of_problems_by_brute_force(model: Csp) -> None:
    drawn = rk.diagram(rk.Puzzle("problem", model, "a random problem"))
    assert sorted(drawn) == sorted(naive_csp.solutions(model))
