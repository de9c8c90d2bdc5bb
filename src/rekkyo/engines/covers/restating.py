"""Engines that search models of another kind as exact covers, by `cover-bitset`.

An option says which value one position of the row has. The options of a position follow one another, position
after position, so the options of a solution in increasing order are its row.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from rekkyo.engines.contract import Advance, ListingEngine, Room, Rows, Shard
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import Cursor
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model

COVERS = CoverBitset()


@dataclass(frozen=True, slots=True, eq=False)
class RestatedPlan:
    """values : uint[n_options]. What each option puts into the row. inner: plan of the cover's engine."""

    model: Model
    cover: ExactCover
    values: Rows
    inner: Any


class RestatingEngine(ListingEngine[RestatedPlan, Cursor]):
    """Rows come in the order of the cover's search, not in lexicographic order."""

    long_nodes = COVERS.long_nodes
    moment_nodes = 1 << 12

    @abstractmethod
    def restated(self, model: Any) -> tuple[ExactCover, Rows]:
        """The exact cover, and for each option what it puts into the row."""

    def compile(self, model: Model) -> None:
        """Compile the engine of the cover."""
        COVERS.compile(self.restated(model)[0])

    def compile_for_long(self, model: Model) -> None:
        """Compile what long searches of the cover need."""
        COVERS.compile_for_long(self.restated(model)[0])

    def make_plan(self, model: Model) -> RestatedPlan:
        """The cover, its plan, and the values of the options."""
        cover, values = self.restated(model)
        return RestatedPlan(model, cover, values, COVERS.plan(cover))

    def plan_facts(self, plan: RestatedPlan) -> object:
        """The values, and the facts of the cover's plan."""
        return plan.model, plan.cover, plan.values, COVERS.plan_facts(plan.inner)

    def split(self, plan: RestatedPlan, at_least: int) -> tuple[Shard, ...]:
        """The shards of the cover."""
        return COVERS.split(plan.inner, at_least)

    def start(self, plan: RestatedPlan, shard: Shard) -> Cursor:
        """A cursor of the cover."""
        return COVERS.start(plan.inner, shard)

    def part_done(self, plan: RestatedPlan, cursor: Cursor) -> float:
        """That of the cover."""
        return COVERS.part_done(plan.inner, cursor)

    def advance(self, plan: RestatedPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is one of the cover's."""
        chosen = Room.of(plan.cover.row_shape, len(room.rows))
        advance = COVERS.advance(plan.inner, cursor, chosen, budget)
        if advance.found:  # rows of the cover may have fillers; without solutions they may be shorter
            options = chosen.rows[: advance.found, : room.rows.shape[1]]
            room.rows[: advance.found] = plan.values[options]
        return advance
