"""The best value of an objective, found and proved before the solutions that have it are searched for.

Algorithm: branch and bound by restarts. A solution is searched for whose objective is better than the best
so far, until a search ends without one; that search is the proof. One worker searches the first moments,
which take less time than cutting; then all workers search shards until one of them finds a solution. The
engine of the question does all of it, so that a recount by another engine proves the optimum a second time.
It may leave out rows of which an image is less: images of best solutions are best ones, so that the least of
them are met whatever becomes of others.

Beside these searches merging is tried, see `best_by_merging.py`. An engine that lists along a diagram merges
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import Block, ListingEngine, Pause, Shard, no_pause
from rekkyo.model.csp.constraints import AT_MOST, Linear
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.search.cutting import scattered
from rekkyo.search.progress import Meter, Stage, Watcher
from rekkyo.search.question import Question
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import StopSign, crew, do_each
from rekkyo.symmetry.group import MAX_LISTED_ATOMS, Group
from rekkyo.symmetry.large_group import AnyGroup

if TYPE_CHECKING:
    from rekkyo.search.best_by_merging import BestByMerging

MOMENTS_ALONE = 16
"""Moments that one worker searches before the others join in: some 60 ms. Cutting takes 20 to 50 ms."""

SHARDS_FOR_WORKER = 8


def with_optimum(question: Question, watch: Watcher | None = None) -> Question:
    """The question for the solutions with the best value; the same question if there is no objective."""
    model, engine = question.model, question.engine
    if not isinstance(model, Csp) or model.objective is None:
        return question
    assert isinstance(engine, ListingEngine)  # the others refuse an objective
    from rekkyo.engines.diagram.engine import DiagramEngine
    from rekkyo.search.best_by_merging import BestByMerging

    with crew(question.workers) as together:
        merge = BestByMerging(model, question, watch, together)
        if isinstance(engine, DiagramEngine):
            best = merge.best_alone()
        else:
            best = _best(model, engine, question, Stage(watch, "looking for a first solution"), merge)
    return with_best(question, best)


def with_best(question: Question, best: int | None) -> Question:
    """The question for the solutions with this best value. best: None without solution or objective."""
    model = question.model
    if not isinstance(model, Csp) or model.objective is None:
        return question
    objective = None if best is None else replace(model.objective, best=best)
    return replace(question, model=replace(model, objective=objective))


def _best(
    model: Csp, engine: ListingEngine[object, object], question: Question, stage: Stage, merge: BestByMerging
) -> int | None:
    """The best value; None if there is no solution."""
    best = None
    while (better := _Better.than(best, model, engine, question).value(stage, merge)) is not None:
        best = better
        stage.says = f"best value so far {best}, looking for a better one"
    return merge.best() if merge.is_over else best


@dataclass(frozen=True, slots=True, eq=False)
class _Better:
    """A search for a solution that is better than the best so far.

    bounded: the model of better solutions; its rows hold the objective. plan: of it, by the engine.
    """

    objective: Objective
    bounded: Csp
    engine: ListingEngine[object, object]
    plan: object
    sizes: Sizes
    workers: int

    @classmethod
    def than(
        cls, best: int | None, model: Csp, engine: ListingEngine[object, object], question: Question
    ) -> _Better:
        """The search for solutions of the model that are better than `best`; for any if there is none."""
        objective = model.objective
        assert objective is not None
        bounded = replace(
            model,
            objective=None,
            grid=None,
            constraints=(*model.constraints, *_bounds(objective, best)),
            solution=model.solution_with_objective,
        )
        plan = _plan(engine, bounded, question.group)
        return cls(objective, bounded, engine, plan, question.sizes, question.workers)

    def value(self, stage: Stage, merge: BestByMerging) -> int | None:
        """The value of the objective in a better solution; None if there is none, or if merging is over."""
        shards = self.engine.split(self.plan, 1)
        most_nodes = None if self.workers == 1 else MOMENTS_ALONE * self._moment_nodes
        nodes = 0
        for shard in shards:
            for block in self._blocks(shard, no_pause):
                stage.add(block.nodes)
                nodes += block.nodes
                if len(block.rows):
                    return self._best_in(block)
                if merge.goes_on(block.nodes / self._moment_nodes):
                    return None
                if most_nodes is not None and nodes > most_nodes:
                    return self._value_by_all(stage, merge)
        return None

    def _value_by_all(self, stage: Stage, merge: BestByMerging) -> int | None:
        """As `value`, by all workers.

        Shards are taken in order and scattered, in turn. In order alone, the optimum of kings on 8x8 took two
        workers 5.9 s instead of 3.2; scattered alone, that of vertices that dominate the 7x7 grid 5.3 instead
        of 1.9.
        """
        shards = self.engine.split(
            self.plan, max(self.sizes.shards_if_short, SHARDS_FOR_WORKER * self.workers)
        )
        order = dict.fromkeys(chain(*zip(shards, scattered(shards), strict=True)))
        meter = Meter(len(shards), self.workers)

        def work(shard: Shard, stop: StopSign, _: int) -> int | None:
            for block in self._blocks(shard, stop.check):
                meter.add(len(block.rows), block.nodes)
                if len(block.rows):
                    return self._best_in(block)
            return None

        nodes = 0
        with closing(do_each(order, work, self.workers, meter, None)) as groups:
            for group in groups:
                more = meter.look().nodes - nodes
                nodes += more
                stage.add(more)
                found = [value for value in group if value is not None]
                if found:
                    return max(found) if self.objective.maximize else min(found)
                if merge.goes_on(more / self._moment_nodes):
                    return None
        return None

    def _blocks(self, shard: Shard, pause: Pause) -> Iterator[Block]:
        """The better solutions of a shard, a block for each moment of the search."""
        room = self.sizes.room(self.bounded.row_shape)
        return self.engine.blocks(self.plan, shard, room, self._moment_nodes, pause)

    @property
    def _moment_nodes(self) -> int:
        return min(self.sizes.slice_nodes, self.sizes.moment_nodes or self.engine.nodes_of_moment(self.plan))

    def _best_in(self, block: Block) -> int:
        """The best value of the objective in rows of a search."""
        column = block.rows[:, self.bounded.solution.index(self.objective.variable)]
        return self.bounded.values[int(column.max() if self.objective.maximize else column.min())]


def _plan(engine: ListingEngine[object, object], bounded: Csp, group: AnyGroup | None) -> object:
    """The plan of a search for a better solution."""
    wider = _widened(group, bounded) if isinstance(group, Group) else None
    plan = None if wider is None else engine.plan_for_representatives(bounded, wider)
    return engine.plan(bounded) if plan is None else plan


def _widened(group: Group, bounded: Csp) -> Group | None:
    """The group, which leaves the value of the objective alone, on the rows of the bounded model.

    Their first positions are those of the group. None if it is too large to list.
    """
    shape = bounded.row_shape
    if group.order * shape.n_atoms > MAX_LISTED_ATOMS:
        return None
    values = sorted({x for v in bounded.solution[: group.shape.length] for x in bounded.domains[v]})
    columns = np.searchsorted(bounded.values, values)
    atoms = (np.arange(group.shape.length)[:, None] * shape.n_values + columns).ravel().astype(np.uint32)

    def widened(elements: NDArray[np.uint32]) -> NDArray[np.uint32]:
        images = np.tile(np.arange(shape.n_atoms, dtype=np.uint32), (len(elements), 1))
        images[:, atoms] = atoms[elements]
        return images

    generators = np.array(group.generators, dtype=np.uint32).reshape(-1, group.shape.n_atoms)
    return Group(shape, widened(group.elements), tuple(widened(generators)))


def _bounds(objective: Objective, best: int | None) -> tuple[Linear, ...]:
    """A constraint for values that are better than the best so far."""
    if best is None:
        return ()
    if objective.maximize:
        return (Linear((-1,), (objective.variable,), AT_MOST, -best - 1),)
    return (Linear((1,), (objective.variable,), AT_MOST, best - 1),)
