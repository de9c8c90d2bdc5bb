"""From a model to the diagram of its solutions: forward through the levels, then back with nodes."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from rekkyo.engines.covers.diagram.diagram import ENDS, NODE_BYTES, Diagram, from_nodes, too_large
from rekkyo.engines.covers.diagram.kernel import NONE, NOTHING, add_level
from rekkyo.engines.covers.frontier.plan import DEFAULT_BYTES, make_plan, walk
from rekkyo.engines.covers.frontier.probe import stays_apart
from rekkyo.engines.limbs import wrapping
from rekkyo.engines.queens.cover.plan import cover_of
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens

HANDICAP = 3.0
"""Solutions come in lexicographic order where that costs up to 8 times the states, by the look of it."""


@singledispatch
def diagram_of(model: Model, most_bytes: int = DEFAULT_BYTES) -> Diagram:
    """The diagram of all solutions of a model that is searched as it is. Raises EngineRefuses."""
    raise EngineRefuses(
        f"diagrams are drawn for exact covers, packings and queens, not for a {type(model).__name__}"
    )


@diagram_of.register
def _queens(model: Queens, most_bytes: int = DEFAULT_BYTES) -> Diagram:
    cover, squares = cover_of(model)
    n = model.n
    return _draw(cover, most_bytes).renamed(model.row_shape, [row * n + column for row, column in squares])


@diagram_of.register
def _exact_cover(model: ExactCover, most_bytes: int = DEFAULT_BYTES) -> Diagram:
    return _draw(model, most_bytes)


@singledispatch
def may_be_drawn(model: Model) -> bool:
    """Whether it is worth trying to draw a diagram that nobody asked for; a matter of milliseconds."""
    return False


@may_be_drawn.register
def _queens_may_be_drawn(model: Queens) -> bool:
    return not stays_apart(cover_of(model)[0])


@may_be_drawn.register
def _cover_may_be_drawn(model: ExactCover) -> bool:
    return not stays_apart(model)


def _draw(model: ExactCover, most_bytes: int) -> Diagram:
    plan = make_plan(model, HANDICAP)
    steps = []
    n_ends = 0
    for front in walk(plan, most_bytes, with_successors=True, counting=False):
        n_ends = len(front.states)
        if front.successors is not None:
            steps.append(front.successors)
    most_nodes = max(2, min(most_bytes // NODE_BYTES, (1 << 32) - 2))
    nodes, n_nodes = ENDS.copy(), len(ENDS)
    order = plan.levels.order
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
    return from_nodes(model.row_shape, order, nodes[:n_nodes], root)
