"""A test of packings by numbers of cells: whether some choice of the pieces can fill the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.model.packing import Packing, Piece


def area_forbids(packing: Packing) -> str | None:
    """Why no choice of the pieces fills the board, by numbers of cells alone; None if one may."""
    area, must = len(packing.board), len(packing.must_be_covered)
    if not packing.filled or possible_areas(packing.pieces, area) >> must:
        return None
    wanted = str(area) if must == area else f"{must} to {area}"
    if all(piece.low == piece.high for piece in packing.pieces):
        have = several(least_area(packing.pieces), "cell")
        return f"the pieces have {have}, but the board that they fill has {wanted}"
    return f"the board that the pieces fill has {wanted} cells, but no choice of the pieces has as many"


def least_area(pieces: Iterable[Piece]) -> int:
    """The fewest cells that the pieces can have together."""
    return sum(piece.low * len(piece.cells) for piece in pieces)


def possible_areas(pieces: Iterable[Piece], most: int) -> int:
    """The numbers of cells up to `most` that the pieces can have together, as the bits of a number."""
    within = (1 << (most + 1)) - 1
    areas = 1
    for piece in pieces:
        area = len(piece.cells)
        areas = areas << (piece.low * area) & within
        rest = (most // area if piece.high is None else min(piece.high, most // area)) - piece.low
        step = 1
        while rest > 0:  # any number of copies up to `rest`, out of bundles of 1, 2, 4, … and what is left
            areas |= areas << (min(step, rest) * area) & within
            rest -= step
            step *= 2
    return areas
