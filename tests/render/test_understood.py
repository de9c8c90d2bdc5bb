"""The description of a model: long lists and lines are shortened, and say that they are."""

from __future__ import annotations

from rekkyo.model.csp.csp import Csp
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.render.understood import MAX_COLUMNS, describe

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


def test_different_domains_that_are_left_out() -> None:
    domains = tuple((number,) for number in range(45))
    lines = describe(Csp(CELLS[:45], domains, (), tuple(range(45))))
    assert "  ... and 5 more" in lines
