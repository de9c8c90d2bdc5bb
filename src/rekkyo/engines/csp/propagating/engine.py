"""Engine `csp`: lists the solutions of any constraint satisfaction problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Advance, ListingEngine, Room, Shard, Status, Tried
from rekkyo.engines.csp.propagating.kernel import list_solutions, next_decision
from rekkyo.engines.csp.propagating.parts import Images, Least, LeastSet
from rekkyo.engines.csp.propagating.ready import NO_DIVE, Ready, has_others, make_ready, preferred
from rekkyo.engines.csp.propagating.representatives import comparing_order, images
from rekkyo.engines.csp.propagating.state import OPEN, PHASE, STEPS, Cursor
from rekkyo.engines.out import out_of
from rekkyo.engines.prefixes import ROOT, Prefix, grown, no_such_shard, numbered
from rekkyo.model.csp.constraints import AllDifferent, Clause, Variable
from rekkyo.model.csp.csp import Csp
from rekkyo.model.puzzle import Model
from rekkyo.symmetry.group import Group
from rekkyo.symmetry.large_group import LargeGroup

LESSONS = (500, 150, 150, 150)
"""Nodes of the short searches from which weights are learned; the first one may end the whole search."""

LEARN_ROWS = 300
"""A short search stops after this number of solutions."""

GLANCE_NODES = 100
"""Nodes in which propagation ends most puzzles that have one solution."""

TRIED_NODES = 1500
"""Nodes of a last try before the estimates, which take as long."""

MOMENT_STEPS, MOST_MOMENT_NODES = 1 << 16, 1 << 12
"""A moment is some milliseconds: this number of parts is run, in at most this number of nodes.

