"""`[[cage]]`: what holds of the cells of regions."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    TWO,
    Case,
    Holds,
    check_complaint,
    check_meaning,
    columns_of,
    lines_of,
    text_of,
)
from tests.render.pictures import texts

MEANINGS: list[Case] = [
    (
        THREE,
        '"1..3"',
        '[[cage]]\nregions = "row 0"\neach = "palindrome"\n[[cage]]\ncells = "1,0 2,0 2,1 1,2"\neach = "palindrome"',
        lambda r: r[0] == r[2] and r[3] == r[5] and r[6] == r[7],
    ),
    (
        TWO,
        '"1..3"',
        '[[cage]]\nregions = ["row 0", "column 1"]\neach = "increasing"',
        lambda r: r[0] < r[1] < r[3],
    ),
    (
        "#..\n...",
        '"123"',
        '[[cage]]\ncells = "1,1 1,0 0,2"\neach = "increasing"\n[[cage]]\nregions = "row 0"\neach = "different"',
        lambda r: r[3] < r[2] < r[1] and r[0] != r[1],
    ),
    (
        TWO,
        '"-#"',
        '[[cage]]\nregions = "rooms"\nA = "sum 1"\n[regions]\nrooms = "AB\\nAB"',
        lambda r: r[0] + r[2] == 1,
    ),
    (
        "..",
        '"1..12"',
        '[[cage]]\nregions = "AB"\nA = "from 10 12"\nB = "from 12"',
        lambda r: r[0] in (10, 12) and r[1] == 12,
    ),
    (
        TWO,
        '"123#"',
        '[[cage]]\nregions = "AA\\nBB"\nA = "sum 4"\nB = "from 12#"\n[[compare]]\ncells = "0,0 >= 2"',
        lambda r: r[0] + r[1] == 4 and r[0] >= 2 and 3 not in r[2:],
    ),
    (
        TWO,
        '"1..4"',
        '[[cage]]\nregions = "rooms"\nA = "sum 4"\neach = "different"\n[regions]\nrooms = "AA\\nBB"',
        lambda r: r[0] + r[1] == 4 and r[0] != r[1] and r[2] != r[3],
    ),
    (
        "....\n....",
        '"1..4"',
        '[[cage]]\nregions = """\nAABB\nCDDE"""\nclues = "A 5+ B 2- C 3\\nD 2/ E 1*"',
        lambda r: (
            r[0] + r[1] == 5
            and abs(r[2] - r[3]) == 2
            and r[4] == 3
            and max(r[5:7]) == 2 * min(r[5:7])
            and r[7] == 1
        ),
    ),
    (
        TWO,
        '"1..6"',
        '[[cage]]\nregions = """\nAB\nAB"""\nclues = "A 12x B 7"\neach = "different"\nB = "from 1256"',
        lambda r: r[0] * r[2] == 12 and r[1] + r[3] == 7 and {r[1], r[3]} <= {1, 2, 5, 6},
    ),
    (
        THREE,
        '"1..3"',
        '[[cage]]\nregions = ["rows", "diagonals"]\neach = "sum 6"',
        lambda r: all(sum(line) == 6 for line in (*lines_of(r, 3), r[::4], r[2:7:2])),
    ),
    (
        THREE,
        '"0..2"',
        '[[cage]]\npattern = """\n##\n##"""\neach = "sum 5, from 12"',
        lambda r: min(r) > 0 and all(r[k] + r[k + 1] + r[k + 3] + r[k + 4] == 5 for k in (0, 1, 3, 4)),
    ),
    (
        TWO,
        '"1..4"',
        '[[cage]]\nregions = "boxes 2x1"\neach = "product 4"',
        lambda r: all(prod(column) == 4 for column in columns_of(r, 2)),
    ),
    (
        "...",
        '"-3..3"',
        '[[cage]]\ncells = "0,0 0,2\\n0,1"\neach = "squares 9"',
        lambda r: r[0] ** 2 + r[2] ** 2 == 9 == r[1] ** 2,
    ),
    (
        TWO,
        '"1..4"',
        "[[cage]]\nregions = '''\nAB\nAB'''\nA = \"sum 5\"\nB = \"product 4, different\"",
        lambda r: r[0] + r[2] == 5 and r[1] * r[3] == 4 and r[1] != r[3],
    ),
    (
        TWO,
        '"0..4"',
        "[[cage]]\nregions = '''\nAB\nAB'''\nA = \"difference 2\"\nB = \"quotient 2\"",
        lambda r: abs(r[0] - r[2]) == 2 and (r[1] == 2 * r[3] or r[3] == 2 * r[1]),
    ),
    (
        "..",
        '"-2..3"',
        '[[cage]]\nregions = "AA"\nA = "quotient -2"',
        lambda r: r[0] == -2 * r[1] or r[1] == -2 * r[0],
    ),
    (
        "....",
        '"-2..3"',
        '[[cage]]\nregions = "AABB"\nA = "even"\nB = "odd, sum 0"',
        lambda r: r[0] % 2 == 0 == r[1] % 2 and r[2] % 2 == 1 == r[3] % 2 and r[2] + r[3] == 0,
    ),
    (
        "....",
        '"0..4"',
        '[[cage]]\nregions = "AAAB"\neach = "consecutive 2"',
        lambda r: sorted(r[:3]) == [2, 3, 4] and r[3] == 2,
    ),
    (
        "....",
        '"1..4"',
        '[[cage]]\nregions = "AAAB"\neach = "consecutive"',
        lambda r: sorted(r[:3]) == list(range(min(r[:3]), min(r[:3]) + 3)),
    ),
    (
        "...",
        "[1, 2, 4, 5, 6, 9]",
        '[[cage]]\ncells = "0,0 0,2\\n0,1 0,2"\neach = "consecutive"',
        lambda r: abs(r[0] - r[2]) == 1 == abs(r[1] - r[2]),
    ),
    (
        TWO,
        '"1..4"',
        "[[cage]]\nregions = '''\nA.\nBA'''\neach = \"from 24\"",
        lambda r: all(r[cell] in (2, 4) for cell in (0, 2, 3)),
    ),
]

