"""Constraint satisfaction problems: values in the squares of a board, or under the names of variables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rekkyo.model.boards import squares_named
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Clues
from rekkyo.model.strokes import STROKES
from rekkyo.render.labels import shortened, texts_of
from rekkyo.render.svg.clues import ClueBoard
from rekkyo.render.svg.legend import entries_of, fitting, legend
from rekkyo.render.svg.loops import layers_around
from rekkyo.render.svg.markup import CELL, Place, drawn_path, path, rectangle, square, words
from rekkyo.render.svg.painting import Markup, Painting, painting_of_values

MAX_ACROSS = 16
MAX_NAME = 16
FILLED, EMPTY = "#", "-"
NAME_SIZE = 0.22 * CELL
NAME_LETTER = 0.62 * NAME_SIZE


def paint_csp(model: Csp, symbols: str, clues: Clues | None) -> Painting:
    """Every variable of the solution is a spot, every value a thing. clues: also shown on the board."""
    names = [model.names[v] for v in model.solution]
    squares = squares_named(names, model.grid)
    if squares is None:
        return _under_names(model, symbols, names)
    clues = clues or Clues()
    board = ClueBoard(clues, squares)
    sides = [clues.side_of(value) for value in model.values]
    depths = {side: -2 * place for place, side in enumerate(sorted(set(sides), reverse=True), 1)}
    texts = texts_of(model, symbols)
    size = _size(texts, CELL)
    drawn_value = partial(_value, strokes=clues.strokes)
    spots = [square(*board.corner(cell)) for cell in squares]
    middles = [(x + CELL / 2, y + 0.55 * CELL) for x, y in map(board.corner, squares)]
    given = _given(model)
    known = "".join(
        drawn_value(texts[value], middles[place], size, "rk-ink rk-given") for place, value in given.items()
    )
    cells = "".join(spots)
    return painting_of_values(
        model.row_shape,
        (board.width, board.height),
        drawn_path(cells, "rk-board") + board.below() + drawn_path(cells, "rk-grid") + board.above() + known,
        spots,
        [f"row {row + 1}, column {column + 1}" for row, column in squares],
        texts,
        lambda place, value: "" if place in given else drawn_value(texts[value], middles[place], size),
        lambda place, value: (
            layers_around(board.corner(squares[place]), depths[sides[value]]) if sides[value] else ()
        ),
    )


def _value(text: str, middle: Place, size: float, kind: str = "rk-ink", *, strokes: bool = False) -> Markup:
    """A value in its square. As in files, # fills it; clues stay visible, and - is faint.

    strokes: whether characters such as those of boxes are drawn as lines.
    """
    if strokes and text in STROKES:
        x, y = middle[0], middle[1] - 0.05 * CELL
        ends = [(x + (end[1] - 1) * CELL / 2, y + (end[0] - 1) * CELL / 2) for end in STROKES[text]]
        return drawn_path("".join(path([(x, y), end], closed=False) for end in ends), "rk-frame")
    if text != FILLED:
        return words(text, middle, size, "rk-faint" if text == EMPTY else kind)
    x, y = middle
    return drawn_path(square(x - CELL / 2, y - 0.55 * CELL), "rk-filled")


def _under_names(model: Csp, symbols: str, names: Sequence[str]) -> Painting:
    """Values under the names of their variables, MAX_ACROSS in a line."""
    places = [divmod(place, MAX_ACROSS) for place in range(len(names))]
    texts, short = texts_of(model, symbols), shortened(names, MAX_NAME)
    width = max(CELL, 4 + NAME_LETTER * max(map(len, short)))
    size = _size(texts, width)
    spots = [rectangle(column * width, row * CELL, width, CELL) for row, column in places]
    below = legend(
        entries_of(names, short),
        (1 + max(column for _, column in places)) * width,
        (1 + max(row for row, _ in places)) * CELL,
    )
    board = "".join(spots)
    background = drawn_path(board, "rk-board") + drawn_path(board, "rk-grid")
    for name, (row, column) in zip(short, places, strict=True):
        background += words(name, ((column + 0.5) * width, (row + 0.2) * CELL), NAME_SIZE, "rk-faint")

    def draw(place: int, value: int) -> Markup:
        row, column = places[place]
        return words(texts[value], ((column + 0.5) * width, (row + 0.64) * CELL), size)

    whole, background = (below.width, below.height), background + below.drawn
    return painting_of_values(model.row_shape, whole, background, spots, names, texts, draw)


def _size(texts: Sequence[str], width: float) -> float:
    """The size of letters with which all values fit into a cell of that width."""
    return fitting(CELL * (0.5 if max(map(len, texts)) < 3 else 0.34), texts, 0.92 * width)


def _given(model: Csp) -> dict[int, int]:
    """The places with a single value, and the number of that value."""
    values = {value: number for number, value in enumerate(model.values)}
    domains = [model.domains[variable] for variable in model.solution]
    return {place: values[domain[0]] for place, domain in enumerate(domains) if len(domain) == 1}
