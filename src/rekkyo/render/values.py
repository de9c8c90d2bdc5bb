"""Where the variables of a constraint satisfaction problem stand, and how their values are written."""

from __future__ import annotations

from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import SYMBOLS
from rekkyo.render.number_board import place_named

Square = tuple[int, int]


def squares_of(model: Csp) -> list[Square] | None:
    """A square (row, column) for each variable of the solution, from 0; None if their names say none."""
    if model.grid is not None:
        return [divmod(place, model.grid[1]) for place in range(len(model.solution))]
    places = [place_named(model.names[v], max_digits=4) for v in model.solution]
    if not all(len(place) == 2 for place in places) or len(set(places)) < len(places):
        return None
    first = [min(place[axis] for place in places) for axis in (0, 1)]
    return [(place[0] - first[0], place[1] - first[1]) for place in places]


def texts_of(model: Csp, symbols: str) -> list[str]:
    """How each of the values is written: as the puzzle's symbol, if it has symbols of its own."""
    if symbols != SYMBOLS and len(symbols) >= len(model.values):
        return list(symbols[: len(model.values)])
    return list(map(str, model.values))
