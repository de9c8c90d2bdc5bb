"""What both searching engines for colourings share: a fixed order of cells, symmetry inside the search."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Protocol, TypeVar

from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.least import least
from rekkyo.engines.colorings.order import cell_order
from rekkyo.engines.contract import Advance, ListingEngine, Room
from rekkyo.model.coloring import Cell, Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group, close


class SearchPlan(Protocol):
    """A plan of either engine."""

    @property
    def least(self) -> Least | None:
        """The symmetry that the search follows; None for none."""


PlanT = TypeVar("PlanT", bound=SearchPlan)
CursorT = TypeVar("CursorT")


class ColoringSearch(ListingEngine[PlanT, CursorT]):
    """An engine that colours cells in a fixed order, whatever it keeps of the patterns."""

    model_type: ClassVar[type[Coloring]] = Coloring
    model_words: ClassVar[str] = "colourings"

    @abstractmethod
    def ordered_plan(self, model: Coloring, order: tuple[Cell, ...], symmetry: Least | None) -> PlanT:
        """The plan for cells in this order."""

    @abstractmethod
    def advance(self, plan: PlanT, cursor: CursorT, room: Room, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""

    def compile(self, model: Model) -> None:
        """Compile the search with bounds or without, with symmetry and without it."""
        bounds = ((0, 2), (0, 2)) if isinstance(model, Coloring) and model.bounds else ()
        small = Coloring(2, 2, sets=((0, 1),), bounds=bounds)
        group = close(small.row_shape, [(2, 3, 0, 1)])
        for plan in (self.plan(small), self.plan_for_representatives(small, group)):
            assert plan is not None
            room = Room.of(small.row_shape, 1)
            for shard in self.split(plan, 2):
                self.advance(plan, self.start(plan, shard), room, 1)

    def make_plan(self, model: Coloring) -> PlanT:
        """A plan for all solutions."""
        return self.ordered_plan(model, cell_order(model), None)

    def make_plan_for_representatives(self, model: Coloring, group: Group) -> PlanT | None:
        """The same search, which leaves a branch as soon as some image of it is less."""
        order = cell_order(model)
        symmetry = least(group, order)
        return None if symmetry is None else self.ordered_plan(model, order, symmetry)

    def settles_symmetry(self, plan: PlanT) -> bool:
        """If the search follows all of the symmetry."""
        return plan.least is not None