A node runs 2 to 500 parts.
"""

MOST_KEPT_BYTES = 1 << 26
"""Memory for the states of a level of a split. States for which it is not enough are made from the root."""

MOST_ELEMENTS = 1 << 1000
"""The elements of a group by which an estimate is divided; 2^1024 is too large for a float."""

_compiled: set[bool] = set()
"""The kernels that were compiled or loaded: True for those with all kinds of parts, else False."""


class Node(NamedTuple):
    """Decisions on a path of the search tree, the next decision, and the state before it, if it is kept."""

    prefix: Prefix
    v: int
    value: int
    cursor: Cursor | None


@dataclass(frozen=True, slots=True, eq=False)
class CspPlan:
    """ready: None if propagation alone rules out every solution. moment_nodes: nodes of some milliseconds.

    tried: the last short search, if it ended the whole search or is the beginning of it. expected_nodes,
    expected_steps: about how many nodes the whole search has and how many parts it runs; 0 if not known.
    compared, n_elements: the variables in comparison order, and the elements of a large group under which
    rows are the least ones.
    """

    model: Csp
    ready: Ready | None
    moment_nodes: int = MOST_MOMENT_NODES
    tried: Tried | None = None
    expected_nodes: float = 0.0
    expected_steps: float = 0.0
    compared: tuple[Variable, ...] = ()
    n_elements: int = 1


class Learned(NamedTuple):
    """The results of short searches.

    plan: with equal weights; or the final one, if a short search or propagation alone ended the search.
    failures: of the parts, and other sums of `State.ints`. n_tried: nodes.
    """

    plan: CspPlan
    failures: NDArray[np.int64]
    n_tried: int = 1

    @property
    def is_over(self) -> bool:
        """Whether all solutions are known."""
        return self.plan.ready is None or self.plan.tried is not None


class CspSearch(ListingEngine[CspPlan, Cursor]):
    """Backtracking over domains of bits with propagation; the variable with the smallest domain is next.

    The prefix of a shard is a list of decisions. Each is a variable, a value, and 1 if the variable has the
    value or 0 if it does not.
    """

    model_type = Csp
    model_words = "constraint satisfaction problems"
    name = "csp"
    plan_version = 14
    summary = "propagation, smallest domain first, for every constraint satisfaction problem"
    smallest = Csp(("a", "b"), ((0, 1), (0, 1)), (AllDifferent((0, 1)),))
    last_shard_is_rest = True
    smallest_with_others = replace(smallest, constraints=(Clause(((0, 1, True), (1, 1, True))),))

    def compile(self, model: Model) -> None:
        """Compile the kernels for rows of this type, and for the kinds of parts that the model needs."""
        assert isinstance(model, Csp)
        needs_others = has_others(model)
        self.begin(self.smallest_with_others if needs_others else self.smallest, model)
        _compiled.add(needs_others)

    def make_plan(self, model: Csp) -> CspPlan:
        """The model as arrays; no arrays if propagation alone rules out every solution."""
        return self._planned(_begun(self, model))

    def make_plan_for_representatives(self, model: Csp, group: Group) -> CspPlan | None:
        """The plan of a search that finds only solutions of which no image is less."""
        symmetry = images(model, group)
        return None if symmetry is None else self._planned(self.begun(model, symmetry))

    def make_plan_for_large_group(self, model: Csp, group: LargeGroup) -> CspPlan:
        """The same. The values of the first positions are needed early, so positions are decided in order."""
        variables = tuple(model.solution[position] for position in group.compared)
        return self.plan_in_order(model, Least(variables, model.values, group.tables), group.order)

    def plan_in_order(self, model: Csp, least: Least | LeastSet, n_elements: int) -> CspPlan:
        """The plan of a search for rows that are the least ones, in the order of the part's variables.

        n_elements: of the group.
        """
        plan = replace(self.begun(model, least).plan, compared=least.variables, n_elements=n_elements)
        if plan.ready is None:
            return plan
        ready = plan.ready.in_order_of(least.variables)
        if isinstance(least, LeastSet):  # of two sets, the one that has an option is less
            ready = ready.falling()
        plan = self._with_try(replace(plan, ready=ready), TRIED_NODES, TRIED_NODES)
        assert plan.tried is not None
        if plan.tried.cursor is None:
            return plan
        n_tried, n_steps = plan.tried.block.nodes, int(plan.tried.cursor.state.ints[STEPS])
        # Dives expect far too few nodes here, because rows of random values are rarely least.
        return self._estimated(plan, n_tried, n_steps, 0.0)

    def ends_at_once(self, model: Csp) -> bool:
        """Whether the search has few nodes. False if something would have to be compiled or loaded first."""
        if has_others(model) not in _compiled:
            return False
        root = _begun(self, model)
        return root.is_over or self._taught(root, GLANCE_NODES).is_over

    def comparing_order(self, plan: CspPlan) -> Sequence[int] | None:
        """The positions in about the order of the decisions; None for the order of the row."""
        order = comparing_order(plan.model)
        return None if order == tuple(sorted(order)) else order

    def begun(self, model: Csp, *symmetry: Images | Least | LeastSet) -> Learned:
        """The arrays of a model, propagated; nothing is learned yet."""
        plan = CspPlan(model, make_ready(model, *symmetry))
        if plan.ready is None or not self._settles(plan, plan.ready.root):
            return Learned(CspPlan(model, None), np.zeros(0, dtype=np.int64))
        return Learned(plan, np.zeros_like(plan.ready.root.state.ints))

    def _taught(self, learned: Learned, n_nodes: int) -> Learned:
        """The results after another short search."""
        plan = self._tried(learned, n_nodes, LEARN_ROWS)
        assert plan.tried is not None
        if plan.tried.cursor is None:
            return learned._replace(plan=plan)
        failures = learned.failures + plan.tried.cursor.state.ints
        return Learned(learned.plan, failures, learned.n_tried + plan.tried.block.nodes)

    def _tried(self, learned: Learned, n_nodes: int, n_rows: int) -> CspPlan:
        """The plan with the weights that were learned, and the beginning of its search."""
        ready = learned.plan.ready
        assert ready is not None
        weighted = replace(learned.plan, ready=ready.with_weights(learned.failures))
        return self._with_try(weighted, n_nodes, n_rows)

    def _with_try(self, plan: CspPlan, n_nodes: int, n_rows: int) -> CspPlan:
        """The plan with the beginning of its search."""
        assert plan.ready is not None
        cursor = plan.ready.cursor(())  # the root is propagated already
        room = Room.of(plan.model.row_shape, n_rows)
        lesson = self.advance(plan, cursor, room, n_nodes)
        block = room.take(lesson, settled=False)
        return replace(plan, tried=Tried(block, None if lesson.status is Status.DONE else cursor))

    def _planned(self, learned: Learned) -> CspPlan:
        """The plan with weights of variables, or with the order of the model as the order of decisions.

        The weights do not change in the search, so that its nodes do not depend on the shards. The weight of
        a variable counts the failures of its parts in short searches. Each short search begins at the root
        and uses the weights that were learned before. Sixteen variables with sums and an order take 61
        thousand nodes, and 9.8 million with equal weights. If no short search ends the whole search,
        estimates choose between equal weights, the learned weights, and the order of the model.
        """
        for n_nodes in LESSONS:
            learned = learned if learned.is_over else self._taught(learned, n_nodes)
        if learned.is_over:
            return learned.plan
        weighted = self._tried(learned, TRIED_NODES, TRIED_NODES)
        assert weighted.tried is not None
        if weighted.tried.cursor is None:
            return weighted
        plan, failures, n_tried = learned
        assert plan.ready is not None
        assert weighted.ready is not None
        ways = plan.ready, weighted.ready, plan.ready.in_order()
        best, expected = preferred(ways)
        tried = weighted.tried if best is weighted.ready else None
        preferred_plan = replace(plan, ready=best, tried=tried)
        return self._estimated(preferred_plan, n_tried, int(failures[STEPS]), expected)

    def _estimated(self, plan: CspPlan, n_tried: int, n_steps: int, expected_nodes: float) -> CspPlan:
        """The plan with estimates from the steps of the nodes that were tried."""
        n_steps = max(1, n_steps)
        return replace(
            plan,
            moment_nodes=max(1, min(MOMENT_STEPS * n_tried // n_steps, MOST_MOMENT_NODES)),
            expected_nodes=expected_nodes,
            expected_steps=expected_nodes * n_steps / n_tried,
        )

    def part_done(self, plan: CspPlan, cursor: Cursor) -> float:
        """The steps so far, compared with those that are expected."""
        return min(1.0, int(cursor.state.ints[STEPS]) / plan.expected_steps) if plan.expected_steps else 0.0

    def tried(self, plan: CspPlan) -> Tried | None:
        """See the contract. The search begins as the last short search did if that had the same weights."""
        if plan.ready is None or plan.tried is None or plan.tried.cursor is None:
            return plan.tried
        return replace(plan.tried, cursor=plan.ready.cursor((), plan.tried.cursor))

    def plan_facts(self, plan: CspPlan) -> object:
        """See the contract. How long the search is expected to take is left out."""
        return plan.ready

    def expected_moments(self, plan: CspPlan) -> float:
        """See the contract."""
        return plan.expected_nodes / plan.moment_nodes

    def estimated_nodes(self, plan: CspPlan) -> float:
        """See the contract. Of a large group each element saves a node of all, at most."""
        if plan.ready is None or not plan.compared:
            return plan.expected_nodes
        ready = self.begun(plan.model).plan.ready
        if ready is None:
            return 0.0
        n_elements = min(plan.n_elements, MOST_ELEMENTS)
        return ready.in_order_of(plan.compared).expected_nodes() / n_elements

    def nodes_of_moment(self, plan: CspPlan) -> int:
        """See the contract."""
        return plan.moment_nodes

    def split(self, plan: CspPlan, at_least: int) -> tuple[Shard, ...]:
        """Each decision splits a shard into two: a variable has its first value to try, or it has not.

        Hidden variables are not decided here, so that no two shards contain the same solution.
        """
        ready = plan.ready
        if ready is None:
            return ()
        shown = set(plan.model.solution)
        most_kept = MOST_KEPT_BYTES // ready.n_bytes
        n_kept: Counter[int] = Counter()  # by the length of the prefix, which is that of a level

        def node(prefix: Prefix, cursor: Cursor) -> Iterator[Node]:
            if self._settles(plan, cursor):
                v, value = map(int, next_decision(ready.program, cursor))
                is_kept = v in shown and n_kept[len(prefix)] < most_kept
                n_kept[len(prefix)] += is_kept
                yield Node(prefix, v, value, cursor if is_kept else None)

        def below(above: Node) -> tuple[list[Node], int] | None:
            if above.v not in shown:
                return None
            ways = [(*above.prefix, above.v, above.value, sign) for sign in (1, 0)]
            return [child for way in ways for child in node(way, ready.cursor(way, above.cursor))], 2

        found, n_tried = grown(node((), ready.cursor(())), below, at_least, by_levels=True)
        return numbered((node.prefix for node in found), n_tried) if found else numbered(ROOT, 0)

    def start(self, plan: CspPlan, shard: Shard) -> Cursor:
        """A cursor after the decisions of the prefix; EngineRefuses if the plan has no such shard."""
        steps = [shard.prefix[at : at + 3] for at in range(0, len(shard.prefix), 3)]
        n_variables = len(plan.model.names)
        if plan.ready is not None and all(
            len(step) == 3 and 0 <= step[0] < n_variables and step[2] in (0, 1) for step in steps
        ):
            cursor = plan.ready.cursor(shard.prefix)
            if self._settles(plan, cursor):
                return cursor
        raise no_such_shard(self.name, shard.prefix)

    def _settles(self, plan: CspPlan, cursor: Cursor) -> bool:
        """Make and propagate the decisions of the prefix; False if propagation rules out every solution."""
        self.advance(plan, cursor, Room.of(plan.model.row_shape, 1), 0)
        return int(cursor.state.ints[PHASE]) == OPEN

    def advance(self, plan: CspPlan, cursor: Cursor, room: Room, budget: int) -> Advance:
        """See the contract. A node gives a variable a value or removes one."""
        ready = plan.ready
        assert ready is not None
        arguments = (ready.program, ready.decided, cursor, NO_DIVE, out_of(room.rows), budget, ready.others)
        return Advance.of(list_solutions(*arguments))


@lru_cache(maxsize=1)
def _begun(engine: CspSearch, model: Csp) -> Learned:
    """The arrays of a model, propagated, and kept from the choice of an engine to the plan."""
    return engine.begun(model)
