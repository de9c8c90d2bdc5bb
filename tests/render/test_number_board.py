"""Boards of numbers: sudoku, latin squares, Langford pairings, as text and in words; grids and figures of files."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.render.board import board
from rekkyo.render.number_board import number_board
from rekkyo.render.svg.drawing import painting_of
from tests.render.pictures import texts

CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""From the encyclopedia article on sudoku, with its solution."""

SOLVED = """\
5 3 4 | 6 7 8 | 9 1 2
6 7 2 | 1 9 5 | 3 4 8
1 9 8 | 3 4 2 | 5 6 7
------+-------+------
8 5 9 | 7 6 1 | 4 2 3
4 2 6 | 8 5 3 | 7 9 1
7 1 3 | 9 2 4 | 8 5 6
------+-------+------
9 6 1 | 5 3 7 | 2 8 4
2 8 7 | 4 1 9 | 6 3 5
3 4 5 | 2 8 6 | 1 7 9"""


def test_a_sudoku_is_nine_by_nine() -> None:
    puzzle = rk.puzzle(f"sudoku {CLUES}")
    (row,) = rk.solve(puzzle)
    assert board(puzzle, row) == SOLVED
    assert board(puzzle, ()).count(".") == 81


@pytest.mark.parametrize(
    ("boxes", "side"),
    [
        ("0011 0011 2233 2233", 2),
        ("3322 3322 1100 1100", 2),
        ("0001 0211 2213 2333", 0),
        ("0000 1111 2222 3333", 0),
        ("0011 0011 2222 2222", 0),
    ],
)
def test_boxes_are_drawn_if_they_are_square(boxes: str, side: int) -> None:
    cells = [(r, c, box) for r, row in enumerate(boxes.split()) for c, box in enumerate(row)]
    options = [f"r{r}c{c} r{r}={v} c{c}={v} b{box}={v}" for r, c, box in cells for v in (1, 2, 3, 4)]
    model = read_xcc("\n".join([" ".join(dict.fromkeys(" ".join(options).split())), *options]), "boxes")
    found = number_board(model)
    assert found is not None
    assert (found.rows, found.columns, found.box) == (4, 4, side)


def test_a_latin_square_is_a_square() -> None:
    puzzle = rk.puzzle("latin-square 4")
    drawn = {board(puzzle, row) for row in rk.solve(puzzle)}
    assert len(drawn) == 576
    for text in drawn:
        lines = [line.split(" ") for line in text.split("\n")]
        assert all(sorted(line) == ["1", "2", "3", "4"] for line in [*lines, *zip(*lines, strict=True)])
    painting = painting_of(puzzle)
    assert painting.things == ("1", "2", "3", "4")
    assert painting.spot_names[:5:4] == ("row 1, column 1", "row 2, column 1")


def test_a_square_of_one_cell_is_a_board() -> None:
    puzzle = rk.puzzle("latin-square 1")
    (row,) = rk.solve(puzzle)
    assert board(puzzle, row) == "1"
    assert [text.text for text in texts(rk.svg(puzzle, row))] == ["1"]
    assert painting_of(puzzle).spot_names == ("row 1, column 1",)


def test_a_langford_pairing_is_a_line() -> None:
    puzzle = rk.puzzle("langford 3")
    assert sorted(board(puzzle, row) for row in rk.solve(puzzle)) == ["2 3 1 2 1 3", "3 1 2 1 3 2"]


@pytest.mark.parametrize(
    "primary",
    [
        ("r0c0", "r0c1", "r1c0", "r1c2", "r0=1"),  # no square
        ("r0c0", "r0c1", "r1c0", "r1c1", "pair1"),  # no numbers
        ("pair1", "place1", "place3"),  # no row of places
        ("a", "b"),
    ],
)
def test_names_that_only_look_like_a_board(primary: tuple[str, ...]) -> None:
    model = ExactCover(primary=primary, options=(tuple((item, 0) for item in range(len(primary))),))
    assert number_board(model) is None


