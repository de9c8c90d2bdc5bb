"""`[[count]]`: how many cells have a value."""

from __future__ import annotations

import pytest

from tests.export.grid_files.asking import HEAD, TWO, Case, Holds, check_complaint, check_meaning, lines_of

MEANINGS: list[Case] = [
    (
        TWO,
        '"abc"',
        '[[count]]\nvalue = "ab"\ntimes = [1, 2]\nregions = "rows"',
        lambda r: all(line != (2, 2) for line in lines_of(r, 2)),
    ),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = [3, 'any']", lambda r: r.count(2) >= 3),
    (TWO, '"1..3"', "[[count]]\nvalue = 2\ntimes = 0\ncells = '0,0 1,0'", lambda r: 2 not in r[::2]),
    (
        "....\n....",
        '"abc"',
        '[[count]]\nvalue = "a"\nas = "b"\nregions = "rows"',
        lambda r: all(line.count(0) == line.count(1) for line in lines_of(r, 4)),
    ),
]

COMPLAINTS = [
    (HEAD + "[[count]]\ntimes = 1", '4:1: "value" is missing; name one or more of 1234'),
    (HEAD + "[[count]]\nvalue = 1", '4:1: "times" is missing; write 2'),
    (HEAD + "[[count]]\nvalue = 1\ntimes = [2, 1]", "6:9: 2 to 1 is never"),
    (HEAD + "[[count]]\nvalue = 1\ntimes = [2]", '6:9: "times" is 2, [1, 3], [1, "any"] or "any"'),
    (HEAD + "[[count]]\nvalue = 1\ntimes = 5", "6:1: 5 cells or more, but a region has only 4"),
    (HEAD + '[[count]]\nvalue = "x"\ntimes = 1', '5:9: "x" is none of the values 1234'),
    (HEAD + "[[count]]\nvalue = 1\ntimes = 1\nas = 2", '7:1: "times" and "as" both say how many'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
