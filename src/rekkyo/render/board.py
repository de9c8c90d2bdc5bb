"""A solution drawn as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens


def board(puzzle: Puzzle, row: Sequence[int]) -> str:
    """The solution as a drawing of several lines, without a line end at the end."""
    return draw(puzzle.model, row)


@singledispatch
def draw(model: Model, row: Sequence[int]) -> str:
    """The drawing for each kind of model."""
    raise TypeError(f"no drawing is written for models of type {type(model).__name__}")


@draw.register
def _queens(model: Queens, row: Sequence[int]) -> str:
    rule = "+" + "-+" * model.n
    lines = [rule]
    for board_row, queen_column in enumerate(row):
        squares = (_square(model, board_row, column, queen_column) for column in range(model.n))
        lines += ["|" + "|".join(squares) + "|", rule]
    return "\n".join(lines)


def _square(model: Queens, row: int, column: int, queen_column: int) -> str:
    if column == queen_column:
        return "Q"
    return "#" if (row, column) in model.blocked else " "
