"""Engine `queens-cover`: lists the solutions of any queens model through the exact cover engine.

It is slower than the engines made for queens. It shares no search code with them, so recounts use it, also
for boards with blocked squares, given queens or a torus.

Rows and columns of the board are primary items, diagonals secondary ones. An option is a square on which a
queen may stand; options are in reading order. So the option numbers of a solution, in increasing order, are
its queens from the top row down. Source: Knuth, TAOCP 4B, section 7.2.2.1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rekkyo.engines.contract import Rows, Shard, row_dtype
from rekkyo.engines.covers.restating import ByCover
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens, Square


def cover_of(model: Queens) -> tuple[ExactCover, list[Square]]:
    """The exact cover of a queens model, and the square of each option."""
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


class QueensCover(ByCover):
    """Queens as an exact cover."""

    model_type = Queens
    model_words = "queens models"
    name = "queens-cover"
    plan_version = 2

    summary = "as an exact cover, a second way for every queens model"

    def restated(self, model: Queens) -> tuple[ExactCover, Rows]:
        """The cover, and the columns of the options."""
        cover, squares = cover_of(model)
        return cover, np.array([column for _, column in squares] or [0], dtype=row_dtype(model.n))

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The model in which the queens of the prefix are given."""
        assert isinstance(model, Queens)
        _, squares = cover_of(model)
        return replace(model, given=model.given | {squares[option] for option in shard.prefix})
