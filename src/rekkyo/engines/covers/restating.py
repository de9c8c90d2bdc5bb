"""The common base of the engines that search a model of another kind as an exact cover, with `cover-bitset`.

An option stands for one value at one position of the row. Options are numbered position by position, so the
options of a solution in increasing order give its row.
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
    """values : uint[n_options]. The value of each option. inner: the plan of `cover-bitset` for the cover."""

    model: Model
    cover: ExactCover
    values: Rows
    inner: Any


class RestatingEngine(ListingEngine[RestatedPlan, Cursor]):
    """Rows are in the order of the search of the cover, not in lexicographic order."""

    long_nodes = COVERS.long_nodes
    moment_nodes = 1 << 12

    @abstractmethod
    def restated(self, model: Any) -> tuple[ExactCover, Rows]:
        """The exact cover, and the value of each option."""

    def compile(self, model: Model) -> None:
        """Compile the kernels that a search of the cover runs through."""
        COVERS.compile(self.restated(model)[0])

    def compile_for_long(self, model: Model) -> None:
        """Compile the kernels of a long search of the cover."""
        COVERS.compile_for_long(self.restated(model)[0])

    def make_plan(self, model: Model) -> RestatedPlan:
        """The cover, its plan, and the values of the options."""
        cover, values = self.restated(model)
        return RestatedPlan(model, cover, values, COVERS.plan(cover))

    def plan_facts(self, plan: RestatedPlan) -> object:
        """See the contract: the model, the cover, the values, and the facts of the plan of the cover."""
        return plan.model, plan.cover, plan.values, COVERS.plan_facts(plan.inner)

    def split(self, plan: RestatedPlan, at_least: int) -> tuple[Shard, ...]:
        """The shards of the cover."""
        return COVERS.split(plan.inner, at_least)

    def start(self, plan: RestatedPlan, shard: Shard) -> Cursor:
        """A cursor of the cover."""
        return COVERS.start(plan.inner, shard)

    def part_done(self, plan: RestatedPlan, cursor: Cursor) -> float:
        """The estimate of `cover-bitset`."""
        return COVERS.part_done(plan.inner, cursor)

    def advance(self, plan: RestatedPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. Nodes are those of the search of the cover."""
        chosen = Room.of(plan.cover.row_shape, len(room.rows))
        advance = COVERS.advance(plan.inner, cursor, chosen, budget)
        if advance.found:  # rows of the cover may be longer, with fillers, and shorter if it has no solutions
            options = chosen.rows[: advance.found, : room.rows.shape[1]]
            room.rows[: advance.found] = plan.values[options]
        return advance
