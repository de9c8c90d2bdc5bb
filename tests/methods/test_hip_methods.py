"""The ladder for Hip: every rung finds the same, and joining tells its steps."""

from __future__ import annotations

from itertools import product

import pytest

import rekkyo as rk
from rekkyo.methods.grid import row_images
from rekkyo.methods.hip import (
    HIP_METHODS,
    crossing_squares,
    numbered_board,
    part_side,
    small_boards,
    squares,
)
from rekkyo.methods.ladder import Method, find_method, run_method
from rekkyo.verify import verify
from tests import naive_coloring as naive

KNOWN = {1: (2, 2), 2: (6, 2), 3: (184, 30), 4: (2094, 266)}


@pytest.mark.parametrize("method", HIP_METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_method_finds_the_same(method: Method, n: int) -> None:
    rows: list[tuple[int, ...]] = []
    outcome = run_method(method, n, lambda _, row: rows.append(tuple(row)))
    assert (outcome.total, outcome.unique) == KNOWN[n]
    puzzle = rk.hip(n)
    assert sorted(rows) == sorted(rk.solve(puzzle))
    assert not any(verify(puzzle, row) for row in rows)


def test_nodes() -> None:
    """All boards with all their beginnings; and the beginnings that have no square and no colour too often."""
    assert run_method(find_method(HIP_METHODS, "brute-force"), 3).nodes == 2**10 - 2
    beginnings = [row for length in range(1, 10) for row in product((0, 1), repeat=length)]
    good = [
        row
        for row in beginnings
        if max(row.count(0), row.count(1)) <= 5
        and not any(
            max(of) < len(row) and len({row[cell] for cell in of}) == 1 for of in naive.hip_squares(3, 3)
        )
    ]
    assert run_method(find_method(HIP_METHODS, "cell-by-cell"), 3).nodes == len(good)


@pytest.mark.second
def test_nodes_as_the_source_tells_them() -> None:
    """What 0.9 million means in the blog's measure."""
    assert run_method(find_method(HIP_METHODS, "cell-by-cell"), 6).nodes == 898_818


@pytest.mark.long
def test_joining_6x6_as_the_source_tells_it() -> None:
    """5,006 boards of 4x4, 36 squares left to check, 24 boards at the end."""
    outcome = run_method(find_method(HIP_METHODS, "joining"), 6)
    assert (outcome.total, outcome.unique) == (24, 4)
    story = outcome.story
    assert story[0] == "4x4 boards without a square of one colour: 5006"
    assert story[5] == "squares still to check, of 105: 36"
    assert story[-1] == "boards without a square of one colour: 24"


def test_the_parts_of_the_source() -> None:
    assert part_side(6) == 4
    assert len(small_boards(4)) == 5006
    assert len(crossing_squares(6)) == 36


def test_the_story_of_a_small_board() -> None:
    assert run_method(find_method(HIP_METHODS, "joining"), 4).story == (
        "3x3 boards without a square of one colour: 248",
        "upper left and upper right, sharing 2 columns: 1236",
        "with lower left, sharing 2 rows with upper left: 6268",
        "with lower right, sharing with both: 9094 boards of 4x4",
        "of these balanced: 3214",
        "squares still to check, of 20: 3",
        "boards without a square of one colour: 2094",
    )


@pytest.mark.parametrize("n", range(1, 7))
def test_squares_by_definition(n: int) -> None:
    assert {frozenset(corners) for corners in squares(n)} == naive.hip_squares(n, n)


def test_images_are_the_eight_of_the_square() -> None:
    row = tuple(range(9))
    assert len(set(row_images(row))) == 8
    assert row in row_images(row)


def test_the_picture() -> None:
    assert numbered_board(3, (0, 1, 1, 0), False) == "3\n#.\n.#\n"
