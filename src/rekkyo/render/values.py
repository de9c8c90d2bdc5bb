"""Texts for the values of a constraint satisfaction problem."""

from __future__ import annotations

from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import SYMBOLS


def texts_of(model: Csp, symbols: str) -> list[str]:
    """A text for each value: the puzzle's symbol, if it has symbols, else the number."""
    if symbols != SYMBOLS and len(symbols) >= len(model.values):
        return list(symbols[: len(model.values)])
    return list(map(str, model.values))
