"""Characters that draw lines in a square, as in Slant and in puzzles of pipes, tracks and loops.

An end is a place in half squares from the upper left corner, (row, column): corners have even numbers, the
middles of sides one odd number. Each character joins its ends in the middle of the square, (1, 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from rekkyo.model.lattices.lattice import Matrix, applied

End: TypeAlias = tuple[int, int]

UP, LEFT, RIGHT, DOWN = (0, 1), (1, 0), (1, 2), (2, 1)
DIAGONALS: Mapping[str, tuple[End, End]] = {"/": ((0, 2), (2, 0)), "\\": ((0, 0), (2, 2))}
STROKES: Mapping[str, tuple[End, ...]] = {
    **DIAGONALS,
    "\u2500": (LEFT, RIGHT),  # ─
    "\u2502": (UP, DOWN),  # │
    "\u250c": (RIGHT, DOWN),  # ┌
    "\u2510": (LEFT, DOWN),  # ┐
    "\u2514": (UP, RIGHT),  # └
    "\u2518": (UP, LEFT),  # ┘
    "\u251c": (UP, RIGHT, DOWN),  # ├
    "\u2524": (UP, LEFT, DOWN),  # ┤
    "\u252c": (LEFT, RIGHT, DOWN),  # ┬
    "\u2534": (UP, LEFT, RIGHT),  # ┴
    "\u253c": (UP, LEFT, RIGHT, DOWN),  # ┼
    "\u2574": (LEFT,),  # ╴
    "\u2575": (UP,),  # ╵
    "\u2576": (RIGHT,),  # ╶
    "\u2577": (DOWN,),  # ╷
}
_OF_ENDS = {frozenset(ends): symbol for symbol, ends in STROKES.items()}


def turned_values(number_of: Mapping[str, int], matrix: Matrix) -> dict[int, int] | None:
    """The values that a map of the board makes of those with lines; None if one of them is missing.

    number_of: the values, by their characters.
    """
    found = {}
    for symbol, number in number_of.items():
        if symbol in STROKES:
            moved = (applied(matrix, (row - 1, column - 1)) for row, column in STROKES[symbol])
            image = number_of.get(_OF_ENDS[frozenset((end[0] + 1, end[1] + 1) for end in moved)])
            if image is None:
                return None
            found[number] = image
    return found
