"""Files of the kind tiles: on each lattice counted by plain backtracking, with borders, and what is refused."""

from __future__ import annotations

import pytest

import rekkyo as rk
from rekkyo.catalog.own_symmetry import own_symmetry
from rekkyo.export.puzzle_toml.reader import read_toml
from tests import naive_tiles
from tests.naive_files import tile_cells

SIX_TRIANGLES = "rrr rrb rbb bbb rby ryb yyr ybb rry"
CUBES = "rrrrrr brrrrr bbrrrr brrrrb bbbrrr bbrbrr rbbbbr rrbbbb"
MANY = " ".join(f"{a}{b}{c}{d}" for a in "ab" for b in "cdef" for c in "ghij" for d in "klmn")
HEXAGONS = "rbyrby rrbbyy ryrbyb bbyyry rybbyr yyrbrb bryybr"


def count(lattice: str, board: str, tiles: str, more: str = "") -> int:
    text = f'kind = "tiles"\nlattice = "{lattice}"\nboard = "{board}"\ntiles = "{tiles}"\n{more}'
    return rk.count(read_toml(text, "tiles"), up_to="none").total


@pytest.mark.parametrize(("n", "border"), [(2, ""), (2, "r"), (3, "r"), (3, "b")])
def test_triangles(n: int, border: str) -> None:
    tiles = SIX_TRIANGLES.split()[: n * n]
    cells = naive_tiles.triangles_pointing_up(n, border)
    expected = tile_cells(tiles, cells, naive_tiles.TRIANGLE_TURNS)
    more = f'border = "{border}"' if border else ""
    assert count("triangle", f"triangle {n}", " ".join(tiles), more) == expected


def test_triangles_that_do_not_fit_when_they_are_mirrored() -> None:
    """A chiral tile and its mirror image are two tiles: three around a middle see the difference."""
    cells = naive_tiles.triangles_pointing_up(2, "")
    for tiles in ("rby rrb bby yyr", "ryb rrb bby yyr"):
        assert count("triangle", "triangle 2", tiles) == tile_cells(
            tiles.split(), cells, naive_tiles.TRIANGLE_TURNS
        )


def test_hexagons() -> None:
    tiles = HEXAGONS.split()
    expected = tile_cells(tiles, naive_tiles.hexagon_of_hexagons(2), naive_tiles.HEXAGON_TURNS)
    assert expected > 0
    assert count("hexagon", "hexagon 2", " ".join(tiles)) == expected


@pytest.mark.parametrize("border", ["r", "rrrrrb", "rbrrrr"])
def test_cubes(border: str) -> None:
    tiles = CUBES.split()
    cells = naive_tiles.large_cube(border * 6 if len(border) == 1 else border)
    expected = tile_cells(tiles, cells, naive_tiles.cube_turns())
    assert count("cube", "box 2 2 2", " ".join(tiles), f'border = "{border}"') == expected


def test_a_border_with_a_colour_for_each_direction() -> None:
    """The tile ABCD lies unturned just where its own colours are asked for."""
    for turn in range(4):
        border = "ABCD"[turn:] + "ABCD"[:turn]
        assert count("square", "rectangle 1 1", "ABCD", f'border = "{border}"') == 1
        assert count("square", "rectangle 1 1", "ABCD", f'border = "{border[::-1]}"') == 0
        still = f'border = "{border}"\nturns = false'
        assert count("square", "rectangle 1 1", "ABCD", still) == int(turn == 0)


def test_tiles_without_names_are_called_by_their_colours() -> None:
    head = 'kind = "tiles"\nboard = "##"\n'
    words = read_toml(
        f'{head}tiles = "rrbb ABCD\\n  rbrr"\n[times]\nABCD = [0, 1]\nrbrr = [0, 2]', "mine.toml"
    )
    named = read_toml(
        f'{head}[tiles]\nrrbb = "rrbb"\nABCD = "ABCD"\nrbrr = "rbrr"\n[times]\nABCD = [0, 1]\nrbrr = [0, 2]',
        "mine.toml",
    )
    assert words.model == named.model


@pytest.mark.parametrize(
    ("lattice", "board", "tile", "order"),
    [
        ("square", "rectangle 3 3", "rrrb", 8),
        ("triangle", "triangle 3", "rrb", 6),
        ("hexagon", "hexagon 2", "rrrrrb", 12),
        ("cube", "box 2 2 2", "rrrrrb", 48),
    ],
)
def test_the_symmetry_of_the_board_is_found(lattice: str, board: str, tile: str, order: int) -> None:
    """One tile, as often as is needed; its mirror image is itself, so that the board may be mirrored, too."""
    text = f'kind = "tiles"\nlattice = "{lattice}"\nboard = "{board}"\ntiles = "{tile}"\ntimes = "any"\nborder = "r"'
    assert own_symmetry(read_toml(text, "mine.toml").model).order == order


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('lattice = "balls"\nboard = "#"\ntiles = "rrr"', '2:11: "lattice" is "balls", which is not known'),
        (
            'lattice = "triangle"\nboard = "#"\ntiles = "rrrr"',
            '4:10: this is not a tile: "rrrr"; write 3 char',
        ),
        (
            'lattice = "hexagon"\nboard = "#"\ntiles = "rrrrrr rrr"',
            '4:17: this is not a tile: "rrr"; write 6',
        ),
        (
            'board = "#"\ntiles = "rr,r"',
            '3:10: this is not a tile: "rr,r"; write 4 characters, its colours at the top',
        ),
        (
            'board = "##"\ntiles = "rrrb rrrb"',
            '3:15: tile "rrrb" is named twice; write it once, and how often',
        ),
        (
            'board = "##"\ntiles = "rrrb rrbr"',
            '3:1: tile "rrbr" is the same as "rrrb"; write it once, and how',
        ),
        ('board = "#"\ntiles = " "', "3:1: there is no tile; write at least one"),
        ('board = "#"\n[tiles]', '1:1: "tiles" is missing or empty; write tiles = "rrrb ..."'),
        ('board = "#"\nborder = "x"\ntiles = "rrrb"', '3:10: "border" has "x", which no tile has'),
        ('board = "#"\nborder = "rb"\ntiles = "rrrb"', '3:10: "border" is the colour of the sides at the'),
        (
            'lattice = "triangle"\nboard = "#"\nborder = "rrb"\ntiles = "rrb"',
            '4:10: "border" is the colour of the sides at the border',
        ),
        (
            'lattice = "triangle"\nboard = "#"\nturns = false\ntiles = "rrb"',
            "4:1: no tile fits a cell that points down without turns",
        ),
        (
            f'board = "rectangle 30 30"\ntimes = "any"\ntiles = "{MANY}"',
            "4:1: more than 262144 ways to place",
        ),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(rk.BadInput) as refusal:
        read_toml(f'kind = "tiles"\n{text}', "mine.toml")
    assert str(refusal.value).startswith(f"mine.toml:{complaint}")
