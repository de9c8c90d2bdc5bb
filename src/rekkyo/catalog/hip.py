"""Catalog: Hip: a board coloured so that no four squares of one colour are the corners of a square.

Every square counts, tilted ones too: 105 on the 6x6 board. M. Gardner thought at first that a game of Hip on
6x6 could not end in a draw; the balanced colourings are the draws.
Symmetry: that of the board. `--up-to exchange-colours` adds exchanges of colours.
"""

from __future__ import annotations

from functools import partial

from rekkyo.catalog.colorings import coloring_puzzle, exchanges, permute_cells
from rekkyo.catalog.entry import Entry, Option, Parameter, published
from rekkyo.catalog.packing_symmetry import essential, motions_of_cells
from rekkyo.model.checks import check_type, check_whole
from rekkyo.model.coloring import MAX_COLORS, MIN_COLORS, Coloring
from rekkyo.model.lattices import SQUARE
from rekkyo.model.puzzle import Motion, Puzzle
from rekkyo.model.row import whole_number
from rekkyo.wording import several

MAX_SIDE = 40
"""213,200 squares on 40x40."""


def hip(width: int, height: int | None = None, *, colors: int = 2, any_balance: bool = False) -> Puzzle:
    """A board of `width` by `height` squares without a square of one colour; height None: the same as width.

    Colours are used equally often, or as nearly as the board allows, unless `any_balance`. Raises BadModel.
    """
    width, height, colors = map(whole_number, (width, width if height is None else height, colors))
    for side in (width, height):
        check_whole("hip: a side of the board", side, 1, MAX_SIDE)
    check_whole("hip: the number of colours", colors, MIN_COLORS, MAX_COLORS)
    check_type("hip: any_balance is True or False", any_balance, bool)
    n_cells = width * height
    bounds = () if any_balance else ((n_cells // colors, -(-n_cells // colors)),) * colors
    model = Coloring(n_cells, colors, squares(width, height), bounds=bounds, grid=(height, width))
    size = str(width) if width == height else f"{width} {height}"
    words = f"{size} --colors {colors}" if colors != 2 else size
    moves = _motions(width, height, colors)
    kind = "hip any-balance" if any_balance else "hip"
    return coloring_puzzle(
        f"hip {words}" + (" --any-balance" if any_balance else ""),
        f"Hip on {width}x{height} squares in {several(colors, 'colour')}"
        + (", any balance" if any_balance else ""),
        model,
        essential(moves, n_cells * colors),
        exchanges(n_cells, colors),
        published("colorings", kind, words),
        moves,
    )


def squares(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """The corners of every square on the board, tilted or not, each square once.

    A square of bounding side s leans by 0 to s - 1, which distinguishes its top corner from the others.
    """
    return tuple(
        tuple(
            sorted(
                (top + down) * width + left + across
                for down, across in ((0, lean), (lean, side), (side, side - lean), (side - lean, 0))
            )
        )
        for side in range(1, min(width, height))
        for lean in range(side)
        for top in range(height - side)
        for left in range(width - side)
    )


def _motions(width: int, height: int, colors: int) -> tuple[Motion, ...]:
    """The symmetries of the board, without those that move nothing."""
    cells = [divmod(cell, width) for cell in range(width * height)]
    return motions_of_cells(SQUARE, cells, lambda places: permute_cells(places, colors))


_HEIGHT = Parameter("H", "the height, when it is not the width; may stand alone", 1, MAX_SIDE)
_COLORS = Parameter("K", "how many colours; 2 unless said otherwise", MIN_COLORS, MAX_COLORS)

ENTRY = Entry(
    name="hip",
    summary="a board coloured without a square of one colour, tilted ones included",
    source='M. Gardner, "My Best Mathematical and Logic Puzzles" (1994), problem 39: The Game of Hip',
    parameters=(Parameter("W", "the width of the board", 1, MAX_SIDE),),
    options=(
        Option("--height", _HEIGHT.help, "H", partial(_HEIGHT.read, "hip"), once=True),
        Option("--colors", _COLORS.help, "K", partial(_COLORS.read, "hip"), once=True),
        Option("--any-balance", "each colour as often as you like, not as equally as possible"),
    ),
    build=hip,
    bare_option="--height",
)
