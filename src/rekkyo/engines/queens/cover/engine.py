"""Engine `queens-cover`: lists the solutions of any queens model through the exact cover engine.

It is slower than the engines made for queens. It shares no search code with them, so recounts use it, also
for boards with blocked squares, given queens or a torus.

Rows and columns of the board are primary items, diagonals secondary ones. An option is a square on which a
queen may stand; options are in reading order. So the option numbers of a solution, in increasing order, are
its queens from the top row down. Source: Knuth, TAOCP 4B, section 7.2.2.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import Cursor
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens, Square


@dataclass(frozen=True, slots=True, eq=False)
class QueensCoverPlan:
    """columns : uint8[n_options]. The column of each option's square. inner: the plan of `cover-bitset`."""

    model: Queens
    cover: ExactCover
    columns: NDArray[np.uint8]
    inner: Any


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


COVERS = CoverBitset()


class QueensCover(ListingEngine[QueensCoverPlan, Cursor]):
    """Queens as an exact cover. Rows are in the order of that search, not in lexicographic order."""

    model_type = Queens
    model_words = "queens models"
    name = "queens-cover"
    plan_version = 2
    long_nodes = COVERS.long_nodes
    summary = "as an exact cover, a second way for every queens model"

    def pays_off(self, model: Model) -> bool:
        """See the contract: False, because the engine is used only for recounts or by name."""
        return False

    def compile(self, model: Model) -> None:
        """Compile the engine of the cover."""
        COVERS.compile(self.plan(model).cover)

    def compile_for_long(self, model: Model) -> None:
        """Compile the kernels that long searches of the cover need."""
        COVERS.compile_for_long(self.plan(model).cover)

    def make_plan(self, model: Queens) -> QueensCoverPlan:
        """The cover, its plan, and the columns of the options."""
        cover, squares = cover_of(model)
        columns = np.array([column for _, column in squares] or [0], dtype=np.uint8)
        return QueensCoverPlan(model, cover, columns, COVERS.plan(cover))

    def plan_facts(self, plan: QueensCoverPlan) -> object:
        """The model, the cover, the columns, and the facts of the cover's plan."""
        return plan.model, plan.cover, plan.columns, COVERS.plan_facts(plan.inner)

    def split(self, plan: QueensCoverPlan, at_least: int) -> tuple[Shard, ...]:
        """The shards of the cover."""
        return COVERS.split(plan.inner, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The model in which the queens of the prefix are given."""
        assert isinstance(model, Queens)
        _, squares = cover_of(model)
        return replace(model, given=model.given | {squares[option] for option in shard.prefix})

    def start(self, plan: QueensCoverPlan, shard: Shard) -> Cursor:
        """A cursor of the cover."""
        return COVERS.start(plan.inner, shard)

    def advance(self, plan: QueensCoverPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. Nodes are those of the cover."""
        chosen = Room.of(plan.cover.row_shape, len(room.rows))
        advance = COVERS.advance(plan.inner, cursor, chosen, budget)
        if advance.found:  # rows of a cover without solutions may be shorter than the board
            room.rows[: advance.found] = plan.columns[chosen.rows[: advance.found]]
        return advance
