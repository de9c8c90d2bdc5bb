"""The steps of a method are its search: the same nodes, the same solutions with the same weights, in the same order."""

from __future__ import annotations

import pytest

from rekkyo.errors import BadInput
from rekkyo.methods.ladder import method_names
from rekkyo.methods.queens.ladder import QUEENS_METHODS, queens_method
from rekkyo.methods.queens.steps import steps
from rekkyo.model.row import Row


def walked(name: str, n: int) -> tuple[int, list[tuple[Row, int]]]:
    """Nodes and solutions of a walk, with the board kept by its places and lifts alone."""
    board: list[tuple[int, int]] = []
    nodes, found = 0, []
    for step in steps(name, n):
        square = (step.row, step.column)
        if step.kind == "place":
            assert all(square != other and step.row != other[0] for other in board)
            board.append(square)
            nodes += 1
        elif step.kind == "lift":
            assert board.pop() == square
        elif step.kind == "clash":
            assert any(
                step.column == column or abs(step.column - column) == abs(step.row - row)
                for row, column in board
            )
        elif step.kind == "found":
            found.append((tuple(column for _, column in sorted(board)), step.weight))
    assert board == [], "every queen was taken up again"
    return nodes, found


@pytest.mark.parametrize("n", range(1, 8))
@pytest.mark.parametrize("name", method_names(QUEENS_METHODS))
def test_a_walk_is_the_search_itself(name: str, n: int) -> None:
    if name == "brute-force" and n == 7:
        n = 6
    found: list[tuple[Row, int]] = []
    nodes = queens_method(name, "recursive").search(n, lambda row, weight: found.append((tuple(row), weight)))
    assert walked(name, n) == (nodes, found)


def test_unknown_methods_and_sizes() -> None:
    with pytest.raises(BadInput, match='did you mean "bitmap"'):
        steps("bitmaps", 4)
    with pytest.raises(BadInput, match="from 1"):
        steps("bitmap", 0)