COMPLAINTS = [
    (HEAD + '[[cage]]\npattern = "##"', '4:1: these regions have no clue; write one such as each = "sum 12"'),
    (
        HEAD + '[[cage]]\npattern = "##"\nregions = "AABB"\neach = "sum 5"',
        '6:1: "pattern" and "regions" both say which cells are meant; leave one out',
    ),
    (HEAD + '[[cage]]\nregions = "AABB"\neach = "sum 5"\nwhere = "here"', '7:1: "where" goes with a pattern'),
    (
        HEAD + '[[cage]]\nregions = "rows"',
        '4:1: these regions have no clue; write one such as each = "sum 12"',
    ),
    (HEAD + '[[cage]]\nregions = "rows"\nA = "sum 3"', '6:1: there is no key "A" in [cage]'),
    (HEAD + '[[cage]]\nregions = "AABB"\nclues = "A 3 C 4"', '6:14: there is no cage "C" in the drawing'),
    (HEAD + '[[cage]]\nregions = "AABB"\nclues = "A 3"', '5:1: cage "B" has no clue'),
    (HEAD + '[[cage]]\nregions = "r"\n[regions]\nr = "AABB"', '5:1: cage "A" has no clue; write one'),
    (HEAD + '[[cage]]\nregions = "AABB"\nclues = "A 3 B"', "6:14: the clue of cage B is not a number"),
    (HEAD + '[[cage]]\nregions = "AABB"\nclues = "A 3 B 4!"', "6:16: the clue of cage B is not a number"),
    (
        HEAD + '[[cage]]\nregions = "AABB"\nclues = "A 9999999999 B 4"',
        "6:12: the clue of cage A is not a number",
    ),
    (
        'kind = "grid"\nvalues = [1, 300]\nboard = "."\n[[cage]]\nregions = "rows"\neach = "squares 1"',
        "4:1: products of cells go from 1 to 90000, and at most 65536 numbers are accepted",
    ),
    (HEAD + '[[cage]]\nA = "sum 3"', '4:1: "regions" is missing'),
    (
        HEAD + '[[cage]]\nregions = "AABB"\nA = "sum 3"',
        '5:1: cage "B" has no clue; write one such as B = "sum 12", or draw its cells as "."',
    ),
    (HEAD + '[[cage]]\nregions = "AA.."\nA = "sum 3"\nB = "sum 4"', '7:1: there is no cage "B"'),
    (HEAD + '[[cage]]\nregions = "AA.."\nA = "sum x"', '6:5: "sum x" is not a rule of a cage; write sum 12'),
    (HEAD + '[[cage]]\nregions = "AA.."\nA = ""', '6:5: "" is not a rule of a cage'),
    (
        HEAD + '[[cage]]\nregions = "AA.."\nA = "difference -1"',
        "6:1: a difference in either order is never -1; write difference 1",
    ),
    (HEAD + '[[cage]]\nregions = "AAA."\nA = "quotient 2"', "6:1: a difference or quotient is of two"),
    (HEAD + '[[cage]]\nregions = "AA.."\nA = "from 59"', '6:5: "5" is none of the values 1234'),
    (
        HEAD + '[[cage]]\nregions = "AA.."\nA = "even 2"',
        '6:5: "even 2" is not a rule of a cage; write sum 12',
    ),
    (
        HEAD.replace('"1..4"', "[1, 2, 4]") + '[[cage]]\nregions = "AAA."\nA = "consecutive"',
        "6:5: there are no 3 consecutive values; make the cage smaller",
    ),
    (
        HEAD.replace('"1..4"', "[1, 2, 4]") + '[[cage]]\nregions = "AAA."\nA = "consecutive 1"',
        "6:5: not all numbers from 1 to 3 are values; make the cage smaller",
    ),
    (
        HEAD.replace('"....', '"1...') + '[[cage]]\nregions = "AA.."\nA = "even"',
        "6:1: cell 0,0 can have none of these values",
    ),
    (
        HEAD.replace('"....', '"1...') + '[[cage]]\nregions = "AA.."\nA = "from 23"',
        "6:1: cell 0,0 can have none of these values",
    ),
    (
        HEAD.replace("1..4", "1..3") + '[[cage]]\nregions = "AAAA"\nA = "different"',
        "6:1: 4 cells cannot all differ in 3 values",
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
def test_every_filling_with_consecutive_cages_counts_once(engine: str) -> None:
    def is_consecutive(cells: tuple[int, ...]) -> bool:
        return sorted(cells) == [*range(min(cells), min(cells) + 3)]

    lines = list(filter(is_consecutive, product(range(1, 5), repeat=3)))
    wanted = sum(all(map(is_consecutive, zip(*rows, strict=True))) for rows in product(lines, repeat=3))
    text = text_of(THREE, '"1..4"', '[[cage]]\nregions = ["rows", "columns"]\neach = "consecutive"')
    assert rk.count(read_toml(text, "mine.toml"), up_to="none", engine=engine).total == wanted > 0


def test_cages_show_their_rules() -> None:
    cage = '[[cage]]\nregions = "AABB"\nA = "odd"\nB = "consecutive, sum 5"'
    drawing = rk.svg(read_toml(text_of("....", '"1..4"', cage), "mine.toml"))
    assert [text.text for text in texts(drawing)] == ["odd", "n\u2026n+1, 5"]
