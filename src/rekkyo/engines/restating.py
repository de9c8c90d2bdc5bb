"""The common base of the engines that search a model of another kind by another engine.

The inner engine searches the restated model; its rows are rewritten as rows of the model.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from rekkyo.engines.contract import Advance, ListingEngine, Room, Rows, Shard
from rekkyo.model.puzzle import Model

ModelT = TypeVar("ModelT", bound=Model)
CursorT = TypeVar("CursorT")


@dataclass(frozen=True, slots=True, eq=False)
class RestatedPlan:
    """values : uint[n]. By which rows are rewritten. inner: the inner engine's plan of the stated model."""

    model: Model
    stated: Model
    values: Rows
    inner: Any


class RestatingEngine(ListingEngine[RestatedPlan, CursorT], Generic[ModelT, CursorT]):
    """Rows are in the order of the inner search, and nodes are its nodes."""

    inner: ClassVar[ListingEngine[Any, Any]]

    @abstractmethod
    def restated(self, model: Any) -> tuple[ModelT, Rows]:
        """The model that is searched, and the values of the plan."""

    @abstractmethod
    def rewrite(self, plan: RestatedPlan, found: Rows, rows: Rows) -> None:
        """Write rows of the model for those that the inner search has found."""

    def compile(self, model: Model) -> None:
        """Compile the kernels that the inner search runs through."""
        self.inner.compile(self.restated(model)[0])

    def compile_for_long(self, model: Model) -> None:
        """Compile the kernels of a long inner search."""
        self.inner.compile_for_long(self.restated(model)[0])

    def make_plan(self, model: Model) -> RestatedPlan:
        """The restated model, its plan, and the values."""
        stated, values = self.restated(model)
        return RestatedPlan(model, stated, values, self.inner.plan(stated))

    def plan_facts(self, plan: RestatedPlan) -> object:
        """See the contract: both models, the values, and the facts of the inner plan."""
        return plan.model, plan.stated, plan.values, self.inner.plan_facts(plan.inner)

    def split(self, plan: RestatedPlan, at_least: int) -> tuple[Shard, ...]:
        """The shards of the inner search."""
        return self.inner.split(plan.inner, at_least)

    def start(self, plan: RestatedPlan, shard: Shard) -> CursorT:
        """A cursor of the inner search."""
        cursor: CursorT = self.inner.start(plan.inner, shard)
        return cursor

    def estimated_nodes(self, plan: RestatedPlan) -> float:
        """The estimate of the inner engine."""
        return self.inner.estimated_nodes(plan.inner)

    def part_done(self, plan: RestatedPlan, cursor: CursorT) -> float:
        """The estimate of the inner engine."""
        return self.inner.part_done(plan.inner, cursor)

    def advance(self, plan: RestatedPlan, cursor: CursorT, room: Room, budget: int) -> Advance:
        """See the contract."""
        found = Room.of(plan.stated.row_shape, len(room.rows))
        advance = self.inner.advance(plan.inner, cursor, found, budget)
        if advance.found:
            self.rewrite(plan, found.rows[: advance.found], room.rows[: advance.found])
        return advance
