"""A solution of every family of the catalog, side by side with the words that ask for it."""

from __future__ import annotations

from itertools import islice

from captions import CAPTION, GAP, SIZE

import rekkyo as rk
from rekkyo.render.svg.drawing import Svg, document, drawn_row
from rekkyo.render.svg.markup import number, words

SIDE = 132.0
"""Of the square into which a solution is drawn, as large as fits."""

COLUMNS = 5

FAMILIES = (
    "queens 8",
    "pentominoes 6 10",
    "polyominoes 4 4 5 --any-number",
    "dominoes 6 6",
    "aztec-diamond 3",
    "hexiamonds 6 6",
    "tetrasticks",
    "soma",
    "bedlam",
    "pentominoes-3d 3 4 5",
    "digits",
    "langford 7",
    "latin-square 5",
    "block-designs 2 6 3 2",
    "steiner-triples 7",
    "one-factorizations 6",
    "sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "magic-square 4",
    "semimagic-square 3",
    "pandiagonal-square 5",
    "associative-square 4",
    "magic-star 6",
    "magic-hexagon 3",
    "magic-cube 3",
    "hip 6",
    "rectangle-free 4 6 3",
    "van-der-waerden 3 4 17",
    "schur 3 13",
    "sum-free 16",
    "progression-free 14",
    "ramsey 3 3 5",
)
"""What is asked for each; `polysticks` is another name for `tetrasticks`."""

LATER = {"polyominoes 4 4 5 --any-number": 60, "sum-free 16": 500}
"""Numbers of solutions, from 0."""


def families() -> Svg:
    """The first solution of each, or a later one where the first is dull."""
    drawn = [_drawn(asked) for asked in FAMILIES]
    across, down = SIDE + GAP, SIDE + CAPTION + GAP
    body = []
    for place, one in enumerate(drawn):
        left, top = place % COLUMNS * across, place // COLUMNS * down
        body.append(f'<g transform="translate({number(left)} {number(top)})">{one}</g>')
    n_lines = -(-len(drawn) // COLUMNS)
    title = "A solution of every family of the catalog"
    described = "; ".join(map(_name, FAMILIES))
    return document(
        "".join(body), COLUMNS * across - GAP, n_lines * down - GAP, title, f"{described}.", "auto"
    )


def _drawn(asked: str) -> str:
    puzzle = rk.puzzle(asked)
    row = next(islice(rk.solve(puzzle, workers=1), LATER.get(asked, 0), None))
    body, width, height = drawn_row(puzzle, row)
    scale = min(SIDE / width, SIDE / height, 1.0)
    left, top = (SIDE - scale * width) / 2, (SIDE - scale * height) / 2
    placed = f"translate({number(left)} {number(top)}) scale({number(scale)})"
    name = words(_name(asked), (SIDE / 2, SIDE + CAPTION / 2), SIZE, "rk-faint")
    return f'<g transform="{placed}">{body}</g>{name}'


def _name(asked: str) -> str:
    """The words without clues and options."""
    return asked.split(" 53", maxsplit=1)[0].split(" --", maxsplit=1)[0]
