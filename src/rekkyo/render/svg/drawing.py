"""Draws puzzles, solutions and sheets of solutions as complete SVG files.

`svg` and `sheet` are pure: the arguments determine every byte. Both return text that notebooks show as a
picture, with a title and a description for readers who cannot see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.html_tables import BEYOND_PRINT
from rekkyo.model import checks
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import BALLS, CUBE
from rekkyo.model.packing import Packing
from rekkyo.model.picture import Blocks, Clues, Network, Places
from rekkyo.model.puzzle import Puzzle, check_puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.row import checked_real, checked_whole
from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.labels import row_to_draw
from rekkyo.render.svg.balls import paint_balls
from rekkyo.render.svg.coloring import paint_coloring
from rekkyo.render.svg.cover import paint_cover
from rekkyo.render.svg.csp import paint_csp
from rekkyo.render.svg.figure import paint_figure
from rekkyo.render.svg.incidence import incidence
from rekkyo.render.svg.layers import IN_PLANE, paint_layers
from rekkyo.render.svg.legend import Entry, legend
from rekkyo.render.svg.markup import CELL, moved, number, shown, words
from rekkyo.render.svg.network import paint_network
from rekkyo.render.svg.packing import paint_packing
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.svg.pieces import colors_of_pieces
from rekkyo.render.svg.queens import paint_queens
from rekkyo.render.svg.solid import paint_solid
from rekkyo.render.svg.style import rules
from rekkyo.render.svg.tray import parts, tray, tray_beside
from rekkyo.wording import several

BORDER = 8.0
SHEET_GAP = 14.0
TITLE_HEIGHT = 34.0
TITLE_SIZE = 13.0
NUMBER_HEIGHT = 13.0
NUMBER_SIZE = 9.0
MAX_ON_SHEET = 4096
SHEET_COLUMNS = 6
CUT_WIDTH = 340.0
"""The width of the rows of pieces to cut out, in units of a drawing; see `CELL`."""


class Svg(str):
    """The text of an SVG file, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(puzzle: Puzzle, row: Sequence[int] | None = None, *, theme: str = "auto", scale: float = 1.0) -> Svg:
    """The drawing of a solution, or of the puzzle without one.

    theme: "light", "dark", or "auto" for the preference of the reader's system. Raises BadSolution, BadInput.
    """
    check_puzzle(puzzle)
    if row is None:
        body, width, height = _with_pieces(puzzle, painting_of(puzzle))
        return document(body, width, height, puzzle.title, "Without a solution.", theme, scale)
    values = row_to_draw(puzzle, row)
    description = f"Row {' '.join(map(str, values))}; {puzzle.model.row_meaning}."
    return document(*drawn_row(puzzle, values), f"A solution of {puzzle.name}", description, theme, scale)


