"""`[[compare]]`: sums and products of cells, and numbers that are written with letters."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.picture import Clues
from tests.export.grid_files.asking import HEAD, Case, Holds, check_complaint, check_meaning, text_of

MEANINGS: list[Case] = [
    (
        "...\n...",
        '"1..3"',
        '[[compare]]\ncells = """\n0,0 < 0,1 <= 0,2\n\n1,0 1,1 = 1,2 != 2\n0,0 1,0 1 >= 4"""',
        lambda r: r[0] < r[1] <= r[2] and r[3] + r[4] == r[5] != 2 and r[0] + r[3] + 1 >= 4,
    ),
    ("..", '"1..3"', '[[compare]]\ncells = "0,0>0,1"', lambda r: r[0] > r[1]),
    (
        "...",
        '"1..3"',
        '[[compare]]\ncells = """\n0,0 == 0,1\n0,0 \u2264 0,2\u22653\n2 <> 0,1 \u2260 1"""',
        lambda r: r[0] == r[1] and r[0] <= r[2] >= 3 and 2 != r[1] != 1,
    ),
    ("..", '"-2..2"', '[[compare]]\ncells = "0,0 0,0 = 0,1 -2"', lambda r: 2 * r[0] == r[1] - 2),
    ("...", '"-2..2"', '[[compare]]\ncells = "0,0 + 0,1 = 0,2"', lambda r: r[0] + r[1] == r[2]),
    ("...", '"-2..2"', '[[compare]]\ncells = "0,0 -0,1 > -0,2 + 1"', lambda r: r[0] - r[1] > 1 - r[2]),
    (
        "...",
        '"0..4"',
        '[[compare]]\ncells = "10*0,0 + 0,1 - 3 * 0,2 = 2*0,0+4*0,1-4 <= 2*0,2"',
        lambda r: 10 * r[0] + r[1] - 3 * r[2] == 2 * r[0] + 4 * r[1] - 4 <= 2 * r[2],
    ),
    ("..", '"-2..2"', '[[compare]]\ncells = "3*0,0 - 0,0 - 2*0,0 = 0*0,1 + 0,1"', lambda r: r[1] == 0),
    (
        "..",
        '"+-*"',
        '[[compare]]\ncells = "0,0 = - or (* > 0,1 and not 0,0=+)"',
        lambda r: r[0] == 1 or (r[1] < 2 and r[0] != 0),
    ),
    ("..", '"-+"', '[[compare]]\npattern = "ab"\ncells = "a = -"', lambda r: r[0] == 0),
    ("..", '"-2..2"', '[[compare]]\ncells = "0,0*0,0*0,0 < 0,1"', lambda r: r[0] ** 3 < r[1]),
    ("...", '"-2..2"', '[[compare]]\ncells = "abs(0,0 - 0,1) = 0,2"', lambda r: abs(r[0] - r[1]) == r[2]),
    (
        "...",
        '"-2..3"',
        '[[compare]]\ncells = "2*abs(0,0*0,1 - 1) - abs(-3 + abs(0,2)) < abs(-4) - abs(1 - 0,0*0,1)"',
        lambda r: 3 * abs(r[0] * r[1] - 1) - abs(abs(r[2]) - 3) < 4,
    ),
    (
        "...",
        '"0..4"',
        '[[compare]]\npattern = "ab"\ncells = "if a > b then not abs(b - a) = 2 or (abs(a - 3)) = 1"',
        lambda r: all(a <= b or abs(a - b) != 2 or abs(a - 3) == 1 for a, b in pairwise(r)),
    ),
    ("...", '"-2..2"', '[[compare]]\ncells = "0,0*0,1 = 0,2"', lambda r: r[0] * r[1] == r[2]),
    ("...", '"-2..3"', '[[compare]]\ncells = "0,0*0,0*0,1 < 0,2*2"', lambda r: r[0] ** 2 * r[1] < 2 * r[2]),
    (
        "...",
        '"-2..3"',
        '[[compare]]\ncells = "-(0,0 - 2)*(0,1 + 3*(0,2 - 0,0)) - 0,1*0,0 >= 0,0 3"',
        lambda r: -(r[0] - 2) * (r[1] + 3 * (r[2] - r[0])) - r[1] * r[0] >= 3 + r[0],
    ),
    (
        "..",
        '"0..5"',
        '[[compare]]\ncells = "(0,0 + 0,1)*(0,0 - 0,1) = 0,0*0,0 - 0,1*0,1 != 5"',
        lambda r: r[0] ** 2 - r[1] ** 2 != 5,
    ),
    (
        "...",
        '"0..4"',
        'names = "A B C"\n[[compare]]\nwords = "BA * 2 = C4"',
        lambda r: r[1] > 0 < r[2] and (10 * r[1] + r[0]) * 2 == 10 * r[2] + 4,
    ),
    (
        "...",
        '"0..3"',
        'names = "A B C"\n[[compare]]\nwords = "A + B = C"',
        lambda r: r[0] + r[1] == r[2],
    ),
    (
        "..",
        '"0..7"',
        'names = "A B"\n[[compare]]\nwords = "AB > 31\\nA * B <= BA"\nbase = 8',
        lambda r: r[0] > 0 < r[1] and 8 * r[0] + r[1] > 25 and r[0] * r[1] <= 8 * r[1] + r[0],
    ),
    (
        "...\n...",
        '"0..2"',
        '[[compare]]\npattern = "xY"\ncells = "x < Y + 1"\n[[compare]]\npattern = "a\\nb"\ncells = "a >= b"',
        lambda r: r[0] <= r[1] <= r[2] and r[3] <= r[4] <= r[5] and all(r[k] >= r[k + 3] for k in range(3)),
    ),
    (
        ".....",
        '"1..3"',
        '[[compare]]\npattern = "abc"\nstretch = "evenly"\ncells = """\na + c != 2*b\n\na <= c\n"""',
        lambda r: all(
            r[k] + r[k + 2 * d] != 2 * r[k + d] and r[k] <= r[k + 2 * d]
            for k, d in [(0, 1), (1, 1), (2, 1), (0, 2)]
        ),
    ),
    (
        "..\n..",
        '"0..2"',
        '[[compare]]\npattern = "ab"\norientations = "all"\ncells = "a*b != 2"',
        lambda r: all(r[a] * r[b] != 2 for a, b in [(0, 1), (2, 3), (0, 2), (1, 3)]),
    ),
    (
        "...\n...",
        '"0..2"',
        '[[compare]]\npattern = "ab"\ncells = "if a = 0 then b > 1 or a = b"',
        lambda r: all(r[k] > 0 or r[k + 1] != 1 for k in (0, 1, 3, 4)),
    ),
    (
        "...",
        '"xyz"',
        '[[compare]]\npattern = "ab"\ncells = "a != z"',
        lambda r: r[0] != 2 != r[1],
    ),
    (
        "..",
        '"0..2"',
        '[[compare]]\npattern = "abc"\ncells = "a < b"\n[[compare]]\npattern = "ab"\ncells = "a < b"',
        lambda r: r[0] < r[1],
    ),
    (
        "...",
        '"xyz"',
        'names = "x b c"\n[[compare]]\ncells = "if b = z then x = y or c != 0\\nx > x - 1 = z - 3 + b - b"',
        lambda r: (r[1] != 2 or r[0] == 1 or r[2] != 0) and r[0] == 0,
    ),
    (
        "...",
        '"1..3"',
        '[[compare]]\ncells = "0,0 = 1 or 0,1 < 0,2 <= 2 or 7 = 0,1"',
        lambda r: r[0] == 1 or r[1] < r[2] <= 2,
    ),
    (
        "...",
        '"1..3"',
        '[[compare]]\ncells = "if 0,0 + 0,1 = 3 then if 0,2 > 1 then 0,0 = 2"',
        lambda r: r[0] + r[1] != 3 or r[2] <= 1 or r[0] == 2,
    ),
    (
        "...",
        '"1..3"',
        '[[compare]]\ncells = "not not not (0,0 = 1 and 0,1 != 2 and not 0,2 <= 0,0) and (0,1) < 3"',
        lambda r: not (r[0] == 1 and r[1] != 2 and r[2] > r[0]) and r[1] < 3,
    ),
    (
        "...",
        '"1..3"',
        '[[compare]]\ncells = "0,0 = 2 iff not 0,1 = 3 or (0,2 = 1 iff (0,0 + 1)*0,1 >= 6)"',
        lambda r: (r[0] == 2) == (r[1] != 3 or (r[2] == 1) == ((r[0] + 1) * r[1] >= 6)),
    ),
    ("..", '"1..3"', '[[compare]]\ncells = "2*0,0 = 2 or 0,1 = 3"', lambda r: r[0] == 1 or r[1] == 3),
    ("..", '"-2..2"', '[[compare]]\ncells = "0,0 = 0 or 1 = 0,1"', lambda r: r[0] == 0 or r[1] == 1),
    (
        "..",
        '"1..3"',
        '[[compare]]\ncells = """(0,0 = 1 iff -0,1 = -2)\nnot (0,0 = 3 iff 0,1 = 3) or 0,0*0,1 = 2"""',
        lambda r: (r[0] == 1) == (r[1] == 2) and ((r[0] == 3) != (r[1] == 3) or r[0] * r[1] == 2),
    ),
]

NAMED = HEAD + 'names = "A B C D"\n'

COMPLAINTS = [
    (
        HEAD.replace('"1..4"', '"XYZ"') + '[[compare]]\ncells = "0,0 = Y or X = 1"',
        '5:21: "X" is a value, and there is no cell in this comparison; name a cell',
    ),
    (
        HEAD.replace('"1..4"', '"XYZ"') + '[[compare]]\ncells = "0,0 < 2*(X + 1) != 4"',
        '5:19: "X" is a value, and there is no cell in this comparison; name a cell',
    ),
    (
        HEAD + '[[compare]]\ncells = "1 < 2"',
        "5:10: there is no cell in this comparison, only numbers; name a cell",
    ),
    (
        HEAD + '[[compare]]\npattern = "ab"\ncells = "a < b or 1 = 2"',
        "6:19: there is no cell in this comparison",
    ),
    (
        HEAD + '[[compare]]\ncells = "0,0 = 1, 2"',
        '5:16: "1,": a comma ends no comparison; write each on a line of its own, and values of a cell as 0,0 = 1',
    ),
    *(
        (HEAD + f'[[compare]]\ncells = "0,0{sign}0,1 = 2"', f'5:10: "0,0{sign}0,1": {complaint}')
        for sign, complaint in (
            ("\u00d7", "write * for products"),
            ("\u2212", "write - for differences"),
            ("^", "sums have no powers; write 0,0*0,0"),
            ("/", "sums have no quotients; multiply the other side"),
            ("%", "sums have no remainders; odd and even are rules of a [[cage]]"),
        )
    ),
    (HEAD + '[[compare]]\npattern = "ab"\ncells = "a \u00d7 b = 2"', '6:12: "\u00d7": write * for products'),
    (HEAD + '[[compare]]\ncells = ""', "5:9: there is no line; write one, such as 0,0 < 0,1"),
    (HEAD + '[[compare]]\ncells = "0,0 0,1"', "5:10: there is no relation in this comparison"),
    (HEAD + '[[compare]]\ncells = "0,0 =< 0,1"', '5:14: "=<" is not a relation; take one of < <= = != >= >'),
    (HEAD + '[[compare]]\ncells = "0,0 < 2*(0,1 + 0,2"', '5:18: there is no ")" for this "("; add it'),
    (HEAD + '[[compare]]\ncells = "0,0 < 0,1)"', '5:19: there is no "(" for this ")"; leave it out'),
    (HEAD + '[[compare]]\ncells = "0,0 < 2(0,1)"', '5:17: there is no sign before "("; write * or +'),
    (HEAD + '[[compare]]\ncells = "(0,0)0,1 < 2"', '5:15: there is no sign before "0,1"; write * or +'),
    (HEAD + '[[compare]]\ncells = "2 0,0 < 0,1"', '5:12: there is no sign before "0,0"; write * or +'),
    (HEAD + '[[compare]]\ncells = "0,1 = 5 - 2*3 0,0"', '5:24: there is no sign before "0,0"; write * or +'),
    (HEAD + '[[compare]]\ncells = "0,0*() < 2"', '5:14: there is no cell after "("; name one, or a number'),
    (HEAD + '[[compare]]\ncells = ") < 2"', '5:10: there is no cell before ")"; name one, or a number'),
    (HEAD + f'[[compare]]\ncells = "{"(" * 21}0,0{")" * 21} = 1"', "5:30: more than 20 brackets are open"),
    (
        HEAD + f'[[compare]]\ncells = "{"*".join(["0,0"] * 33)} = 1"',
        "5:137: more than 16384 products, or 32 cells",
    ),
    (
        HEAD + f'[[compare]]\ncells = "{"*".join(["99999"] * 9)} = 1"',
        "5:27: a factor beyond 1000000000000000000",
    ),
    (
        HEAD + f'[[compare]]\ncells = "{"*".join(["(0,0 0,1 0,2 0,3)"] * 40)} = 1"',
        "5:513: more than 16384 products, or 32 cells",
    ),
    (
        HEAD + '[[compare]]\ncells = "0,0 < 0,1; 0,1 < 0,2"',
        '5:16: "0,1;": it ends no comparison; write each on a line of its own',
    ),
    (HEAD + '[[compare]]\ncells = "or 0,0 = 1"', '5:10: there is no comparison before "or"; write if'),
    (HEAD + '[[compare]]\ncells = "0,0 = 1 or not"', '5:21: there is no comparison after "not"; write if'),
    (HEAD + '[[compare]]\ncells = "0,0 = 1 or 2"', "5:21: there is no relation in this comparison"),
    (
        HEAD + '[[compare]]\ncells = "if 0,0 = 1"',
        '5:19: there is no "then" after this; write if 0,0 = 1 then',
    ),
    (HEAD + '[[compare]]\ncells = "(0,0 = 1 or 0,1 = 2"', '5:10: there is no ")" for this "("; add it'),
    (HEAD + '[[compare]]\ncells = "0,0 = 1 or 0,1 = 2)"', '5:28: there is no "(" for this ")"; leave it'),
    (
        HEAD + '[[compare]]\ncells = "(0,0 = 1) = (0,1 = 2)"',
        '5:20: "=" does not continue the condition before it; write if 0,0 = 1 then',
    ),
    (
        HEAD + '[[compare]]\ncells = "0,0 = 1 iff 0,1 = 1 iff 0,2 = 1"',
        '5:30: "iff" does not continue the condition before it; write if',
    ),
    (
        HEAD + f'[[compare]]\ncells = "{"(" * 30}0,0 = 1{")" * 30}"',
        "5:30: more than 20 conditions in one another; write fewer",
    ),
    (HEAD + '[[compare]]\ncells = "0,0 = 1 OR 0,1 = 2"', '5:18: "OR" joins no comparisons; write or'),
    (HEAD + '[[compare]]\ncells = "0,0 = 1 || 0,1 = 2"', '5:18: "||" joins no comparisons; write or'),
    (
        HEAD + '[[compare]]\ncells = "0,0 = 1 => 0,1 = 2"',
        '5:18: "=>" is not a relation; write if 0,0 = 1 then 0,1 = 2',
    ),
    (HEAD + 'names = "A B C or"', '4:16: "or" means something else in clauses; take another name'),
    (
        HEAD + '[[compare]]\ncells = "|0,0 - 0,1| = 1"',
        '5:10: "|0,0": write absolute values as abs(a - b)',
    ),
    (HEAD + '[[compare]]\ncells = "abs 0,0 > 2"', '5:10: "abs": write absolute values as abs(a - b)'),
    (HEAD + '[[compare]]\ncells = "abs(0,0 - 0,1 > 2"', '5:13: there is no ")" for this "("; add it'),
    (
        HEAD + '[[compare]]\ncells = "abs(99999*0,0) > 2"',
        "5:10: the sum is one of 299998 numbers; at most 65536 are accepted",
    ),
    *(
        (
            HEAD + f'[[compare]]\ncells = "0,0 = 1 {word} 0,1 = 2"',
            f'5:18: "{word}" {fix}; write if 0,0 = 1 then',
        )
        for word, fix in (("->", "is not a relation"), ("implies", "joins no comparisons"))
    ),
    *(
        (HEAD + f'[[compare]]\ncells = "{line}"', f'5:10: "{line[:3]}": {fix}')
        for line, fix in (
            ("max(0,0, 0,1) = 3", "write each comparison: max(a, b) = 5 is a <= 5 and b <= 5 and"),
            ("min(0,0, 0,1) = 3", "write each comparison: min(a, b) = 5 is a >= 5 and b >= 5 and"),
            ("sum(0,0, 0,1) = 3", "write a sum as a + b"),
        )
    ),
    (HEAD + '[[compare]]\npattern = "ab"\ncells = "max(a, b) = 3"', '6:10: "max": write each comparison'),
    (HEAD + '[[compare]]\ncells = "0,0 mod 2 = 1"', '5:14: "mod": sums have no remainders'),
    (HEAD + '[[compare]]\ncells = "0,0 <"', '5:14: there are no cells after "<"'),
    (HEAD + '[[compare]]\ncells = "< 0,0"', '5:10: there are no cells before "<"'),
    (HEAD + '[[compare]]\ncells = """\n\n 0,0 < a\n"""', '7:8: there is no cell "a"'),
    (HEAD + '[[compare]]\ncells = "0,0 < 99999999999"', "5:16: the number is greater than 1000000000"),
    (HEAD + '[[compare]]\ncells = "99999999999*0,0 < 2"', "5:10: the number is greater than 1000000000"),
    (
        HEAD + '[[compare]]\ncells = "0,0 < 0,1\\n700000000*0,1 < 0,0 - 700000000*0,1"',
        "5:21: the factors of a cell add up to more than 1000000000",
    ),
    (
        HEAD + '[[compare]]\ncells = "0,0 < 0,1\\n0,0 > 1000000000*1000000000"',
        "5:21: the factors of a cell add up to more than 1000000000, or the numbers to 1000000000000000000;",
    ),
    (
        HEAD.replace('"1..4"', "[-200, 200]") + '[[compare]]\ncells = "0,0*0,1 = 1"',
        "4:1: products of cells go from -40000 to 40000, and at most 65536 numbers are accepted",
    ),
    (
        HEAD + f'[[compare]]\ncells = "0,0 < {"9" * 5000}"',
        "5:16: the number is greater than 1000000000; take a smaller one",
    ),
    (HEAD + '[[compare]]\ncells = "0,0 + = 3"', '5:14: there is no cell after "+"; name one, or a number'),
    (HEAD + '[[compare]]\ncells = "0,0 + - 0,1 = 3"', '5:16: "-" follows another sign; write one of them'),
    (HEAD + '[[compare]]\ncells = "2* = 3"', '5:11: there is no cell after "*"; name one, or a number'),
    (HEAD + '[[compare]]\ncells = "2**0,0 = 3"', '5:12: there is no cell before "*"; name one, or a number'),
    (HEAD + '[[compare]]\ncells = "2*9,9 = 3"', '5:12: there is no cell "9,9"; cells are 0,0, 0,1, 0,2, ...'),
    (
        HEAD.replace("4", "300", 1) + '[[compare]]\ncells = "0,0*0,1 = 3"',
        "4:1: products of cells go from 1 to 90000, and at most 65536 numbers are accepted; take smaller",
    ),
    (HEAD + '[[compare]]\ncells = "0,0 = 1"\nwords = "A = 1"', '5:1: a [[compare]] has "cells" or "words"'),
    (HEAD + '[[compare]]\ncells = "0,0 = 1"\nbase = 7', "6:1: base is that of the numbers in words"),
    (HEAD + "[[compare]]", '4:1: "cells" is missing'),
    (HEAD + '[[compare]]\nwords = "A = 1"', "5:9: no cell is named by a letter; write names, such as"),
    (NAMED + '[[compare]]\nwords = ""', "6:9: there is no line; write one, such as TWO + TWO = FOUR"),
    (
        NAMED + '[[compare]]\nwords = "A = B or B = C"',
        '6:16: "or" joins comparisons of cells, not of words; write cells = "A = 1 or B = 2"',
    ),
    (NAMED + '[[compare]]\nwords = "ABE = 1"', '6:10: there is no cell "E"'),
    (
        NAMED + '[[compare]]\nwords = "A = 1"\nbase = 4',
        "6:9: the value 4 is no digit in base 4; take another base",
    ),
    (NAMED + '[[compare]]\nwords = "A = 16"\nbase = 6', '6:14: "6" is no digit in base 6; take a lesser one'),
    (NAMED + '[[compare]]\nwords = "A = 1"\nbase = 37', '7:8: "base" is a whole number from 2 to 36'),
    (
        NAMED.replace('"1..4"', '"-1..4"') + '[[compare]]\nwords = "A = 1"',
        "6:9: the value -1 is no digit in base 10; take another base",
    ),
    (
        NAMED.replace('"1..4"', '"0..4"').replace("....", "0...") + '[[compare]]\nwords = "AB = 1"',
        '6:10: "AB" begins with 0; look at what is given',
    ),
    (
        HEAD + '[[compare]]\npattern = "aa"\ncells = "a < 2"',
        "5:1: mark each cell of the pattern with a letter of its",
    ),
    (
        HEAD + '[[compare]]\npattern = "a1"\ncells = "a < 2"',
        "5:1: mark each cell of the pattern with a letter of its",
    ),
    (
        HEAD + '[[compare]]\npattern = "ab"\ncells = "a < c"',
        '6:14: there is no "c" in the pattern; its cells are a b',
    ),
    (HEAD + '[[compare]]\npattern = "ab"\ncells = "a b"', "6:10: there is no relation in this comparison"),
    (HEAD + '[[compare]]\npattern = "ab"', '4:1: "cells" is missing'),
    (
        HEAD + '[[compare]]\npattern = "a"\nequation = "a = b"\ncells = "a < 2"',
        '6:1: there is no key "equation"',
    ),
    (
        HEAD + '[[compare]]\ncells = "0,0 < 0,1"\nstretch = "freely"',
        '6:1: "stretch" goes with a pattern that is drawn; leave it out',
    ),
    (
        NAMED + '[[compare]]\nwords = "A = 1"\npattern = "ab"',
        '7:1: "pattern" goes with "cells", whose lines compare its marks; leave it out',
    ),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


def test_members_of_a_family_may_compare_numbers() -> None:
    text = HEAD + '[[compare]]\ncells = "{n} < 2"\n[family]\nn = "1..2"'
    assert [rk.count(rk.puzzle_from_text(text, "mine", n)).total for n in (1, 2)] == [256, 0]


@pytest.mark.parametrize(
    ("board", "clauses", "counts"),
    [
        (  # A039622: standard Young tableaux of n x n
            "rectangle {n} {n}",
            '[[different]]\nregions = "board"\n[[compare]]\npattern = "ab"\ncells = "a < b"\n'
            '[[compare]]\npattern = "a\\nb"\ncells = "a < b"',
            [1, 2, 42],
        ),
        (  # A003274: permutations whose neighbours differ by at most 2
            "rectangle 1 {n}",
            '[[different]]\nregions = "rows"\n[[compare]]\npattern = "ab"\ncells = "-2 <= a - b <= 2"',
            [1, 2, 6, 12, 20, 34, 56],
        ),
        (  # A001250: alternating permutations
            "rectangle 1 {n}",
            '[[different]]\nregions = "rows"\n[[compare]]\npattern = "abc"\ncells = "(b - a)*(b - c) > 0"',
            [1, 2, 4, 10, 32, 122, 544],
        ),
    ],
)
def test_a_pattern_is_compared_on_boards_of_any_size(board: str, clauses: str, counts: list[int]) -> None:
    for n, total in enumerate(counts, 1):
        values = f"1..{n if board.startswith('rectangle 1') else n * n}"
        text = f'kind = "grid"\nboard = "{board.format(n=n)}"\nvalues = "{values}"\n{clauses}'
        assert rk.count(rk.puzzle_from_text(text, "mine.toml"), up_to="none").total == total


@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
def test_coins_for_an_amount(engine: str) -> None:
    """OEIS A001300: ways to pay 50 with coins of 1, 5, 10, 25 and 50."""
    line = "0,0 + 5*0,1 + 10*0,2 + 25*0,3 + 50*0,4 = 50"
    text = text_of(".....", '"0..50"', f'[[compare]]\ncells = "{line}"')
    assert rk.count(read_toml(text, "mine.toml"), up_to="none", engine=engine).total == 50


@pytest.mark.parametrize(
    ("line", "values", "total"),
    [
        ("AB * CDE = FGHI", "1..9", 7),
        ("A * BCDE = FGHI", "1..9", 2),
        ("AB * CDE = FGHIJ", "0..9", 9),
        ("A * BCDE = FGHIJ", "0..9", 13),
    ],
)
def test_products_with_all_digits(line: str, values: str, total: int) -> None:
    """The same by multiplying all numbers."""
    names = [letter for letter in line if letter.isalpha()]
    clauses = f'names = "{" ".join(names)}"\n[[different]]\nregions = "board"\n[[compare]]\nwords = "{line}"'
    puzzle = read_toml(text_of("." * len(names), f'"{values}"', clauses), "mine.toml")
    one, other = (range(10 ** (len(word) - 1), 10 ** len(word)) for word in re.findall("[A-Z]+", line)[:2])
    digits = [str(value) for value in range(int(values[0]), 10)]
    found = sum(sorted(f"{a}{b}{a * b}") == digits for a in one for b in other)
    assert rk.count(puzzle).total == total == found


@pytest.mark.parametrize("engine", ["csp", "csp-frontier", "csp-plain"])
def test_neighbours_differ_by_one_or_two(engine: str) -> None:
    """Permutations of 1 to 5 whose neighbours differ by one or two: OEIS A003274, 1, 2, 6, 12, 20."""
    lines = "\\n".join(
        f"{a} - {b} = 1 or {b} - {a} = 1 or not (-2 != {a} - {b} and {a} - {b} != 2)"
        for a, b in (("0,0", "0,1"), ("0,1", "0,2"), ("0,2", "0,3"), ("0,3", "0,4"))
    )
    clauses = f'[[different]]\nregions = "board"\n[[compare]]\ncells = "{lines}"'
    puzzle = read_toml(text_of(".....", '"1..5"', clauses), "mine.toml")
    assert rk.count(puzzle, up_to="none", engine=engine).total == 20


def test_arrows_and_signs_are_those_of_cells_without_factors() -> None:
    def shown(line: str) -> tuple[int, int]:
        picture = read_toml(text_of("...", '"1..3"', f'[[compare]]\ncells = "{line}"'), "mine.toml").picture
        assert isinstance(picture, Clues)
        return len(picture.signs), len(picture.threads)

    assert shown("0,0 < 0,1") == (1, 0)
    assert shown("0,0 = 0,1 + 0,2") == (0, 1)
    for line in ("2*0,0 < 0,1", "0,0 = 0,1 - 0,2", "-0,0 < 0,1", "1000000*0,0 0,1 = 0,2", "0,0 < 0,1 + 1"):
        assert shown(line) == (0, 0)
