"""How many cells allowed numbers of pieces can have together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Copies(NamedTuple):
    """Copies of one piece of so many cells: between `low` and `high` of them, None for any number."""

    area: int
    low: int
    high: int | None


def possible_areas(pieces: Iterable[Copies], most: int) -> int:
    """The numbers of cells up to `most` that the pieces can have, as the bits of a number."""
    within = (1 << (most + 1)) - 1
    areas = 1
    for area, low, high in pieces:
        areas = areas << (low * area) & within
        rest = (most // area if high is None else min(high, most // area)) - low
        step = 1
        while rest > 0:  # any number of copies up to `rest`, out of bundles of 1, 2, 4, … and what is left
            areas |= areas << (min(step, rest) * area) & within
            rest -= step
            step *= 2
    return areas
