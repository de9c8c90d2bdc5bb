"""`[[lines]]`: clues at the edge."""

from __future__ import annotations

from itertools import groupby

import pytest

from tests.export.grid_files.asking import HEAD, THREE, Case, Holds, Row, check_complaint, check_meaning


def seen(cells: Row) -> int:
    return sum(all(cell > before for before in cells[:place]) for place, cell in enumerate(cells))


def runs(cells: Row) -> list[int]:
    return [len(list(group)) for value, group in groupby(cells) if value]


MEANINGS: list[Case] = [
    (
        ".....",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2a 1b"',
        lambda r: [(value, len(list(group))) for value, group in groupby(r) if value] == [(1, 2), (2, 1)],
    ),
    (
        "......",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "1a 2a 1b"',
        lambda r: [(v, len(list(group))) for v, group in groupby(r) if v] == [(1, 1), (1, 2), (2, 1)],
    ),
    (
        "......",
        '"-ab"',
        '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2 1b"',
        lambda r: runs(tuple(min(v, 1) for v in r)) == [2, 1] and [v for v in r if v][-1] == 2,
    ),
    (
        "....\n....",
        '"-#"',
        '[[lines]]\nclue = "runs"\nvalue = "#"\nrows = "1 1, ?"\ncolumns = ["?", 0, "2", 1]',
        lambda r: (
            runs(r[:4]) == [1, 1] and (r[1], r[5]) == (0, 0) and runs(r[2::4]) == [2] and runs(r[3::4]) == [1]
        ),
    ),
    (
        "......",
        '"0..2"',
        '[[lines]]\nclue = "runs"\nvalue = [1, 2]\nrows = "1 2"',
        lambda r: runs(tuple(min(v, 1) for v in r)) == [1, 2],
    ),
    (
        "....\n.#..",
        '"1..3"',
        '[[lines]]\nclue = "sum"\nrows = "7, 5"\ncolumns = "2, ?, ?, 6"',
        lambda r: sum(r[:4]) == 7 and r[5] + r[6] == 5 and r[0] + r[4] == 2 and r[3] + r[6] == 6,
    ),
    (
        ".....",
        '"1..2"',
        '[[lines]]\nclue = "count"\nvalue = 1\nrows = [3]',
        lambda r: r.count(1) == 3,
    ),
    (
        THREE,
        '"1..3"',
        '[[lines]]\nclue = "visible"\nleft = "2, ?, 1"\nright = "?, 3, ?"\ntop = "?, ?, 2"\nbottom = "1, ?, ?"',
        lambda r: (
            (seen(r[:3]), seen(r[6:])) == (2, 1)
            and seen(r[5:2:-1]) == 3
            and seen(r[2::3]) == 2
            and seen(r[6::-3]) == 1
        ),
    ),
]

COMPLAINTS = [
    (HEAD + '[[lines]]\nclue = "sum"\nrows = "3a"', '6:8: clue 1 of "rows" is not a clue'),
    (
        HEAD.replace("1..4", "-ab") + '[[lines]]\nclue = "runs"\nvalue = "a"\nrows = "1b"',
        '7:8: clue 1 of "rows" has a run of "b", which is not among',
    ),
    (
        HEAD.replace("1..4", "-ab") + '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2a 2a"',
        '7:8: clue 1 of "rows" needs 5 cells, but there are 4',
    ),
    (HEAD + '[[lines]]\nrows = "1"', '4:1: "clue" is missing; write clue = "runs"'),
    (HEAD + '[[lines]]\nclue = "runs"', "4:1: there are no clues; write at least one of rows, columns"),
    (
        HEAD + '[[lines]]\nclue = "runs"\nleft = "1"',
        '6:1: clue = "runs" has rows, columns, and no "left"',
    ),
    (
        HEAD + '[[lines]]\nclue = "sum"\nvalue = 1\nrows = "1"',
        '6:1: "value" goes with "runs" and "count"',
    ),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = "1, 2"', "6:8: 2 clues for the 1 rows of the board"),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 sums, but there are 1'),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = ["x"]', '6:9: clue 1 of "rows" is not a clue'),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = [[1]]', '6:9: clue 1 of "rows" is not a clue'),
    (
        HEAD + '[[lines]]\nclue = "runs"\nrows = "2 2"',
        '6:8: clue 1 of "rows" needs 5 cells, but there are 4',
    ),
    (HEAD + '[[lines]]\nclue = "runs"\nrows = "2 ?"', '6:8: clue 1 of "rows" has numbers from 1, all'),
    (HEAD + '[[lines]]\nclue = "count"\nrows = "5"', '6:8: clue 1 of "rows" is 5, but there are only 4'),
    (HEAD + '[[lines]]\nclue = "count"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 numbers; give one'),
    (
        HEAD + '[[lines]]\nclue = "visible"\nleft = "0"',
        '6:8: clue 1 of "left" is 0, but 1 to 4 cells can',
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)
