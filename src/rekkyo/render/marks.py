"""The coloured characters of a board drawn as text, for terminals with colours.

A mark is a place in the text of `rekkyo.render.board`: line, column, number of characters, and the colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices.drawing import places_in_text
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.tile_board import tile_board
from rekkyo.render.board import board, cell_texts
from rekkyo.render.svg.coloring import FILLS
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.render.svg.style import colors_of
from rekkyo.render.tile_text import sides_in_text


class Mark(NamedTuple):
    """Some characters of a line and their background, such as "#D55E00"."""

    line: int
    column: int
    length: int
    fill: str


def marks(puzzle: Puzzle, row: Sequence[int]) -> list[Mark]:
    """The colours of a solution: pieces of packings, colours of colourings on a board, sides of tiles."""
    model = puzzle.model
    if isinstance(model, Packing):
        return _pieces(model, row)
    if isinstance(model, Coloring) and model.board and not model.names:
        return [Mark(*square, 1, FILLS[value]) for square, value in zip(model.board, row, strict=True)]
    if isinstance(model, ExactCover) and (tiles := tile_board(model)) is not None:
        found = sides_in_text(model, tiles, model.row_shape.atoms(row))
        names = sorted({name for _, _, name in found})
        fills = dict(zip(names, colors_of(names), strict=True))
        return [Mark(line, column, len(name), fills[name]) for line, column, name in found]
    return []


def colored_board(puzzle: Puzzle, row: Sequence[int], style: Callable[[str, str], str]) -> str:
    """A solution as text, in colour. style: makes a text on a background."""
    lines = board(puzzle, row).split("\n")
    by_line: dict[int, list[Mark]] = {}
    for mark in marks(puzzle, row):
        by_line.setdefault(mark.line, []).append(mark)
    for line, here in by_line.items():
        drawn, at = "", 0
        for mark in sorted(here):
            drawn += lines[line][at : mark.column]
            at = mark.column + mark.length
            drawn += style(lines[line][mark.column : at].ljust(mark.length), mark.fill)
        lines[line] = drawn + lines[line][at:]
    return "\n".join(lines)


def _pieces(model: Packing, row: Sequence[int]) -> list[Mark]:
    chosen = model.row_shape.atoms(row)
    drawn, _ = cell_texts(model, chosen)
    at = places_in_text(model.lattice, drawn)
    fills = PiecesOnBoard(model).colors_together(chosen)
    return [
        Mark(*at[cell], len(drawn[cell]), fill)
        for number, fill in zip(chosen, fills, strict=True)
        for cell in model.placements()[number].cells
    ]
