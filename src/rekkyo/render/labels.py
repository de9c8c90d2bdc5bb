"""Names in few letters, and texts of values."""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.errors import BadSolution
from rekkyo.model.checks import shown
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import SYMBOLS, Puzzle
from rekkyo.model.row import Layout, row_values

DIGITS = "0" + SYMBOLS
"""One character for each number from 0, where the values of cells are numbers."""


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Each name, shortened to `most` letters, or more if hundreds begin alike; no two become the same."""
    taken = {name for name in names if len(name) <= most}
    short: dict[str, str] = {}
    tried: dict[str, int] = {}
    """The last number tried for each beginning: all before it are taken, by thousands of names at worst."""
    for name in dict.fromkeys(names):
        if len(name) <= most:
            short[name] = name
            continue
        beginning = name[: max(1, most - 1)]
        k = tried.get(beginning, 1)
        candidate = beginning + "…"
        while candidate in taken:
            k += 1
            candidate = name[: max(0, most - 1 - len(str(k)))] + "…" + str(k)
        tried[beginning] = k
        taken.add(candidate)
        short[name] = candidate
    return [short[name] for name in names]


def texts_of(model: Csp, symbols: str) -> list[str]:
    """A text for each value: the number, unless the puzzle has symbols other than the digits of numbers."""
    has_digits = all(DIGITS.find(one) == value for one, value in zip(symbols, model.values, strict=False))
    if symbols == SYMBOLS or has_digits or len(symbols) < len(model.values):
        return list(map(str, model.values))
    return list(symbols[: len(model.values)])


def row_to_draw(puzzle: Puzzle, row: Sequence[int]) -> list[int]:
    """The values of a row. Raises BadInput unless they can be drawn."""
    shape = puzzle.model.row_shape
    values = row_values(row)
    fit = all(type(value) is int and 0 <= value < shape.n_symbols for value in values)
    least = shape.length if shape.layout is Layout.BY_POSITION else 0
    if not least <= len(values) <= shape.length or not fit:
        raise BadSolution(
            f"{puzzle.name}: a row to draw has {shape.length} numbers from 0 to {shape.n_symbols - 1},"
            f" not {shown(values)}"
        )
    return values
