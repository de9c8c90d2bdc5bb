"""What both searching engines for colourings share: a fixed order of cells, symmetry inside the search."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.least import least
from rekkyo.engines.colorings.order import cell_order
from rekkyo.engines.contract import Advance, ListingEngine, Rows, Status
from rekkyo.model.coloring import Cell, Coloring
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group, close


class SearchPlan(Protocol):
    """A plan of either engine."""

    @property
    def least(self) -> Least | None:
        """The symmetry that the search follows; None for none."""


class SearchCursor(Protocol):
    """A cursor of either engine. stabilizers: uint32[at least the rows of a block]."""

    stabilizers: NDArray[np.uint32]


PlanT = TypeVar("PlanT", bound=SearchPlan)
CursorT = TypeVar("CursorT", bound=SearchCursor)


class ColoringSearch(ListingEngine[PlanT, CursorT]):
    """An engine that colours cells in a fixed order, whatever it keeps of the patterns."""

    @abstractmethod
    def make_plan(self, model: Coloring, order: tuple[Cell, ...], symmetry: Least | None) -> PlanT:
        """The plan for cells in this order."""

    @abstractmethod
    def search(self, plan: PlanT, cursor: CursorT, out: Rows, budget: int) -> tuple[Status, int, int]:
        """Search on; status, solutions found, colours tried. Stabilizers go into the cursor."""

    def compile(self, model: Model) -> None:
        """Compile the search with bounds or without, with symmetry and without it."""
        bounds = ((0, 2), (0, 2)) if isinstance(model, Coloring) and model.bounds else ()
        small = Coloring(2, 2, sets=((0, 1),), bounds=bounds)
        group = close(small.row_shape, [(2, 3, 0, 1)])
        for plan in (self.plan(small), self.plan_for_representatives(small, group)):
            assert plan is not None
            out = np.empty((1, 2), dtype=np.uint8)
            for shard in self.split(plan, 2):
                self.advance(plan, self.start(plan, shard), out, 1)

    def plan(self, model: Model) -> PlanT:
        """A plan for all solutions."""
        self.check(model)
        assert isinstance(model, Coloring)
        return self.make_plan(model, cell_order(model), None)

    def plan_for_representatives(self, model: Model, group: Group) -> PlanT | None:
        """The same search, which leaves a branch as soon as some image of it is less."""
        self.check(model)
        assert isinstance(model, Coloring)
        order = cell_order(model)
        symmetry = least(group, order)
        return None if symmetry is None else self.make_plan(model, order, symmetry)

    def advance(self, plan: PlanT, cursor: CursorT, out: Rows, budget: int) -> Advance:
        """See the contract; a node is a colour tried at a cell."""
        if len(cursor.stabilizers) < len(out):
            cursor.stabilizers = np.empty(len(out), dtype=np.uint32)
        status, found, nodes = self.search(plan, cursor, out, budget)
        stabilizers = None if plan.least is None else cursor.stabilizers[:found]
        return Advance(status, found, nodes, stabilizers)
