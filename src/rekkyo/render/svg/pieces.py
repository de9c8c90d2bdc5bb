"""What drawings of packings in the plane and in space share: spots, things, and the colour of a placement.

Pieces that are all different have a colour each. Where there are copies, or more pieces than colours, the
colour also depends on where the placement lies: two dominoes that touch always differ, larger pieces nearly
always. To make them always differ, the drawing of a piece would have to depend on the other pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rekkyo.model.lattices import Cell
from rekkyo.model.packing import Packing
from rekkyo.render.svg.markup import Place, drawn_path
from rekkyo.render.svg.painting import Markup, Painting, Pair
from rekkyo.render.svg.style import COLORS, color, written_on

SHADES_OF_COPIES = 7
"""The palette's first colours, which are furthest apart."""

MAX_NAME = 3
"""Longer names of pieces are not written on them."""


class PiecesOnBoard:
    """Every cell of the board is a spot, every piece a thing."""

    def __init__(self, model: Packing) -> None:
        self.model = model
        self.cells = sorted(model.board)
        self.placements = model.placements()
        self._pieces = {piece.name: index for index, piece in enumerate(model.pieces)}
        self._spots = {cell: index for index, cell in enumerate(self.cells)}
        self._by_piece = all(piece.high == 1 for piece in model.pieces) and len(model.pieces) <= len(COLORS)

    def painting(
        self,
        size: tuple[float, float],
        background: Markup,
        spot: Callable[[Cell], str],
        spot_names: Iterable[str],
        draw_placement: Callable[[int], Markup],
    ) -> Painting:
        """How the solutions are drawn, on a board of that size, each placement and the path of a spot so."""
        return Painting(
            shape=self.model.row_shape,
            width=size[0],
            height=size[1],
            background=background,
            spots=tuple(map(spot, self.cells)),
            spot_names=tuple(spot_names),
            things=tuple(f"piece {name}" for name in self._pieces),
            draw_atom=draw_placement,
            pairs_of_atom=self._pairs,
        )

    def optional_spots(self, spot: Callable[[Cell], str]) -> Markup:
        """The cells that may stay empty on a filled board, shaded."""
        optional = sorted(self.model.optional) if self.model.filled else []
        return drawn_path("".join(map(spot, optional)), "rk-shade") if optional else ""

    def color_of(self, option: int) -> str:
        """The colour of a placement."""
        name, cells = self.placements[option]
        if self._by_piece:
            return color(self._pieces[name])
        place = [part // self.model.lattice.step for part in cells[0]]
        along = sum(weight * part for weight, part in zip((1, 3, 5), place, strict=False))
        return color((self._pieces[name] + along) % SHADES_OF_COPIES)

    def name_at(self, option: int, place: Place, size: float) -> Markup:
        """The name of a piece, where it says anything and is not too long."""
        name = self.placements[option].piece
        if len(name) > MAX_NAME or len(self._pieces) == 1:
            return ""
        return written_on(self.color_of(option), name, place, size)

    def _pairs(self, option: int) -> tuple[Pair, ...]:
        name, cells = self.placements[option]
        return tuple((self._spots[cell], self._pieces[name]) for cell in cells)
