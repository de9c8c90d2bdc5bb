"""The clues of Tapa: runs of a value in the circle around a square, in any order."""

from __future__ import annotations

from itertools import product

import pytest

import rekkyo as rk
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.picture import Clues
from tests.export.grid_files.asking import HEAD, THREE, Row, check_complaint, check_meaning, text_of
from tests.naive_runs import CLOCKWISE, runs_of_circle


def runs_around(row: Row, board: str, square: tuple[int, int], inside: tuple[int, ...]) -> list[int]:
    """The lengths of the runs, sorted."""
    squares = [
        (r, c) for r, line in enumerate(board.split("\n")) for c, mark in enumerate(line) if mark == "."
    ]
    value_at = dict(zip(squares, row, strict=True))
    circle = [value_at.get((square[0] + down, square[1] + across)) in inside for down, across in CLOCKWISE]
    return sorted(runs_of_circle(circle))


def clause(square: tuple[int, int], clue: str, value: str = "#", shape: tuple[int, int] = (3, 3)) -> str:
    words = [[clue if (r, c) == square else "." for c in range(shape[1])] for r in range(shape[0])]
    text = "\n".join(map(" ".join, words))
    return f'[[count]]\nvalue = "{value}"\nruns = """\n{text}\n"""'


@pytest.mark.parametrize(
    ("square", "clue", "wanted"),
    [
        ((1, 1), "0", []),
        ((1, 1), "8", [8]),
        ((1, 1), "7", [7]),
        ((1, 1), "1,3", [1, 3]),
        ((1, 1), "3,1", [1, 3]),
        ((1, 1), "1,1,1,1", [1, 1, 1, 1]),
        ((1, 1), "1,2,2", [1, 2, 2]),
        ((0, 1), "5", [5]),
        ((0, 1), "1,3", [1, 3]),
        ((2, 2), "1,1", [1, 1]),
    ],
)
def test_runs_of_a_circle_in_any_order(square: tuple[int, int], clue: str, wanted: list[int]) -> None:
    check_meaning(
        THREE, '"-#"', clause(square, clue), lambda row: runs_around(row, THREE, square, (1,)) == wanted
    )


@pytest.mark.parametrize("n_runs", [1, 2, 3, 4])
def test_runs_of_any_length(n_runs: int) -> None:
    clue = ",".join("?" * n_runs)
    check_meaning(
        THREE, '"-#"', clause((1, 1), clue), lambda row: len(runs_around(row, THREE, (1, 1), (1,))) == n_runs
    )


def test_one_known_run_and_others() -> None:
    def holds(row: Row) -> bool:
        runs = runs_around(row, THREE, (1, 1), (1,))
        return len(runs) == 2 and 2 in runs

    check_meaning(THREE, '"-#"', clause((1, 1), "?,2"), holds)


def test_a_square_without_a_cell_is_a_gap_and_may_have_a_clue() -> None:
    board = "...\n.x.\n..x".replace("x", "#")
    check_meaning(
        board, '"ab"', clause((1, 1), "1,3", "b"), lambda row: runs_around(row, board, (1, 1), (1,)) == [1, 3]
    )


def test_cells_with_any_of_several_values() -> None:
    board = "...\n..."
    check_meaning(
        board,
        '"abc"',
        clause((0, 1), "1,2", "ac", (2, 3)),
        lambda row: runs_around(row, board, (0, 1), (0, 2)) == [1, 2],
    )


def test_a_square_without_cells_around() -> None:
    puzzle = read_toml(text_of(".#.", '"-x"', clause((0, 0), "0", "x", (1, 3))), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == 4


def test_cells_with_many_values() -> None:
    """A hidden variable for each cell says whether it has one of the values."""
    text = text_of(THREE, '"1..9"', clause((1, 1), "1,1,1,1", "5..9"))
    puzzle = read_toml(text, "mine.toml")
    assert rk.count(puzzle, up_to="none").total == 9 * 2 * (4 * 5) ** 4


def test_given_values_that_leave_no_way() -> None:
    text = text_of("-#-\n#.-\n...", '"-#"', clause((1, 1), "7"))
    check_complaint(text, "10:1: runs of 7 around 1,1 do not fit the values that are given")


def test_beyond_the_edge_of_a_torus() -> None:
    text = "toroidal = true\n" + clause((0, 0), "2,3")
    board = "\n".join(line * 3 for line in THREE.split("\n") * 3)

    def holds(row: Row) -> bool:
        many = tuple(row[3 * (r % 3) + c % 3] for r, c in product(range(9), repeat=2))
        return runs_around(many, board, (3, 3), (1,)) == [2, 3]

    check_meaning(THREE, '"-#"', text, holds)


def test_two_clues_are_drawn_where_they_stand() -> None:
    text = '[[count]]\nvalue = "#"\nruns = """\n1,1 . .\n. . .\n. . 3\n"""'
    picture = read_toml(text_of(THREE, '"-#"', text), "mine.toml").picture
    assert isinstance(picture, Clues)
    assert picture.labels == ((0, "1 1"), (8, "3"))


def test_they_keep_the_symmetry_of_the_board() -> None:
    """A clue in the middle: the circle is turned by two squares, and reflected."""
    puzzle, _ = with_own_symmetry(read_toml(text_of(THREE, '"-#"', clause((1, 1), "1,3")), "mine.toml"))
    circles = [word for word in product((0, 1), repeat=8) if sorted(runs_of_circle(word)) == [1, 3]]
    images = {
        word: {way[k:] + way[:k] for way in (word, word[:1] + word[:0:-1]) for k in range(0, 8, 2)}
        for word in circles
    }
    found = rk.count(puzzle)
    assert (found.total, found.unique) == (2 * len(circles), 2 * len({min(some) for some in images.values()}))


COMPLAINTS = [
    ('value = 1\nruns = ". 9 . ."', '6:11: "9" is not a clue; write lengths from 1 to 8, such as 1,3'),
    ('value = 1\nruns = ". 1,0 . ."', '6:11: "1,0" is not a clue; write lengths from 1 to 8, such as 1,3'),
    ('value = 1\nruns = ". 3 . ."', "6:11: runs of 3 do not fit into 2 cells around; take less"),
    ('value = 1\nruns = ". 2 ."', "6:9: the line has 3 words, but the board has 4 columns"),
    (
        'value = 1\nruns = """\n. . . .\n. . . ."""',
        "6:1: the drawing has 2 lines, but the board has 1; write all",
    ),
    ('runs = ". 1 . ."', '4:1: "value" is missing; name one or more of'),
    ('value = 1\nruns = ". 1 . ."\ntimes = 1', '6:1: "times" and "runs" both say how many; leave one out'),
    ('value = 1\nruns = ". 1 . ."\naround = "king"', '7:1: "around" goes with "clues", the board again'),
    (
        'value = 1\nruns = ". 1 . ."\nregions = "rows"',
        '7:1: "runs" tell of the cells around them, not of those',
    ),
]


@pytest.mark.parametrize(("clauses", "complaint"), COMPLAINTS)
def test_what_is_refused(clauses: str, complaint: str) -> None:
    check_complaint(HEAD + "[[count]]\n" + clauses, complaint)
