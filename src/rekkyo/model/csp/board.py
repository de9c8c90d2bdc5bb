"""Where the variables of a `Csp` stand, when their names or its grid say so."""

from __future__ import annotations

import re
from typing import TypeAlias

from rekkyo.model.csp.csp import Csp

Square: TypeAlias = tuple[int, int]
"""Row and column, from 0."""

NAMED = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")


def squares_of(model: Csp) -> list[Square] | None:
    """A square for each variable of the solution; None if they are not on a board."""
    if model.grid is not None:
        return [divmod(place, model.grid[1]) for place in range(len(model.solution))]
    named = [NAMED.fullmatch(model.names[v]) for v in model.solution]
    places = [(int(match[1]), int(match[2])) for match in named if match]
    if len(set(places)) < len(named):
        return None
    top, left = (min(place[axis] for place in places) for axis in (0, 1))
    return [(row - top, column - left) for row, column in places]


def motions_of(squares: list[Square]) -> list[tuple[bool, bool, list[int]]]:
    """The turns and mirrors that take the squares to themselves, the identity aside.

    For each whether it keeps orientation, whether it exchanges rows and columns, and the place in the list
    to which each square goes.
    """
    place_of = {square: place for place, square in enumerate(squares)}
    bottom, right = (max(square[axis] for square in squares) for axis in (0, 1))
    found = []
    for transposes in (False, True):
        for upside in (False, True):
            for across in (False, True):
                if not (transposes or upside or across) or (transposes and bottom != right):
                    continue
                images = [_moved(square, bottom, right, upside, across, transposes) for square in squares]
                if all(image in place_of for image in images):
                    turns = (upside + across + transposes) % 2 == 0
                    found.append((turns, transposes, [place_of[image] for image in images]))
    return found


def _moved(square: Square, bottom: int, right: int, upside: bool, across: bool, transposes: bool) -> Square:
    row = bottom - square[0] if upside else square[0]
    column = right - square[1] if across else square[1]
    return (column, row) if transposes else (row, column)
