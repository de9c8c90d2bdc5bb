"""Constraint satisfaction problems: values in the squares of a board, or under the names of variables."""

from __future__ import annotations

from rekkyo.model.boards import squares_named
from rekkyo.model.csp.csp import Csp
from rekkyo.render.svg.markup import CELL, drawn_path, square, words
from rekkyo.render.svg.painting import Markup, Painting
from rekkyo.render.values import texts_of

MAX_ACROSS = 16


def paint_csp(model: Csp, symbols: str) -> Painting:
    """Every variable of the solution is a spot, every value a thing."""
    squares = squares_named([model.names[v] for v in model.solution], model.grid)
    places = squares or [divmod(place, MAX_ACROSS) for place in range(len(model.solution))]
    names = [model.names[v] for v in model.solution]
    texts = texts_of(model, symbols)
    spots = tuple(square(column * CELL, row * CELL) for row, column in places)
    size = CELL * (0.5 if max(map(len, texts)) < 3 else 0.34)
    board = "".join(spots)
    background = drawn_path(board, "rk-board") + drawn_path(board, "rk-grid")
    if squares is None:
        at = [(column * CELL + CELL / 2, row * CELL + CELL * 0.2) for row, column in places]
        background += "".join(
            words(name[:6], place, CELL * 0.2) for name, place in zip(names, at, strict=True)
        )
    n_values = len(model.values)

    def draw_atom(atom: int) -> Markup:
        row, column = places[atom // n_values]
        return words(texts[atom % n_values], ((column + 0.5) * CELL, (row + 0.55) * CELL), size)

    return Painting(
        shape=model.row_shape,
        width=(1 + max(column for _, column in places)) * CELL,
        height=(1 + max(row for row, _ in places)) * CELL,
        background=background,
        spots=spots,
        spot_names=tuple(names if squares is None else (f"row {r + 1}, column {c + 1}" for r, c in squares)),
        things=tuple(texts),
        draw_atom=draw_atom,
        pairs_of_atom=lambda atom: (divmod(atom, n_values),),
    )
