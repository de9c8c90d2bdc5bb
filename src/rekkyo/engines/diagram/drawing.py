"""Builds a diagram: forward through the levels of a frontier, then backward with nodes.

The levels of an exact cover decide options, those of a `Csp` decide the values of its variables. A hidden
variable has no place in a diagram: at its level, each state must leave it one value, so its level is after
the variables that determine it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.covers.frontier.engine import stays_apart
from rekkyo.engines.covers.frontier.plan import make_plan as make_cover_plan
from rekkyo.engines.csp.frontier.engine import CspFrontier
from rekkyo.engines.csp.frontier.plan import make_plan as make_csp_plan
from rekkyo.engines.diagram.diagram import ENDS, NODE_BYTES, Diagram, from_nodes, too_large
from rekkyo.engines.diagram.kernel import END, NONE, NOTHING, add_level
from rekkyo.engines.frontier.levels import NO_ATOM
from rekkyo.engines.frontier.plan import FrontierPlan
from rekkyo.engines.frontier.walk import walk
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.memory import memory_bytes
from rekkyo.engines.queens.cover.engine import cover_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import RowShape

HANDICAP = 3.0
"""Solutions are in lexicographic order if that costs up to 8 times the states, by an estimate."""

Successors: TypeAlias = NDArray[np.uint32]


def diagram_of(model: Model, most_bytes: int | None = None) -> Diagram:
    """The diagram of all solutions of a lowered model, in `memory_bytes` by default. Raises EngineRefuses."""
    most_bytes = memory_bytes(most_bytes)
    if isinstance(model, ExactCover):
        return _draw(make_cover_plan(model, HANDICAP), model.row_shape, most_bytes)
    if isinstance(model, Queens):
        cover, squares = cover_of(model)
        atoms = [row * model.n + column for row, column in squares]
        return diagram_of(cover, most_bytes).renamed(model.row_shape, atoms)
    CspFrontier().check(model)
    return _draw(make_csp_plan(as_csp(model), handicap=HANDICAP), model.row_shape, most_bytes)


def may_be_drawn(model: Model) -> bool:
    """Whether a diagram that was not requested is worth a try; takes milliseconds."""
    cover = cover_of(model)[0] if isinstance(model, Queens) else model
    return isinstance(cover, ExactCover) and not stays_apart(cover)


def _draw(plan: FrontierPlan[Any], shape: RowShape, most_bytes: int) -> Diagram:
    """The diagram of a plan whose choices are atoms of rows of that shape."""
    steps: list[Successors] = []
    n_ends = 0
    for front in walk(plan, most_bytes, with_successors=True, counting=False):
        n_ends = front.n_states
        if front.successors is not None:
            is_hidden = plan.levels.levels[len(steps)].choices[0].option == NO_ATOM
            steps.append(_without_choice(front.successors) if is_hidden else front.successors)
    most_nodes = max(2, min(most_bytes // NODE_BYTES, (1 << 32) - 2))
    nodes, n_nodes = ENDS.copy(), len(ENDS)
    order = tuple(option for option in plan.levels.order if option != NO_ATOM)
    place = len(order)
    below = np.full(n_ends, NOTHING, dtype=np.uint32)
    while steps:
        successors = steps.pop()
        place -= successors.shape[1] - 1
        with wrapping():
            nodes, n_nodes, below = add_level(nodes, n_nodes, most_nodes, successors, below, place)
        if n_nodes == 0:
            raise too_large(most_bytes)
    root = int(below[0]) if len(below) else int(NONE)
    return from_nodes(shape, order, nodes[:n_nodes], root)


def _without_choice(successors: Successors) -> Successors:
    """Successors without a choice: the only successor of each state as its successor when nothing is taken.

    Raises EngineRefuses.
    """
    is_way = successors != END
    if (is_way.sum(axis=1) > 1).any():
        raise EngineRefuses("a diagram needs hidden variables that follow from those before them")
    first: Successors = np.take_along_axis(successors, is_way.argmax(axis=1)[:, np.newaxis], axis=1)
    return first
