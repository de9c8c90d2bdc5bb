"""Engine `coloring-counters`: lists the solutions of every colouring."""

from __future__ import annotations

from typing import Any, ClassVar

from rekkyo.engines.colorings.counters.kernel import Cursor, Program, list_solutions
from rekkyo.engines.colorings.counters.plan import make_plan
from rekkyo.engines.colorings.kernel_least import Least
from rekkyo.engines.colorings.search_engine import ColoringSearch, SearchPlan
from rekkyo.engines.contract import Room
from rekkyo.model.coloring import Cell, Coloring


class ColoringCounters(ColoringSearch[Program, Cursor]):
    """Cells in a fixed order, a counter on every pattern, unit propagation; symmetry inside the search."""

    name: ClassVar[str] = "coloring-counters"
    summary: ClassVar[str] = "cells in a fixed order with counters on the patterns, for every colouring"

    def ordered_plan(
        self, model: Coloring, order: tuple[Cell, ...], symmetry: Least
    ) -> SearchPlan[Program, Cursor]:
        """Counters on the patterns, and what follows from the fixed cells."""
        return make_plan(model, order, symmetry)

    def list_solutions(self, program: Program, cursor: Cursor, room: Room, budget: int) -> Any:
        """Call the kernel."""
        return list_solutions(program, cursor, room.rows, room.stabilizers, budget)