def test_a_board_on_which_nothing_can_be_written() -> None:
    puzzle = rk.Puzzle("empty", ExactCover(("r0c0", "r0c1", "r1c0", "r1c1"), options=()), "no options")
    assert board(puzzle, ()) == ""
    assert "r1c1" in rk.svg(puzzle)


def test_a_letter_of_a_word_is_one_character() -> None:
    """The colours AB and C spell ABC, on two squares."""
    option = ((0, 0), (1, 1), (2, 2))
    model = ExactCover(("ABC",), ("0,0", "0,1"), (option,), color_names=("AB", "C"))
    puzzle = rk.Puzzle("word", model, "a word")
    assert board(puzzle, (0,)) == "ABC 0,0:AB 0,1:C"
    assert "option 0" in painting_of(puzzle).things


@pytest.mark.parametrize(
    ("lattice", "drawn"), [("square", "+ +\n .\n+ +"), ("hexagon", "."), ("triangle", "."), ("cube", "")]
)
def test_a_board_without_tiles(lattice: str, drawn: str) -> None:
    tile = {"square": "abab", "triangle": "abc"}.get(lattice, "ababab")
    puzzle = read_toml(f'kind = "tiles"\nlattice = "{lattice}"\nboard = "#"\ntiles = "{tile}"\n', "tile")
    assert board(puzzle, ()) == drawn


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("queens 5", "row 1, column 1", "row 5, column 5"),
        ("pentominoes 6 10", "row 1, column 1", "row 10, column 6"),
        ("hip 4", "row 1, column 1", "row 4, column 4"),
        ("magic-square 3", "row 1, column 1", "row 3, column 3"),
        ("magic-hexagon 3", "row 1, place 1", "row 5, place 3"),
        ("magic-cube 3", "layer 1, row 1, column 1", "layer 3, row 3, column 3"),
        ("magic-star 6", "cell point,0", "cell inner,5"),
        ("soma", "layer 1, row 1, column 1", "layer 3, row 3, column 3"),
        ("hexiamonds 6 6", "row 1, place 1", "row 6, place 12"),
        ("ramsey 3 4 6", "the line from point 1 to point 2", "the line from point 5 to point 6"),
        ("schur 3 13", "1", "13"),
        ("langford 4", "place 1", "place 8"),
    ],
)
def test_spots_are_called_what_a_reader_sees(words: str, first: str, last: str) -> None:
    painting = painting_of(rk.puzzle(words))
    assert (painting.spot_names[0], painting.spot_names[-1]) == (first, last)
    assert len(set(painting.spot_names)) == len(painting.spot_names) == len(painting.spots)


def test_numbers_of_two_digits_are_numbers() -> None:
    puzzle = read_toml('kind = "grid"\nvalues = "8..11"\nboard = "...\\n..."', "x.toml")
    row = (0, 1, 2, 3, 0, 1)
    assert board(puzzle, row).splitlines() == [" 8  9 10", "11  8  9"]
    assert {"8", "9", "10", "11"} <= {text.text for text in texts(rk.svg(puzzle, row))}
    letters = read_toml('kind = "grid"\nvalues = "BAC"\nboard = "..."', "x.toml")
    assert board(letters, (0, 1, 2)) == "B A C"


@pytest.mark.parametrize(
    ("cells", "lines", "drawn"),
    [
        ("a b\nc d", "a d", [" 8   9", "10  11"]),
        ("  a\nb c\n\n d", "b c", ["     8", " 9  10", "", "  11"]),
        ("long name\nx y", "x y", [" 8    9", "10   11"]),
    ],
)
def test_a_figure_has_its_numbers_where_its_cells_are_drawn(cells: str, lines: str, drawn: list[str]) -> None:
    text = f'kind = "figure"\ncells = """\n{cells}\n"""\nlines = "{lines}"\nnumbers = "8..11"'
    assert board(read_toml(text, "x.toml"), (0, 1, 2, 3)).splitlines() == drawn
