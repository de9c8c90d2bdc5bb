"""Boards that are named in place of a drawing."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.catalog.named_boards import BOARDS, named_board
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lattices import CUBE, EDGES, HEXAGON, LATTICES, QUARTERED, SQUARE, TRIANGLE, Lattice
from rekkyo.model.lattices.drawing import cells_drawn
from rekkyo.model.packing import Packing


@pytest.mark.parametrize(
    ("lattice", "name", "n_cells"),
    [
        (SQUARE, "rectangle 2 3", 6),
        (SQUARE, "triangle 4", 10),
        (SQUARE, "diamond 3", 24),
        (CUBE, "box 2 3 4", 24),
        (TRIANGLE, "triangle 4", 16),
        (TRIANGLE, "hexagon 2", 24),
        (TRIANGLE, "diamond 3", 18),
        (TRIANGLE, "parallelogram 2 5", 20),
        (HEXAGON, "triangle 4", 10),
        (HEXAGON, "hexagon 3", 19),
        (HEXAGON, "diamond 3", 9),
        (HEXAGON, "parallelogram 2 5", 10),
        (QUARTERED, "rectangle 2 3", 24),
        (EDGES, "rectangle 2 2", 12),
    ],
)
def test_numbers_of_cells(lattice: Lattice, name: str, n_cells: int) -> None:
    cells = named_board(name, lattice)
    assert cells is not None
    assert len(set(cells)) == n_cells
    assert all(lattice.kind_of(cell) for cell in cells)


@pytest.mark.parametrize(
    ("lattice", "name", "drawing"),
    [
        (SQUARE, "diamond 2", ".##.\n####\n####\n.##."),
        (SQUARE, "triangle 3", "#\n##\n###"),
        (TRIANGLE, "triangle 2", "###\n.#"),
        (HEXAGON, "triangle 3", "# # #\n.# #\n..#"),
        (HEXAGON, "hexagon 2", "..# #\n.# # #\n..# #"),
        (EDGES, "rectangle 1 1", "+-+\n|.|\n+-+"),
    ],
)
def test_they_look_like_their_drawings(lattice: Lattice, name: str, drawing: str) -> None:
    def moved(cells: tuple[tuple[int, ...], ...]) -> set[tuple[int, ...]]:
        step = 3 if lattice is TRIANGLE else 1
        corner = [min(cell[axis] for cell in cells) // step * step for axis in range(2)]
        return {(cell[0] - corner[0], cell[1] - corner[1]) for cell in cells}

    assert moved(named_board(name, lattice) or ()) == moved(cells_drawn(lattice, drawing))


def test_every_lattice_has_some() -> None:
    assert set(BOARDS) == set(LATTICES.values())


def test_a_named_board_is_the_drawn_one() -> None:
    head = 'kind = "packing"\npieces = "AA BB CC"\n'
    drawn = read_toml(f'{head}board = """\n###\n###"""', "mine.toml").model
    named = read_toml(f'{head}board = " rectangle 2 3 "', "mine.toml").model
    assert drawn == named


def test_pieces_and_boards_of_other_kinds_may_be_named_too() -> None:
    model = read_toml('kind = "packing"\nboard = "rectangle 2 3"\n[pieces]\nA = "rectangle 2 3"', "x").model
    assert isinstance(model, Packing)
    assert len(model.pieces[0].cells) == 6
    coloring = read_toml('kind = "coloring"\ncolors = 2\nboard = "rectangle 2 3"', "x").model
    assert isinstance(coloring, rk.Coloring)
    assert coloring.grid == (2, 3)


@pytest.mark.parametrize("text", ["abcde 12", "rectangle", "##\n##", "rectangle 2 3\n#", "aaa 3"])
def test_other_texts_are_drawings(text: str) -> None:
    assert named_board(text, SQUARE) is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "rectangle 3",
            '"rectangle 3" names no board of the square lattice; it has rectangle R C, triangle N',
        ),
        ("retangle 3 4", '"retangle 3 4" names no board of the square lattice'),
        ("hexagon 3", '"hexagon 3" names no board of the square lattice'),
        ("rectangle 0 4", "has a side below 1; sides are whole numbers from 1"),
        ("rectangle 1000 1000", "a board of 1000000 cells is more than the 65536"),
        ("diamond 99999999999999999999", "cells is more than the 65536"),
    ],
)
def test_complaints(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_toml(f'kind = "packing"\npieces = "A"\nboard = "{text}"', "mine.toml")
    assert str(refusal.value).startswith("mine.toml:3:1: ")
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "n_cells", "fix"),
    [
        ("4x4", 3, 'write "rectangle 4 4"'),
        ("4 \u00d7 4", 3, 'write "rectangle 4 4"'),
        ("10*12", 5, 'write "rectangle 10 12"'),
        ("4X4", 3, 'write "rectangle 4 4"'),
        ("3 by 4", 4, 'write "rectangle 3 4"'),
        ("rectangle 3 by 4", 13, 'write "rectangle 3 4"'),
        ("3 3", 2, 'write "rectangle 3 3"'),
        (" 8  8 ", 2, 'write "rectangle 8 8"'),
        ("Rectangle 3, 3", 12, 'write "rectangle 3 3"'),
        ("torus 3 3", 7, "boards are rectangle R C, triangle N, diamond N"),
        ("square 3", 7, "boards are rectangle R C, triangle N, diamond N"),
        ("3 3 3", 3, "boards are rectangle R C, triangle N, diamond N"),
        ("rectangle, 2, 3", 13, 'write "rectangle 2 3"'),
        ("rectangle two three", 17, "boards are rectangle R C, triangle N, diamond N"),
        ("rectangle 2.5 3", 13, "boards are rectangle R C, triangle N, diamond N"),
        ("RECTANGLE", 9, "boards are rectangle R C, triangle N, diamond N"),
        ("rectangle", 9, "boards are rectangle R C, triangle N, diamond N"),
    ],
)
def test_a_board_that_looks_like_a_name_is_not_a_drawing(text: str, n_cells: int, fix: str) -> None:
    what = f"looks like the name of a board, and would be a drawing of {n_cells} cells"
    for kind in (
        'kind = "packing"\npieces = "A"',
        'kind = "coloring"\ncolors = 2',
        'kind = "grid"\nvalues = "1..9"',
        'kind = "tiles"\ntiles = "aaaa"',
        'kind = "words"\nwords = "ab"',
        'kind = "queens"\ntoroidal = true',
    ):
        with pytest.raises(BadInput) as refusal:
            read_toml(f'{kind}\nboard = "{text}"', "mine.toml")
        assert str(refusal.value) == f'mine.toml:3:1: "{text.strip()}" {what}; {fix}'


