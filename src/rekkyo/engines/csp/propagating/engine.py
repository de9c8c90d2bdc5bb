"""Engine `csp`: lists the solutions of any constraint satisfaction problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status
from rekkyo.engines.csp.propagating.kernel import list_solutions, next_decision
from rekkyo.engines.csp.propagating.parts import Images
from rekkyo.engines.csp.propagating.ready import Ready, has_others, make_ready, preferred
from rekkyo.engines.csp.propagating.representatives import comparing_order, images
from rekkyo.engines.csp.propagating.state import OPEN, PHASE, STEPS, Cursor
from rekkyo.engines.prefixes import ROOT, Prefix, grown, numbered
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AllDifferent, Clause
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group

LESSONS = (500, 150, 150, 150)
"""Nodes of the short searches from which weights are learned; the first may be the whole search."""

LEARN_ROWS = 300
"""Solutions that end the lessons."""

MOMENT_STEPS, MOST_MOMENT_NODES = 1 << 16, 1 << 12
"""Parts that are run in some milliseconds, and nodes at most: a node runs from 2 to 500 of them."""

LONG_MOMENTS = 0.5
"""A search that is expected to take more is not tried as a whole: most searches take more than expected."""

MOST_KEPT_BYTES = 1 << 26
"""Memory for the states between two levels of a split; otherwise each is made from the root again."""


class Node(NamedTuple):
    """A way down the search, the next decision, and the state before it, if that is kept."""

    prefix: Prefix
    v: int
    value: int
    cursor: Cursor | None


@dataclass(frozen=True, slots=True, eq=False)
class CspPlan:
    """ready: None when propagation alone rules out every solution. moment_nodes: of some milliseconds.

    is_long: more than a moment is expected.
    """

    model: Csp
    ready: Ready | None
    moment_nodes: int = MOST_MOMENT_NODES
    is_long: bool = False


class CspSearch(ListingEngine[CspPlan, Cursor]):
    """Domains of bits, propagation, smallest domain first.

    A shard's prefix is a way down the search: variable, value, and 1 if it has the value or 0 if it has not.
    """

    model_type = Csp
    model_words = "constraint satisfaction problems"
    name = "csp"
    plan_version = 4
    summary = "propagation, smallest domain first, for every constraint satisfaction problem"
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
        if plan.ready is None or not self._settles(plan, plan.ready.root):
            return CspPlan(model, None)
        return self._weighted(plan)

    def _weighted(self, plan: CspPlan) -> CspPlan:
        """The plan with an order of decisions, which stays as it is, so that nodes do not depend on the cut.

        A variable's weight is in how many failures of its parts short searches ended; each of them begins at
        the root, with the weights of those before it. Sixteen variables with sums and an order take 61
        thousand nodes, and 9.8 million with equal weights. Where that is not enough for a whole search,
        estimates choose between equal weights, these, and the order of the model.
        """
        ready = plan.ready
        assert ready is not None
        failures = np.zeros_like(ready.root.state.ints)
        n_tried = 1
        for n_nodes in LESSONS:
            plan = replace(plan, ready=ready.with_weights(failures))
            cursor = self.start(plan, Shard(0, ()))
            room = Room.of(plan.model.row_shape, LEARN_ROWS)
            lesson = self.advance(plan, cursor, room, n_nodes)
            if lesson.status is Status.DONE:
                return plan
            failures += cursor.state.ints
            n_tried += lesson.nodes
        ways = ready, ready.with_weights(failures), ready.in_order()
        moment_nodes = min(MOMENT_STEPS * n_tried // max(1, int(failures[STEPS])), MOST_MOMENT_NODES)
        best, expected = preferred(ways)
        return CspPlan(plan.model, best, max(1, moment_nodes), expected > LONG_MOMENTS * moment_nodes)

    def plan_facts(self, plan: CspPlan) -> object:
        """See the contract: all but how long it takes."""
        return plan.ready

    def may_be_short(self, plan: CspPlan) -> bool:
        """See the contract."""
        return not plan.is_long

    def nodes_of_moment(self, plan: CspPlan) -> int:
        """See the contract."""
        return plan.moment_nodes

    def split(self, plan: CspPlan, at_least: int) -> tuple[Shard, ...]:
        """Each decision cuts a shard in two: a variable has its least value, or it has not.

        Hidden variables are not decided here, so that no two shards hold the same solution.
        """
        ready = plan.ready
        if ready is None:
            return ()
        shown = set(plan.model.solution)
        keeps_cursors = at_least * ready.n_bytes <= MOST_KEPT_BYTES

        def node(prefix: Prefix, cursor: Cursor) -> Iterator[Node]:
            if self._settles(plan, cursor):
                v, value = next_decision(ready.program, cursor)
                yield Node(prefix, int(v), int(value), cursor if keeps_cursors else None)

        def below(above: Node) -> tuple[list[Node], int] | None:
            if above.v not in shown:
                return None
            ways = [(*above.prefix, above.v, above.value, sign) for sign in (1, 0)]
            return [child for way in ways for child in node(way, ready.cursor(way, above.cursor))], 2

        found, n_tried = grown(node((), ready.cursor(())), below, at_least, by_levels=True)
        return numbered((node.prefix for node in found), n_tried) if found else numbered(ROOT, 0)

    def start(self, plan: CspPlan, shard: Shard) -> Cursor:
        """A cursor after the decisions of the prefix."""
        steps = [shard.prefix[at : at + 3] for at in range(0, len(shard.prefix), 3)]
        n_variables = len(plan.model.names)
        if plan.ready is not None and all(
            len(step) == 3 and 0 <= step[0] < n_variables and step[2] in (0, 1) for step in steps
        ):
            cursor = plan.ready.cursor(shard.prefix)
            if self._settles(plan, cursor):
                return cursor
        raise EngineRefuses(f"engine {self.name} knows no shard {shard.prefix}; split it anew")

    def _settles(self, plan: CspPlan, cursor: Cursor) -> bool:
        """Make the decisions of the prefix; False if there is no solution then."""
        self.advance(plan, cursor, Room.of(plan.model.row_shape, 1), 0)
        return int(cursor.state.ints[PHASE]) == OPEN

    def advance(self, plan: CspPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract; a node is a value given to a variable or taken away."""
        ready = plan.ready
        assert ready is not None
        arguments = (ready.program, ready.decided, cursor, room.rows, budget, ready.others)
        return Advance.of(list_solutions(*arguments))
