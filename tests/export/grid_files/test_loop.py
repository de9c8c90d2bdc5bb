"""`[[loop]]`: a border that is one loop."""

from __future__ import annotations

from functools import partial
from itertools import product

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


def border(board: str, cells: Row) -> set[frozenset[tuple[int, int]]]:
    """The sides that are those of one cell inside, and of no other."""
    lines = board.splitlines()
    squares = [
        (row, column) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark == "."
    ]
    found: set[frozenset[tuple[int, int]]] = set()
    for square, value in zip(squares, cells, strict=True):
        if value:
            found ^= set(sides_of(*square))
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


BOARDS = (
    THREE,
    "....\n....",
    "...\n. .\n...",  # a hole
    "....\n.  .\n....",  # a hole of two squares
    "...\n. ..\n.. .\n ...",  # two holes that touch in a point
    " ..\n.. .\n...",  # open spaces at the edge
    ".. .\n.. .",  # two parts
)
MEANINGS: list[Case] = [
    *(
        (board, '"-#"', LOOP, partial(lambda board, r: is_one_loop(border(board, r)), board))
        for board in BOARDS
    ),
    (
        "...\n. .\n...",
        '"-#"',
        LOOP + 'clues = "...\\n. 2\\n3.."',
        lambda r: (
            is_one_loop(sides := border("...\n. .\n...", r))
            and len(sides & set(sides_of(1, 2))) == 2
            and len(sides & set(sides_of(2, 0))) == 3
        ),
    ),
    (
        THREE,
        '"-#"',
        LOOP + 'clues = """\n2..\n.1.\n..3"""',
        lambda r: (
            is_one_loop(border(THREE, r))
            and [len(border(THREE, r) & set(sides_of(k, k))) for k in range(3)] == [2, 1, 3]
        ),
    ),
    (
        "...\n...",
        '"abc"',
        '[[loop]]\nvalue = "bc"\nclues = "...\\n.2."',
        lambda r: (
            is_one_loop(border("...\n...", r)) and len(border("...\n...", r) & set(sides_of(1, 1))) == 2
        ),
    ),
]
COMPLAINTS = [
    (HEAD + "[[loop]]", '4:1: "value" is missing'),
    (HEAD + '[[loop]]\nvalue = "1234"', "4:1: a loop needs values inside and others outside"),
    (
        text_of("\n".join(" " * row + "." for row in range(256)), '"-#"', LOOP),
        "261:1: the board and its holes have more than 65536 squares; make it smaller",
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


@pytest.mark.parametrize("n_outside", [1, 4, 10])
def test_clues_with_many_values(n_outside: int) -> None:
    """Each loop counts once for each way to fill the cells outside; clues of many values have hidden variables."""
    clues = [0, 2, 3, 1, 2, 2]
    loops = [
        cells
        for cells in product((0, 1), repeat=6)
        if is_one_loop(border("...\n...", cells))
        and sum(1 for side in sides_of(0, 1) if side in border("...\n...", cells)) == clues[1]
        and sum(1 for side in sides_of(1, 1) if side in border("...\n...", cells)) == clues[4]
    ]
    text = f'kind = "grid"\nvalues = "0..{n_outside}"\nboard = "...\\n..."\n[[loop]]\nvalue = 0\nclues = ".2.\\n.2."\n'
    puzzle = rk.puzzle_from_text(text)
    expected = sum(n_outside ** cells.count(0) for cells in loops)
    assert loops
    assert rk.count(puzzle, up_to="none").total == expected
