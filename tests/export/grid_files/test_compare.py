"""`[[compare]]`: sums of cells."""

from __future__ import annotations

import pytest

from tests.export.grid_files.asking import HEAD, Case, Holds, check_complaint, check_meaning

MEANINGS: list[Case] = [
    (
        "...\n...",
        '"1..3"',
        '[[compare]]\ncells = """\n0,0 < 0,1 <= 0,2\n\n1,0 1,1 = 1,2 != 2\n0,0 1,0 1 >= 4"""',
        lambda r: r[0] < r[1] <= r[2] and r[3] + r[4] == r[5] != 2 and r[0] + r[3] + 1 >= 4,
    ),
    ("..", '"1..3"', '[[compare]]\ncells = "0,0>0,1"', lambda r: r[0] > r[1]),
    ("..", '"-2..2"', '[[compare]]\ncells = "0,0 0,0 = 0,1 -2"', lambda r: 2 * r[0] == r[1] - 2),
]

COMPLAINTS = [
    (HEAD + '[[compare]]\ncells = "0,0 0,1"', "5:10: the line compares nothing"),
    (HEAD + '[[compare]]\ncells = "0,0 =< 0,1"', '5:14: "=<" is not a relation; take one of < <= = != >= >'),
    (HEAD + '[[compare]]\ncells = "0,0 <"', '5:14: behind "<" there are no cells'),
    (HEAD + '[[compare]]\ncells = "< 0,0"', '5:10: before "<" there are no cells'),
    (HEAD + '[[compare]]\ncells = """\n\n 0,0 < a\n"""', '7:8: there is no cell "a"'),
    (HEAD + '[[compare]]\ncells = "0,0 < 99999999999"', "5:16: a number beyond 1000000000"),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
