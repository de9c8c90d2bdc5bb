"""`[[lines]]`: what is refused, where and why."""

from __future__ import annotations

import pytest

from tests.export.grid_files.asking import HEAD, check_complaint, text_of

COMPLAINTS = [
    (
        HEAD + '[[lines]]\nclue = "x-sum"\nleft = "17"',
        '6:8: clue 1 of "left" is 17, but its line has 4 cells',
    ),
    (
        HEAD + '[[lines]]\nclue = "x-sum"\nrows = "7"',
        '6:1: clue = "x-sum" has left, right, top, bottom, and no "rows"',
    ),
    (
        HEAD + '[[lines]]\nclue = "x-sum"\nvalue = 2\nleft = "7"',
        '6:1: clue = "x-sum" counts all cells; leave "value" out',
    ),
    (
        HEAD.replace("1..4", "-1..4") + '[[lines]]\nclue = "x-sum"\nleft = "3"',
        '5:1: "x-sum" is for values from 0; take other values',
    ),
    (
        HEAD + '[[lines]]\nclue = "x-sums"\nleft = "3"',
        '5:8: "clue" is "x-sums", which is not known; write clue = "x-sum"',
    ),
    (
        HEAD + '[[lines]]\nclue = "numbered room"\nleft = "5"',
        '6:8: clue 1 of "left" is none of the values that can be first; write one of them, or "?"',
    ),
    (
        HEAD.replace("1..4", "5..9") + '[[lines]]\nclue = "numbered room"\nleft = "5"',
        '6:8: clue 1 of "left" is for a line whose first cell can have the number of one of its cells',
    ),
    (
        HEAD + '[[lines]]\nclue = "visible sum"\nleft = "11"',
        '6:8: clue 1 of "left" is 11, but 4 cells show at most 10',
    ),
    (
        HEAD.replace("1..4", "-1..4") + '[[lines]]\nclue = "visible sum"\nleft = "3"',
        '5:1: "visible sum" is for values from 0; take other values',
    ),
    (
        HEAD.replace("1..4", "-1..4") + '[[lines]]\nclue = "x-sum"\nleft = "-3"',
        '5:1: "x-sum" is for values from 0; take other values',
    ),
    (
        HEAD + '[[lines]]\nclue = "visible sum"\nrows = "3"',
        '6:1: clue = "visible sum" has left, right, top, bottom, and no "rows"',
    ),
    (
        HEAD.replace("1..4", "-AB") + '[[lines]]\nclue = "first"\nleft = "-"',
        '6:8: clue 1 of "left" is none of the values that can be first; write one of them, or "?"',
    ),
    (
        HEAD.replace('"...."', '"""\n....\n####\n...."""') + '[[lines]]\nclue = "first"\nleft = "3, 2, ?"',
        '9:8: clue 2 of "left" is for a line without cells; write "?"',
    ),
    (
        HEAD + '[[lines]]\nclue = "between"\nrows = "7"',
        '6:8: clue 1 of "rows" is 7, but the sum of 2 cells is from 0 to 6',
    ),
    (HEAD + '[[lines]]\nclue = "between"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 numbers; give one'),
    (
        HEAD + '[[lines]]\nclue = "between"\ncolumns = "0, ?, ?, ?"',
        '6:11: clue 1 of "columns" needs two cells, but its line has 1 cell',
    ),
    (
        HEAD + '[[lines]]\nclue = "between"\nvalue = "124"\nrows = "0"',
        '6:9: "between" has two values, not 3; write two of them, or one that comes twice',
    ),
    (
        HEAD.replace("1..4", "4..4") + '[[lines]]\nclue = "between"\nrows = "0"',
        '5:1: "between" needs two values, but the file has only one',
    ),
    (
        'kind = "grid"\nvalues = "0..1000"\nboard = "rectangle 1 40"\n[[lines]]\nclue = "between"\nrows = [20000]',
        "4:1: more than 4194304 entries of tables",
    ),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = "3a"', '6:8: clue 1 of "rows" is not a clue'),
    (HEAD + f'[[lines]]\nclue = "sum"\nrows = [0x{"f" * 5000}]', '6:9: clue 1 of "rows" is not a clue'),
    (
        HEAD.replace("1..4", "-ab") + '[[lines]]\nclue = "runs"\nvalue = "a"\nrows = "1b"',
        '7:8: clue 1 of "rows" has a run of "b", which is not among the values of "value"; write all of them there',
    ),
    (
        HEAD.replace("1..4", "-ab") + '[[lines]]\nclue = "runs"\nrows = "0z"',
        '6:8: clue 1 of "rows" is a run of no cells; write 0 alone for a line without runs',
    ),
    (
        HEAD.replace("1..4", "-ab") + '[[lines]]\nclue = "runs"\nvalue = "ab"\nrows = "2a 2a"',
        '7:8: clue 1 of "rows" needs 5 cells, but there are 4',
    ),
    (
        HEAD.replace("1..4", "#-") + '[[lines]]\nclue = "runs"\nrows = "1"',
        '5:1: "runs" would be of the last value, "-", and that looks empty; write "value", such as value',
    ),
    (
        HEAD.replace("1..4", "AB_") + '[[lines]]\nclue = "first"\nleft = "A"',
        '5:1: "first" would be of the last value, "_", and that looks empty; write "value"',
    ),
    (HEAD + '[[lines]]\nrows = "1"', '4:1: "clue" is missing; write clue = "runs"'),
    (HEAD + '[[lines]]\nclue = "runs"', "4:1: there are no clues; write at least one of rows, columns"),
    (
        HEAD + '[[lines]]\nclue = "runs"\nleft = "1"',
        '6:1: clue = "runs" has rows, columns, and no "left"',
    ),
    (
        HEAD.replace("1..4", "0..4") + '[[lines]]\nclue = "sum"\nvalue = "012"\nrows = "1"',
        "6:9: 0 changes no sum of a run, or lessens it; name values from 1",
    ),
    (
        HEAD + '[[lines]]\nclue = "sum"\nvalue = "12"\nrows = "1 0"',
        '7:8: clue 1 of "rows" has sums from 1, or is a lone 0 for no run',
    ),
    (
        HEAD + '[[lines]]\nclue = "sum"\nvalue = "12"\nrows = "5 4"',
        '7:8: clue 1 of "rows" has greater sums than 4 cells can have',
    ),
    (
        HEAD.replace('"...."', '"rectangle 3 3"') + '[[lines]]\nclue = "sum"\nrows = "1 2 3"',
        "6:8: 1 clue for the 3 rows of the board; give one for",
    ),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = "1, 2"', "6:8: 2 clues for the 1 rows of the board"),
    (
        'kind = "grid"\nvalues = "01"\nboard = """\n####\n#..#\n####"""\n'
        '[[lines]]\nclue = "count"\ncolumns = "1, 1"',
        "9:11: 2 clues for the 3 columns of the board; give one for each, and none for the 1 after them",
    ),
    (
        HEAD.replace("....", "..#..") + '[[lines]]\nclue = "runs"\nrows = "3"',
        '6:8: clue 1 of "rows" needs 3 cells, but there are 4 in 2 parts',
    ),
    (
        HEAD + '[[lines]]\nclue = "sum"\nrows = "1 2"',
        '6:8: clue 1 of "rows" has 2 sums, but its line 1 run of',
    ),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = ["x"]', '6:9: clue 1 of "rows" is not a clue'),
    (HEAD + '[[lines]]\nclue = "sum"\nrows = [[[1]]]', '6:9: clue 1 of "rows" is not a clue'),
    (HEAD + '[[lines]]\nclue = "runs"\nrows = [[1, 1.5]]', '6:9: clue 1 of "rows" is not a clue'),
    (HEAD + '[[lines]]\nclue = "runs"\nrows = [[]]', '6:9: clue 1 of "rows" is not a clue'),
    (
        HEAD + '[[lines]]\nclue = "runs"\nrows = "2 2"',
        '6:8: clue 1 of "rows" needs 5 cells, but there are 4',
    ),
    (HEAD + '[[lines]]\nclue = "runs"\nrows = "2 ?"', '6:8: clue 1 of "rows" has numbers from 1, all'),
    (HEAD + '[[lines]]\nclue = "count"\nrows = "5"', '6:8: clue 1 of "rows" is 5, but its line has 4 cells'),
    (
        HEAD + '[[lines]]\nclue = "sandwich"',
        '5:8: "clue" is "sandwich", which is not known; write clue = "between"',
    ),
    (HEAD + '[[lines]]\nclue = "count"\nrows = "1 2"', '6:8: clue 1 of "rows" has 2 numbers; give one'),
    (
        HEAD + '[[lines]]\nclue = "visible"\nleft = "0"',
        '6:8: clue 1 of "left" is 0, but its line of 4 cells shows at least 1 and at most 4',
    ),
]


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize("clue", ["visible", "visible sum", "first", "x-sum", "numbered room"])
@pytest.mark.parametrize("named", ["0", "1"])
def test_a_line_without_cells_has_no_view(clue: str, named: str) -> None:
    values = "" if clue in ("x-sum", "numbered room") else 'value = "01"\n'
    line = 11 if values else 10
    text = text_of("..\n##\n..", '"0..2"', f'[[lines]]\nclue = "{clue}"\n{values}left = "?, {named}, ?"')
    check_complaint(text, f'{line}:8: clue 2 of "left" is for a line without cells; write "?"')
