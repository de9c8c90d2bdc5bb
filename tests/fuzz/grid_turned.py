"""Characters of lines and arrows that are turned with the board, by where they point."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.grid_arrows import ARROWS
from tests.fuzz.grid_board import Square
from tests.fuzz.grid_strokes import ENDS, STEPS

_ENDS_OF = {
    **{symbol: {STEPS[end] for end in ends} for symbol, ends in ENDS.items()},
    "/": {(-1, 1), (1, -1)},
    "\\": {(-1, -1), (1, 1)},
}


def turned(symbol: str, to: Callable[[int, int], Square]) -> str:
    """The character that a map of squares makes of one."""
    (row, column), down, right = to(0, 0), to(1, 0), to(0, 1)

    def image(step: Square) -> Square:
        one, other = ((at[0] - row, at[1] - column) for at in (down, right))
        return step[0] * one[0] + step[1] * other[0], step[0] * one[1] + step[1] * other[1]

    if symbol in ARROWS:
        return next(other for other, step in ARROWS.items() if step == image(ARROWS[symbol]))
    ends = {image(step) for step in _ENDS_OF[symbol]}
    return next(other for other, its in _ENDS_OF.items() if its == ends)
