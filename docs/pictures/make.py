"""All pictures of the documentation, made by rekkyo itself.

`python docs/pictures/make.py` writes them beside this file; `tests/test_docs.py` says when one is out of
date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import engine_pictures
from captions import captioned, with_lines
from families import families

import rekkyo as rk
from rekkyo.ask.profile import search_profiles
from rekkyo.export.digits import DigitsNotation
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.chart import profile_chart
from rekkyo.render.svg.markup import CELL, number, path

HERE = Path(__file__).parent
SQUARE_OF_THE_SOURCE = "13 20 7 19 6  3 16 24 5 17  14 9 11 8 23  10 18 1 21 15  25 2 22 12 4"


@cache
def rows(words: str, up_to: str = "symmetry", limit: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Solutions of a puzzle of the catalog."""
    return tuple(islice(rk.solve(rk.puzzle(words), up_to=up_to), limit))


def unique_sheet(words: str, columns: int, up_to: str = "symmetry", limit: int | None = None) -> str:
    """A contact sheet of one solution of each orbit."""
    return rk.sheet(rk.puzzle(words), rows(words, up_to, limit), columns=columns)


def orbit(words: str, index: int) -> str:
    """What every motion makes of one solution; equal ones are drawn as often as they come up."""
    puzzle = rk.puzzle(words)
    row = rows(words)[index]
    images = [(row, "as it is"), *((image(puzzle, k, row), name(puzzle, k)) for k in range(7))]
    return captioned(puzzle, images, 4, f"A solution of {words} and its images")


def image(puzzle: Puzzle, motion: int, row: tuple[int, ...]) -> tuple[int, ...]:
    """The row after a motion: every atom, position and value together, goes to another one."""
    assert puzzle.motions is not None
    n = len(row)
    moved = sorted(puzzle.motions[motion].permutation[place * n + value] for place, value in enumerate(row))
    return tuple(atom % n for atom in moved)


def name(puzzle: Puzzle, motion: int) -> str:
    """What the motion is called."""
    assert puzzle.motions is not None
    return puzzle.motions[motion].name


def orbit_classes() -> str:
    """One domino tiling of each class of symmetry on 4 x 4."""
    puzzle = rk.puzzle("dominoes 4 4")
    assert puzzle.motions is not None
    pictures = []
    for row in rows("dominoes 4 4"):
        fixed = sum(sorted(motion.permutation[v] for v in row) == list(row) for motion in puzzle.motions)
        pictures.append((row, f"{8 // (fixed + 1)} images"))
    return captioned(puzzle, pictures, 5, "The 9 domino tilings of 4 x 4 up to symmetry")


def magic_quartet() -> str:
    """Four squares of order 5 with the same rows, columns and diagonals as sets of numbers."""
    puzzle = rk.puzzle("magic-square 5")
    square = tuple(int(word) - 1 for word in SQUARE_OF_THE_SOURCE.split())
    orders = ("01234", "41230", "10243", "14203")
    quartet = [
        tuple(square[5 * int(down) + int(right)] for down in order for right in order) for order in orders
    ]
    assert not any(rk.verify(puzzle, row) for row in quartet)
    return captioned(
        puzzle,
        [(row, f"rows {' '.join(o)}") for row, o in zip(quartet, orders, strict=True)],
        4,
        "Four magic squares with the same sets of numbers in their lines",
    )


def hip_parts() -> str:
    """A draw of Hip, with the four overlapping boards from which it was put together."""
    corners = {"upper left": (0, 0), "upper right": (0, 2), "lower left": (2, 0), "lower right": (2, 2)}
    whole, side = number(6 * CELL), number(4 * CELL)
    outside = [
        f"M0 0h{whole}v{whole}h-{whole}ZM{number(x * CELL)} {number(y * CELL)}h{side}v{side}h-{side}Z"
        for y, x in corners.values()
    ]
    pictures = [(rows("hip 6")[0], caption) for caption in corners]
    return captioned(rk.hip(6), pictures, 4, "A draw of Hip, and its parts of 4 x 4", outside)


def tilted_square() -> str:
    """A lost game of Hip: four cells of one colour are the corners of a tilted square."""
    corners = [(0, 1), (1, 4), (4, 3), (3, 0)]
    row = [1] * 36
    for down, right in corners:
        row[6 * down + right] = 0
    line = path([(CELL * (right + 0.5), CELL * (down + 0.5)) for down, right in corners])
    return with_lines(
        rk.hip(6), row, [line], "A tilted square on the board of Hip", "Corners: 0,1, 1,4, 4,3 and 3,0."
    )


def digits_off_the_mesh() -> str:
    """The two solutions that only half blocks have; a search takes a minute and a half, so they are given."""
    puzzle = rk.puzzle("digits --offset half")
    common = "2=(4,0,0,0) 3=(4,4,1,0) 4=(0,2,0,1) 5=(2,6,0,2) 6=(6,0,0,2) 7=(2,0,0,1) 8=(4,8,1,0) 9=(0,6,0,2)"
    found = [DigitsNotation(puzzle).read(f"0=(0,0,1,0) 1=(4.5,7,1,{turned}) {common}") for turned in (0, 1)]
    assert not any(rk.verify(puzzle, row) for row in found)
    return rk.sheet(puzzle, found, columns=2)


def own_board() -> str:
    """The three pentominoes that fill 3 x 5."""
    puzzle = rk.packing("#####\n#####\n#####", "PP. U.U V..\nPP. UUU V..\nP.. ... VVV")
    return rk.sheet(puzzle, rk.solve(puzzle), columns=4)


def ring() -> str:
    """Numbers on a triangle, all sides with one sum."""
    return unique_sheet("magic-star 6", 4, limit=4)


def search_tree() -> str:
    """Nodes by depth of every method and engine."""
    puzzle = rk.queens(6)
    return profile_chart(puzzle.name, search_profiles(puzzle))


PICTURES: dict[str, Callable[[], str]] = {
    "queens-8-unique": lambda: unique_sheet("queens 8", 6),
    "queens-6-search": search_tree,
    "queens-5-orbit-of-8": lambda: orbit("queens 5", 0),
    "queens-5-orbit-of-2": lambda: orbit("queens 5", 1),
    "dominoes-4-4-classes": orbit_classes,
    "soma": lambda: unique_sheet("soma", 4, limit=8),
    "magic-square-3-all": lambda: unique_sheet("magic-square 3", 8, up_to="none"),
    "magic-square-4-first": lambda: unique_sheet("magic-square 4", 6, limit=12),
    "magic-square-5-quartet": magic_quartet,
    "magic-star-6": ring,
    "hip-6-unique": lambda: unique_sheet("hip 6", 4),
    "hip-6-parts": hip_parts,
    "hip-tilted-square": tilted_square,
    "digits-unique": lambda: unique_sheet("digits", 3, up_to="symmetry,exchange-pieces"),
    "digits-off-the-mesh": digits_off_the_mesh,
    "own-packing": own_board,
    "families": families,
    **engine_pictures.PICTURES,
}


def main() -> None:
    """Write every picture."""
    for name_of_file, draw in PICTURES.items():
        (HERE / f"{name_of_file}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
