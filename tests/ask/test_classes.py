"""Solutions sorted into classes where no list of a group serves."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.ask import classes as module
from rekkyo.engines.contract import Tally
from rekkyo.engines.covers.diagram.engine import CoverDiagram
from rekkyo.errors import BadInput, CountsDisagree, GroupTooLarge
from rekkyo.model.puzzle import Relation
from rekkyo.model.row import Layout, Row
from rekkyo.search import listing, optimum
from rekkyo.symmetry.classes import NotKept, classes_kept, classes_met, in_order
from tests import naive_orbits
from tests.fuzz.models import draw_truth
from tests.fuzz.oracle import Truth
from tests.programs import rekkyo

ON_THE_TORUS = {
    "torus": [1, 0, 0, 1, 1, 1, 3, 6, 20, 40],
    "torus-similar": [1, 0, 0, 1, 1, 1, 3, 4, 13, 36],
}
"""OEIS A062164 and A062165, from n = 1."""

LATIN = {"isotopy": [1, 1, 2, 2], "main-classes": [1, 1, 2, 2]}
"""OEIS A040082 and A003090, from order 2."""


@pytest.mark.parametrize("word", ON_THE_TORUS)
@pytest.mark.parametrize("n", range(1, 11))
def test_queens_up_to_the_torus(word: str, n: int) -> None:
    assert rk.count(rk.queens(n), up_to=word).unique == ON_THE_TORUS[word][n - 1]


@pytest.mark.parametrize("word", LATIN)
@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_latin_squares(word: str, n: int) -> None:
    assert rk.count(rk.puzzle(f"latin-square {n}"), up_to=word).unique == LATIN[word][n - 2]


def test_both_ways_agree_where_the_group_can_be_listed() -> None:
    puzzle = rk.puzzle("rectangle-free 3 3 2")
    listed = rk.count(puzzle)
    relation = Relation("kept", "", puzzle.generators)
    assert rk.count(replace(puzzle, relations=(relation,)), up_to="kept").unique == listed.unique


def truth_of(seed: int) -> Truth:
    return draw_truth(random.Random(seed), f"random {seed}")


def sorted_rows(truth: Truth) -> np.ndarray:
    shape = truth.puzzle.model.row_shape
    rows = np.array(sorted(truth.rows), dtype=np.uint16).reshape(-1, shape.length)
    return in_order(rows[np.random.default_rng(1).permutation(len(rows))])


@pytest.mark.parametrize("seed", range(40))
def test_classes_are_orbits(seed: int) -> None:
    truth = truth_of(seed)
    rows, shape = sorted_rows(truth), truth.puzzle.model.row_shape
    assert list(map(tuple, rows.tolist())) == sorted(truth.rows)
    least = [tuple(row) for row in rows[classes_kept(shape, rows, truth.puzzle.generators)].tolist()]
    assert set(least) == truth.wanted("symmetry")
    met = classes_met(shape, rows, truth.puzzle.generators)
    assert [tuple(row) for row in rows[met].tolist()] == least


@pytest.mark.parametrize("seed", range(40))
def test_classes_of_a_part_of_the_orbits(seed: int) -> None:
    """Two rows are alike if their orbits are the same, also where a row between them is missing."""
    truth = truth_of(seed)
    shape, generators = truth.puzzle.model.row_shape, truth.puzzle.generators
    part = sorted_rows(truth)[::3]
    met = part[classes_met(shape, part, generators)]
    kept = {tuple(row) for row in part.tolist()}
    by_option = shape.layout is Layout.BY_OPTION
    orbits = naive_orbits.orbits(truth.rows, generators, shape.n_values, by_option=by_option)
    first: dict[Row, Row] = {row: min(orbit & kept) for orbit in orbits for row in orbit & kept}
    assert [tuple(row) for row in met.tolist()] == [first[tuple(row)] for row in part.tolist()]


def test_a_missing_solution_is_seen() -> None:
    puzzle = rk.queens(6)
    rows = in_order(np.array(list(rk.solve(puzzle)), dtype=np.uint8))
    with pytest.raises(NotKept):
        classes_kept(puzzle.model.row_shape, rows[1:], puzzle.generators)
    shifts = replace(puzzle.relations[0], keeps_solutions=True)
    with pytest.raises(CountsDisagree, match=r"symmetry takes the solution .* to one that was not found"):
        rk.count(replace(puzzle, relations=(shifts,)), up_to="torus")


def test_what_is_listed_is_the_least_solution_of_each_class() -> None:
    everything = sorted(rk.solve(rk.queens(8)))
    listed = list(rk.solve(rk.queens(8), up_to="torus"))
    assert len(listed) == 6
    assert listed[0] == everything[0]
    assert listed == sorted(listed)
    assert list(rk.solve(rk.queens(8), up_to="torus", limit=2)) == listed[:2]
    assert list(rk.solve(rk.queens(3), up_to="torus")) == []


def test_a_group_too_large_to_list_needs_no_word() -> None:
    """All of 12! permutations of places keep the colourings with one cell of the second colour."""
    n = 12
    places = rk.Coloring(n, 2, bounds=((n - 1, n - 1), (1, 1)))
    swap, cycle = (1, 0, *range(2, n)), (*range(1, n), 0)
    moves = tuple(tuple(2 * place + color for place in to for color in (0, 1)) for to in (swap, cycle))
    puzzle = rk.Puzzle("one of twelve", places, "", moves)
    assert (rk.count(puzzle).total, rk.count(puzzle).unique) == (12, 1)
    assert list(rk.solve(puzzle, up_to="symmetry")) == [(0,) * 11 + (1,)]


def test_total_and_digest_are_of_all_solutions() -> None:
    counted = rk.count(rk.queens(8), up_to="torus", digest=True)
    assert (counted.total, counted.up_to, counted.complete) == (92, "torus", True)
    assert counted.digest == rk.count(rk.queens(8), digest=True).digest


def test_too_many_solutions_for_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 91 * 8)
    fix = r'take a smaller puzzle, or each solution for itself: --up-to none \(in Python up_to="none"\)$'
    for ask in (rk.count, lambda puzzle, up_to: list(rk.solve(puzzle, up_to=up_to))):
        with pytest.raises(
            GroupTooLarge, match=f"has more than 91 solutions, too many to be classified .*{fix}"
        ):
            ask(rk.queens(8), up_to="torus")


def test_too_many_solutions_of_a_relation_are_not_counted_as_if_it_kept_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An exchange of two cells, of which one has its colour: the lemma of Burnside would count (4 + 2) / 2 classes."""
    model = rk.Coloring(3, 2, fixed=((0, 1),))
    exchange = (2, 3, 0, 1, 4, 5)
    puzzle = rk.Puzzle("pairs", model, "", relations=(Relation("like", "", (exchange,), False),))
    assert (rk.count(puzzle, up_to="like").total, rk.count(puzzle, up_to="like").unique) == (4, 4)
    monkeypatch.setattr(module, "MAX_VALUES", 3)
    with pytest.raises(GroupTooLarge, match="more than 1 solutions, too many to be classified"):
        rk.count(puzzle, up_to="like")


