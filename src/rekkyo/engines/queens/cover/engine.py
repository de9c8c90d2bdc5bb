"""Engine `queens-cover`: lists the solutions of any queens model through the exact cover engine.

Slower than the engines made for queens; it is here because it shares no search code with them, so that a
count with blocked squares, given queens or a torus has a second way too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard
from rekkyo.engines.covers.bitset import CoverBitset
from rekkyo.engines.queens.cover.plan import QueensCoverPlan, cover_of
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens

COVERS = CoverBitset()


class Cursor(NamedTuple):
    """The cursor of the cover's engine."""

    inner: Any


class QueensCover(ListingEngine[QueensCoverPlan, Cursor]):
    """Queens as an exact cover. Rows come in the order of that search, not in lexicographic order."""

    model_type = Queens
    model_words = "queens models"
    name = "queens-cover"
    summary = "as an exact cover, a second way for every queens model"

    def pays_off(self, model: Model) -> bool:
        """Only when it is asked for by name."""
        return False

    def compile(self, model: Model) -> None:
        """Compile the cover's engine."""
        COVERS.compile(self.plan(model).cover)

    def make_plan(self, model: Queens) -> QueensCoverPlan:
        """The cover, its plan, and the columns of the options."""
        cover, squares = cover_of(model)
        columns = np.array([column for _, column in squares] or [0], dtype=np.uint8)
        return QueensCoverPlan(model, cover, columns, COVERS.plan(cover))

    def split(self, plan: QueensCoverPlan, at_least: int) -> tuple[Shard, ...]:
        """Those of the cover."""
        return COVERS.split(plan.inner, at_least)

    def submodel(self, model: Model, shard: Shard) -> Model:
        """The squares of the prefix are given."""
        assert isinstance(model, Queens)
        _, squares = cover_of(model)
        return replace(model, given=model.given | {squares[option] for option in shard.prefix})

    def start(self, plan: QueensCoverPlan, shard: Shard) -> Cursor:
        """A cursor of the cover."""
        return Cursor(COVERS.start(plan.inner, shard))

    def advance(self, plan: QueensCoverPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is one of the cover's."""
        shape = plan.cover.row_shape
        chosen = Room.of(shape, len(room.rows))
        advance = COVERS.advance(plan.inner, cursor.inner, chosen, budget)
        if advance.found:
            room.rows[: advance.found] = plan.columns[chosen.rows[: advance.found]]
        return advance
