"""Patterns along lines of cells, which may turn: the lines of whispers, entropic lines, and others of sudoku variants."""

from __future__ import annotations

from itertools import pairwise

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.picture import Clues
from tests.export.grid_files.asking import HEAD, THREE, Case, Holds, Row, check_complaint, check_meaning

SNAKE = "0,0 0,1 0,2 1,2 1,1 2,0"
ORDER = 0, 1, 2, 5, 4, 6
RING = "0,0 0,1 1,1 1,0 0,0"


def along(row: Row, line: tuple[int, ...] = ORDER) -> list[int]:
    return [row[cell] for cell in line]


MEANINGS: list[Case] = [
    (
        THREE,
        '"1..4"',
        f'[[compare]]\npattern = "ab"\nalong = "{SNAKE}"\ncells = "abs(a - b) >= 2"',
        lambda r: all(abs(a - b) >= 2 for a, b in pairwise(along(r))),
    ),
    (
        THREE,
        '"1..3"',
        f'[[compare]]\npattern = "ab"\nalong = "{SNAKE}\\n2,1 2,2"\ncells = "a <= b"',
        lambda r: along(r) == sorted(along(r)) and r[7] <= r[8],
    ),
    (
        THREE,
        '"1..3"',
        f'[[count]]\npattern = "###"\nalong = "{SNAKE}"\nvalue = "12"\ntimes = 1',
        lambda r: all(
            sum(value < 3 for value in some) == 1
            for some in zip(along(r), along(r)[1:], along(r)[2:], strict=False)
        ),
    ),
    (
        THREE,
        '"1..3"',
        f'[[different]]\npattern = "#.#"\nalong = "{SNAKE}"',
        lambda r: all(a != b for a, b in zip(along(r), along(r)[2:], strict=False)),
    ),
    (
        THREE,
        '"1..3"',
        f'[[cage]]\npattern = "##"\nalong = "{SNAKE}"\neach = "difference 1"',
        lambda r: all(abs(a - b) == 1 for a, b in pairwise(along(r))),
    ),
    (
        THREE,
        '"1..3"',
        f'[[table]]\npattern = "##"\nalong = "{SNAKE}"\nwords = "12 23 31 11"',
        lambda r: {(1, 2), (2, 3), (3, 1), (1, 1)}.issuperset(pairwise(along(r))),
    ),
    (
        THREE,
        '"1..3"',
        f'[[avoid]]\npattern = "12"\nalong = "{SNAKE}"',
        lambda r: (1, 2) not in pairwise(along(r)),
    ),
    (
        THREE,
        '"1..3"',
        f'[[avoid]]\npattern = "12"\norientations = "all"\nalong = "{SNAKE}"',
        lambda r: {(1, 2), (2, 1)}.isdisjoint(pairwise(along(r))),
    ),
    (
        "..\n..",
        '"1..4"',
        f'[[compare]]\npattern = "ab"\nalong = "{RING}"\ncells = "a != b"',
        lambda r: all(a != b for a, b in pairwise(along(r, (0, 1, 3, 2, 0)))),
    ),
]

COMPLAINTS = [
    ('along = "0,0 0,1"', '5:1: "along" goes with a pattern that is drawn; leave it out'),
    (
        'pattern = "##"\nalong = "0,0"',
        "6:10: the pattern has 2 squares, the line 1 cell; make the line longer, or leave it out",
    ),
    (
        'pattern = "#\\n#"\nalong = "0,0 0,1"',
        '5:1: with "along" the pattern is a row of marks; draw it in one line',
    ),
    (
        'pattern = "###"\nalong = "0,2 0,0 0,1 0,0"',
        "6:14: the pattern from here on would have a cell twice; change the line",
    ),
    ('pattern = "##"\nalong = "0,0 0,9"', '6:14: there is no cell "0,9"; cells are 0,0, 0,1, 0,2, ...'),
    (
        'pattern = "##"\nwhere = "here"\nalong = "0,0 0,1"',
        '6:1: "where" does not go with "along"; leave it out',
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_a_pattern_lies_along_each_line(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("clause", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(clause: str, complaint: str) -> None:
    check_complaint(HEAD + "[[different]]\n" + clause, complaint)


def test_colourings_have_lines_too() -> None:
    text = 'kind = "coloring"\nboard = "####"\ncolors = "ab"\n[[avoid]]\npattern = "=="\nalong = "0,3 0,1 0,0 0,2"'
    assert rk.count(read_toml(text, "mine.toml"), up_to="none", workers=1).total == 2


def test_lines_are_drawn_and_palindromes_too() -> None:
    text = (
        HEAD
        + '[[different]]\npattern = "##"\nalong = "0,3 0,1 0,0"\n[[cage]]\ncells = "0,1 0,2"\neach = "palindrome"'
    )
    picture = read_toml(text, "mine.toml").picture
    assert isinstance(picture, Clues)
    assert picture.lines == ((3, 1, 0), (1, 2))
