"""The squares of boards on which cells lie."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

Square: TypeAlias = tuple[int, int]
"""Row and column, from 0."""

NAMED = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")


def squares_named(names: Sequence[str], grid: tuple[int, int] | None) -> list[Square] | None:
    """A square for each name such as 2,3, or by rows of a grid; None if the names are not squares."""
    if grid is not None:
        return [divmod(place, grid[1]) for place in range(len(names))]
    matches = [NAMED.fullmatch(name) for name in names]
    places = [(int(match[1]), int(match[2])) for match in matches if match]
    if not places or len(set(places)) < len(names):
        return None
    return from_zero(places)


def from_zero(squares: Sequence[Square]) -> list[Square]:
    """The squares, moved so that the first row and the first column are 0."""
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    return [(row - top, column - left) for row, column in squares]


def place_named(name: str, max_digits: int = 8) -> tuple[int, ...]:
    """The numbers of a name such as 0,3; empty for other names, and for longer numbers."""
    parts = name.split(",")
    are_numbers = all(part.isascii() and part.isdigit() and len(part) <= max_digits for part in parts)
    return tuple(map(int, parts)) if are_numbers else ()
