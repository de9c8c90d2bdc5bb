"""Characters that draw lines in a square, as in Slant and in puzzles of pipes, tracks and loops; and arrows.

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
ARROWS: Mapping[str, End] = {
    "\u2191": (-1, 0),  # ↑
    "\u2197": (-1, 1),  # ↗
    "\u2192": (0, 1),  # →
    "\u2198": (1, 1),  # ↘
    "\u2193": (1, 0),  # ↓
    "\u2199": (1, -1),  # ↙
    "\u2190": (0, -1),  # ←
    "\u2196": (-1, -1),  # ↖
}
"""Rows and columns from the square of an arrow to the one at which it points."""

_POINTS: Mapping[str, frozenset[End]] = {
    **{symbol: frozenset((r - 1, c - 1) for r, c in ends) for symbol, ends in STROKES.items()},
    **{symbol: frozenset({(2 * down, 2 * across)}) for symbol, (down, across) in ARROWS.items()},
}
"""The ends of each character in half squares from the middle of its square; an arrow ends in the next one."""

_OF_POINTS = {points: symbol for symbol, points in _POINTS.items()}


def turned_values(number_of: Mapping[str, int], matrix: Matrix) -> dict[int, int] | None:
    """The values that a map of the board makes of lines and arrows; None if one of them is missing.

    number_of: the values that are lines or arrows, by their characters.
    """
    found = {}
    for symbol, number in number_of.items():
        moved = frozenset((at[0], at[1]) for at in (applied(matrix, point) for point in _POINTS[symbol]))
        image = number_of.get(_OF_POINTS[moved])
        if image is None:
            return None
        found[number] = image
    return found
