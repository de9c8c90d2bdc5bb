"""Every older model stated as a Csp: its rows by the oracle of the Csp are those by the oracle of the model."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import rekkyo as rk
from rekkyo.engines.csp.plain.engine import MAX_OPTIONS, MAX_SETS, CspPlain
from rekkyo.errors import BadModel, EngineRefuses
from rekkyo.model.puzzle import Model
from rekkyo.model.row import Layout
from tests import naive_csp
from tests.fuzz import models
from tests.fuzz.oracle import Row, TooLarge, solutions

STATED = (models.draw_csp, models.draw_symmetric_csp, models.draw_grid, models.draw_graph)
DRAWERS = [draw for draw in models.DRAWERS if draw not in STATED]


def rows_of(model: Model) -> list[Row]:
    """The rows of the stated model, as the model has them."""
    shape, found = model.row_shape, naive_csp.solutions(rk.as_csp(model))
    if shape.layout is Layout.BY_POSITION:
        return found
    chosen = [tuple(option for option, is_chosen in enumerate(row) if is_chosen) for row in found]
    return sorted((*row, *[shape.n_values] * (shape.length - len(row))) for row in chosen)


@pytest.mark.parametrize("draw", DRAWERS, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("seed", range(12))
def test_the_stated_model_has_the_rows_of_the_model(
    draw: Callable[[random.Random, bool], Model], seed: int
) -> None:
    rng = random.Random(seed)
    while True:
        try:
            model = draw(rng, False)
            wanted = solutions(model)
        except (BadModel, TooLarge):
            continue
        break
    assert rows_of(model) == sorted(wanted)


def test_names_and_grids_are_kept() -> None:
    square = rk.as_csp(rk.puzzle("magic-square 3").model)
    assert [square.names[v] for v in square.solution][:2] == ["0,0", "0,1"]
    assert square.domains[-1] == (15,)  # the common sum follows, and is not part of a solution
    assert rk.as_csp(rk.puzzle("hip 3").model).grid == (3, 3)
    assert rk.as_csp(square) is square


def test_a_stated_model_takes_further_conditions() -> None:
    """Of the 92 solutions of 8 queens (A000170) four have a queen in a corner at the top left."""
    problem = rk.as_csp(rk.queens(8).model)
    assert rk.count(rk.Puzzle("queens", problem, "")).total == 92
    first = problem.__class__(problem.names, ((0,), *problem.domains[1:]), problem.constraints)
    assert rk.count(rk.Puzzle("queens", first, "")).total == 4


@pytest.mark.parametrize(("n", "total"), [(1, 1), (2, 0), (3, 0), (4, 0), (5, 10), (6, 0), (7, 28)])
def test_queens_on_a_torus(n: int, total: int) -> None:
    """OEIS A007705."""
    assert len(naive_csp.solutions(rk.as_csp(rk.Queens(n, toroidal=True)))) == total


def test_an_unknown_kind_of_model_is_refused() -> None:
    with pytest.raises(BadModel, match="models of type int cannot be stated as a Csp"):
        rk.as_csp(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", ["queens 7", "langford 7", "semimagic-square 3", "hip 4", "costas"])
def test_every_model_has_the_plain_search_as_one_more_way(words: str) -> None:
    puzzle = rk.puzzle_from_file("examples/costas.toml") if words == "costas" else rk.puzzle(words)
    counts = [rk.count(puzzle, engine=name) for name in (None, "csp-plain")]
    assert counts[0].engine != "csp-plain"
    assert len({(count.total, count.unique) for count in counts}) == 1


TOO_LARGE = [
    (rk.ExactCover(("a",), (), (((0, 0),),) * (MAX_OPTIONS + 1)), f"covers with up to {MAX_OPTIONS} options"),
    (rk.Coloring(2, 2, (((0, 1),) * MAX_SETS)), f"colourings with up to {MAX_SETS} forbidden patterns"),
    (rk.SumFigure(("a", "b"), (0, 10**9), (rk.Line((0, 1)),)), "sum figures whose sums differ by less than"),
]


@pytest.mark.parametrize(("model", "why"), TOO_LARGE, ids=["cover", "colouring", "figure"])
def test_what_is_too_large_is_refused(model: Model, why: str) -> None:
    with pytest.raises(EngineRefuses, match=f"engine csp-plain takes {why}"):
        CspPlain().check(model)


def test_a_common_sum_with_too_many_values_is_refused_before_they_are_listed() -> None:
    """Its values would be a tuple of 16 GB if the greatest number were 10^9."""
    lines = (rk.Line((0, 1)), rk.Line((2, 3)))
    model = rk.SumFigure(("a", "b", "c", "d"), (0, 1, 2, 3, 10**7), lines)
    with pytest.raises(BadModel, match="10000003 values of the common sum are more than"):
        rk.as_csp(model)
    assert rk.count(rk.Puzzle("figure", model, "")).total == 8