def test_a_best_value_that_no_solution_has(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = rk.Problem()
    one = problem.variable("one", range(3))
    problem.table([one], [(0,), (1,)])
    problem.maximize(one)
    puzzle = replace(problem.puzzle("one"), relations=(Relation("like", "", ((0, 1, 2),), False),))
    monkeypatch.setattr(optimum, "_best", lambda *_: 2)
    with pytest.raises(CountsDisagree, match="best value is 2, but no solution with it was found"):
        rk.count(puzzle, up_to="like")


def test_nothing_is_drawn_where_merging_has_counted_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagram of the 812,851,200 Latin squares of order 6 was drawn in 5 s, although they are not listed."""
    monkeypatch.setattr(module, "MAX_VALUES", 575 * 4**2)
    monkeypatch.setattr(listing, "compared_with_merging", lambda *_: Tally(576, 1))
    monkeypatch.setattr(CoverDiagram, "make_plan", lambda *_: pytest.fail("it was drawn"))
    counted = rk.count(rk.puzzle("latin-square 4"), up_to="main-classes")
    assert (counted.total, counted.unique, counted.engine) == (576, 2, "cover-frontier")


@pytest.mark.parametrize("up_to", ["torus", "torus,rotations"])
def test_only_count_and_solve_know_them(up_to: str) -> None:
    with pytest.raises(BadInput, match='up to "torus" stands alone, and only `count` and `solve` know it'):
        rk.orbits(rk.queens(6), up_to=up_to)


def test_the_words_are_said() -> None:
    assert "--up-to torus: turned, mirrored, shifted round the edges" in rekkyo("info", "queens", "8").stdout
    unknown = rekkyo("count", "queens", "6", "--up-to", "tori", ok=False).stderr
    assert "use one of: symmetry, rotations, none, torus, torus-similar" in unknown


@pytest.mark.parametrize(
    "visit",
    [
        lambda: rk.count(rk.queens(5), up_to="torus", workers=0),
        lambda: list(rk.solve(rk.queens(5), up_to="torus", workers=0)),
    ],
    ids=["count", "solve"],
)
def test_wrong_workers_are_refused(visit: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match="workers"):
        visit()
