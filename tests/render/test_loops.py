"""Loops of a grid are drawn around the cells inside, in text and in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.loops import WIDTH
from rekkyo.render.svg.markup import CELL, bounds
from tests.render.pictures import Place, shapes

SLITHERLINK = Path(__file__).resolve().parents[2] / "examples" / "slitherlink.toml"
CROSSING = """
kind = "grid"
values = "0..12"
board = '''
....
#.2.
....
'''
given = '''
1...
....
...c
'''
[[loop]]
value = [1, 2]
[[loop]]
value = [2, 12]
"""
"""Two loops that share sides; given cells, and a square without a cell."""

NESTED = """
kind = "grid"
values = "abc"
board = "rectangle 4 4"
given = "a...\\n.bb.\\n.cb.\\n...."
[[loop]]
value = "c"
[[loop]]
value = "bc"
"""


def test_a_loop_in_text() -> None:
    puzzle = rk.puzzle_from_file(SLITHERLINK)
    (row,) = rk.solve(puzzle, up_to="none", workers=1)
    assert rk.board(puzzle, row) == (
        """\
┌───────────┐
│# # # # # #│
└─┐ ┌───────┘
 -│#│- - - -
┌─┘ └───────┐
│# # # # # #│
│ ┌─┐ ┌─────┘
│#│-│#│- - -
│ │ │ └─────┐
│#│-│# # # #│
│ │ │ ┌─┐ ┌─┘
│#│-│#│-│#│-
└─┘ └─┘ └─┘"""
    )


def test_crossing_loops_in_text() -> None:
    """Values of two characters, and a square without a cell; lines without a part of a loop are left out."""
    puzzle = rk.puzzle_from_text(
        """
kind = "grid"
values = [0, 1, 2, 12, 99]
board = "....\\n#...\\n....\\n...."
[[loop]]
value = [1, 2]
[[loop]]
value = [2, 12]
"""
    )
    written = "1 1 99 0  1 2 0  0 12 12 99  0 12 12 99"
    row = [(0, 1, 2, 12, 99).index(int(number)) for number in written.split()]
    assert rk.board(puzzle, row) == (
        """\
┌─────┐
│ 1  1│99  0
└──┐  ├──┐
   │ 1│ 2│ 0
   ├──┴──┤
  0│12 12│99
  0│12 12│99
   └─────┘"""
    )


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (SLITHERLINK.read_text(), ["#"]),
        (CROSSING, [("1", "2"), ("2", "12")]),
        (NESTED, ["c", "bc"]),
    ],
)
def test_loops_in_a_picture(text: str, inside: list[Sequence[str]]) -> None:
    """At a side on a loop there is ink, on one of both sides of it; at every other side there is none."""
    puzzle = rk.puzzle_from_text(text, "loops")
    painting = painting_of(puzzle)
    boxes = [bounds(spot) for spot in painting.spots]
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes]
    for row in islice(rk.solve(puzzle, up_to="none", workers=1), 0, 40, 4):
        drawn = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind in ("rk-ink", "rk-board")]
        texts = dict(zip(middles, (painting.things[value] for value in row), strict=True))

        def has_ink(place: Place) -> bool:
            return [s.kind for s in drawn if _is_in(place, s.loops)][-1:] == ["rk-ink"]  # noqa: B023

        for (x, y), here in texts.items():
            for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                there = texts.get((x + CELL * across, y + CELL * down), "")
                on_loop = any((here in some) != (there != "" and there in some) for some in inside)
                near = [CELL / 2 + side * WIDTH / 2 for side in (-1, 1)]
                inks = [has_ink((x + step * across, y + step * down)) for step in near]
                assert sum(inks) == on_loop, (row, (x, y), (across, down))


def _is_in(place: Place, loops: tuple[tuple[Place, ...], ...]) -> bool:
    """By the even-odd rule; the loops are rectangles."""
    x, y = place
    return (
        sum(
            min(a for a, _ in loop) < x < max(a for a, _ in loop)
            and min(b for _, b in loop) < y < max(b for _, b in loop)
            for loop in loops
        )
        % 2
        == 1
    )
