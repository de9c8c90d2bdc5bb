"""Engine `coloring-masks`: lists colourings of at most 64 cells; the fastest one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rekkyo.arrays import read_only, unfilled
from rekkyo.bits import ONE, ZERO
from rekkyo.engines.colorings.least import DEPTH, TOP, Least
from rekkyo.engines.colorings.masks.kernel import Cursor, Program, everything, list_solutions, propagate
from rekkyo.engines.colorings.search_engine import ColoringSearch, SearchPlan
from rekkyo.engines.contract import WHOLE, Room, Status
from rekkyo.model.coloring import Coloring

MAX_CELLS = 64
PROBE_ROWS = 1 << 10


class ColoringMasks(ColoringSearch[Program, Cursor]):
    """Cells in a fixed order, sets as bit masks, unit propagation; symmetry inside the search."""

    name = "coloring-masks"
    plan_version = 1
    summary = "cells in a fixed order with bit masks and propagation, up to 64 cells"
    list_solutions = staticmethod(list_solutions)
    moment_nodes = 1 << 16

    def limits(self, model: Coloring) -> str | None:
        """At most 64 cells, and patterns of one colour each."""
        if model.n_cells > MAX_CELLS:
            return f"takes at most {MAX_CELLS} cells, not {model.n_cells}"
        if any(len({color for _, color in pattern}) > 1 for pattern in model.patterns):
            return "takes only patterns whose cells have one colour"
        return None

    def ordered_plan(
        self, model: Coloring, order: Sequence[int], least: Least
    ) -> SearchPlan[Program, Cursor]:
        """The plan of a colouring whose patterns have one colour each."""
        n, n_colors = model.n_cells, model.n_colors
        bits = {cell: 1 << level for level, cell in enumerate(order)}
        lists: list[list[int]] = [[] for _ in range(n * n_colors)]
        root = _root(n, n_colors, least)
        for cells, colors in _one_colored(model):
            whole = sum(bits[cell] for cell in cells)
            for cell in cells:
                place = (bits[cell].bit_length() - 1) * n_colors
                for color in colors:
                    lists[place + color].append(whole ^ bits[cell])
                    if len(cells) == 1:
                        root.banned[0, color] |= np.uint64(whole)
        for cell, color in model.fixed:
            root.todo[color] |= np.uint64(bits[cell])
        program = Program(
            np.cumsum([0, *map(len, lists)]).astype(np.uint64),
            np.array([mask for one_list in lists for mask in one_list], dtype=np.uint64),
            np.array(model.bounds, dtype=np.uint64).reshape(-1, 2),
            np.array(order, dtype=np.int64),
            least,
        )
        # Made read-only before the first call, because Numba would compile another version for writeable
        # arrays.
        possible = propagate(read_only(program), root, 0)
        # The first frame is always at level 0; a colour that is forced there is tried again.
        root.colored[0] &= ~np.uint64(1)
        root.free[0] = everything(n) & ~np.bitwise_or.reduce(root.colored[0])
        root.rest[0] = sum(1 << color for color in range(n_colors) if not int(root.banned[0, color]) & 1)
        return SearchPlan(program, root, hopeless=not possible)

    def ends_in_a_moment(self, plan: SearchPlan[Program, Cursor]) -> bool:
        """Whether the search ends within two moments."""
        return _ends_in_a_moment(self, plan)

    def part_done(self, plan: SearchPlan[Program, Cursor], cursor: Cursor) -> float:
        """See the contract: the colours tried at each open decision, with equal parts for all colours."""
        part, weight = 0.0, 1.0
        for depth in range(int(cursor.state[DEPTH]) + 1):
            banned = cursor.banned[depth] >> np.uint64(cursor.level[depth]) & ONE
            n_possible = np.count_nonzero(banned == ZERO)
            n_left = int(cursor.rest[depth]).bit_count()
            is_open = depth < cursor.state[DEPTH]
            part += weight * (n_possible - n_left - is_open) / n_possible
            weight /= n_possible
        return part


@lru_cache(maxsize=1)
def _ends_in_a_moment(engine: ColoringMasks, plan: SearchPlan[Program, Cursor]) -> bool:
    """Kept, because a search may be cut three times before its shards are chosen."""
    cursor = engine.start(plan, WHOLE)
    room = Room(unfilled((PROBE_ROWS, len(plan.program.order)), np.uint8))
    status, tried, most_nodes = Status.BUFFER_FULL, 0, 2 * engine.nodes_of_moment(plan)
    while status is Status.BUFFER_FULL and tried < most_nodes:
        status, _, nodes = engine.advance(plan, cursor, room, most_nodes - tried)
        tried += nodes
    return status is Status.DONE


def _root(n: int, n_colors: int, least: Least) -> Cursor:
    """A cursor before propagation."""
    root = Cursor(
        colored=np.zeros((n + 1, n_colors), dtype=np.uint64),
        banned=np.zeros((n + 1, n_colors), dtype=np.uint64),
        free=np.zeros(n + 1, dtype=np.uint64),
        rest=np.zeros(n + 1, dtype=np.uint64),
        level=np.zeros(n + 1, dtype=np.int64),
        top=np.zeros(n + 1, dtype=np.int64),
        colors=np.zeros(n, dtype=np.uint8),
        row=np.zeros(n, dtype=np.uint8),
        todo=np.zeros(n_colors, dtype=np.uint64),
        waiting=np.zeros((0, 4), dtype=np.int32),
        state=np.zeros(3, dtype=np.int64),
    )
    root.top[0] = root.state[TOP] = len(least.lists)
    return root


def _one_colored(model: Coloring) -> list[tuple[tuple[int, ...], Sequence[int]]]:
    """Sets of cells, and the colours that they must not have."""
    every_color = range(model.n_colors)
    return [(cells, every_color) for cells in model.sets] + [
        (tuple(cell for cell, _ in pattern), (pattern[0][1],)) for pattern in model.patterns
    ]
