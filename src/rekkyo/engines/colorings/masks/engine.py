"""Engine `coloring-masks`: lists colourings of at most 64 cells; the fastest one."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rekkyo.arrays import unfilled
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.masks.kernel import list_solutions
from rekkyo.engines.colorings.masks.kernel_propagate import Cursor, Program
from rekkyo.engines.colorings.masks.plan import has_one_color, make_plan
from rekkyo.engines.colorings.search_engine import ColoringSearch, SearchPlan
from rekkyo.engines.contract import Room, Shard, Status
from rekkyo.model.coloring import Cell, Coloring

MAX_CELLS = 64
PROBE_ROWS = 1 << 10


class ColoringMasks(ColoringSearch[Program, Cursor]):
    """Cells in a fixed order, sets as bit masks, unit propagation; symmetry inside the search."""

    name: ClassVar[str] = "coloring-masks"
    summary: ClassVar[str] = "cells in a fixed order with bit masks and propagation, up to 64 cells"
    moment_nodes: ClassVar[int] = 1 << 17

    def limits(self, model: Coloring) -> str | None:
        """At most 64 cells, and patterns of one colour each."""
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        if not all(map(has_one_color, model.patterns)):
            return "takes only patterns whose cells have one colour"
        return None

    def ordered_plan(
        self, model: Coloring, order: tuple[Cell, ...], symmetry: Least
    ) -> SearchPlan[Program, Cursor]:
        """Masks of the sets through each cell."""
        return make_plan(model, order, symmetry)

    def list_solutions(self, program: Program, cursor: Cursor, room: Room, budget: int) -> Any:
        """Call the kernel."""
        return list_solutions(program, cursor, room.rows, room.stabilizers, budget)

    def ends_in_a_moment(self, plan: SearchPlan[Program, Cursor]) -> bool:
        """Whether the search ends within `moment_nodes` nodes."""
        cursor = self.start(plan, Shard(0, ()))
        room = Room(unfilled((PROBE_ROWS, len(plan.program.order)), np.uint8))
        status, tried = Status.BUFFER_FULL, 0
        while status is Status.BUFFER_FULL and tried < self.moment_nodes:
            status, _, nodes = self.advance(plan, cursor, room, self.moment_nodes - tried)
            tried += nodes
        return status is Status.DONE
