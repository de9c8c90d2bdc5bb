"""A diagram of solutions that are listed already: for few of them, or none, without any levels."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from rekkyo.engines.covers.frontier.plan import make_plan as make_cover_plan
from rekkyo.engines.diagram.diagram import NODE_BYTES, Diagram, from_nodes, too_large
from rekkyo.engines.diagram.drawing import HANDICAP
from rekkyo.engines.diagram.kernel import END, LO, NONE, NOTHING
from rekkyo.engines.frontier.levels import NO_ATOM
from rekkyo.engines.memory import memory_bytes
from rekkyo.engines.queens.cover.engine import cover_of
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import Atom, Row, RowShape


def diagram_of_rows(model: Model, rows: Iterable[Row], most_bytes: int | None = None) -> Diagram:
    """The diagram of all solutions of a lowered model: for covers and queens the same as `diagram_of`.

    Those of other models are in lexicographic order. most_bytes: as in `diagram_of`. Raises EngineRefuses.
    """
    shape = model.row_shape
    solutions = [shape.atoms(row) for row in rows]
    order = _order(model, solutions)
    place_of = {atom: place for place, atom in enumerate(order)}
    drawn = _from_places(shape, order, [sorted(place_of[atom] for atom in atoms) for atoms in solutions])
    if drawn.n_nodes * NODE_BYTES > (most_bytes := memory_bytes(most_bytes)):
        raise too_large(most_bytes)
    return drawn


def _order(model: Model, solutions: Iterable[Iterable[Atom]]) -> tuple[Atom, ...]:
    if isinstance(model, ExactCover):
        levels = make_cover_plan(model, HANDICAP).levels
        return tuple(option for option in levels.order if option != NO_ATOM)
    if isinstance(model, Queens):
        cover, squares = cover_of(model)
        atoms = [row * model.n + column for row, column in squares]
        return tuple(atoms[option] for option in _order(cover, ()))
    return tuple(sorted({atom for atoms in solutions for atom in atoms}))


def _from_places(shape: RowShape, order: tuple[Atom, ...], solutions: list[list[int]]) -> Diagram:
    """The diagram of different solutions, each given by its increasing places in the order.

    Algorithm: from the last solution to the first, keep for each beginning of the present one the node of all
    continuations so far. A solution shares a beginning with the one after it; at the first place where they
    differ, that one is what follows if the place is not taken.
    """
    nodes = [(int(END), int(NONE), int(NONE))] * 2
    known: dict[tuple[int, int, int], int] = {}

    def node(place: int, lo: int, hi: int) -> int:
        key = (place, lo, hi)
        if key not in known:
            known[key] = len(nodes)
            nodes.append(key)
        return known[key]

    after: list[int] = []
    below = [int(NONE)]  # below[d]: the continuations of the first d places of `after`
    for places in sorted(solutions, key=lambda places: (*places, inf), reverse=True):
        differs = (d for d, (one, other) in enumerate(zip(places, after, strict=False)) if one != other)
        n_shared = next(differs, min(len(places), len(after)))
        lows = [nodes[below[d]][LO] for d in range(n_shared)] + [below[n_shared]]
        lows += [int(NONE)] * (len(places) - n_shared - 1)
        below = [int(NOTHING)] * (len(places) + 1)
        for d in reversed(range(len(places))):
            below[d] = node(places[d], lows[d], below[d + 1])
        after = places
    return from_nodes(shape, order, np.array(nodes, dtype=np.uint32), below[0])
