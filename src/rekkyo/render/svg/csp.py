"""Constraint satisfaction problems: values in the squares of a board, or under the names of variables."""

from __future__ import annotations

from rekkyo.model.boards import squares_named
from rekkyo.model.csp.csp import Csp
from rekkyo.render.labels import shortened
from rekkyo.render.svg.legend import Legend, entries_of, fitting, legend
from rekkyo.render.svg.markup import CELL, drawn_path, rectangle, words
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.values import texts_of

MAX_ACROSS = 16
MAX_NAME = 16
NAME_SIZE = 0.22 * CELL
NAME_LETTER = 0.62 * NAME_SIZE


def paint_csp(model: Csp, symbols: str) -> Painting:
    """Every variable of the solution is a spot, every value a thing."""
    names = [model.names[v] for v in model.solution]
    squares = squares_named(names, model.grid)
    places = squares or [divmod(place, MAX_ACROSS) for place in range(len(names))]
    texts = texts_of(model, symbols)
    short = shortened(names, MAX_NAME)
    width = CELL if squares else max(CELL, 4 + NAME_LETTER * max(map(len, short)))
    spots = tuple(rectangle(column * width, row * CELL, width, CELL) for row, column in places)
    size = fitting(CELL * (0.5 if max(map(len, texts)) < 3 else 0.34), texts, 0.92 * width)
    board = "".join(spots)
    background = drawn_path(board, "rk-board") + drawn_path(board, "rk-grid")
    below = Legend("", (1 + max(c for _, c in places)) * width, (1 + max(r for r, _ in places)) * CELL)
    if squares is None:
        below = legend(entries_of(names, short), below.width, below.height)
        at = [((column + 0.5) * width, (row + 0.2) * CELL) for row, column in places]
        background += "".join(
            words(name, place, NAME_SIZE, "rk-faint") for name, place in zip(short, at, strict=True)
        )
    n_values = len(model.values)

    def draw_atom(atom: int) -> Markup:
        row, column = places[atom // n_values]
        down = 0.55 if squares else 0.64
        return words(texts[atom % n_values], ((column + 0.5) * width, (row + down) * CELL), size)

    return Painting(
        shape=model.row_shape,
        width=below.width,
        height=below.height,
        background=background + below.drawn,
        spots=spots,
        spot_names=tuple(names if squares is None else (f"row {r + 1}, column {c + 1}" for r, c in squares)),
        things=tuple(texts),
        draw_atom=draw_atom,
        pairs_of_atom=lambda atom: (divmod(atom, n_values),),
    )
