"""Boards of squares: where cells stand, and the turns and mirrors that take a board to itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

Square: TypeAlias = tuple[int, int]
"""Row and column, from 0."""

NAMED = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")


class BoardMotion(NamedTuple):
    """A turn or mirror of a board. turns: whether it keeps orientation. places: where each square goes."""

    name: str
    turns: bool
    places: tuple[int, ...]


def squares_named(names: Sequence[str], grid: tuple[int, int] | None) -> list[Square] | None:
    """A square for each name such as 2,3, or by rows of a grid; None if they are on no board."""
    if grid is not None:
        return [divmod(place, grid[1]) for place in range(len(names))]
    matches = [NAMED.fullmatch(name) for name in names]
    places = [(int(match[1]), int(match[2])) for match in matches if match]
    if not places or len(set(places)) < len(names):
        return None
    top, left = (min(place[axis] for place in places) for axis in (0, 1))
    return [(row - top, column - left) for row, column in places]


def motions_of(squares: Sequence[Square]) -> list[BoardMotion]:
    """The turns and mirrors that take the squares to themselves, the identity aside."""
    place_of = {square: place for place, square in enumerate(squares)}
    bottom, right = (max(square[axis] for square in squares) for axis in (0, 1))
    found = []
    for transposes, upside, across in product((False, True), repeat=3):
        if not (transposes or upside or across) or (transposes and bottom != right):
            continue
        images = [_moved(square, (bottom, right), upside, across) for square in squares]
        if transposes:
            images = [(column, row) for row, column in images]
        if all(image in place_of for image in images):
            turns = (upside + across + transposes) % 2 == 0
            places = tuple(place_of[image] for image in images)
            found.append(BoardMotion(_name(turns, transposes), turns, places))
    return found


def _moved(square: Square, last: Square, upside: bool, across: bool) -> Square:
    row = last[0] - square[0] if upside else square[0]
    column = last[1] - square[1] if across else square[1]
    return row, column


def _name(turns: bool, transposes: bool) -> str:
    if turns:
        return "quarter turn" if transposes else "half turn"
    return "diagonal mirror" if transposes else "mirror"
