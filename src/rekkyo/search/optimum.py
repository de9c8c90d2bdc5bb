"""The best value of an objective, found and proved before the solutions that have it are searched for.

Algorithm: branch and bound by restarts. A solution is searched for whose objective is better than the best so
far, until a search ends without one; that search is the proof. The engine of the question does all of it, so
that a recount by another engine proves the optimum a second time. It may leave out rows of which an image is
less: images of best solutions are best ones, so that the least of them are met whatever becomes of others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.contract import ListingEngine, Room, no_pause
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import AT_MOST, Linear
from rekkyo.model.csp.csp import Csp, Objective
from rekkyo.search.progress import Stage, Watcher
from rekkyo.search.question import Question
from rekkyo.symmetry.group import MAX_LISTED_ATOMS, Group


def with_optimum(question: Question, watch: Watcher | None = None) -> Question:
    """The question for the solutions with the best value; as it is where there is no objective."""
    model, engine = question.model, question.engine
    if not isinstance(model, Csp) or model.objective is None:
        return question
    if not isinstance(engine, ListingEngine):
        raise EngineRefuses(
            f"engine {engine.name} counts without listing, and an optimum needs one that lists"
        )
    best = None
    stage = Stage(watch, "looking for a first solution")
    while (better := _better(question, engine, model, best, stage)) is not None:
        best = better
        stage.says = f"best value so far {best}, looking for a better one"
    objective = None if best is None else replace(model.objective, best=best)
    return replace(question, model=replace(model, objective=objective))


def _better(
    question: Question,
    engine: ListingEngine[object, object],
    model: Csp,
    best: int | None,
    stage: Stage,
) -> int | None:
    """The value of the objective in a solution that is better than the best so far; None if there is none."""
    objective = model.objective
    assert objective is not None
    bounded = replace(
        model,
        objective=None,
        grid=None,
        constraints=(*model.constraints, *_bounds(objective, best)),
        solution=tuple(dict.fromkeys((*model.solution, objective.variable))),
    )
    plan = _plan(engine, bounded, question.group)
    room = Room.of(bounded.row_shape, 1)
    slice_nodes = min(question.sizes.slice_nodes, engine.nodes_of_moment(plan))
    for shard in engine.split(plan, 1):
        for block in engine.blocks(plan, shard, room, slice_nodes, no_pause):
            stage.add(block.nodes)
            if len(block.rows):
                place = bounded.solution.index(objective.variable)
                return bounded.values[int(block.rows[0, place])]
    return None


def _plan(engine: ListingEngine[object, object], bounded: Csp, group: Group | None) -> object:
    """The plan of a search for a better solution."""
    wider = None if group is None else _widened(group, bounded)
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
    atoms = (np.arange(group.shape.length)[:, None] * shape.n_values + columns).reshape(-1).astype(np.uint32)

    def widened(elements: NDArray[np.uint32]) -> NDArray[np.uint32]:
        images = np.tile(np.arange(shape.n_atoms, dtype=np.uint32), (len(elements), 1))
        images[:, atoms] = atoms[elements]
        return images

    generators = np.array(group.generators, dtype=np.uint32).reshape(-1, group.shape.n_atoms)
    return Group(shape, widened(group.elements), tuple(widened(generators)))


def _bounds(objective: Objective, best: int | None) -> tuple[Linear, ...]:
    """What is better than the best so far."""
    if best is None:
        return ()
    if objective.maximize:
        return (Linear((-1,), (objective.variable,), AT_MOST, -best - 1),)
    return (Linear((1,), (objective.variable,), AT_MOST, best - 1),)
