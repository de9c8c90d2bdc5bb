"""Engine `csp-plain`: the second way for every constraint satisfaction problem."""

from __future__ import annotations

from dataclasses import dataclass

from rekkyo.arrays import read_only
from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard
from rekkyo.engines.csp.plain.kernel import BASE_DEPTH, DEPTH, Cursor, Program, fits_with, list_solutions
from rekkyo.engines.csp.plain.program import make_cursor, make_program
from rekkyo.engines.prefixes import ROOT, Prefix, grown, numbered
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AllDifferent
from rekkyo.model.csp.csp import Csp


@dataclass(frozen=True, slots=True, eq=False)
class PlainPlan:
    """program: what the kernel reads."""

    model: Csp
    program: Program


class CspPlain(ListingEngine[PlainPlan, Cursor]):
    """Variables in a fixed order, constraints checked as they are.

    A shard's prefix holds the places of the first values in their domains.
    """

    model_type = Csp
    model_words = "constraint satisfaction problems"
    name = "csp-plain"
    plan_version = 1
    summary = "fixed order, nothing propagated; a second way for every constraint satisfaction problem"
    moment_nodes = 1 << 14
    smallest = Csp(("a", "b"), ((0, 1), (0, 1)), (AllDifferent((0, 1)),))

    def make_plan(self, model: Csp) -> PlainPlan:
        """The constraints as arrays."""
        return PlainPlan(model, read_only(make_program(model)))

    def split(self, plan: PlainPlan, at_least: int) -> tuple[Shard, ...]:
        """The first variables of the order get their values; the last of those that count is left open."""
        program = plan.program
        n_fixed = int(program.n_first[0]) - 1

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            if len(prefix) == n_fixed:
                return None
            n_ways = len(plan.model.domains[program.order[len(prefix)]])
            ways = [(*prefix, place) for place in range(n_ways)]
            return [way for way in ways if self._at(plan, way) is not None], n_ways

        prefixes, n_tried = grown(ROOT, below, at_least, by_levels=True)
        return numbered(prefixes, n_tried) if prefixes else numbered(ROOT, 0)

    def start(self, plan: PlainPlan, shard: Shard) -> Cursor:
        """A cursor behind the values of the prefix."""
        cursor = self._at(plan, shard.prefix)
        if cursor is None:
            raise EngineRefuses(f"engine {self.name} knows no shard {shard.prefix}; split it anew")
        return cursor

    def _at(self, plan: PlainPlan, prefix: Prefix) -> Cursor | None:
        """A cursor behind some values; None if they do not fit."""
        program = plan.program
        if len(prefix) >= program.n_first[0]:
            return None
        cursor = make_cursor(program)
        for depth, place in enumerate(prefix):
            v = int(program.order[depth])
            if not 0 <= place < len(plan.model.domains[v]):
                return None
            cursor.value[v] = plan.model.domains[v][place]
            if not fits_with(program, cursor, depth):
                return None
        cursor.state[DEPTH] = cursor.state[BASE_DEPTH] = len(prefix)
        cursor.at[len(prefix)] = program.start[program.order[len(prefix)]]
        return cursor

    def advance(self, plan: PlainPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a value tried for a variable."""
        return Advance.of(list_solutions(plan.program, cursor, room.rows, budget))
