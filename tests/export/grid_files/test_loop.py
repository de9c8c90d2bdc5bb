"""`[[loop]]`: a border that is one loop."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    text_of,
)

LOOP = '[[loop]]\nvalue = "#"\n'


def sides_of(row: int, column: int) -> list[frozenset[tuple[int, int]]]:
    """The sides of a cell as pairs of points."""
    corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
    return [frozenset(pair) for pair in zip(corners, [*corners[1:], corners[0]], strict=True)]


def border(cells: Row, n_columns: int) -> set[frozenset[tuple[int, int]]]:
    """The sides that are those of one cell inside, and of no other."""
    found: set[frozenset[tuple[int, int]]] = set()
    for cell, value in enumerate(cells):
        if value:
            found ^= set(sides_of(*divmod(cell, n_columns)))
    return found


def is_one_loop(sides: set[frozenset[tuple[int, int]]]) -> bool:
    """Every point is on none or two of the sides, and a walk along them meets all."""
    points = {point for side in sides for point in side}
    if not sides or any(sum(point in side for side in sides) != 2 for point in points):
        return False
    reached = set(next(iter(sides)))
    for _ in sides:
        reached |= {point for side in sides if side & reached for point in side}
    return reached == points


MEANINGS: list[Case] = [
    (THREE, '"-#"', LOOP, lambda r: is_one_loop(border(r, 3))),
    ("....\n....", '"-#"', LOOP, lambda r: is_one_loop(border(r, 4))),
    (
        THREE,
        '"-#"',
        LOOP + 'clues = """\n2..\n.1.\n..3"""',
        lambda r: (
            is_one_loop(border(r, 3))
            and [len(border(r, 3) & set(sides_of(k, k))) for k in range(3)] == [2, 1, 3]
        ),
    ),
    (
        "...\n...",
        '"abc"',
        '[[loop]]\nvalue = "bc"\nclues = "...\\n.2."',
        lambda r: is_one_loop(border(r, 3)) and len(border(r, 3) & set(sides_of(1, 1))) == 2,
    ),
]
COMPLAINTS = [
    (HEAD + "[[loop]]", '4:1: "value" is missing'),
    (HEAD + '[[loop]]\nvalue = "1234"', "4:1: a loop needs values inside and others outside"),
    (
        HEAD.replace("....", ".#.") + "[[loop]]\nvalue = 1",
        "4:1: a loop needs values inside and others outside",
    ),
    (HEAD + '[[loop]]\nvalue = 1\nclues = "..5."', '6:12: "5" is not a clue; write 0 to 4'),
    (HEAD + '[[loop]]\nvalue = 1\nclues = "....1"', '6:14: "1" is not on the board'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize(
    ("n", "engine", "total"),
    [
        (1, "csp", 1),
        (2, "csp", 13),
        (3, "csp", 213),
        (4, "csp", 9349),
        (2, "csp-plain", 13),
        (3, "csp-plain", 213),
    ],
)
def test_loops_in_a_grid(n: int, engine: str, total: int) -> None:
    """OEIS A140517: cycles in a grid of n x n squares."""
    puzzle = read_toml(text_of(f"rectangle {n} {n}", '"-#"', LOOP), "mine.toml")
    assert rk.count(puzzle, up_to="none", engine=engine).total == total
