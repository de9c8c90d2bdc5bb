"""The separate pieces of a puzzle, with their numbers: beside the board, or to cut out.

Pieces of a packing are drawn as one of their placements, those for a torus as in the plane; solid pieces as a
body, or as their layers; tiles in an orientation that fits some cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import CUBE
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.tile_board import tile_board
from rekkyo.render.svg.layers import IN_PLANE, paint_piece_in_layers
from rekkyo.render.svg.markup import CELL, bounds, moved, words
from rekkyo.render.svg.packing import paint_piece
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.pieces import MAX_NAME, colors_of_pieces
from rekkyo.render.svg.solid import paint_body

GAP = 0.7 * CELL
NAME_HEIGHT = 14.0
NAME_SIZE = 9.0
LETTER = 5.6
MAX_PIECES = 120
"""The most pieces that are drawn."""


class Part(NamedTuple):
    """A piece at the origin. text: beside it: its name, its number of copies."""

    drawn: Markup
    width: float
    height: float
    text: str


class Tray(NamedTuple):
    """Pieces in rows, and the size of all."""

    drawn: Markup
    width: float
    height: float


def parts(puzzle: Puzzle, painting: Painting, *, each_copy: bool = False) -> list[Part]:
    """The pieces of a packing, or the tiles of a board. each_copy: as many copies as are used at least."""
    model = puzzle.model
    if isinstance(model, Packing):
        found = list(_pieces(model, painting, each_copy=each_copy))
    elif isinstance(model, ExactCover):
        found = list(_tiles(model, painting))
    else:
        found = []
    return found[:MAX_PIECES]


def tray(found: Sequence[Part], width: float) -> Tray:
    """Pieces in rows of that width, or of the widest piece."""
    width = max([width, *(part.width for part in found)])
    drawn, x, y, tallest, right = "", 0.0, 0.0, 0.0, 0.0
    for part in found:
        wide = max(part.width, LETTER * len(part.text))
        if x and x + wide > width:
            x, y, tallest = 0.0, y + tallest + NAME_HEIGHT + GAP, 0.0
        name = words(part.text, (x + wide / 2, y + part.height + NAME_HEIGHT / 2 + 2), NAME_SIZE)
        drawn += moved(part.drawn, x + (wide - part.width) / 2, y) + name
        tallest = max(tallest, part.height)
        right = max(right, x + wide)
        x += wide + GAP
    return Tray(drawn, right, y + tallest + NAME_HEIGHT)


def tray_beside(found: Sequence[Part], width: float, height: float) -> Tray:
    """Pieces in a block about as high as the board beside it."""
    wide = min(9 * CELL, width)
    best, one_row = tray(found, wide), tray(found, inf)
    while best.height > 1.1 * height and best.width < min(3 * best.height, one_row.width):
        wide += 2 * CELL
        best = tray(found, wide)
    return best


def _pieces(model: Packing, painting: Painting, *, each_copy: bool) -> Iterator[Part]:
    first: dict[str, int] = {}
    for option, (name, _) in enumerate(model.placements()):
        first.setdefault(name, option)
    fills = colors_of_pieces([piece.high != 1 for piece in model.pieces])
    for piece, colors in zip(model.pieces, fills, strict=True):
        if piece.name not in first:
            continue
        times = max(1, piece.low) if each_copy else 1
        often = "" if each_copy else _times(piece)
        is_placement = model.lattice not in (CUBE, *IN_PLANE) and not model.toroidal
        is_named = is_placement and len(piece.name) <= MAX_NAME
        is_named = is_named and len(model.pieces) > 1
        text = often if is_named else f"{piece.name} {often}".strip()
        if model.lattice == CUBE:
            drawn = Part(*paint_body(piece.cells, colors[0]), text)
        elif model.lattice in IN_PLANE:
            drawn = Part(*paint_piece_in_layers(model.lattice, piece.cells, colors[0]), text)
        elif model.toroidal:
            drawn = Part(*paint_piece(model.lattice, piece.cells, colors[0]), text)
        else:
            spots = [spot for spot, _ in painting.pairs_of_atom(first[piece.name])]
            drawn = _moved(painting, first[piece.name], spots, text)
        yield from [drawn] * times


def _times(piece: Piece) -> str:
    if (piece.low, piece.high) == (1, 1):
        return ""
    if piece.high is None:
        return f"{piece.low} or more" if piece.low else "any number"
    if piece.low == piece.high:
        return f"×{piece.low}"
    return f"{piece.low} to {piece.high}" if piece.low else f"at most {piece.high}"


def _tiles(model: ExactCover, painting: Painting) -> Iterator[Part]:
    board = tile_board(model)
    if board is None:
        return
    first: dict[int, int] = {}
    for option, laid in enumerate(board.laid):
        first.setdefault(laid.tile, option)
    for tile, option in sorted(first.items()):
        _, high = model.bounds_of(len(board.cells) + tile)
        often = f"×{high}" if 1 < high < len(board.cells) else ""
        yield _moved(painting, option, [board.laid[option].cell], often)


def _moved(painting: Painting, option: int, spots: Sequence[int], text: str) -> Part:
    """A placement, moved to the origin."""
    left, top, right, bottom = bounds("".join(painting.spots[spot] for spot in spots))
    return Part(moved(painting.atom(option), -left, -top), right - left, bottom - top, text)
