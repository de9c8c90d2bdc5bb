"""`[[compare]]`: sums of cells."""

from __future__ import annotations

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
]

COMPLAINTS = [
    (HEAD + '[[compare]]\ncells = ""', "5:9: there is no line; write one, such as 0,0 < 0,1"),
    (HEAD + '[[compare]]\ncells = "0,0 0,1"', "5:10: there is no relation in this line"),
    (HEAD + '[[compare]]\ncells = "0,0 =< 0,1"', '5:14: "=<" is not a relation; take one of < <= = != >= >'),
    (HEAD + '[[compare]]\ncells = "0,0 < 2*(0,1 + 0,2)"', '5:16: "2*(0,1": sums have no brackets and no abs'),
    (HEAD + '[[compare]]\ncells = "|0,0 - 0,1| = 1"', '5:10: "|0,0": sums have no brackets and no absolute'),
    (HEAD + '[[compare]]\ncells = "0,0 <"', '5:14: there are no cells after "<"'),
    (HEAD + '[[compare]]\ncells = "< 0,0"', '5:10: there are no cells before "<"'),
    (HEAD + '[[compare]]\ncells = """\n\n 0,0 < a\n"""', '7:8: there is no cell "a"'),
    (HEAD + '[[compare]]\ncells = "0,0 < 99999999999"', "5:16: the number is greater than 1000000000"),
    (HEAD + '[[compare]]\ncells = "99999999999*0,0 < 2"', "5:10: the number is greater than 1000000000"),
    (
        HEAD + '[[compare]]\ncells = "0,0 < 0,1\\n700000000*0,1 < -700000000*0,1"',
        "6:1: the factors of a cell add up to more than 1000000000",
    ),
    (HEAD + '[[compare]]\ncells = "0,0 + = 3"', '5:14: there is no cell after "+"; name one, or a number'),
    (HEAD + '[[compare]]\ncells = "0,0 + - 0,1 = 3"', '5:16: "-" follows another sign; write one of them'),
    (HEAD + '[[compare]]\ncells = "0,0*3 = 3"', '5:10: "0,0*3" is not a number, "*" and a cell; write a'),
    (HEAD + '[[compare]]\ncells = "2*3*0,0 = 3"', '5:10: "2*3*0,0" is not a number, "*" and a cell'),
    (HEAD + '[[compare]]\ncells = "2* = 3"', '5:11: "*" is not a number, "*" and a cell'),
    (HEAD + '[[compare]]\ncells = "2*9,9 = 3"', '5:10: there is no cell "9,9"; cells are 0,0, 0,1, 0,2, ...'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize("engine", ["csp", "csp-plain"])
def test_coins_for_an_amount(engine: str) -> None:
    """OEIS A001300: ways to pay 50 with coins of 1, 5, 10, 25 and 50."""
    line = "0,0 + 5*0,1 + 10*0,2 + 25*0,3 + 50*0,4 = 50"
    text = text_of(".....", '"0..50"', f'[[compare]]\ncells = "{line}"')
    assert rk.count(read_toml(text, "mine.toml"), up_to="none", engine=engine).total == 50


def test_arrows_and_signs_are_those_of_cells_without_factors() -> None:
    def shown(line: str) -> tuple[int, int]:
        picture = read_toml(text_of("...", '"1..3"', f'[[compare]]\ncells = "{line}"'), "mine.toml").picture
        assert isinstance(picture, Clues)
        return len(picture.signs), len(picture.threads)

    assert shown("0,0 < 0,1") == (1, 0)
    assert shown("0,0 = 0,1 + 0,2") == (0, 1)
    for line in ("2*0,0 < 0,1", "0,0 = 0,1 - 0,2", "-0,0 < 0,1", "1000000*0,0 0,1 = 0,2", "0,0 < 0,1 + 1"):
        assert shown(line) == (0, 0)