def sheet(
    puzzle: Puzzle,
    rows: Iterable[Sequence[int]],
    *,
    columns: int | None = None,
    theme: str = "auto",
    scale: float = 1.0,
    first: int | None = 0,
    total: int | None = None,
) -> Svg:
    """A contact sheet of many solutions, `columns` side by side, with a title, numbers and a legend.

    first: the number of the first solution; None if they are not consecutive. total: the number of all
    solutions, if it is known. Raises BadSolution, BadInput.
    """
    check_puzzle(puzzle)
    columns = SHEET_COLUMNS if columns is None else columns
    columns = checked_whole(f"a sheet has 1 to {MAX_ON_SHEET} columns", columns, 1, MAX_ON_SHEET)
    rule = "the numbers of solutions on a sheet are whole numbers from 0"
    first, total = (
        None if value is None else checked_whole(rule, value, 0, BEYOND_PRINT - 1) for value in (first, total)
    )
    some = checks.listed("a sheet shows a list of solutions", rows, MAX_ON_SHEET)
    drawn = [drawn_row(puzzle, row_to_draw(puzzle, row)) for row in some]
    held = several(len(drawn), "solution")
    part = held if first is None else _part(first, len(drawn), total)
    board = painting_of(puzzle)
    sizes = [(width, height) for _, width, height in drawn] or [(board.width, board.height)]
    across = max(width for width, _ in sizes) + SHEET_GAP
    down = max(height for _, height in sizes) + SHEET_GAP + NUMBER_HEIGHT
    width = min(columns, max(1, len(drawn))) * across - SHEET_GAP
    width = max(width, 0.58 * TITLE_SIZE * len(puzzle.title), 0.55 * NUMBER_SIZE * len(part))
    body = words(puzzle.title, (0, TITLE_SIZE / 2), TITLE_SIZE, "rk-ink rk-start")
    body += words(part, (0, TITLE_SIZE + NUMBER_SIZE), NUMBER_SIZE, "rk-faint rk-start")
    top = TITLE_HEIGHT
    for k, (picture, _, _) in enumerate(drawn):
        x, y = k % columns * across, top + k // columns * down
        label = "" if first is None else f"{first + k:,}"
        body += words(label, (x, y + NUMBER_SIZE / 2), NUMBER_SIZE, "rk-faint rk-start")
        body += moved(picture, x, y + NUMBER_HEIGHT)
    bottom = top + max(1, -(-len(drawn) // columns)) * down - SHEET_GAP
    below = legend(_legend_of(puzzle), width, bottom)
    description = f"{held} of {puzzle.name}, row by row."
    size = below.width, below.height
    return document(body + below.drawn, *size, f"{puzzle.title}: {held}", description, theme, scale)


def drawn_row(puzzle: Puzzle, row: Sequence[int]) -> tuple[Markup, float, float]:
    """The drawing of a solution, its width and height. row: as `row_to_draw` returns it."""
    if isinstance(puzzle.picture, Blocks):
        matrix = incidence(puzzle.picture, puzzle.model.row_shape, row)
        if matrix is not None:
            return matrix
    painting = painting_of(puzzle)
    return painting.paint(row), painting.width, painting.height


def _part(first: int, n_drawn: int, total: int | None) -> str:
    """The numbers of the solutions on a sheet, and the total."""
    of_all = "" if total is None else f" of {total:,}"
    if not n_drawn:
        return "no solution"
    if n_drawn == 1:
        return f"solution {first:,}{of_all}"
    return f"solutions {first:,} to {first + n_drawn - 1:,}{of_all}"


def _legend_of(puzzle: Puzzle) -> list[Entry]:
    """The pieces and their colours, if there are several."""
    model = puzzle.model
    if not isinstance(model, Packing) or len(model.pieces) == 1:
        return []
    fills = colors_of_pieces([piece.high != 1 for piece in model.pieces])
    return [Entry(piece.name, colors[0]) for piece, colors in zip(model.pieces, fills, strict=True)]


def pieces_to_cut_out(puzzle: Puzzle) -> Svg:
    """All pieces, with all copies, in rows. Raises BadInput if there are no pieces."""
    found = parts(puzzle, painting_of(puzzle), each_copy=True)
    if not found:
        raise BadInput(f"{puzzle.name} has no pieces to cut out")
    body, across, down = tray(found, CUT_WIDTH)
    return document(body, across, down, f"{puzzle.title}: pieces", "Pieces to cut out.", "light")


def pages_to_print(puzzle: Puzzle, solutions: Svg) -> list[Svg]:
    """The puzzle, its pieces to cut out, if any, and a sheet of solutions."""
    pages = [svg(puzzle, theme="light")]
    with suppress(BadInput):
        pages.append(pieces_to_cut_out(puzzle))
    return [*pages, solutions]


def _with_pieces(puzzle: Puzzle, painting: Painting) -> tuple[Markup, float, float]:
    """The empty board, and its pieces on the right."""
    found = parts(puzzle, painting)
    if not found:
        return painting.background, painting.width, painting.height
    beside = tray_beside(found, painting.width, painting.height)
    left = painting.width + 1.2 * CELL
    body = painting.background + moved(beside.drawn, left, 0)
    return body, left + beside.width, max(painting.height, beside.height)


def document(
    body: Markup, width: float, height: float, title: str, description: str, theme: str, scale: float = 1.0
) -> Svg:
    """A complete SVG file with a drawing."""
    scale = checked_real("the scale is a number from 0.01 to 100", scale, 0.01, 100)
    style = rules(theme)
    outer_width, outer_height = width + 2 * BORDER, height + 2 * BORDER
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rk-{theme}" role="img"'
        f' viewBox="{number(-BORDER)} {number(-BORDER)} {number(outer_width)} {number(outer_height)}"'
        f' width="{number(outer_width * scale)}" height="{number(outer_height * scale)}">'
        f"<title>{shown(title)}</title><desc>{shown(description)}</desc><style>{style}</style>"
        f'<rect class="rk-paper" x="{number(-BORDER)}" y="{number(-BORDER)}"'
        f' width="{number(outer_width)}" height="{number(outer_height)}"/>{body}</svg>\n'
    )


@lru_cache(maxsize=8)
def painting_of(puzzle: Puzzle) -> Painting:
    """The painting of a puzzle. Cached for the last few puzzles.

    The rows of a model without options have a single atom, which no solution has and nothing is drawn for.
    """
    painting = _painting_of(puzzle)
    cover = puzzle.model.cover() if isinstance(puzzle.model, Packing) else puzzle.model
    if not isinstance(cover, ExactCover) or cover.options:
        return painting
    return replace(painting, draw_atom=lambda _atom, _look: (), pairs_of_atom=lambda _atom: ())


def _painting_of(puzzle: Puzzle) -> Painting:
    if isinstance(puzzle.picture, Network):
        return paint_network(puzzle.model, puzzle.symbols, puzzle.picture)
    for kind, paint in _PAINTERS.items():
        if isinstance(puzzle.model, kind):
            return paint(puzzle.model, puzzle)
    raise BadInput(f"there is no drawing for models of type {type(puzzle.model).__name__}")


_IN_SPACE = {BALLS: paint_balls, CUBE: paint_solid} | dict.fromkeys(IN_PLANE, paint_layers)
_PAINTERS: dict[type, Callable[[Any, Puzzle], Painting]] = {
    Queens: lambda model, _: paint_queens(model),
    Packing: lambda model, _: _IN_SPACE.get(model.lattice, paint_packing)(model),
    Coloring: lambda model, puzzle: paint_coloring(
        model, lines_between_points=puzzle.name.partition(" ")[0] == "ramsey"
    ),
    SumFigure: lambda model, puzzle: paint_figure(
        model, puzzle.picture if isinstance(puzzle.picture, Places) else None
    ),
    Csp: lambda model, puzzle: paint_csp(
        model, puzzle.symbols, puzzle.picture if isinstance(puzzle.picture, Clues) else None
    ),
    ExactCover: lambda model, puzzle: paint_cover(model, puzzle.picture),
}
