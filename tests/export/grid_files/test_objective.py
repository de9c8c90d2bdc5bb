"""`maximize` and `minimize`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.render.understood import understood
from tests.export.grid_files.asking import HEAD, Row, check_complaint, fillings, text_of

OBJECTIVES: list[tuple[str, str, str, Callable[[Row], int]]] = [
    ("[1, 2, 12]", '[[compare]]\ncells = "0,0 < 0,1"', 'maximize = "count 12"', lambda r: r.count(12)),
    (
        '"1..4"',
        '[[compare]]\ncells = "0,0 < 0,1"',
        'maximize = "count 13"',
        lambda r: r.count(1) + r.count(3),
    ),
    ('"ab"', '[[avoid]]\npattern = "bb"', 'maximize = "count b"', lambda r: r.count(1)),
    ('"abc"', '[[avoid]]\npattern = "=="', 'minimize = "count ac"', lambda r: -r.count(0) - r.count(2)),
    ('"1..4"', '[[different]]\nregions = "rows"', 'maximize = "sum 0,0 0,2"', lambda r: r[0] + r[2]),
    ('"1..4"', '[[different]]\nregions = "rows"', 'minimize = "sum"', lambda r: -sum(r)),
    ('"1..4"', 'given = "1..."', 'maximize = "sum"', sum),
    ("[-1, 70]", '[[avoid]]\npattern = "=="', 'maximize = "0,3"', lambda r: r[3]),
    ("[-1, 70]", '[[compare]]\ncells = "0,0 < 0,1"', 'minimize = "count 70"', lambda r: -r.count(70)),
]

COMPLAINTS = [
    (HEAD + 'maximize = "sum"\nminimize = "sum"', '5:1: a file has "maximize" or "minimize", not both'),
    (HEAD.replace('"1..4"', '"-Q"') + 'maximize = "Q"', '4:12: "Q" is not known; write "count -"'),
    (HEAD + 'maximize = "most"', '4:12: "most" is not known; write "count 1"'),
    (
        HEAD + 'maximize = "0,0 + 0,1"',
        '4:12: "0,0 + 0,1" is not known; write "count 1", "sum", "sum 0,0 0,1" or a',
    ),
    (HEAD + 'maximize = "count 9"', '4:12: "9" is none of the values 1234'),
    (HEAD + 'maximize = "sum 0,0 0,9"', '4:21: there is no cell "0,9"'),
    (HEAD + 'maximize = "sum 0,0 0,0"', "4:1: the sum names a cell twice"),
    (HEAD.replace('"1..4"', "[0, 65535]") + 'minimize = "sum"', "4:12: the sum goes from 0 to 262140"),
]


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


class TestObjectives:
    @pytest.mark.parametrize(("values", "clause", "objective", "worth"), OBJECTIVES)
    def test_only_the_best_count(
        self, values: str, clause: str, objective: str, worth: Callable[[Row], int]
    ) -> None:
        every = fillings(text_of("....", values, clause))
        best = max(map(worth, every))
        text = text_of("....", values, f"{objective}\n{clause}")
        assert fillings(text) == {row for row in every if worth(row) == best}
        assert rk.count(read_toml(text, "mine.toml")).optimum == abs(best)

    def test_the_puzzle_is_shown_with_its_objective(self) -> None:
        puzzle = read_toml(text_of("..", '"ab"', 'minimize = "count  b"'), "mine.toml")
        assert "minimize ~count b" in understood(puzzle)
