"""The description of a model: long lists and lines are shortened, and say that they are."""

from __future__ import annotations

from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import SQUARE
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.render.understood import MAX_COLUMNS, describe, understood

N = 100
CELLS = tuple(f"cell{number}" for number in range(N))


def test_long_lists_of_a_sum_figure_say_how_much_is_left_out() -> None:
    line = Line(tuple(range(50)), sum=1275)
    orders = tuple((cell, cell + 1) for cell in range(43))
    given = frozenset((cell, cell + 1) for cell in range(44))
    lines = describe(SumFigure(CELLS, tuple(range(1, N + 1)), (line,) * 42, orders, given))
    left_out = ["  ... and 2 more", "  ... and 3 more", "  ... and 4 more"]
    assert [line for line in lines if "more" in line] == left_out
    assert (len(lines), lines[-2]) == (2 + 3 * 41, "given: cell39 = 40")
    assert lines[2].endswith("... = 1275")
    assert max(map(len, lines)) < MAX_COLUMNS + 10


def test_numbers_of_a_sum_figure() -> None:
    """It said: numbers many, and: numbers 5 to 5."""
    for numbers, words in (
        ((5,), "5"),
        ((5, 6), "5 to 6"),
        ((5, 7), "5, 7"),
        (tuple(range(0, 82, 2)), ", ".join(map(str, range(0, 80, 2))) + ", ..."),
    ):
        assert describe(SumFigure(("a",), numbers, (Line((0,)),)))[0] == f"figure: 1 cell, numbers {words}"


def test_rows_of_a_coloring_that_are_left_out() -> None:
    """A long board was drawn without its last rows, as if it ended there."""
    lines = understood(Puzzle("mine", Coloring(122, 2, grid=(61, 2)), "Mine"))
    assert lines[60:] == ["  ??", "  ... and 1 more"]


def test_different_domains_that_are_left_out() -> None:
    domains = tuple((number,) for number in range(45))
    lines = describe(Csp(CELLS[:45], domains, (), tuple(range(45))))
    assert "  ... and 5 more" in lines


def test_how_often_items_are_covered() -> None:
    """It said only how many items there are."""
    options = tuple(((item, 0),) for item in range(4))
    bounds = ((0, 2), (1, 1), (3, 3), (0, 2))
    assert describe(ExactCover(("a", "b", "c", "d"), options=options, bounds=bounds))[:3] == [
        "exact cover: 4 items to be covered, 0 secondary, 4 options",
        "2 items to be covered 0 to 2 times",
        "1 item to be covered 3 times",
    ]


def test_one_cell_is_one_cell() -> None:
    """It said: 1 cells."""
    square = frozenset({(0, 0)})
    assert "pieces: 1, with 1 cell, turned over or not" in describe(
        Packing(SQUARE, square, (Piece("a", square),))
    )
    lines = understood(Puzzle("mine", Coloring(3, 2, bounds=((1, 1), (0, 2))), "Mine"))
    assert lines[-2:] == ["colour 1: in 1 cell", "colour 2: in 0 to 2 cells"]
