"""Which colour a placement has.

Pieces that are all different have a colour each. Where there are copies, or more pieces than colours, the
colour also depends on where the placement lies. With these weights two dominoes that touch always differ;
larger pieces nearly always. A colouring of each solution would always differ, but then the drawing of a piece
would depend on the other pieces; outlines tell them apart anyway.
"""

from __future__ import annotations

from rekkyo.model.packing import Packing
from rekkyo.render.svg.palette import COLORS, color

SHADES_OF_COPIES = 7
"""The palette's first colours, which are furthest apart."""


class PieceColors:
    """The colour of every placement. has_names: whether the names of pieces say anything."""

    def __init__(self, model: Packing) -> None:
        self._placements = model.placements()
        self._pieces = {piece.name: index for index, piece in enumerate(model.pieces)}
        self._step = model.lattice.step
        self._by_piece = all(piece.high == 1 for piece in model.pieces) and len(model.pieces) <= len(COLORS)
        self.has_names = len(model.pieces) > 1

    def of(self, option: int) -> str:
        """The colour of a placement."""
        name, cells = self._placements[option]
        if self._by_piece:
            return color(self._pieces[name])
        place = [part // self._step for part in cells[0]]
        along = sum(weight * part for weight, part in zip((1, 3, 5), place, strict=False))
        return color((self._pieces[name] + along) % SHADES_OF_COPIES)
