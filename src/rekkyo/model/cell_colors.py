"""Colours of cells in a packing, which restrict where pieces lie.

A cell of a piece that has a colour lies only on cells of the board whose colour fits it, or which have no
colour. A cell of a piece without a colour lies anywhere. By default equal colours fit; else the pairs that
fit are listed, as in BurrTools.
A row shows the cells under a piece, but not how the piece lies there. So a piece that could lie on the same
cells in two ways that show different colours is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rekkyo.errors import BadModel, in_short
from rekkyo.model.checks import check_nested, refuse
from rekkyo.model.lattices import Cell, Lattice, cell_name
from rekkyo.model.lattices.drawing import EMPTY
from rekkyo.model.lattices.lattice import applied
from rekkyo.model.lattices.shapes import CellNumber, Shape, at_home, translates

CellColors: TypeAlias = frozenset[tuple[Cell, str]]
"""Cells with their colours: single characters, as in drawings."""

ColorPairs: TypeAlias = frozenset[tuple[str, str]]
"""Pairs that fit: the colour of a cell of a piece, the colour of a cell of the board."""

NO_COLOR = ""


class ColoredShape(NamedTuple):
    """A shape, and for each of its cells the colour, or NO_COLOR."""

    cells: Shape
    colors: tuple[str, ...]


def check_colors(whose: str, colors: CellColors, cells: Collection[Cell]) -> None:
    """Raise BadModel unless each of some cells has at most one colour."""
    rule = f"packing: the colours of {whose} are a frozenset of pairs (cell, colour)"
    check_nested(rule, colors, (frozenset, tuple))
    for pair in colors:
        if len(pair) != 2:
            refuse(rule, pair)
        _check_color(f"packing: a colour of {whose}", pair[1])
    for cell, times in sorted(Counter(cell for cell, _ in colors).items(), key=str):
        if cell not in cells:
            raise BadModel(
                f"packing: {whose} has a colour on {_name(cell)}, which is none of its cells;"
                " colour only its cells"
            )
        if times > 1:
            raise BadModel(f"packing: {whose} has {times} colours on {_name(cell)}; give one")


def check_pairs(pairs: ColorPairs | None) -> None:
    """Raise BadModel unless pairs of colours are given, or None."""
    if pairs is None:
        return
    rule = "packing: the colours that fit are a frozenset of pairs (of a piece, of the board)"
    for color in check_nested(rule, pairs, (frozenset, tuple, str), 2):
        _check_color("packing: a colour that fits", color)


def problem_of_pair(word: str, of_pieces: Collection[str], of_board: Collection[str]) -> str | None:
    """Why a word is not a colour of a piece and one of the board, which fit; None if it is."""
    if len(word) == 2 and word[0] in of_pieces and word[1] in of_board:
        return None
    pieces, board = (in_short(" ".join(sorted(some))) or "none" for some in (of_pieces, of_board))
    problem = f'"{in_short(word)}" is not a colour of a piece and a colour of the board'
    return f"{problem}; pieces have {pieces}, the board has {board}"


def _check_color(what: str, color: object) -> None:
    if not (isinstance(color, str) and len(color) == 1 and color.isprintable() and color not in EMPTY):
        refuse(f"{what} is one visible character other than a point", color)


def _name(cell: object) -> str:
    return cell_name(cell) if isinstance(cell, tuple) else str(cell)


def colored(cells: Iterable[Cell], colors: CellColors) -> dict[Cell, str]:
    """The colour of each cell."""
    return dict.fromkeys(cells, NO_COLOR) | dict(colors)


def colored_orientations(
    lattice: Lattice, cells: Mapping[Cell, str], *, reflections: bool
) -> tuple[ColoredShape, ...]:
    """The different images of a shape with colours up to translation, as `shapes.orientations`."""
    found = set()
    for matrix in lattice.moves_of(cells, reflections=reflections):
        image = {applied(matrix, cell): color for cell, color in cells.items()}
        # A translation keeps the order of cells.
        found.add(ColoredShape(at_home(lattice, image), tuple(image[cell] for cell in sorted(image))))
    return tuple(sorted(found))


def cells_that_fit(
    board: Collection[Cell], colors: CellColors, pairs: ColorPairs | None, color: str
) -> frozenset[Cell]:
    """The cells of a board on which a cell of a piece with a colour may lie."""
    here = dict(colors)
    pairs = frozenset({(color, color)}) if pairs is None else pairs
    return frozenset(
        cell for cell in board if color == NO_COLOR or cell not in here or (color, here[cell]) in pairs
    )


def colored_places(
    lattice: Lattice,
    shapes: Iterable[ColoredShape],
    board: Sequence[Cell],
    fitting: Mapping[str, Collection[Cell]],
    stride: int,
    periods: Cell | None = None,
) -> list[tuple[CellNumber, ...]]:
    """The places where a piece may lie, as `shapes.places`; a place occurs once for each way of the colours.

    fitting: the cells of the board that fit each colour.
    """
    found = {
        tuple(sorted(zip(place, colors, strict=True)))
        for cells, colors in shapes
        for place in translates(lattice, (cells,), board, stride, periods)
        if all(board[number] in fitting[color] for number, color in zip(place, colors, strict=True))
    }
    return sorted(tuple(number for number, _ in place) for place in found)


def check_that_rows_show_colors(
    name: str, found: Iterable[tuple[CellNumber, ...]], board: Sequence[Cell]
) -> None:
    """Raise BadModel if a piece can lie on the same cells in two ways that show different colours."""
    for place, times in Counter(found).items():
        if times > 1:
            cells = " ".join(cell_name(board[number]) for number in place[:4])
            more = " ..." if len(place) > 4 else ""
            raise BadModel(
                f'packing: piece "{name}" can lie on {cells}{more} in {times} ways that differ only in their'
                " colours; give these cells of the board colours, too"
            )
