"""Engine `csp`: lists the solutions of any constraint satisfaction problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.engines.csp.propagating.kernel import list_solutions, next_decision
from rekkyo.engines.csp.propagating.parts import Images
from rekkyo.engines.csp.propagating.ready import Ready, has_others, make_ready, preferred
from rekkyo.engines.csp.propagating.representatives import comparing_order, images
from rekkyo.engines.csp.propagating.state import OPEN, PHASE, Cursor
from rekkyo.engines.prefixes import ROOT, Prefix, grown, numbered
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AllDifferent, Clause
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group

LESSONS = (1000, 300, 300, 300, 300)
"""Nodes of the short searches from which weights are learned; the first may be the whole search."""

LEARN_ROWS = 300
"""Solutions that end the lessons."""


@dataclass(frozen=True, slots=True, eq=False)
class CspPlan:
    """ready: None when propagation alone rules out every solution."""

    model: Csp
    ready: Ready | None


class CspSearch(ListingEngine[CspPlan, Cursor]):
    """Domains of bits, propagation, smallest domain first.

    A shard's prefix is a way down the search: variable, value, and 1 if it has the value or 0 if it has not.
    """

    model_type = Csp
    model_words = "constraint satisfaction problems"
    name = "csp"
    plan_version = 3
    summary = "propagation, smallest domain first, for every constraint satisfaction problem"
    moment_nodes = 1 << 12
    smallest = Csp(("a", "b"), ((0, 1), (0, 1)), (AllDifferent((0, 1)),))
    smallest_with_others = replace(smallest, constraints=(Clause(((0, 1, True), (1, 1, True))),))

    def compile(self, model: Model) -> None:
        """Compile what runs in a search of a model with such rows, and such constraints."""
        assert isinstance(model, Csp)
        smallest = self.smallest_with_others if has_others(model) else self.smallest
        self.begin(smallest, model)
        ready = self.plan(smallest).ready
        assert ready is not None
        ready.expected_nodes()

    def make_plan(self, model: Csp) -> CspPlan:
        """The model as arrays; no arrays if propagation alone rules out every solution."""
        return self._planned(model)

    def make_plan_for_representatives(self, model: Csp, group: Group) -> CspPlan | None:
        """The same search, in which no image of a solution is less."""
        symmetry = images(model, group)
        return None if symmetry is None else self._planned(model, symmetry)

    def comparing_order(self, plan: CspPlan) -> Sequence[int] | None:
        """Those positions first that the search begins with."""
        order = comparing_order(plan.model)
        return None if order == tuple(sorted(order)) else order

    def _planned(self, model: Csp, *symmetry: Images) -> CspPlan:
        plan = CspPlan(model, make_ready(model, *symmetry))
        root = self._at(plan, ())
        if plan.ready is None or root is None:
            return CspPlan(model, None)
        return self._weighted(CspPlan(model, replace(plan.ready, root=root)))

    def _weighted(self, plan: CspPlan) -> CspPlan:
        """The plan with an order of decisions, which stays as it is, so that nodes do not depend on the cut.

        A variable's weight is in how many failures of its parts short searches ended; each of them begins at
        the root, with the weights of those before it. Sixteen variables with sums and an order take 61
        thousand nodes, and 9.8 million with equal weights. Where that is not enough for a whole search,
        estimates choose between these weights, equal ones and the order of the model.
        """
        ready = plan.ready
        assert ready is not None
        failures = np.zeros_like(ready.root.state.ints)
        for n_nodes in LESSONS:
            plan = replace(plan, ready=ready.with_weights(failures))
            cursor = self.start(plan, Shard(0, ()))
            room = Room.of(plan.model.row_shape, LEARN_ROWS)
            if self.advance(plan, cursor, room, n_nodes).status is Status.DONE:
                return plan
            failures += cursor.state.ints
        ways = ready.with_weights(failures), ready, ready.in_order()
        return replace(plan, ready=preferred(ways))

    def split(self, plan: CspPlan, at_least: int) -> tuple[Shard, ...]:
        """Each decision cuts a shard in two: a variable has its least value, or it has not.

        Hidden variables are not decided here, so that no two shards hold the same solution.
        """
        ready = plan.ready
        if ready is None:
            return ()
        shown = set(plan.model.solution)

        def below(prefix: Prefix) -> tuple[list[Prefix], int] | None:
            cursor = self.start(plan, Shard(0, prefix))
            v, value = map(int, next_decision(ready.program, cursor))
            if v not in shown:
                return None
            ways = [(*prefix, v, value, sign) for sign in (1, 0)]
            return [way for way in ways if self._at(plan, way) is not None], 2

        prefixes, n_tried = grown(ROOT, below, at_least, by_levels=True)
        return numbered(prefixes, n_tried) if prefixes else numbered(ROOT, 0)

    def start(self, plan: CspPlan, shard: Shard) -> Cursor:
        """A cursor after the decisions of the prefix."""
        cursor = self._at(plan, shard.prefix)
        if cursor is None:
            raise EngineRefuses(f"engine {self.name} knows no shard {shard.prefix}; split it anew")
        return cursor

    def _at(self, plan: CspPlan, prefix: Prefix) -> Cursor | None:
        """The state after some decisions; None if there is no solution then."""
        ready = plan.ready
        steps = [prefix[at : at + 3] for at in range(0, len(prefix), 3)]
        n_variables = len(plan.model.names)
        if ready is None or not all(
            len(step) == 3 and 0 <= step[0] < n_variables and step[2] in (0, 1) for step in steps
        ):
            return None
        cursor = ready.cursor(prefix)
        self.advance(plan, cursor, Room.of(plan.model.row_shape, 1), 0)
        return cursor if int(cursor.state.ints[PHASE]) == OPEN else None

    def advance(self, plan: CspPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a value given to a variable or taken away."""
        ready = plan.ready
        assert ready is not None
        arguments = (ready.program, ready.decided, cursor, room.rows, budget, ready.others)
        return Advance.of(list_solutions(*arguments))