def test_the_name_depends_on_the_lattice() -> None:
    with pytest.raises(BadInput, match='write "box 2 3 4"'):
        read_toml('kind = "packing"\nlattice = "cube"\npieces = "A"\nboard = "2x3x4"', "mine.toml")


@pytest.mark.parametrize("text", ["5", "12", "1..3", "12.4", "..", "1 . 2", "1 1\n1 1", "1#1"])
def test_given_digits_are_drawings(text: str) -> None:
    model = read_toml(f'kind = "grid"\nvalues = "1..9"\nboard = """\n{text}"""', "mine.toml").model
    assert isinstance(model, Csp)
    assert len(model.solution) == sum(mark not in " #\n" for mark in text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('kind = "grid"\nvalues = "12"\nboard = "1 . .\\n. . 2"', "3:1: every second column is of spaces"),
        ('kind = "packing"\npieces = "DD"\nboard = " # # #\\n # #"', "3:1: every second column is of spaces"),
        (
            'kind = "packing"\nlattice = "cube"\npieces = "DD"\nboard = "##\\n##\\n\\n##\\n##"',
            "4:1: layers of a board are drawn side by side, with a space between; leave the empty line out",
        ),
    ],
)
def test_boards_that_are_drawn_in_another_way(text: str, complaint: str) -> None:
    """They were boards with gaps: 2x2x2 in two layers below each other was a flat board."""
    with pytest.raises(BadInput, match=f"mine.toml:{complaint}"):
        read_toml(text, "mine.toml")


def test_a_pattern_may_be_two_numbers_with_a_gap() -> None:
    clause = '[[avoid]]\npattern = "1 1"'
    model = read_toml(f'kind = "grid"\nvalues = "1..2"\nboard = "..."\n{clause}', "mine.toml").model
    assert isinstance(model, Csp)
    assert len(model.constraints) == 1


def test_other_kinds_have_smaller_bounds() -> None:
    with pytest.raises(BadInput, match="2:1: the board has 10000 cells, more than 1024"):
        read_toml('kind = "tiles"\nboard = "rectangle 100 100"\ntiles = { A = "aaaa" }', "mine.toml")


class TestHoles:
    def test_cells_are_numbered_as_they_are_read(self) -> None:
        text = 'kind = "packing"\nfilled = false\nholes = [2, 3]\nboard = """\n##\n##"""\npieces = "A"'
        model = read_toml(text, "mine.toml").model
        assert isinstance(model, Packing)
        assert model.board == {(0, 0), (1, 1)}

    def test_triangles_are_numbered_line_by_line(self) -> None:
        text = 'kind = "packing"\nlattice = "triangle"\nfilled = false\nboard = "####"\npieces = "A"\nholes = [2]'
        model = read_toml(text, "mine.toml").model
        assert isinstance(model, Packing)
        assert model.board == {(1, 1), (1, 4), (2, 5)}

    @pytest.mark.parametrize(
        ("holes", "complaint"),
        [
            ("[5]", "4:10: this is not a hole; the cells are numbered from 1 to 4, row by row"),
            ("[1, 0]", "4:13: this is not a hole"),
            ("[true]", "4:10: this is not a hole"),
            ("[1, 2, 3, 4]", "4:1: every cell is a hole; leave some cells on the board"),
            ("3", '4:9: "holes" is a whole number; write a list of numbers of cells'),
        ],
    )
    def test_complaints(self, holes: str, complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            read_toml(f'kind = "packing"\nboard = "####"\npieces = "A"\nholes = {holes}', "mine.toml")
        assert str(refusal.value).startswith(f"mine.toml:{complaint}")


def test_a_side_of_any_number_of_digits_is_a_side() -> None:
    with pytest.raises(rk.RekkyoError, match=r"a board of 20{30} cells is more than the 65536"):
        rk.packing(f"rectangle 1{'0' * 30} 2", "A")
