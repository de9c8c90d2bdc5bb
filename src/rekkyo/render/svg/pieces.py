"""Spots, things and colours of placements, for drawings of packings in the plane and in space.

Every piece has a unique colour, the same in all solutions. A piece with copies has several colours: touching
copies differ, with as few colours as possible (`rekkyo.render.touching`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rekkyo.model.lattices import Cell
from rekkyo.model.packing import Packing
from rekkyo.render.labels import shortened
from rekkyo.render.svg.legend import entries_of, fitting, legend
from rekkyo.render.svg.markup import Place, drawn_path
from rekkyo.render.svg.painting import Body, Layer, Look, Looks, Markup, Painting, Pair
from rekkyo.render.svg.style import COLORS, color, shades, written_on
from rekkyo.render.touching import copies_apart

MAX_COLORS_OF_COPIES = 7
"""The first colours of the palette, which differ most."""

MIN_COLORS_OF_COPIES = 4
"""A piece with fewer colours of the palette also has lighter and darker shades of them."""

MAX_NAME = 3
"""The most letters of a name on a piece; longer names are shortened, and complete in a legend below."""


class PiecesOnBoard:
    """Every cell of the board is a spot, every piece a thing."""

    def __init__(self, model: Packing) -> None:
        self.model = model
        self.cells = sorted(model.board)
        self.placements = model.placements()
        names = [piece.name for piece in model.pieces]
        self._short = dict(zip(names, shortened(names, MAX_NAME), strict=True))
        self._pieces = {piece.name: index for index, piece in enumerate(model.pieces)}
        self._spots = {cell: index for index, cell in enumerate(self.cells)}
        self._colors = tuple(colors_of_pieces([piece.high != 1 for piece in model.pieces]))

    def painting(
        self,
        size: tuple[float, float],
        background: Markup,
        spot: Callable[[Cell], str],
        spot_names: Iterable[str],
        draw_placement: Callable[[int, str], Sequence[Layer]],
        body: Body | None = None,
    ) -> Painting:
        """The painting on a board of that size. The functions draw a placement in a colour, and a spot."""
        entries = entries_of(list(self._short), list(self._short.values())) if len(self._short) > 1 else []
        below = legend(entries, *size)

        def layers(option: int, look: Look) -> Sequence[Layer]:
            colors = self._colors[self._pieces[self.placements[option].piece]]
            return draw_placement(option, colors[look])

        return Painting(
            shape=self.model.row_shape,
            width=below.width,
            height=below.height,
            background=background + below.drawn,
            spots=tuple(map(spot, self.cells)),
            spot_names=tuple(spot_names),
            things=tuple(f"piece {name}" for name in self._pieces),
            draw_atom=layers,
            pairs_of_atom=self._pairs,
            looks=Looks(self._colors, self._near(), self.looks_together),
            body=body,
        )

    def optional_spots(self, spot: Callable[[Cell], str]) -> Markup:
        """The cells that may stay empty on a filled board, shaded."""
        optional = sorted(self.model.optional) if self.model.filled else []
        return drawn_path("".join(map(spot, optional)), "rk-shade")

    def looks_together(self, options: Sequence[int]) -> list[Look]:
        """The look of each placement of a solution: the index of its colour among those of its piece."""
        n_colors = [len(self._colors[self._pieces[self.placements[option].piece]]) for option in options]
        if max(n_colors, default=1) == 1:
            return [0] * len(options)
        return [shade % n for shade, n in zip(copies_apart(self.model, options), n_colors, strict=True)]

    def colors_together(self, options: Sequence[int]) -> list[str]:
        """The colours of all placements of a solution."""
        colors = [self._colors[self._pieces[self.placements[option].piece]] for option in options]
        return [of_piece[look] for of_piece, look in zip(colors, self.looks_together(options), strict=True)]

    def _near(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(self._spots[near] for near in self.model.neighbours(cell) if near in self._spots)
            for cell in self.cells
        )

    def name_at(self, option: int, fill: str, place: Place, size: float) -> Markup:
        """The name of a piece, unless there is only one piece."""
        name = self._short[self.placements[option].piece]
        if len(self._pieces) == 1:
            return ""
        return written_on(fill, name, place, fitting(size, [name], 1.6 * size))

    def _pairs(self, option: int) -> tuple[Pair, ...]:
        name, cells = self.placements[option]
        return tuple((self._spots[cell], self._pieces[name]) for cell in cells)


def colors_of_pieces(have_copies: Sequence[bool]) -> list[tuple[str, ...]]:
    """The colours of each piece, different from those of other pieces as long as there are enough."""
    n_pieces, n_left = len(have_copies), len(COLORS) - len(have_copies)
    copied = [piece for piece, has in enumerate(have_copies) if has]
    n_more = min(MAX_COLORS_OF_COPIES - 1, max(0, n_left) // len(copied)) if copied else 0
    found = []
    for piece in range(n_pieces):
        colors = [color(piece)]
        if have_copies[piece]:
            first = n_pieces + copied.index(piece)
            colors += [COLORS[first + k * len(copied)] for k in range(n_more)]
            if len(colors) < MIN_COLORS_OF_COPIES:
                colors += shades(colors[0])
        found.append(tuple(colors))
    return found
