"""What the engines share that count exact covers in one piece, within a bounded memory."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from typing import ClassVar, Protocol, TypeVar

from rekkyo.engines.contract import CountingEngine, Pause, Shard, Tally
from rekkyo.engines.covers.frontier.levels import ONCE_EACH, Weights
from rekkyo.engines.covers.frontier.quotient import folded
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.row import AtomPermutation

DEFAULT_BYTES = 4 << 30
"""How much memory a search may take unless it is told otherwise."""

MAX_ITEMS = 1 << 14


class CoverPlan(Protocol):
    """A plan that knows its model."""

    @property
    def model(self) -> ExactCover:
        """What is counted."""


PlanT = TypeVar("PlanT", bound=CoverPlan)


class CoverCounter(CountingEngine[PlanT]):
    """Counts any exact cover. One shard: what the search knows of its states serves all of it.

    most_bytes: the memory for states; beyond it, the engine refuses.
    """

    model_type = ExactCover
    model_words = "exact covers"
    max_options: ClassVar[int]

    def __init__(self, most_bytes: int = DEFAULT_BYTES) -> None:
        self.most_bytes = most_bytes

    def limits(self, model: ExactCover) -> str | None:
        """Any exact cover of a sensible size; whether its states fit in memory, only the search finds out."""
        if len(model.primary) + len(model.secondary) > MAX_ITEMS or len(model.options) > self.max_options:
            return f"takes at most {MAX_ITEMS} items and {self.max_options} options"
        return None

    @abstractmethod
    def weighted_plan(self, model: ExactCover, weights: Weights) -> PlanT:
        """The arrays of the search. Raises EngineRefuses for weights that the engine cannot count with."""

    def make_plan(self, model: ExactCover) -> PlanT:
        """The arrays of the search."""
        return self.weighted_plan(model, ONCE_EACH)

    def split(self, plan: PlanT, at_least: int) -> tuple[Shard, ...]:
        """One shard."""
        return (Shard(0, ()),)

    def count_fixed(self, plan: PlanT, symmetry: AtomPermutation, pause: Pause) -> Tally | None:
        """By the same search on the folded model; None when that is too large."""
        quotient = folded(plan.model, symmetry)
        with suppress(EngineRefuses):
            return self.count(self.weighted_plan(quotient.model, quotient.weights), Shard(0, ()), pause)
        return None
