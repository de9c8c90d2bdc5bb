"""From a queens model to an exact cover.

Rows and columns of the board are primary items, diagonals secondary ones; an option is a square on which a
queen may stand, in reading order. So the option numbers of a solution, in increasing order, are its queens
from the top row down. Source: Knuth, TAOCP 4B, section 7.2.2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.queens import Queens, Square


@dataclass(frozen=True, slots=True, eq=False)
class QueensCoverPlan:
    """columns : uint8[n_options]. The column of each option's square. inner: plan of the cover's engine."""

    model: Queens
    cover: ExactCover
    columns: NDArray[np.uint8]
    inner: Any


def cover_of(model: Queens) -> tuple[ExactCover, list[Square]]:
    """The exact cover, and the square of each option."""
    n = model.n
    squares = [
        (row, column) for row in range(n) for column in range(n) if _may_be_chosen(model, (row, column))
    ]
    n_diagonals = n if model.toroidal else 2 * n - 1

    def option(square: Square) -> Option:
        row, column = square
        rising, falling = (row + column) % n_diagonals, (row - column) % n_diagonals
        items = (row, n + column, 2 * n + rising, 2 * n + n_diagonals + falling)
        return tuple((item, 0) for item in items)

    cover = ExactCover(
        primary=(*(f"r{row}" for row in range(n)), *(f"c{column}" for column in range(n))),
        secondary=(*(f"/{d}" for d in range(n_diagonals)), *(f"\\{d}" for d in range(n_diagonals))),
        options=tuple(map(option, squares)),
    )
    return cover, squares


def _may_be_chosen(model: Queens, square: Square) -> bool:
    given_in_row = {given for given in model.given if given[0] == square[0]}
    return square not in model.blocked and given_in_row <= {square}
