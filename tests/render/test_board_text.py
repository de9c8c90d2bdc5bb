"""Solutions drawn as text: values on boards with gaps, and figures in layers."""

from __future__ import annotations

import tracemalloc

import rekkyo as rk
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import Line, SumFigure


def test_a_value_is_in_its_row_and_its_column() -> None:
    model = Csp(("1,1", "1,4", "3,2"), ((1, 2, 30),) * 3)
    assert rk.board(Puzzle("p", model, "P"), (0, 2, 1)) == " 1       30\n\n    2"


def test_squares_far_apart_need_no_place_for_each_between_them() -> None:
    """Of 4 million there, each of which would be a word of memory."""
    puzzle = Puzzle("p", Csp(("0,0", "1999,1999"), ((0, 1),) * 2), "P")
    tracemalloc.start()
    drawn = rk.board(puzzle, (0, 1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert drawn.split() == ["0", "1"]
    assert len(drawn.split("\n")[-1]) == 2 * 1999 + 1
    assert peak < 4_000_000


def test_layers_of_a_figure_begin_at_one_column_each() -> None:
    cells = ("0,0,0", "0,1,0", "0,1,1", "0,2,0", "1,0,0", "1,0,1", "1,1,0", "2,0,0", "2,1,0", "2,2,0")
    figure = SumFigure(cells, tuple(range(10)), (Line((0, 1), None),))
    drawn = rk.board(Puzzle("p", figure, "P"), range(10))
    assert drawn.split("\n") == [
        " 0    4 5   7",
        "1 2    6    8",
        " 3          9",
    ]
